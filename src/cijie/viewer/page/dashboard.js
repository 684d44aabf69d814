/* Tables of the whole comparison, as Python computed it; bars and counts set filters. */

import { button, drawName, isolated, make, row, table } from "./dom.js";
import { EDITS, LENGTHS, SURE, errorKinds } from "./filters.js";
import { decimals, decimals2, formatted, listed, t } from "./language.js";

export function drawDashboard(data, filters, actions) {
  const { summary } = data;
  const panels = [];
  if (data.labels.some((label, k) => label !== data.systems[k])) panels.push(drawWholeNames(data));
  if (summary) {
    panels.push(drawScores(data, filters, actions));
    if (summary.differences.length) panels.push(drawDifferences(data));
    panels.push(drawErrors(data, filters, actions));
    if (data.variant === "edits") panels.push(drawTypes(data, filters, actions));
    if (data.systems.length > 1) panels.push(drawPatterns(data, filters, actions));
  } else {
    panels.push(drawWork(data, actions));
  }
  return panels;
}

/** A figure of a system, in one line with its name. */
export function drawFigure(data, k, value) {
  return make("span", { class: "figure" }, drawName(data, k), ` ${value}`);
}

/** The names in full, where elsewhere they are not. */
function drawWholeNames(data) {
  const rows = data.systems.map((name, k) => row(drawName(data, k), isolated(name, { class: "whole" })));
  return panel("names", "panel.names", null, table(["", ""], rows));
}

function panel(name, title, note, ...content) {
  const heading = `panel-${name}`;
  return make(
    "section",
    { class: `panel ${name}`, "aria-labelledby": heading },
    make("h2", { id: heading, text: t(title) }),
    ...content,
    note ? make("p", { class: "note", text: t(note) }) : "",
  );
}

/**
 * A table with a row for each system: `figures` are [head, text by the number of a system], `counts`
 * [head, filter by its name, count by its number], each a bar that turns the filter on and off.
 */
function systemTable(data, actions, figures, counts) {
  const most = Math.max(1, ...counts.flatMap(([, , count]) => data.systems.map((_, k) => count(k))));
  const bar = ([head, filter, count], name, k) => {
    const label = t("panel.count", { name, what: head, n: count(k) });
    return countBar(filter(name), actions, label, count(k), most);
  };
  const rows = data.systems.map((name, k) =>
    row(drawName(data, k), ...figures.map(([, text]) => text(k)), ...counts.map((each) => bar(each, name, k))),
  );
  return table(["", ...figures.map(([head]) => head), ...counts.map(([head]) => head)], rows);
}

/** What the score of the page is called. */
export function nameF({ beta = 1 }) {
  return `F${beta}`;
}

function drawScores(data, filters, actions) {
  const { systems, summary } = data;
  const scores = summary.systems.map(({ tokens, correction }) => tokens ?? correction);
  const score = (name) => (k) => decimals(scores[k][name]);
  const wrong = (name) => `right:${name}=no`;
  const figures = [["P", score("precision")], ["R", score("recall")], [nameF(data), score(data.beta ? "f" : "f1")]];
  const counts = [[t("panel.wrong"), wrong, (k) => filters.whole(wrong(systems[k]))]];
  return panel("scores", "panel.scores", "panel.scores.note", systemTable(data, actions, figures, counts));
}

function drawDifferences(data) {
  const { summary } = data;
  const rows = summary.differences.map((test) =>
    row(drawPair(data, test), ...tellDifference(test), tellP(test.p_randomisation)),
  );
  const heads = ["", `Δ${nameF(data)}`, t("panel.interval"), "p"];
  return panel("differences", "panel.differences", "panel.differences.note", table(heads, rows));
}

function drawPair(data, { a, b }) {
  return make("span", {}, drawName(data, data.systems.indexOf(a)), " − ", drawName(data, data.systems.indexOf(b)));
}

function tellDifference({ difference, low, high }) {
  const signed = (value) => (value < 0 ? "−" : "+") + decimals(Math.abs(value));
  return [signed(difference), `[${signed(low)}, ${signed(high)}]`];
}

function tellP(p) {
  return p === null ? "–" : p < 0.0001 ? "< .0001" : decimals(p);
}

function drawErrors(data, filters, actions) {
  const counts = errorKinds(data).map((kind) => {
    const filter = (name) => `error=${name}.${kind}`;
    return [t(`error.${kind}`), filter, (k) => filters.whole(filter(data.systems[k]))];
  });
  return panel("error-types", "panel.errors", "panel.errors.note", systemTable(data, actions, [], counts));
}

