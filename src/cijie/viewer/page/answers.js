/* What an annotator answers: kept by a store, undone and redone, exported and imported. */

import { areBoundaries, areNumbers, boundariesOf, spansOf } from "./boundaries.js";
import { attempt, remembered } from "./dom.js";
import { Store, alike } from "./store.js";
import { Text } from "./text.js";

const MOST = 1000; // changes that a reload keeps

/**
 * The answers to a sheet, one an item. An answer is a plain object that is never changed, only
 * replaced: `boundaries` (word-final code-point offsets, ascending), `decided` (numbers of regions)
 * and `start` (what annotation began from), or `choices` in a vote (the numbers of the best
 * corrections, none if no correction is good, null without a vote); `flag`, `comment`, `done`. What
 * is `apart` is kept under a name of its own.
 */
export class Answers {
  constructor(sheet, changed, apart = null) {
    this.sheet = sheet;
    this.texts = sheet.items.map(() => null); // made when needed
    this.name = [sheet.mode, sheet.checksum, sheet.annotator, ...(apart ? [apart] : [])];
    this.past = []; // each a list of changes, { number, before, after }
    this.future = [];
    this.typing = null; // the change that a comment in work adds to
    this.byId = new Map(sheet.items.map((item, number) => [item.id, number]));
    this.store = new Store({
      name: ["answers", ...this.name],
      // An answer that decides other regions would be another answer.
      ids: sheet.items.map(({ id, regions = [] }) => (regions.length ? [id, ...regions] : id)),
      check: (value, number) => this.#checked(value, number),
      fresh: (number) => this.fresh(number),
      changed,
    });
    this.#keepPast();
  }

