/* Items kept in the browser one by one, so that nothing typed is lost, and nothing silently. */

const RETRY = 5000; // milliseconds

/**
 * A list of items, each a plain object of fields, kept in `localStorage`.
 *
 * What it promises:
 * - Keys are JSON lists of `name` and the item's id: whatever is in these, no two items share a key.
 * - An item is written when it changes. One that could not be written is in `unsaved`, with the
 *   reason (`"full"` or `"clash"`), is tried again every few seconds, and leaves it when written.
 * - A window writes only over what it has read. Where another window has written since, fields that
 *   one of the two changed are joined; a field that both changed is a clash: the item is not written
 *   until `settle` says whose it is.
 * - What is stored but is no item (`check` gives null for it) is set aside under another key, kept
 *   there, and listed by `strange`.
 *
 * `values[k]` is item `k` as this window has it; it is replaced, never changed. `changed(k, isRemote)`
 * is called when another window, or else a retry, has written an item; `taken(k, fields)` when fields
 * become what another window made of them.
 */
export class Store {
  constructor({ name, ids, check, fresh, changed, taken }) {
    this.name = name;
    this.ids = ids;
    this.check = check;
    this.changed = changed;
    this.taken = taken;
    this.unsaved = new Map();
    this.clashes = new Map(); // by number: { raw, theirs, fields }
    this.held = null; // [number, field] that is being composed, which nothing may replace
    this.numbers = new Map(ids.map((id, k) => [this.#key(id), k]));
    this.seen = ids.map(() => null); // the stored text that `base` was read from
    this.base = ids.map((_, k) => fresh(k)); // what this window and the store last had in common
    this.values = [...this.base];
    this.times = ids.map(() => null); // when each was last changed, in ISO 8601
    this.aside = this.#findAside();
    ids.forEach((_, k) => this.#receive(k));
    addEventListener("storage", (event) => this.#listen(event));
    setInterval(() => this.retry(), RETRY);
    addEventListener("beforeunload", (event) => {
      this.retry();
      if (this.unsaved.size) event.preventDefault();
    });
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
    for (const [k, reason] of this.unsaved) {
      if (reason !== "full") continue;
      this.#save(k);
      if (!this.unsaved.has(k)) this.changed(k);
    }
  }

  /** Settle a clash: in the fields that both changed, this window is right, or the other one. */
  settle(k, isMine) {
    const { raw, theirs, fields } = this.clashes.get(k);
    const { value } = joined(this.base[k], this.values[k], theirs.value);
    if (!isMine) for (const field of fields) value[field] = theirs.value[field];
    this.#adopt(k, raw, theirs, value);
    if (!alike(value, theirs.value)) this.put(k, value);
  }

  /** While a field is being composed with an input method, another window's text is a clash. */
  hold(k, field) {
    this.held = [k, field];
  }

  release() {
    this.held = null;
  }

  /** What was found stored and could not be read, now or before: [id, text] each. */
  strange() {
    return this.aside.map(([, id, raw]) => [id, raw]);
  }

  discardStrange() {
    for (const [key] of this.aside) localStorage.removeItem(key);
    this.aside = this.#findAside();
    this.retry();
  }

  #key(id) {
    return `cijie:${JSON.stringify([...this.name, id])}`;
  }

  #raw(k) {
    try {
      return localStorage.getItem(this.#key(this.ids[k]));
    } catch {
      return null; // a browser may forbid it
    }
  }

  #save(k) {
    const raw = this.#raw(k);
    if (raw !== this.seen[k] && !this.#take(k, raw)) return;
    const [value, time] = [this.values[k], this.times[k]];
    const text = JSON.stringify({ value, changed: time });
    try {
      localStorage.setItem(this.#key(this.ids[k]), text);
    } catch {
      this.unsaved.set(k, "full");
      return;
    }
    this.#adopt(k, text, { value, time }, value);
  }

  /** What is stored is known here from now on, and has become `value` here. */
  #adopt(k, raw, stored, value) {
    const fields = Object.keys(value).filter((field) => !alike(value[field], this.values[k][field]));
    if (fields.length) this.taken(k, fields);
    this.seen[k] = raw;
    this.base[k] = stored.value;
    this.values[k] = value;
    if (alike(value, stored.value)) this.times[k] = stored.time;
    this.clashes.delete(k);
    this.unsaved.delete(k);
  }

  #listen(event) {
    if (event.storageArea !== localStorage) return;
    const numbers = event.key === null ? [...this.numbers.values()] : [this.numbers.get(event.key)];
    for (const k of numbers) {
      if (k === undefined || !this.#receive(k)) continue;
      this.changed(k, true);
    }
    this.retry(); // there may be room now
  }

  /** Read what is stored of an item; whether that was news. */
  #receive(k) {
    const raw = this.#raw(k);
    if (raw === this.seen[k]) return false;
    const isNowhere = () => this.seen[k] === null || !alike(this.values[k], this.base[k]);
    if (this.#take(k, raw) && this.touched(k) && isNowhere()) this.#save(k);
    return true;
  }

  /** Take what somebody else has stored together with what is here; whether that could be. */
  #take(k, raw) {
    if (raw === null) {
      this.seen[k] = null;
      return true;
    }
    const theirs = this.#parsed(raw, k);
    if (!theirs) return this.#setAside(k, raw);
    const held = this.held?.[0] === k ? this.held[1] : null;
    const { value, fields } = joined(this.base[k], this.values[k], theirs.value, held);
    if (fields.length) {
      this.clashes.set(k, { raw, theirs, fields });
      this.unsaved.set(k, "clash");
      return false;
    }
    this.#adopt(k, raw, theirs, value);
    return true;
  }

  #parsed(raw, k) {
    try {
      const { value, changed } = JSON.parse(raw);
      const checked = this.check(value, k);
      return checked && !Number.isNaN(Date.parse(changed)) ? { value: checked, time: changed } : null;
    } catch {
      return null;
    }
  }

  #asideName(...rest) {
    return JSON.stringify([...this.name, "set aside", ...rest]).slice(0, -1);
  }

  #setAside(k, raw) {
    const id = this.ids[k];
    try {
      localStorage.setItem(`cijie:${this.#asideName(id, `${Date.now()} ${Math.random()}`)}]`, raw);
    } catch {
      // It stays where it is, and keeps its place from being written over.
      this.unsaved.set(k, "full");
      this.aside = [...this.#findAside(), [this.#key(id), id, raw]];
      return false;
    }
    localStorage.removeItem(this.#key(id));
    this.seen[k] = null;
    this.aside = this.#findAside();
    return true;
  }

  /** What is set aside: [key, id, text] each. */
  #findAside() {
    const start = `cijie:${this.#asideName()},`;
    try {
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(start))
        .map((key) => [key, JSON.parse(key.slice("cijie:".length)).at(-2), localStorage.getItem(key)]);
    } catch {
      return [];
    }
  }
}

/**
 * What two sides made of a base, field by field: the value, mine where they clash, and the fields in
 * which they do. In the field that is held, any difference is a clash.
 */
function joined(base, mine, theirs, held = null) {
  const value = { ...theirs };
  const fields = [];
  for (const field of Object.keys(mine)) {
    if (alike(mine[field], theirs[field])) continue;
    if (field !== held && alike(base[field], mine[field])) continue;
    value[field] = mine[field];
    if (!alike(base[field], theirs[field])) fields.push(field);
  }
  return { value, fields };
}

export function alike(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
