/* Which sentences are shown, and how many things there are beside each value of each filter. */

import { wordsOf } from "./boundaries.js";
import { Text, escapeRegExp, textLength } from "./text.js";

const ERRORS = ["over", "under", "drift"];
const OUTCOMES = ["hit", "wrong", "missed"];
export const EDITS = ["M", "R", "S", "W"]; // missing, redundant, substituted, in another order
export const LENGTHS = [0, 20, 40, 60, 100];
export const SURE = [0, 0.6, 0.8, 0.95]; // of the least confidence of a sentence

/** The kinds of errors that a page has; on that of corrections the outcomes of edits, hits included. */
export function errorKinds({ variant }) {
  return variant === "edits" ? OUTCOMES : ERRORS;
}

/**
 * The filters. Each has `values`, by key, and looks at *items* of a sentence: regions, gold words, or
 * the sentence itself. Values of one filter are alternatives, filters go together. Two filters hold
 * for one and the same region: `edit`, and the one about what is wrong there, with gold `error`, or
 * about how systems differ there, without gold `region`.
 */
export class Filters {
  constructor(data) {
    this.data = data;
    this.size = data.sentences.length;
    this.joint = data.summary ? "error" : "region";
    this.names = data.summary
      ? [...data.systems.map((name) => `right:${name}`), "gold", "error", "edit", "sentence", "word", "region"]
      : ["alike", "region", "edit"];
    this.names.push("changed", "sure", "links", "length");
    this.keys = []; // of each value, such as "error=P2.over"
    this.filterOf = [];
    this.numbers = new Map();
    this.selected = new Set();
    this.matches = null; // of the search: a byte for each sentence
    this.#index();
  }

