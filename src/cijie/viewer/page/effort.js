/* How long each item takes, and how many keys and clicks: counted only if the annotator agrees. */

import { attempt, remembered } from "./dom.js";

const IDLE = 60; // seconds; a longer pause between two actions counts as this long

/**
 * The effort on each item, kept in the browser beside the answers. Time is that between two actions
 * while the page is visible. `current()` is the number of the item in work, null if none is.
 */
export class Effort {
  constructor({ name, ids, current }) {
    this.name = name;
    this.ids = ids;
    this.current = current;
    this.counted = new Map(); // by number, what was counted since the window was opened
    this.last = performance.now();
    for (const type of ["keydown", "pointerdown", "wheel"]) {
      addEventListener(type, (event) => this.#count(event), { capture: true, passive: true });
    }
    document.addEventListener("visibilitychange", () => {
      const seconds = this.#elapsed();
      if (document.hidden && this.isAgreed) this.#add(current(), { seconds, keys: 0, clicks: 0 });
    });
  }

  /** Whether the annotator agrees; null if nobody has asked. */
  get isAgreed() {
    return this.agreed ?? { yes: true, no: false }[remembered.get(this.#key("agreed"))] ?? null;
  }

  /** Agree, or not: what was counted is thrown away then. */
  agree(isAgreed) {
    this.agreed = isAgreed; // for as long as the window is open if it cannot be remembered
    remembered.set(this.#key("agreed"), isAgreed ? "yes" : "no");
    this.#elapsed();
    if (isAgreed) return;
    this.counted.clear();
    for (const id of this.ids) remembered.remove(this.#key("effort", id));
  }

  /** The effort on an item, or null where none was counted. */
  of(number) {
    const { seconds, keys, clicks } = this.#kept(number);
    return seconds + keys + clicks ? { seconds: Math.round(seconds * 10) / 10, keys, clicks } : null;
  }

  /** Take what was counted elsewhere, if nothing was here. */
  take(number, effort) {
    if (isEffort(effort) && !this.of(number) && this.isAgreed !== false) this.#add(number, effort);
  }

  #count(event) {
    const seconds = this.#elapsed();
    if (!this.isAgreed) return;
    const isKey = event.type === "keydown" && !["Shift", "Control", "Alt", "Meta"].includes(event.key);
    this.#add(this.current(), { seconds, keys: Number(isKey), clicks: Number(event.type === "pointerdown") });
  }

  /** Seconds since the last action. */
  #elapsed() {
    const now = performance.now();
    const seconds = Math.min((now - this.last) / 1000, IDLE);
    this.last = now;
    return seconds;
  }

  #add(number, { seconds, keys, clicks }) {
    if (number === null) return;
    const kept = this.#kept(number);
    const sum = { seconds: kept.seconds + seconds, keys: kept.keys + keys, clicks: kept.clicks + clicks };
    this.counted.set(number, sum);
    remembered.set(this.#key("effort", this.ids[number]), JSON.stringify(sum));
  }

  #kept(number) {
    if (this.counted.has(number)) return this.counted.get(number);
    const kept = attempt(() => JSON.parse(remembered.get(this.#key("effort", this.ids[number]))));
    return isEffort(kept) ? kept : { seconds: 0, keys: 0, clicks: 0 };
  }

  #key(kind, ...rest) {
    return JSON.stringify([kind, ...this.name, ...rest]);
  }
}

function isEffort(value) {
  return ["seconds", "keys", "clicks"].every((key) => Number.isFinite(value?.[key]) && value[key] >= 0);
}
