/* A long list of cards of which only those in view exist. */

import { byId } from "./dom.js";
import { firstBehind } from "./text.js";

const GAP = 18; // pixels between cards
const TALLEST = 16_000_000; // pixels; browsers cannot place elements much farther down
const MARGIN = 600; // pixels drawn above and below the view

/**
 * Cards in `container`, scrolled by the window. `draw(item)` makes a card, `estimate(item)` says
 * about how tall it will be. Items for which a browser has no room are left out of `items`.
 */
export class CardList {
  constructor(container, draw, estimate) {
    this.container = container;
    this.draw = draw;
    this.estimate = estimate;
    this.items = [];
    this.tops = new Float64Array(1); // of each card, and behind the last
    this.cards = new Map();
    const update = () => {
      this.pending = false;
      this.update();
    };
    addEventListener("scroll", () => {
      if (!this.pending) requestAnimationFrame(update);
      this.pending = true;
    });
    let width = container.clientWidth;
    new ResizeObserver(() => {
      if (container.clientWidth === width) return;
      width = container.clientWidth;
      // What is at the top of the window stays there, wherever in the card that is.
      const top = this.topmost();
      const { y = 0 } = this.cards.get(top)?.getBoundingClientRect() ?? {};
      const offset = y - headHeight();
      this.show(this.given);
      if (scrollY > this.#origin) {
        this.scrollTo(top);
        scrollBy(0, -offset);
      }
    }).observe(container);
  }

  /** Show other items, from the top. */
  show(items) {
    this.given = items;
    this.heights = Float64Array.from(items, (item) => this.estimate(item) + GAP);
    this.#sum();
    this.items = items.slice(0, this.#find(TALLEST));
    this.heights = this.heights.subarray(0, this.items.length);
    this.#sum();
    this.redraw();
  }

  /** Draw all cards in view anew. */
  redraw() {
    for (const card of this.cards.values()) card.remove();
    this.cards.clear();
    this.update();
  }

  #sum() {
    const { heights } = this;
    if (this.tops.length !== heights.length + 1) this.tops = new Float64Array(heights.length + 1);
    for (let k = 0; k < heights.length; k += 1) this.tops[k + 1] = this.tops[k] + heights[k];
    this.container.style.height = `${this.tops.at(-1)}px`;
  }

  get #origin() {
    return this.container.getBoundingClientRect().top + scrollY;
  }

  #find(place) {
    return firstBehind(this.tops.subarray(1), place, (top) => top);
  }

  /** The number of the topmost card in view. */
  topmost() {
    return this.#find(Math.max(0, scrollY - this.#origin + headHeight()));
  }

  update() {
    // Cards turn out shorter than thought, so that there is room for more of them.
    for (let round = 0; round < 4 && this.#fill(); round += 1);
  }

  /** Draw what is in view and drop what is not; whether that changed any height. */
  #fill() {
    const place = scrollY - this.#origin;
    const first = this.#find(place - MARGIN);
    const last = Math.min(this.#find(place + innerHeight + MARGIN), this.items.length - 1);
    for (const [number, card] of this.cards) {
      if ((number < first || number > last) && !card.contains(document.activeElement)) {
        card.remove();
        this.cards.delete(number);
      }
    }
    for (let number = first; number <= last; number += 1) {
      if (!this.cards.has(number)) this.#add(number);
    }
    return this.#measure(place);
  }

  #add(number) {
    const card = this.draw(this.items[number], number);
    const next = [...this.cards.keys()].filter((other) => other > number);
    const before = next.length ? this.cards.get(Math.min(...next)) : null;
    this.container.insertBefore(card, before); // in reading order
    this.cards.set(number, card);
  }

  /** Take the true heights; what is in view stays where it is. Whether any was not as thought. */
  #measure(place) {
    const top = this.#find(Math.max(place, 0));
    const offset = place - this.tops[top];
    let changed = false;
    for (const [number, card] of this.cards) {
      const height = card.offsetHeight + GAP;
      if (Math.abs(height - this.heights[number]) > 0.5) {
        this.heights[number] = height;
        changed = true;
      }
    }
    if (changed) {
      this.#sum();
      const moved = this.tops[top] + offset - place;
      if (place > 0 && Math.abs(moved) > 0.5) scrollBy(0, moved);
    }
    for (const [number, card] of this.cards) {
      card.style.transform = `translateY(${Math.round(this.tops[number])}px)`;
    }
    return changed;
  }

  /** Scroll to a card, and give it back. */
  scrollTo(number) {
    for (let round = 0; round < 3 && number < this.items.length; round += 1) {
      scrollTo(0, this.tops[number] - headHeight() + this.#origin);
      this.update();
    }
    return this.cards.get(number);
  }
}

/** The height of what stays at the top of the window. */
function headHeight() {
  return (byId("tools")?.offsetHeight ?? 0) + 8;
}
