"use strict";
/* What an annotator answers: kept in the browser, undone and redone, exported and imported. */

/**
 * The answers to a sheet, one an item. An answer is a plain object that is never changed, only
 * replaced: `boundaries` (word-final code-point offsets, ascending) and `decided` (numbers of
 * regions), or `choice` in a vote; `flag`, `comment`, `done`.
 */
class Answers {
  constructor(sheet) {
    this.sheet = sheet;
    this.texts = sheet.items.map(() => null); // unpacked when needed
    this.prefix = `annotate:${sheet.checksum}:${sheet.annotator}`;
    this.saved = true;
    this.past = [];
    this.future = [];
    this.byId = new Map(sheet.items.map((item, number) => [item.id, number]));
    this.answers = sheet.items.map((item, number) => this.#stored(number) ?? this.fresh(item, number));
    addEventListener("storage", (event) => {
      // Another window with the same sheet.
      const start = `cijie:${this.prefix}:`;
      if (!event.key?.startsWith(start)) return;
      const number = this.byId.get(event.key.slice(start.length));
      if (number === undefined) return;
      this.answers[number] = this.#stored(number) ?? this.fresh(sheet.items[number], number);
      this.changed?.(number);
    });
  }

  text(number) {
    const { source, characters } = this.sheet.items[number];
    this.texts[number] ??= new Text(source, characters);
    return this.texts[number];
  }

  fresh(item, number) {
    const answer = { flag: false, comment: "", done: false };
    if (this.sheet.mode === "vote") return { ...answer, choice: null };
    const packed = item.proposals[item.start]?.[1];
    const ends = packed === undefined ? lastEnds(this.text(number)) : unpackSpans(packed).map(([, end]) => end);
    return { ...answer, boundaries: ends, decided: [] };
  }

  get(number) {
    return this.answers[number];
  }

  /** Change an answer, so that it can be undone. */
  change(number, changes) {
    const before = this.answers[number];
    const after = { ...before, ...changes };
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    this.past.push({ number, before, after });
    this.future = [];
    this.#put(number, after);
  }

  /** Take back the last change; the number of its item, or null. */
  undo() {
    const change = this.past.pop();
    if (!change) return null;
    this.future.push(change);
    this.#put(change.number, change.before);
    return change.number;
  }

  redo() {
    const change = this.future.pop();
    if (!change) return null;
    this.past.push(change);
    this.#put(change.number, change.after);
    return change.number;
  }

  #put(number, answer) {
    this.answers[number] = answer;
    this.saved = remembered.set(`${this.prefix}:${this.sheet.items[number].id}`, JSON.stringify(answer));
  }

  #stored(number) {
    try {
      return JSON.parse(remembered.get(`${this.prefix}:${this.sheet.items[number].id}`));
    } catch {
      return null;
    }
  }

  /** The words of an answer as half-open spans of code points. */
  spans(number) {
    return spansOf(this.text(number), this.answers[number].boundaries);
  }

  /** All answers as JSON lines: annotations, or the votes that were cast. */
  export() {
    const { annotator, items, mode } = this.sheet;
    const records = items.flatMap((item, number) => {
      const { id, source_sha256 } = item;
      const { flag, comment, done, choice } = this.answers[number];
      if (mode === "vote") {
        return choice === null ? [] : [{ id, source_sha256, reference: choice, annotator, comment }];
      }
      const { reference, target_sha256 } = item;
      const spans = this.spans(number);
      return [{ id, source_sha256, reference, target_sha256, spans, annotator, flag, comment, done }];
    });
    return records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }

  /**
   * Take the answers of an exported file. Gives back how many were taken and, for each line that
   * was not, why: [line, key of the message].
   */
  import(text) {
    const refused = [];
    let taken = 0;
    text.split("\n").forEach((line, k) => {
      if (!line.trim()) return;
      const problem = this.#importLine(line);
      if (problem) refused.push([k + 1, problem]);
      else taken += 1;
    });
    return { taken, refused };
  }

  #importLine(line) {
    let record;
    try {
      record = JSON.parse(line);
    } catch {
      return "import.json";
    }
    if (typeof record !== "object" || record === null) return "import.json";
    const number = this.byId.get(String(record.id));
    if (number === undefined) return "import.id";
    const item = this.sheet.items[number];
    if (record.source_sha256 !== item.source_sha256) return "import.checksum";
    const comment = typeof record.comment === "string" ? record.comment : "";
    if (this.sheet.mode === "vote") {
      if (!item.choices.some(([choice]) => choice === record.reference)) return "import.choice";
      this.change(number, { choice: record.reference, comment, done: true });
      return null;
    }
    const spans = record.spans ?? record.tokens; // version 0.1 called them tokens
    const boundaries = boundariesOf(this.text(number), spans);
    if (!boundaries) return "import.tokens";
    const done = record.done === true;
    const decided = done ? unflatten(item.regions, 2).map((_, region) => region) : [];
    this.change(number, { boundaries, decided, comment, flag: record.flag === true, done });
    return null;
  }

  get done() {
    return this.answers.filter((answer) => answer.done).length;
  }

  get flagged() {
    return this.answers.filter((answer) => answer.flag).length;
  }
}

/** The end of the last character that is not white space: where any segmentation ends. */
function lastEnds(text) {
  const last = text.cells.findLast((cell) => !cell.blank);
  return last ? [last.end] : [];
}

/** Spans from word-final positions: a word starts at the first character after the one before. */
function spansOf(text, boundaries) {
  const cells = text.cells.filter((cell) => !cell.blank);
  let next = 0;
  return boundaries.map((end) => {
    const { start } = cells[next];
    while (next < cells.length && cells[next].end <= end) next += 1;
    return [start, end];
  });
}

/** The word-final positions of spans, or null if they are not a segmentation of the text. */
function boundariesOf(text, spans) {
  if (!Array.isArray(spans)) return null;
  const boundaries = spans.map((span) => span?.[1]);
  const ends = new Set(text.cells.filter((cell) => !cell.blank).map((cell) => cell.end));
  const ascending = boundaries.every((end, k) => ends.has(end) && (k === 0 || boundaries[k - 1] < end));
  const last = lastEnds(text)[0];
  if (!ascending || boundaries[boundaries.length - 1] !== last) return null;
  const same = spansOf(text, boundaries).every(([start], k) => start === spans[k][0]);
  return same ? boundaries : null;
}