/** The types of edits: a filter each, F of each system, and the differences. */
function drawTypes(data, filters, actions) {
  const { summary, systems } = data;
  const pairs = summary.differences;
  const types = filters.valuesOf("edit").sort();
  const count = (type) => filters.whole(`edit=${type}`);
  const most = Math.max(1, ...types.map(count));
  const rows = types.map((type) => {
    const bar = countBar(`edit=${type}`, actions, `${type}: ${formatted(count(type))}`, count(type), most);
    const scores = summary.systems.map(({ correction }) => correction.by_type[type]?.f);
    const tested = pairs.flatMap(({ a, b }) => {
      const test = summary.differences_by_type.find((each) => each.type === type && each.a === a && each.b === b);
      return test ? [tellDifference(test)[0], tellP(test.p_holm)] : ["–", "–"];
    });
    return row(isolated(type), bar, ...scores.map((f) => (f === undefined ? "–" : decimals(f))), ...tested);
  });
  const named = (name) => (systems.length > 1 ? `${nameF(data)} ${data.labels[systems.indexOf(name)]}` : nameF(data));
  const heads = [...systems.map(named), ...pairs.flatMap(({ a, b }) => [`${named(a)} − ${named(b)}`, "p (Holm)"])];
  return panel("types", "filter.edit", pairs.length ? "panel.types.note" : null, table(["", t("unit.regions"), ...heads], rows));
}

function drawPatterns(data, filters, actions) {
  const { systems } = data;
  // Sentences first: the paper's patterns are of them.
  const counted = [
    ["sentence", "panel.patterns.sentences"],
    ...(data.variant === "edits" ? [] : [["word", "panel.patterns.words"]]),
    ["region", "panel.patterns.regions"],
  ];
  const all = "g".repeat(systems.length);
  const shown = [...new Set(counted.flatMap(([filter]) => filters.valuesOf(filter)))]
    .filter((pattern) => pattern !== all)
    .sort()
    .reverse();
  const bar = (kind, pattern) => {
    const [filter, unit] = kind;
    const counts = (each) => filters.whole(`${filter}=${each}`);
    const most = Math.max(1, ...shown.map(counts));
    const count = counts(pattern);
    const label = t(`${unit}.of`, { pattern: tellPattern(pattern, systems), n: count });
    return countBar(`${filter}=${pattern}`, actions, label, count, most);
  };
  const rows = shown.map((pattern) =>
    row(drawPattern(pattern, data), ...counted.map((each) => bar(each, pattern))),
  );
  const heads = ["", ...counted.map(([, unit]) => t(unit))];
  return panel("patterns", "panel.patterns", "panel.patterns.note", table(heads, rows));
}

/** An outcome pattern as signs, one a system, each with the system's name. */
function drawPattern(pattern, data) {
  const { systems, labels } = data;
  const signs = make("span", { class: "pattern", "aria-label": tellPattern(pattern, systems), role: "img" });
  labels.forEach((_, k) => {
    const right = pattern[k] === "g";
    signs.append(make("span", { class: right ? "good" : "bad" }, drawName(data, k), right ? " ✓" : " ✗"));
  });
  return signs;
}

function tellPattern(pattern, systems) {
  return listed(systems.map((name, k) => `${name}: ${t(pattern[k] === "g" ? "filter.yes" : "filter.no")}`));
}

/** The systems in groups: those with one letter in a pattern have the same words in a region. */
function tellGroups(pattern, systems) {
  const groups = new Map();
  systems.forEach((name, k) => groups.set(pattern[k], [...(groups.get(pattern[k]) ?? []), name]));
  return [...groups.values()].map((names) => names.join(" = ")).join(" ≠ ");
}

/** Of each system how many words it has, and how many boundaries it changed. */
function drawWork(data, actions) {
  const { tallies } = data;
  const count = (head, filter, kind) => [t(head), (name) => `changed=${name}.${filter}`, (k) => tallies[k].changes[kind] ?? 0];
  const figures = [[t("panel.work.words"), (k) => formatted(tallies[k].words)]];
  const counts = [count("panel.work.cut", "cut", "insert"), count("panel.work.joined", "joined", "remove")];
  return panel("work", "panel.work", "panel.work.note", systemTable(data, actions, figures, counts));
}

function tellSure(k) {
  const [from, to] = [SURE[k], SURE[k + 1]];
  if (to === undefined) return t("sure.from", { from: decimals2(from) });
  return from ? `${decimals2(from)}–${decimals2(to)}` : t("sure.below", { to: decimals2(to) });
}

/** A bar with a number, as long as it is large, that turns a filter value on and off. */
function countBar(key, actions, label, count, whole) {
  const bar = make("i");
  bar.style.width = `${(70 * count) / whole}%`;
  const number = make("span", { class: "count", text: formatted(count) });
  return button(
    null,
    () => actions.toggle(key),
    {
      class: "bar plain",
      "aria-label": label,
      title: label,
      "data-filter": key,
      "aria-pressed": String(actions.isSelected(key)),
    },
    bar,
    number,
  );
}

