"use strict";
/* Texts as cijie packs them. Positions are code points, as in Python, never UTF-16 units. */

/** Spans from the string that `pack_spans` made of them: [[start, end], …]. */
function unpackSpans(packed) {
  const spans = [];
  let at = 0;
  let more = 0;
  for (let k = 0; k < packed.length; k += 1) {
    const code = packed.charCodeAt(k);
    if (code === 43) more += 26; // "+"
    else if (code < 97) at += code - 64; // a capital letter
    else {
      const end = at + more + code - 96;
      spans.push([at, end]);
      at = end;
      more = 0;
    }
  }
  return spans;
}

/** How many spans there are in a packed string. */
function countSpans(packed) {
  let count = 0;
  for (let k = 0; k < packed.length; k += 1) count += packed.charCodeAt(k) >= 97;
  return count;
}

/** Rows of `width` numbers from a flat list. */
function unflatten(numbers, width) {
  const rows = [];
  for (let k = 0; k < numbers.length; k += width) rows.push(numbers.slice(k, k + width));
  return rows;
}

/**
 * A text as cells: its characters (grapheme clusters, which Python found) and its white space.
 * Each cell has `start` and `end` in code points, `text`, `blank`, and `half` if it is narrow.
 */
class Text {
  constructor(raw, packedCharacters) {
    this.raw = raw;
    this.points = /[\ud800-\udfff]/.test(raw) ? Array.from(raw) : raw;
    this.length = this.points.length;
    const spans = packedCharacters
      ? unpackSpans(packedCharacters)
      : Array.from({ length: this.length }, (_, k) => [k, k + 1]);
    this.cells = [];
    for (const [start, end] of spans) {
      this.#addBlanks(start);
      this.#add(start, end, false);
    }
    this.#addBlanks(this.length);
  }

  #addBlanks(until) {
    const last = this.cells[this.cells.length - 1];
    for (let at = last ? last.end : 0; at < until; at += 1) this.#add(at, at + 1, true);
  }

  #add(start, end, blank) {
    const text = this.slice(start, end);
    const code = text.codePointAt(0);
    const half = code < 0x1100 || (code >= 0xff61 && code <= 0xffdc);
    this.cells.push({ start, end, text, blank, half });
  }

  /** The text between two code-point offsets. */
  slice(start, end) {
    const part = this.points.slice(start, end);
    return typeof part === "string" ? part : part.join("");
  }

  /** The index of the cell that holds a code point. */
  cellAt(offset) {
    let low = 0;
    let high = this.cells.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.cells[middle].end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The cells of a half-open span of code points, as [first, behind the last]. */
  cellRange([start, end]) {
    return [this.cellAt(start), end > start ? this.cellAt(end - 1) + 1 : this.cellAt(start)];
  }

  /** The words of some spans, joined by a separator. */
  words(spans, separator = " ") {
    return spans.map(([start, end]) => this.slice(start, end)).join(separator);
  }
}

/** The links that anchor blocks stand for, between cells: [[source cell, target cell], …]. */
function anchoredCells(source, target, blocks) {
  const links = [];
  for (const [i, j, size] of unflatten(blocks, 3)) {
    for (let k = 0; k < size; k += 1) {
      const link = [source.cellAt(i + k), target.cellAt(j + k)];
      const last = links[links.length - 1];
      if (!last || last[0] < link[0]) links.push(link);
    }
  }
  return links;
}

/**
 * The columns in which a source stands above its target: [source cell or -1, target cell or -1],
 * anchored characters in one column, what lies between them side by side.
 */
function columnsOf(source, target, blocks) {
  if (!target) return source.cells.map((_, k) => [k, -1]);
  const columns = [];
  let [i, j] = [0, 0];
  const ends = [[source.cells.length, target.cells.length]];
  for (const [a, b] of anchoredCells(source, target, blocks).concat(ends)) {
    while (i < a || j < b) columns.push([i < a ? i++ : -1, j < b ? j++ : -1]);
    if (i < source.cells.length || j < target.cells.length) columns.push([i++, j++]);
  }
  return columns;
}

/** Escape a text for use in a regular expression with the flag `u`. */
function escapeRegExp(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** The code points of a string as U+XXXX. */
function codePoints(text) {
  return Array.from(
    text,
    (point) => `U+${point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  ).join(" ");
}
