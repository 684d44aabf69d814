/* A long list of cards of which only those in view exist. */

import { byId } from "./dom.js";
import { firstBehind } from "./text.js";

const GAP = 18; // pixels between cards
const TALLEST = 8_000_000; // pixels; browsers cannot place elements much farther down
const MARGIN = 600; // pixels drawn above and below the view

/**
 * Cards in `container`, scrolled by the window. `draw(item)` makes a card, `estimate(item)` says
 * about how tall it will be.
 *
 * A list that is taller than a browser can manage is squeezed: `shift` is how far up cards are
 * drawn. While one scrolls it stays as it is; after a jump, and when scrolling has come to rest, it
 * becomes what the place in the list asks for, without anything moving in view.
 */
export class CardList {
  constructor(container, draw, estimate) {
    this.container = container;
    this.draw = draw;
    this.estimate = estimate;
    this.items = [];
    this.tops = new Float64Array(1); // of each card, and behind the last
    this.cards = new Map();
    this.shift = 0;
    this.lastScroll = 0;
    const update = () => {
      this.pending = false;
      this.update();
    };
    addEventListener("scroll", () => {
      if (!this.pending) requestAnimationFrame(update);
      this.pending = true;
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.#rebalance(), 160);
    });
    let width = container.clientWidth;
    new ResizeObserver(() => {
      if (container.clientWidth === width) return;
      width = container.clientWidth;
      // What is at the top of the window stays there, wherever in the card that is.
      const top = this.topmost();
      const { y = 0 } = this.cards.get(top)?.getBoundingClientRect() ?? {};
      const offset = y - headHeight();
      this.show(this.items);
      if (scrollY > this.#origin) {
        this.scrollTo(top);
        scrollBy(0, -offset);
      }
    }).observe(container);
  }

  /** Show other items, from the top. */
  show(items) {
    this.items = items;
    this.heights = Float64Array.from(items, (item) => this.estimate(item) + GAP);
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
    this.total = this.tops[heights.length];
    this.container.style.height = `${Math.min(this.total, TALLEST)}px`;
  }

  get #origin() {
    return this.container.getBoundingClientRect().top + scrollY;
  }

  /** The squeeze: how much can be scrolled of how much there is. */
  get #squeeze() {
    return this.total <= TALLEST ? 1 : (TALLEST - innerHeight) / (this.total - innerHeight);
  }

  #rebalance() {
    if (this.total <= TALLEST) return;
    const scrolled = scrollY - this.#origin;
    const place = scrolled + this.shift;
    const wanted = within(place * this.#squeeze);
    if (Math.abs(wanted - scrolled) < 1) return;
    this.shift = place - wanted;
    this.lastScroll = wanted;
    scrollTo(0, wanted + this.#origin);
    this.update();
  }

  #find(place) {
    return firstBehind(this.tops.subarray(1), place, (top) => top);
  }

  /** The number of the topmost card in view. */
  topmost() {
    return this.#find(Math.max(0, scrollY - this.#origin + this.shift + headHeight()));
  }

  update() {
    const scrolled = scrollY - this.#origin;
    if (this.total <= TALLEST) this.shift = 0;
    else if (Math.abs(scrolled - this.lastScroll) > 3 * innerHeight) {
      this.shift = within(scrolled) * (1 / this.#squeeze - 1);
    }
    this.lastScroll = scrolled;
    // Cards turn out shorter than thought, so that there is room for more of them.
    for (let round = 0; round < 4 && this.#fill(); round += 1);
  }

  /** Draw what is in view and drop what is not; whether that changed any height. */
  #fill() {
    const place = scrollY - this.#origin + this.shift;
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
      if (place > 0 && Math.abs(moved) > 0.5) {
        if (this.total > TALLEST) this.shift += moved;
        else {
          this.lastScroll += moved;
          scrollBy(0, moved);
        }
      }
    }
    for (const [number, card] of this.cards) {
      card.style.transform = `translateY(${Math.round(this.tops[number] - this.shift)}px)`;
    }
    return changed;
  }

  /** Scroll to a card, and give it back. */
  scrollTo(number) {
    for (let round = 0; round < 3; round += 1) {
      const place = this.tops[number] - headHeight();
      const scrolled = place * this.#squeeze;
      this.shift = place - scrolled;
      this.lastScroll = scrolled;
      scrollTo(0, scrolled + this.#origin);
      this.update();
    }
    return this.cards.get(number);
  }
}

/** The nearest that a squeezed list can be scrolled to. */
function within(scrolled) {
  return Math.min(Math.max(scrolled, 0), TALLEST - innerHeight);
}

/** The height of what stays at the top of the window. */
function headHeight() {
  return (byId("tools")?.offsetHeight ?? 0) + 8;
}
