/* Texts as cells. Positions are code points, as in Python, never UTF-16 units. */

/** @typedef {[number, number]} Span half-open, in code points */
/** @typedef {{start: number, end: number, text: string, blank: boolean, half: boolean}} Cell */

/**
 * A text as cells: its characters (grapheme clusters) and its white space. Python gives the spans of
 * the characters, unless each code point is one. A cell is `half` if it is narrow.
 */
export class Text {
  /** @type {Cell[]} */
  #cells;

  /** @param {string} raw @param {Span[]} [characters] */
  constructor(raw, characters) {
    this.raw = raw;
    this.points = /[\ud800-\udfff]/.test(raw) ? Array.from(raw) : raw;
    this.length = this.points.length;
    this.isPlain = !characters;
    this.given = characters;
  }

  /** The spans of the characters, without white space. */
  get characters() {
    this.given ??= Array.from({ length: this.length }, (_, k) => [k, k + 1]);
    return this.given;
  }

  get cells() {
    this.#cells ??= this.#split();
    return this.#cells;
  }

  #split() {
    const cells = [];
    const add = (start, end, blank) => {
      const text = this.slice(start, end);
      const code = text.codePointAt(0);
      const half = code < 0x1100 || (code >= 0xff61 && code <= 0xffdc);
      cells.push({ start, end, text, blank, half });
    };
    let last = 0;
    for (const [start, end] of [...this.characters, [this.length, this.length]]) {
      while (last < start) add(last, ++last, true);
      if (end > start) add(start, end, false);
      last = end;
    }
    return cells;
  }

  /** The text between two code-point offsets. */
  slice(start, end) {
    const part = this.points.slice(start, end);
    return typeof part === "string" ? part : part.join("");
  }

  /** The index of the cell that holds a code point. */
  cellAt(offset) {
    return firstBehind(this.cells, offset, ({ end }) => end);
  }

  /** The words of some spans, joined by a separator. */
  words(spans, separator = " ") {
    return spans.map(([start, end]) => this.slice(start, end)).join(separator);
  }
}

/** The number of the first of ascending things that ends behind an offset. */
export function firstBehind(things, offset, /** @type {(thing: any) => number} */ endOf = ([, end]) => end) {
  let [low, high] = [0, things.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(things[middle]) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The number of the span that holds an offset, or -1. */
export function wordAt(words, offset) {
  const number = firstBehind(words, offset);
  return number < words.length && words[number][0] <= offset ? number : -1;
}

/** The links that anchor blocks stand for, between cells: [[source cell, target cell], …]. */
export function anchoredCells(source, target, blocks) {
  const links = [];
  for (const [i, j, size] of blocks) {
    for (let k = 0; k < size; k += 1) {
      const link = [source.cellAt(i + k), target.cellAt(j + k)];
      const last = links.at(-1);
      if (!last || last[0] < link[0]) links.push(link);
    }
  }
  return links;
}

/** The cells of source and target that correspond to nothing identical: a set for each. */
export function unlinkedCells(source, target) {
  if (!target) return [new Set(), new Set()];
  const links = anchoredCells(source, target.text, target.anchors);
  return [source, target.text].map((text, side) => {
    const linked = new Set(links.map((link) => link[side]));
    return new Set(text.cells.flatMap((cell, k) => (linked.has(k) || cell.blank ? [] : [k])));
  });
}

/**
 * The columns in which a source stands above its targets: [source cell or -1, cell of each target or
 * -1], anchored characters in one column, what lies between them side by side.
 */
export function columnsOf(source, targets) {
  const whole = source.cells.length;
  const placed = targets.map((target) => {
    const beside = []; // by cell of the source
    const before = Array.from({ length: whole + 1 }, () => []); // what has no cell beside it
    let [i, j] = [0, 0];
    for (const [a, b] of [...anchoredCells(source, target.text, target.anchors), [whole, target.text.cells.length]]) {
      while (i < a && j < b) beside[i++] = j++;
      while (j < b) before[a].push(j++);
      beside[a] = j++;
      i = a + 1;
    }
    return { beside, before };
  });
  return Array.from({ length: whole + 1 }, (_, k) => {
    const added = Math.max(0, ...placed.map(({ before }) => before[k].length));
    const columns = Array.from({ length: added }, (_, n) => [-1, ...placed.map(({ before }) => before[k][n] ?? -1)]);
    return k < whole ? [...columns, [k, ...placed.map(({ beside }) => beside[k] ?? -1)]] : columns;
  }).flat();
}

/** How many code points a string has. */
export function textLength(text) {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}

/** Escape a text for use in a regular expression with the flag `u`. */
export function escapeRegExp(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** The code points of a string as U+XXXX. */
export function codePoints(text) {
  const hex = (point) => point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
  return Array.from(text, (point) => `U+${hex(point)}`).join(" ");
}