  /** What can be undone outlives a reload of the window. */
  #keepPast() {
    const key = JSON.stringify(["past", ...this.name]);
    [this.past, this.future] = JSON.parse(remembered.get(key, "session") ?? "[[], []]");
    addEventListener("pagehide", () => {
      remembered.set(key, JSON.stringify([this.past.slice(-MOST), this.future]), "session");
    });
  }

  text(number) {
    const { source, characters } = this.sheet.items[number];
    this.texts[number] ??= new Text(source, characters);
    return this.texts[number];
  }

  fresh(number) {
    const answer = { flag: false, comment: "", done: false };
    if (this.sheet.mode === "vote") return { ...answer, choices: null };
    const { start: boundaries } = this.sheet.items[number];
    return { ...answer, boundaries, decided: [], start: this.sheet.start };
  }

  get(number) {
    return this.store.values[number];
  }

  /** Change an answer, so that it can be undone. */
  change(number, changes) {
    this.#changeAll([[number, changes]]);
  }

  /** Change a comment while it is typed: all that is typed in one go is one change. */
  type(number, comment) {
    const before = this.get(number).comment;
    if (this.typing?.number === number) {
      this.typing.after.comment = comment;
      this.store.put(number, { ...this.get(number), comment });
    } else if (comment !== before) {
      this.change(number, { comment });
      [this.typing] = this.past.at(-1);
    }
  }

  #changeAll(list) {
    const group = [];
    this.typing = null;
    for (const [number, changes] of list) {
      const answer = this.get(number);
      const fields = Object.keys(changes).filter((field) => !alike(answer[field], changes[field]));
      if (!fields.length) continue;
      group.push({ number, before: only(answer, fields), after: only(changes, fields) });
      this.store.put(number, { ...answer, ...changes });
    }
    if (!group.length) return;
    this.past.push(group);
    this.future = [];
  }

  /** Take back the last change: { number } of its item, with `refused` if that was changed since. */
  undo() {
    return this.#step(this.past, this.future, "after", "before");
  }

  redo() {
    return this.#step(this.future, this.past, "before", "after");
  }

  #step(from, to, now, then) {
    this.typing = null;
    const group = from.pop();
    if (!group) return null;
    // Another window may have written while this one was closed.
    const free = group.filter((change) => {
      const answer = this.get(change.number);
      return answer && alike(only(answer, Object.keys(change[now])), change[now]);
    });
    for (const change of free) {
      this.store.put(change.number, { ...this.get(change.number), ...change[then] });
    }
    if (free.length) to.push(free);
    return { number: group[0].number, refused: group.length - free.length };
  }

  /** The words of an answer as half-open spans of code points. */
  spans(number) {
    return spansOf(this.text(number), this.get(number).boundaries);
  }

  /** All answers as JSON lines: annotations, or the votes that were cast. */
  export(effort) {
    const { annotator, items, mode, checksum: study } = this.sheet;
    const records = items.flatMap((item, number) => {
      const { id, source_sha256 } = item;
      const { flag, comment, done, choices, start } = this.get(number);
      const rest = { annotator, study, flag, comment, done, changed: this.store.times[number], effort: effort.of(number) };
      if (mode === "vote") {
        return choices ? [{ id, source_sha256, references: choices, ...rest }] : [];
      }
      const { reference, target_sha256 } = item;
      const spans = this.spans(number);
      return [{ id, source_sha256, reference, target_sha256, spans, start, ...rest }];
    });
    return records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }

  /**
   * What an exported file would change: `answers`, each { number, answer, state, effort } with the
   * state `same` as what is here, `new` (not begun here), `newer` or `older` than it; `refused`, the
   * lines that cannot be taken by the key of the message; the names of `others` whose answers they
   * are; whether some are from another `study`.
   */
  read(text) {
    const read = { answers: [], refused: new Map(), others: new Set(), isOfOther: false };
    const seen = new Set();
    text.split("\n").forEach((line, k) => {
      if (!line.trim()) return;
      const record = attempt(() => JSON.parse(line));
      const isRecord = record !== null && typeof record === "object";
      const number = isRecord ? this.byId.get(String(record.id)) : undefined;
      const answer = number === undefined ? null : this.#answerOf(record, number);
      let problem = !isRecord ? "import.json" : number === undefined ? "import.id" : answer.problem;
      if (!problem && seen.has(number)) problem = "import.twice";
      if (problem) read.refused.set(problem, [...(read.refused.get(problem) ?? []), k + 1]);
      else {
        seen.add(number);
        const here = this.get(number);
        const changed = Date.parse(record.changed ?? "");
        const isNewer = changed > Date.parse(this.store.times[number] ?? "");
        const begun = isNewer ? "newer" : "older";
        const state = alike(here, answer) ? "same" : this.store.touched(number) ? begun : "new";
        read.answers.push({ number, answer, state, effort: record.effort });
        if (record.annotator !== this.sheet.annotator) read.others.add(record.annotator ?? null);
        read.isOfOther ||= (record.study ?? this.sheet.checksum) !== this.sheet.checksum;
      }
    });
    return read;
  }

  /** Take what was read, as one change. */
  take(answers) {
    this.#changeAll(answers.map(({ number, answer }) => [number, answer]));
  }

  /** The answer that a record holds, or { problem }. @returns {any} */
  #answerOf(record, number) {
    const item = this.sheet.items[number];
    if (record.source_sha256 === undefined) return { problem: "import.export" };
    if (record.source_sha256 !== item.source_sha256) return { problem: "import.source" };
    const { comment = "", flag = false, done = false } = record;
    const rest = { flag, comment, done };
    if (this.sheet.mode === "vote") {
      const answer = { ...rest, choices: record.references, done: true };
      return (record.references && this.#checked(answer, number)) || { problem: "import.choice" };
    }
    if ((record.target_sha256 ?? item.target_sha256) !== item.target_sha256) {
      return { problem: "import.target" };
    }
    if ((record.reference ?? item.reference) !== item.reference) return { problem: "import.reference" };
    const boundaries = boundariesOf(this.text(number), record.spans ?? record.tokens); // as gold has them
    const decided = done ? [...item.regions.keys()] : [];
    const { start = "" } = record;
    return this.#checked({ ...rest, boundaries, decided, start }, number) ?? { problem: "import.tokens" };
  }

  /** An answer from outside, with its fields and no others, or null if it is none to this item. */
  #checked(value, number) {
    const { flag, comment, done, choices = null, boundaries, decided, start } = value;
    if (typeof flag !== "boolean" || typeof done !== "boolean" || typeof comment !== "string") return null;
    const answer = { flag, comment, done };
    const item = this.sheet.items[number];
    if (this.sheet.mode === "vote") {
      const isVote = choices === null || areNumbers(choices, 1, item.references.length);
      return isVote ? { ...answer, choices } : null;
    }
    if (!areBoundaries(this.text(number), boundaries)) return null;
    if (!areNumbers(decided, 0, item.regions.length - 1) || typeof start !== "string") return null;
    return { ...answer, boundaries, decided, start };
  }

  get done() {
    return this.store.values.filter((answer) => answer.done).length;
  }

  get flagged() {
    return this.store.values.filter((answer) => answer.flag).length;
  }
}

/** Some fields of an object. */
function only(object, fields) {
  return Object.fromEntries(fields.map((field) => [field, object[field]]));
}
