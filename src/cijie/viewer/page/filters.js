"use strict";
/* Which sentences are shown, and how many things there are beside each value of each filter. */

/**
 * The filters. Each has `values`, by key, and looks at *items* of a sentence: regions, gold words, or
 * the sentence itself. Values of one filter are alternatives, filters go together. Two filters hold
 * for one and the same region: `edit`, and the one about what is wrong there, with gold `error`, or
 * about how systems differ there, without gold `region`.
 */
class Filters {
  constructor(data) {
    this.data = data;
    this.size = data.sentences.length;
    this.joint = data.summary ? "error" : "region";
    this.names = data.summary
      ? [...data.systems.map((name) => `right:${name}`), "error", "edit", "word", "region"]
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
    const { edits, sentences, systems } = this.data;
    const values = [];
    const regions = []; // numbers of values of the joint filter, edits as bits
    this.start = new Uint32Array(this.size + 1);
    this.regionStart = new Uint32Array(this.size + 1);
    this.lengths = new Uint32Array(this.size);
    this.errorCounts = new Uint32Array(this.size);
    this.contestedCounts = new Uint32Array(this.size);
    this.doubts = new Float32Array(this.size).fill(1); // the least confidence that a system has
    this.goldCounts = new Uint32Array(this.size);
    this.systemCounts = systems.map(() => new Uint32Array(this.size));
    this.missedCounts = systems.map(() => new Uint32Array(this.size));
    this.editSets = Array.from({ length: 1 << edits.length }, (_, bits) => {
      const found = edits.filter((_, bit) => bits & (1 << bit));
      return (found.length ? found : ["none"]).map((edit) => this.#number("edit", edit));
    });
    sentences.forEach((sentence, n) => {
      this.lengths[n] = textLength(sentence.source);
      this.contestedCounts[n] = (sentence.contested ?? []).length / 4;
      if (this.data.summary) this.#indexGold(sentence, n, values, regions);
      else this.#indexDifferences(sentence, values, regions);
      this.#indexEvidence(sentence, n, values);
      values.push(this.#number("length", LENGTHS.findLast((from) => from <= this.lengths[n])));
      this.start[n + 1] = values.length;
      this.regionStart[n + 1] = regions.length;
      this.errorCounts[n] = this.data.summary ? (regions.length - this.regionStart[n]) / 2 : 0;
    });
    // A negative number says how often the value behind it occurs.
    this.values = Int32Array.from(values);
    this.regions = Int32Array.from(regions);
  }

  #indexGold({ gold: packedGold = "", words, tokens = [], contested = [], regions: found = [] }, n, values, regions) {
    const { systems, patterns, errors } = this.data;
    const gold = countSpans(packedGold);
    this.goldCounts[n] = gold;
    words.forEach((packed, k) => {
      this.systemCounts[k][n] =
        packed === 0 ? gold : typeof packed === "string" ? countSpans(packed) : this.systemCounts[packed - 1][n];
      values.push(this.#number(`right:${systems[k]}`, packed === 0 ? "yes" : "no"));
    });
    found.forEach((packed, k) => {
      for (const [, , kind, touching] of unflatten(packed, 4)) {
        regions.push(this.#number("error", `${systems[k]}.${errors[kind]}`), touching);
      }
    });
    for (const [, pattern] of unflatten(tokens, 2)) {
      values.push(this.#number("word", patterns[pattern]));
      for (let k = 0; k < systems.length; k += 1) {
        this.missedCounts[k][n] += patterns[pattern][k] === "b";
      }
    }
    const allRight = gold - tokens.length / 2;
    if (allRight) values.push(-allRight, this.#number("word", "g".repeat(systems.length)));
    for (const [, , pattern] of unflatten(contested, 4)) {
      values.push(this.#number("region", "any"), this.#number("region", patterns[pattern]));
      systems.forEach((name, k) => {
        const right = patterns[pattern][k] === "g";
        values.push(this.#number("region", `${right ? "right" : "wrong"}.${name}`));
      });
    }
  }

  #indexDifferences({ contested = [] }, values, regions) {
    values.push(this.#number("alike", contested.length ? "no" : "yes"));
    for (const [, , pattern, touching] of unflatten(contested, 4)) {
      regions.push(this.#number("region", this.data.patterns[pattern]), touching);
    }
  }

  #indexEvidence({ evidence = [] }, n, values) {
    const { systems } = this.data;
    evidence.forEach((packed, k) => {
      if (!packed) return;
      const [, , residuals, reasons, doubts] = packed;
      const least = (confidence) => {
        this.doubts[n] = Math.min(this.doubts[n], confidence);
      };
      for (const [, confidence] of unflatten(doubts, 2)) least(confidence);
      const kinds = new Set();
      for (const [flags, , , , , confidence] of reasons) {
        if (confidence >= 0) least(confidence);
        kinds.add(flags & FOLLOWED ? (flags & JOIN ? "joined" : "cut") : "left");
      }
      for (const kind of kinds) values.push(this.#number("changed", `${systems[k]}.${kind}`));
      const links = unflatten(residuals, 6);
      if (links.length) values.push(this.#number("links", `${systems[k]}.residual`));
      if (links.some((link) => link[3])) values.push(this.#number("links", `${systems[k]}.crossing`));
    });
    values.push(this.#number("sure", SURE.findLast((from) => from <= this.doubts[n])));
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
      const failing = needed - fulfilled + !regionMet;
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

  /** The F1 of a system over some sentences: the sums of Python's counts, 2 · correct / all. */
  f1(system, sentences) {
    let [correct, all] = [0, 0];
    for (const n of sentences) {
      correct += this.goldCounts[n] - this.missedCounts[system][n];
      all += this.goldCounts[n] + this.systemCounts[system][n];
    }
    return all ? (2 * correct) / all : 0;
  }
}

const LENGTHS = [0, 20, 40, 60, 100];
const SURE = [0, 0.6, 0.8, 0.95]; // of the least confidence of a sentence

function textLength(text) {
  let length = text.length;
  for (let k = 0; k < text.length; k += 1) {
    const unit = text.charCodeAt(k);
    if (unit >= 0xdc00 && unit <= 0xdfff) length -= 1;
  }
  return length;
}

/**
 * What a search looks for: a regular expression, or text that is found wherever it stands, or, among
 * words, a whole word. Throws a SyntaxError for a pattern that is none.
 */
class Search {
  constructor(query, field, isPattern) {
    this.field = field;
    const pattern = isPattern ? query : escapeRegExp(query);
    this.pattern = new RegExp(pattern, "iu");
    this.everywhere = new RegExp(pattern, "giu");
    this.word = isPattern ? this.pattern : new RegExp(`^(?:${pattern})$`, "iu");
    this.plain = !isPattern;
  }

  matches(sentence) {
    const { field, pattern } = this;
    if (field === "token") return this.#matchesWord(sentence);
    const targets = sentence.targets ?? [];
    return (
      ((field === "all" || field === "id") && pattern.test(sentence.id)) ||
      ((field === "all" || field === "source") && pattern.test(sentence.source)) ||
      ((field === "all" || field === "target") && targets.some(([text]) => pattern.test(text)))
    );
  }

  #matchesWord({ source, characters, gold = "", words }) {
    if (this.plain && !this.pattern.test(source)) return false;
    const text = new PlainText(source);
    const seen = [gold, ...words.filter((packed) => typeof packed === "string")];
    return seen.some((packed) =>
      unpackSpans(packed).some(([start, end]) => this.word.test(text.slice(start, end))),
    );
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

/** A text of which only parts are wanted. */
class PlainText {
  constructor(raw) {
    this.points = /[\ud800-\udfff]/.test(raw) ? Array.from(raw) : null;
    this.raw = raw;
  }

  slice(start, end) {
    return this.points ? this.points.slice(start, end).join("") : this.raw.slice(start, end);
  }
}