/** The panel of filters: a group for each, with a count beside each value. */
export function drawFilters(data, filters, actions) {
  const { systems, labels, summary, variant } = data;
  const groups = [];
  const add = (title, unit, content) => {
    const legend = make("legend", {}, t(title), make("span", { class: "unit", text: ` ${t(unit)}` }));
    groups.push(make("fieldset", {}, legend, content));
  };
  const check = (key, label, properties = {}) => {
    const box = make("input", {
      type: "checkbox",
      checked: actions.isSelected(key),
      "data-filter": key,
      ...properties,
      on: { change: () => actions.toggle(key) },
    });
    const count = make("span", { class: "count", "data-count": key });
    return make("label", {}, box, make("span", { class: "value" }, label), count);
  };
  /** A group of values, [key, label] each. */
  const addList = (title, unit, values) => {
    add(title, unit, make("div", { class: "checks" }, ...values.map(([key, label]) => check(key, label))));
  };
  /** A group with a value for each kind of each system, as far as there are some. */
  const addGrid = (title, unit, kinds, keyOf, tell = (kind) => t(`filter.${kind}`)) => {
    const known = systems.filter((name) => kinds.some((kind) => filters.numbers.has(keyOf(name, kind))));
    const rows = known.map((name) => {
      const cells = kinds.map((kind) => check(keyOf(name, kind), "", { "aria-label": `${name}: ${tell(kind)}` }));
      return row(drawName(data, systems.indexOf(name)), ...cells);
    });
    const grid = table(["", ...kinds.map(tell)], rows);
    grid.className = "grid";
    if (known.length) add(title, unit, grid);
  };
  if (filters.numbers.has("gold=no")) {
    addList("filter.gold", "unit.sentences", ["yes", "no"].map((has) => [`gold=${has}`, t(`filter.gold.${has}`)]));
  }
  if (summary) {
    const tell = (kind) => t(`error.${kind}`);
    addGrid("filter.right", "unit.sentences", ["yes", "no"], (name, is) => `right:${name}=${is}`);
    addGrid("filter.error", "unit.regions", errorKinds(data), (name, kind) => `error=${name}.${kind}`, tell);
  } else if (systems.length > 1) {
    const groupsOf = filters.valuesOf("region").map((pattern) => [`region=${pattern}`, tellGroups(pattern, labels)]);
    addList("filter.alike", "unit.sentences", ["no", "yes"].map((is) => [`alike=${is}`, t(`filter.alike.${is}`)]));
    if (variant !== "changed") addList("filter.groups", "unit.contested", groupsOf);
  }
  if (data.sentences.some((sentence) => sentence.targets) && (summary || systems.length > 1)) {
    const types = [...EDITS, "none"].map((edit) => [`edit=${edit}`, t(`edit.${edit}`)]);
    addList(
      summary ? "filter.edit" : "filter.edit.difference",
      summary ? "unit.regions" : "unit.contested",
      variant === "edits" ? filters.valuesOf("edit").sort().map((type) => [`edit=${type}`, type]) : types,
    );
  }
  if (summary && systems.length > 1) {
    const right = systems.map((name, k) => {
      const others = labels.filter((_, other) => other !== k).join(t("list.or"));
      return [`region=right.${name}`, t("filter.corrects", { name: labels[k], others })];
    });
    const byPattern = (filter) => {
      const patterns = filters.valuesOf(filter).sort().reverse();
      return patterns.map((pattern) => [`${filter}=${pattern}`, drawPattern(pattern, data)]);
    };
    addList("filter.sentence", "unit.sentences", byPattern("sentence"));
    addList("filter.contested", "unit.contested", [["region=any", t("filter.any")], ...right, ...byPattern("region")]);
    if (variant !== "edits") addList("filter.word", "unit.words", byPattern("word"));
  }
  addGrid("filter.changed", "unit.sentences", ["cut", "joined", "left"], (name, kind) => `changed=${name}.${kind}`);
  if (filters.hasDoubts) {
    addList("filter.sure", "unit.sentences", SURE.map((from, k) => [`sure=${from}`, tellSure(k)]));
  }
  addGrid("filter.links", "unit.sentences", ["residual", "crossing"], (name, kind) => `links=${name}.${kind}`);
  const range = (from, k) => (LENGTHS[k + 1] ? `${from}–${LENGTHS[k + 1] - 1}` : `${from}+`);
  addList("filter.length", "unit.sentences", LENGTHS.map((from, k) => [`length=${from}`, range(from, k)]));
  return groups;
}