  #number(filter, value) {
    const key = `${filter}=${value}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.keys.push(key) - 1;
      this.numbers.set(key, number);
      this.filterOf.push(this.names.indexOf(filter));
    }
    return number;
  }

  /** Note what each sentence has, in flat arrays: 50,000 sentences are filtered at each click. */
  #index() {
    const { sentences, summary, systems } = this.data;
    const values = []; // a negative number says how often the value behind it occurs
    const regions = []; // numbers of values of the joint filter, and of sets of edits
    this.start = new Uint32Array(this.size + 1);
    this.regionStart = new Uint32Array(this.size + 1);
    this.lengths = Uint32Array.from(sentences, ({ source }) => textLength(source));
    this.errorCounts = new Uint32Array(this.size);
    this.contestedCounts = Uint32Array.from(sentences, ({ contested }) => contested?.length ?? 0);
    this.doubts = Float64Array.from(sentences, ({ sure }) => sure ?? 1); // the least confidence
    // Of each system, what is right, what gold has, and what the system has.
    this.sums = systems.map(() => Array.from({ length: 3 }, () => new Uint32Array(this.size)));
    this.editSets = []; // numbers of values of the filter `edit`
    this.editNumbers = new Map();
    sentences.forEach((sentence, n) => {
      if (summary) values.push(this.#number("gold", sentence.without_gold ? "no" : "yes"));
      if (!summary) this.#indexDifferences(sentence, values, regions);
      else if (!sentence.without_gold) this.#indexGold(sentence, n, values, regions);
      this.#indexEvidence(sentence, values);
      values.push(this.#number("sure", SURE.findLast((from) => from <= this.doubts[n])));
      values.push(this.#number("length", LENGTHS.findLast((from) => from <= this.lengths[n])));
      this.start[n + 1] = values.length;
      this.regionStart[n + 1] = regions.length;
    });
    this.values = Int32Array.from(values);
    this.regions = Int32Array.from(regions);
  }

  /** The number of a set of edits, "MS" or ["M:NOUN"]; one of its values is "none" if there are none. */
  #edits(edits) {
    const key = String(edits);
    let number = this.editNumbers.get(key);
    if (number === undefined) {
      number = this.editSets.push(Array.from(edits || ["none"], (edit) => this.#number("edit", edit))) - 1;
      this.editNumbers.set(key, number);
    }
    return number;
  }

  #indexGold({ words, systems: cuts, tokens = [], contested = [], errors = [] }, n, values, regions) {
    const { systems } = this.data;
    const isWrong = systems.map(() => false);
    for (const [, , kind, edits, erring] of errors) {
      for (const k of erring) {
        regions.push(this.#number("error", `${systems[k]}.${kind}`), this.#edits(edits));
        isWrong[k] ||= kind !== "hit";
        this.errorCounts[n] += Number(kind !== "hit");
        if (cuts) continue;
        const [right, expected, made] = this.sums[k];
        right[n] += Number(kind === "hit");
        expected[n] += Number(kind !== "wrong");
        made[n] += Number(kind !== "missed");
      }
    }
    isWrong.forEach((wrong, k) => values.push(this.#number(`right:${systems[k]}`, wrong ? "no" : "yes")));
    values.push(this.#number("sentence", isWrong.map((wrong) => (wrong ? "b" : "g")).join("")));
    cuts?.forEach((cut, k) => {
      const right = words[0].length - tokens.filter(([, pattern]) => pattern[k] === "b").length;
      [right, words[0].length, words[cut].length].forEach((count, of) => (this.sums[k][of][n] = count));
    });
    for (const [, pattern] of tokens) values.push(this.#number("word", pattern));
    const allRight = cuts ? words[0].length - tokens.length : 0;
    if (allRight) values.push(-allRight, this.#number("word", "g".repeat(systems.length)));
    for (const [, , pattern] of contested) {
      values.push(this.#number("region", "any"), this.#number("region", pattern));
      systems.forEach((name, k) => {
        values.push(this.#number("region", `${pattern[k] === "g" ? "right" : "wrong"}.${name}`));
      });
    }
  }

  #indexDifferences({ contested = [] }, values, regions) {
    values.push(this.#number("alike", contested.length ? "no" : "yes"));
    for (const [, , pattern, edits] of contested) {
      regions.push(this.#number("region", pattern), this.#edits(edits));
    }
  }

  #indexEvidence({ evidence = [], reasons = [] }, values) {
    const { systems } = this.data;
    const decided = reasons.flatMap((reason) => reason.systems.map((k) => `${systems[k]}.${reason.kind}`));
    for (const value of new Set(decided)) values.push(this.#number("changed", value));
    evidence.forEach((each, k) => {
      if (!each?.links) return;
      values.push(this.#number("links", `${systems[k]}.residual`));
      if (each.links.some((link) => link[3])) values.push(this.#number("links", `${systems[k]}.crossing`));
    });
  }

  /** Whether there is a sentence with a doubtful decision. */
  get hasDoubts() {
    return SURE.slice(0, -1).some((from) => this.numbers.has(`sure=${from}`));
  }

  /** The values of a filter, of regions and the like only the patterns. */
  valuesOf(filter) {
    const found = this.keys.filter((key) => key.startsWith(`${filter}=`)).map((key) => key.slice(filter.length + 1));
    return found.filter((value) => value !== "any" && !/^(right|wrong)\./.test(value));
  }

  /** Whether systems differ in a sentence, from one another or at least from gold. */
  isInteresting(n) {
    return this.contestedCounts[n] > 0 || (this.data.systems.length === 1 && this.errorCounts[n] > 0);
  }

  /** Select or deselect a value, such as "error=P2.over". */
  toggle(key) {
    if (!this.selected.delete(key)) this.selected.add(key);
  }

  /** The sentences that all filters let through, and the counts of each value under the others. */
  apply() {
    const [jointFilter, editFilter] = [this.names.indexOf(this.joint), this.names.indexOf("edit")];
    const chosen = new Uint8Array(this.keys.length);
    const active = new Uint8Array(this.names.length);
    for (const key of this.selected) {
      const number = this.numbers.get(key);
      if (number !== undefined) chosen[number] = 1;
      // What occurs nowhere is no value, but a filter all the same.
      const filter =
        this.filterOf[number] ?? this.names.findIndex((name) => key.startsWith(`${name}=`));
      if (filter >= 0) active[filter] = 1;
    }
    const ofRegions = active[jointFilter] || active[editFilter];
    const needed = this.names.filter(
      (_, filter) => active[filter] && filter !== jointFilter && filter !== editFilter,
    ).length;
    const editChosen = this.editSets.map((set) => set.some((number) => chosen[number]));
    const met = new Int32Array(this.names.length).fill(-1);
    const counts = new Uint32Array(this.keys.length);
    const shown = [];
    for (let n = 0; n < this.size; n += 1) {
      if (this.matches && !this.matches[n]) continue;
      let fulfilled = 0;
      for (let k = this.start[n]; k < this.start[n + 1]; k += 1) {
        const value = this.values[k];
        if (value < 0 || !chosen[value]) continue;
        const filter = this.filterOf[value];
        if (met[filter] !== n) {
          met[filter] = n;
          fulfilled += 1;
        }
      }
      let regionMet = !ofRegions;
      for (let k = this.regionStart[n]; k < this.regionStart[n + 1] && !regionMet; k += 2) {
        regionMet =
          (!active[jointFilter] || chosen[this.regions[k]]) &&
          (!active[editFilter] || editChosen[this.regions[k + 1]]);
      }
      const failing = needed - fulfilled + Number(!regionMet);
      if (failing > 1) continue;
      if (failing === 0) shown.push(n);
      let times = 1;
      for (let k = this.start[n]; k < this.start[n + 1]; k += 1) {
        const value = this.values[k];
        if (value < 0) {
          times = -value;
          continue;
        }
        const filter = this.filterOf[value];
        // Where one filter is not met, the sentence counts for that filter alone.
        if (failing === 0 || (regionMet && active[filter] && met[filter] !== n)) counts[value] += times;
        times = 1;
      }
      if (failing === 0 || !regionMet) {
        for (let k = this.regionStart[n]; k < this.regionStart[n + 1]; k += 2) {
          const touching = this.regions[k + 1];
          if (!active[editFilter] || editChosen[touching]) counts[this.regions[k]] += 1;
          if (!active[jointFilter] || chosen[this.regions[k]]) {
            for (const number of this.editSets[touching]) counts[number] += 1;
          }
        }
      }
    }
    this.counts = counts;
    return shown;
  }

  /** How many things of a value there are in the sentences that the other filters let through. */
  count(key) {
    return this.counts[this.numbers.get(key)] ?? 0;
  }

  /** How many things of a value there are in all sentences. */
  whole(key) {
    if (!this.all) {
      const { selected, matches, counts } = this;
      Object.assign(this, { selected: new Set(), matches: null });
      this.apply();
      this.all = this.counts;
      Object.assign(this, { selected, matches, counts });
    }
    return this.all[this.numbers.get(key)] ?? 0;
  }

  /** The F of a system over some sentences, from the sums of Python's counts. */
  f(system, sentences) {
    const [right, expected, made] = this.sums[system].map((counts) =>
      sentences.reduce((sum, n) => sum + counts[n], 0),
    );
    const weight = (this.data.beta ?? 1) ** 2;
    const all = weight * expected + made;
    return all ? ((1 + weight) * right) / all : Number(this.data.variant === "edits");
  }
}

/**
 * What a search looks for: a regular expression, or texts with blanks between them, all of which are
 * found, wherever they stand, or, among words, as whole words. Throws a SyntaxError for a pattern that
 * is none.
 */
export class Search {
  constructor(query, field, isPattern) {
    this.field = field;
    const parts = isPattern ? [query] : query.split(/\s+/).map(escapeRegExp);
    const pattern = parts.join("|");
    this.patterns = parts.map((part) => new RegExp(part, "iu"));
    this.everywhere = new RegExp(pattern, "giu");
    this.words = isPattern ? this.patterns : parts.map((part) => new RegExp(`^(?:${part})$`, "iu"));
    this.plain = !isPattern;
  }

  matches(sentence) {
    const { field, patterns } = this;
    if (field === "token") return this.#matchesWords(sentence);
    const { id, source, targets = [] } = sentence;
    const texts = { id: [id], source: [source], target: targets.map(({ text }) => text) };
    const searched = texts[field] ?? Object.values(texts).flat();
    return patterns.every((pattern) => searched.some((text) => pattern.test(text)));
  }

  #matchesWords({ source, characters, words }) {
    if (this.plain && !this.patterns.every((pattern) => pattern.test(source))) return false;
    const text = new Text(source, characters);
    const found = words.flatMap((lengths) => wordsOf(text, lengths).map((span) => text.slice(...span)));
    return this.words.every((pattern) => found.some((word) => pattern.test(word)));
  }

  /** Whether a word is one of those that are looked for. */
  isWord(word) {
    return this.field === "token" && this.words.some((pattern) => pattern.test(word));
  }

  /** Where it is found in a text, as spans of code points. */
  spans(text) {
    const found = [];
    let [unit, point] = [0, 0]; // a place in the text, as JavaScript and as Python count
    const pointAt = (index) => {
      point += textLength(text.raw.slice(unit, index));
      unit = index;
      return point;
    };
    for (const match of text.raw.matchAll(this.everywhere)) {
      if (match[0]) found.push([pointAt(match.index), pointAt(match.index + match[0].length)]);
    }
    return found;
  }
}
