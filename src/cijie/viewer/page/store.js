/* Items kept in the browser one by one, so that nothing typed is lost, and nothing silently. */

import { attempt, remembered } from "./dom.js";

const RETRY = 5000; // milliseconds
const LOCKS = globalThis.navigator?.locks; // pages that come over plain HTTP have none

/**
 * A list of items, each a plain object of fields, kept in `localStorage`.
 *
 * What it promises:
 * - Keys are JSON lists of `name` and the item's id: whatever is in these, no two items share a key.
 * - One window writes (`isWriter`), which is the first one. Others show what it writes, and go on
 *   when it is closed. Where a browser has no locks, a window stops when another one has written.
 * - An item is written when it changes. One that could not be written is in `unsaved`, is tried again
 *   every few seconds, and leaves it when written.
 * - What is stored but is no item (`check` gives null for it) is set aside under another key, kept
 *   there, and listed by `strange`. It is never written over.
 *
 * `values[k]` is item `k`; it is replaced, never changed. `changed()` is called when something of this
 * changes by itself.
 */
export class Store {
  constructor({ name, ids, check, fresh, changed }) {
    this.name = name;
    this.keys = ids.map((id) => JSON.stringify([...name, id]));
    this.ids = ids;
    this.check = check;
    this.fresh = fresh;
    this.changed = changed;
    this.isWriter = null; // not known yet
    this.unsaved = new Set();
    this.inPlace = new Map(); // what could not be set aside, by number
    this.values = [];
    this.times = []; // when each was last changed, in ISO 8601, or null
    this.#readAll();
    addEventListener("storage", (event) => this.#listen(event));
    setInterval(() => this.retry(), RETRY);
    addEventListener("beforeunload", (event) => {
      this.retry();
      if (this.unsaved.size) event.preventDefault();
    });
    this.#lock();
  }

  async #lock() {
    await null; // until whoever makes the store has it
    if (!LOCKS) return this.#begin();
    const lock = JSON.stringify(this.name);
    await LOCKS.request(lock, { ifAvailable: true }, (own) => own && this.#begin());
    this.isWriter = false;
    this.changed();
    return LOCKS.request(lock, () => this.#begin());
  }

  /** Write from now on, until the window is closed. */
  #begin() {
    this.isWriter = true;
    this.#readAll();
    this.aside = this.#findAside();
    this.changed();
    return new Promise(() => {});
  }

  put(k, value) {
    this.values[k] = value;
    this.times[k] = new Date().toISOString();
    this.#save(k);
    if (!this.unsaved.has(k)) this.retry(); // there may be room for the others, too
  }

  /** Whether anybody has changed the item, here or before. */
  touched(k) {
    return this.times[k] !== null;
  }

  /** When any of what is kept was last changed, or null. */
  get lastSaved() {
    return this.times.reduce((last, time) => (time > (last ?? "") ? time : last), null);
  }

  /** Try again to write what could not be written. */
  retry() {
    if (!this.unsaved.size) return;
    for (const k of this.unsaved) this.#save(k);
    this.changed();
  }

  /** What was found stored and could not be read, now or before: [id, text] each. */
  strange() {
    const inPlace = Array.from(this.inPlace, ([k, raw]) => [this.ids[k], raw]);
    return [...(this.aside ?? []).map(([, id, raw]) => [id, raw]), ...inPlace];
  }

  discardStrange() {
    for (const [key] of this.aside) remembered.remove(key);
    for (const k of this.inPlace.keys()) remembered.remove(this.keys[k]);
    this.inPlace.clear();
    this.aside = this.#findAside();
    this.retry();
  }

  #readAll() {
    this.ids.forEach((_, k) => this.#read(k));
  }

  #read(k) {
    const raw = remembered.get(this.keys[k]);
    const { value, changed } = this.#parsed(raw, k) ?? { value: this.fresh(k), changed: null };
    this.values[k] = value;
    this.times[k] = changed;
    if (this.isWriter) this.#makeWay(k, raw);
  }

  #save(k) {
    const stored = JSON.stringify({ value: this.values[k], changed: this.times[k] });
    const isFree = this.isWriter !== false && this.#makeWay(k, remembered.get(this.keys[k]));
    if (isFree && remembered.set(this.keys[k], stored)) this.unsaved.delete(k);
    else this.unsaved.add(k);
  }

  #listen({ storageArea, key }) {
    if (storageArea !== localStorage) return;
    const numbers = key === null ? [...this.keys.keys()] : [this.keys.indexOf(key.slice("cijie:".length))];
    const own = numbers.filter((k) => k >= 0);
    if (!LOCKS && own.length) this.isWriter = false;
    // What somebody has cleared away here is written again.
    if (this.isWriter) for (const k of own) this.touched(k) && this.#save(k);
    else own.forEach((k) => this.#read(k));
    if (own.length) this.changed();
    this.retry(); // there may be room now
  }

  #parsed(raw, k) {
    return attempt(() => {
      const { value, changed } = JSON.parse(raw);
      const checked = this.check(value, k);
      return checked && !Number.isNaN(Date.parse(changed)) ? { value: checked, changed } : null;
    });
  }

  #asideKey(...rest) {
    return JSON.stringify([...this.name, "set aside", ...rest]);
  }

  /** Set aside what is stored in the place of an item and is none; whether the place is free. */
  #makeWay(k, raw) {
    if (raw === null || this.#parsed(raw, k)) return true;
    // It stays where it is if there is no room for it elsewhere.
    if (!remembered.set(this.#asideKey(this.ids[k], `${Date.now()} ${Math.random()}`), raw)) {
      this.inPlace.set(k, raw);
      return false;
    }
    remembered.remove(this.keys[k]);
    this.inPlace.delete(k);
    this.aside = this.#findAside();
    return true;
  }

  /** What is set aside: [key, id, text] each. */
  #findAside() {
    const start = `${this.#asideKey().slice(0, -1)},`;
    const found = remembered.keys().filter((key) => key.startsWith(start));
    return found.map((key) => [key, JSON.parse(key).at(-2), remembered.get(key)]);
  }
}

export function alike(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
