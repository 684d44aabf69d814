/* Tables of the whole comparison, as Python computed it; bars and counts set filters. */

import { drawName, isolated, make, row, table } from "./dom.js";
import { EDITS, ERRORS, LENGTHS, SURE } from "./filters.js";
import { decimals, decimals2, formatted, listed, t, tn } from "./language.js";

/** A button that turns a filter value on and off. */
function filterButton(key, actions, properties, ...children) {
  return make(
    "button",
    {
      ...properties,
      "data-filter": key,
      "aria-pressed": String(actions.isSelected(key)),
      on: { click: () => actions.toggle(key) },
    },
    ...children,
  );
}

export function drawDashboard(data, filters, actions) {
  const { summary, tallies } = data;
  const panels = [];
  if (data.labels.some((label, k) => label !== data.systems[k])) panels.push(drawWholeNames(data));
  if (summary) {
    panels.push(drawScores(data, actions));
    if (summary.differences?.length) panels.push(drawDifferences(data));
    panels.push(drawErrors(data, actions));
    if (summary.contested) panels.push(drawPatterns(data, actions));
  } else {
    panels.push(drawWork(data, actions));
    if (data.systems.length > 1 && !data.before) panels.push(drawGroups(data, filters, actions));
  }
  if (filters.numbers.has("sure=0.8") || filters.numbers.has("sure=0.6")) panels.push(drawSure(filters, actions));
  if (tallies.some(({ coverage }) => coverage)) panels.push(drawCoverage(data, actions));
  return panels;
}

/** What the tables say, in a line. */
export function drawHeadline(data) {
  const { summary, tallies } = data;
  if (summary) return []; // the scores of what is shown stand above it
  return tallies.flatMap(({ changes }, k) => {
    const changed = Object.values(changes).reduce((sum, count) => sum + count, 0);
    return changed ? [drawFigure(data, k, tn("card.changes", changed))] : [];
  });
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

function percent(value) {
  return `${(100 * value).toFixed(1)}%`;
}

function drawScores(data, actions) {
  const { summary } = data;
  const scores = summary.systems.map(({ tokens }) => tokens);
  const lowest = Math.min(...scores.flatMap((each) => [each.precision, each.recall]));
  // A scale that ends at 1 and leaves some room below the lowest score.
  const floor = Math.max(0, 1 - (1 - lowest) * 1.15);
  const place = (value) => `${floor < 1 ? (100 * (value - floor)) / (1 - floor) : 100}%`;
  const rows = summary.systems.map(({ name, tokens }, k) => {
    const track = make("span", { class: "dots", "aria-hidden": "true" });
    for (const score of ["f1", "precision", "recall"]) {
      const dot = make("i", { class: score });
      dot.style.insetInlineStart = place(tokens[score]);
      track.append(dot);
    }
    const label = t("panel.wrong.of", { name });
    return row(
      drawName(data, k),
      decimals(tokens.precision),
      decimals(tokens.recall),
      make("strong", { text: decimals(tokens.f1) }),
      filterButton(`right:${name}=no`, actions, { class: "bar", "aria-label": label, title: label }, track),
    );
  });
  const scale = make(
    "span",
    { class: "scale", "aria-hidden": "true" },
    make("span", { text: decimals(floor).slice(0, -1) }),
    make("span", { text: "1" }),
  );
  const content = table(["", "P", "R", "F1", ""], rows);
  content.tHead.rows[0].cells[4].append(scale);
  return panel("scores", "panel.scores", "panel.scores.note", content);
}

function drawDifferences(data) {
  const { summary, systems } = data;
  const signed = (value) => (value < 0 ? "−" : "+") + decimals(Math.abs(value));
  const rows = summary.differences.map(({ a, b, difference, low, high, p_randomisation: p }) =>
    row(
      make("span", {}, drawName(data, systems.indexOf(a)), " − ", drawName(data, systems.indexOf(b))),
      signed(difference),
      `[${signed(low)}, ${signed(high)}]`,
      p < 0.0001 ? "< .0001" : decimals(p),
    ),
  );
  const heads = ["", "ΔF1", t("panel.interval"), "p"];
  return panel("differences", "panel.differences", "panel.differences.note", table(heads, rows));
}

function drawErrors(data, actions) {
  const { summary } = data;
  const total = ({ errors: found }) => ERRORS.reduce((sum, kind) => sum + found[kind].count, 0);
  const most = Math.max(1, ...summary.systems.map(total));
  const rows = summary.systems.map((system, k) => {
    const bar = make("span", { class: "stack" });
    for (const kind of ERRORS) {
      const { count } = system.errors[kind];
      if (!count) continue;
      const label = t("panel.errors.of", { name: system.name, kind: t(`error.${kind}`), n: count });
      const part = filterButton(
        `error=${system.name}.${kind}`,
        actions,
        { class: `bar ${kind}`, "aria-label": label, title: label },
        make("span", { class: "count", text: formatted(count) }),
      );
      part.style.flexGrow = count;
      bar.append(part);
    }
    const whole = make("span", { class: "stack-room" }, bar);
    bar.style.width = `${(100 * total(system)) / most}%`;
    return row(drawName(data, k), formatted(total(system)), whole);
  });
  const legend = make("span", { class: "legend" });
  for (const kind of ERRORS) {
    legend.append(make("span", {}, make("i", { class: `swatch ${kind}` }), t(`error.${kind}`)));
  }
  const content = table(["", t("panel.all"), ""], rows);
  content.tHead.rows[0].cells[2].append(legend);
  return panel("error-types", "panel.errors", "panel.errors.note", content);
}

function drawPatterns(data, actions) {
  const { summary, systems } = data;
  // Sentences first: the paper's patterns are of them.
  const counted = [
    ["sentence", "panel.patterns.sentences", summary.sentence_patterns],
    ["word", "panel.patterns.words", summary.token_patterns],
    ["region", "panel.patterns.regions", summary.contested.patterns],
  ];
  const all = "g".repeat(systems.length);
  const shown = [...new Set(counted.flatMap(([, , counts]) => Object.keys(counts)))]
    .filter((pattern) => pattern !== all)
    .sort()
    .reverse();
  const bar = (kind, pattern) => {
    const [filter, unit, counts] = kind;
    const most = Math.max(1, ...shown.map((each) => counts[each] ?? 0));
    const count = counts[pattern] ?? 0;
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

/** The systems in groups: those with one letter in a pattern cut a region alike. */
function tellGroups(pattern, systems) {
  const groups = new Map();
  systems.forEach((name, k) => groups.set(pattern[k], [...(groups.get(pattern[k]) ?? []), name]));
  return [...groups.values()].map((names) => names.join(" = ")).join(" ≠ ");
}

/** Of each system how many words it has, and how many boundaries it changed. */
function drawWork(data, actions) {
  const { systems, tallies } = data;
  const rows = systems.map((name, k) => {
    const { words, changes } = tallies[k];
    const count = (kind, n) => {
      const label = t(`panel.work.${kind}.of`, { name, n });
      const properties = { class: "number", "aria-label": label, title: label, disabled: !n };
      return filterButton(`changed=${name}.${kind}`, actions, properties, formatted(n));
    };
    const counts = [count("cut", changes.insert ?? 0), count("joined", changes.remove ?? 0)];
    return row(drawName(data, k), formatted(words), ...counts);
  });
  const heads = ["", t("panel.work.words"), t("panel.work.cut"), t("panel.work.joined")];
  return panel("work", "panel.work", "panel.work.note", table(heads, rows));
}

function drawGroups({ labels }, filters, actions) {
  const counted = filters.patterns.map((pattern) => [pattern, filters.whole(`region=${pattern}`)]);
  const shown = counted.sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...shown.map(([, count]) => count));
  const rows = shown.map(([pattern, count]) => {
    const text = tellGroups(pattern, labels);
    const label = t("panel.patterns.regions.of", { pattern: text, n: count });
    return row(isolated(text), countBar(`region=${pattern}`, actions, label, count, most));
  });
  return panel("patterns", "panel.groups", "panel.groups.note", table(["", t("panel.patterns.regions")], rows));
}

/** How many sentences there are by their least sure decision. */
function drawSure(filters, actions) {
  const counts = SURE.map((from) => filters.whole(`sure=${from}`));
  const most = Math.max(1, ...counts.slice(0, -1));
  const rows = SURE.slice(0, -1).map((from, k) =>
    row(tellSure(k), countBar(`sure=${from}`, actions, `${tellSure(k)}: ${formatted(counts[k])}`, counts[k], most)),
  );
  return panel("sure", "panel.sure", "panel.sure.note", table(["", t("unit.sentences")], rows));
}

function tellSure(k) {
  const [from, to] = [SURE[k], SURE[k + 1]];
  if (to === undefined) return t("sure.from", { from: decimals2(from) });
  return from ? `${decimals2(from)}–${decimals2(to)}` : t("sure.below", { to: decimals2(to) });
}

/** A bar with a number, as long as it is large. */
function countBar(key, actions, label, count, whole) {
  const bar = make("i");
  bar.style.width = `${(70 * count) / whole}%`;
  const number = make("span", { class: "count", text: formatted(count) });
  return filterButton(key, actions, { class: "bar plain", "aria-label": label, title: label }, bar, number);
}

function drawCoverage(data, actions) {
  const { systems, tallies } = data;
  const rows = systems
    .map((name, k) => ({ k, name, ...tallies[k] }))
    .filter(({ coverage }) => coverage)
    .map(({ k, name, coverage }) => {
      const count = (value, n, unit) => {
        const label = t(unit, { name, n });
        return filterButton(
          `links=${name}.${value}`,
          actions,
          { class: "number", "aria-label": label, title: label },
          formatted(n),
        );
      };
      return row(
        drawName(data, k),
        share(coverage.source_coverage),
        share(coverage.target_coverage),
        count("residual", coverage.residuals, "panel.coverage.residual.of"),
        count("crossing", coverage.crossings, "panel.coverage.crossing.of"),
      );
    });
  const heads = ["", "S", "T", t("panel.coverage.residual"), t("panel.coverage.crossing")];
  return panel("coverage", "panel.coverage", "panel.coverage.note", table(heads, rows));
}

function share(value) {
  const bar = make("span", { class: "share" }, make("i"), percent(value));
  bar.firstChild.style.width = `${100 * value}%`;
  return bar;
}

/** The panel of filters: a group for each, with a count beside each value. */
export function drawFilters(data, filters, actions) {
  const { systems, labels, summary } = data;
  const label = (name) => drawName(data, systems.indexOf(name));
  const kind = data.before ? ".changed" : ""; // what one system started from is no system
  const groups = [];
  const add = (title, unit, content) =>
    groups.push(
      make(
        "fieldset",
        {},
        make("legend", {}, t(title), make("span", { class: "unit", text: ` ${t(unit)}` })),
        content,
      ),
    );
  const check = (key, label, properties = {}) => {
    const box = make("input", {
      type: "checkbox",
      checked: actions.isSelected(key),
      "data-filter": key,
      ...properties,
      on: { change: () => actions.toggle(key) },
    });
    const count = make("span", { class: "count", "data-count": key });
    return make("label", {}, box, make("span", { class: "value" }, ...label), count);
  };
  const list = (...checks) => make("div", { class: "checks" }, ...checks);
  const grid = (heads, rows) => {
    const content = table(["", ...heads], rows);
    content.className = "grid";
    return content;
  };
  const cellCheck = (key, label) => {
    const found = check(key, []);
    found.querySelector("input").setAttribute("aria-label", label);
    return found;
  };
  const alternatives = (kinds, of) =>
    grid(
      kinds.map((kind) => t(`filter.${kind}`)),
      systems
        .filter((name) => kinds.some((kind) => filters.numbers.has(of(name, kind))))
        .map((name) =>
          row(
            label(name),
            ...kinds.map((kind) => cellCheck(of(name, kind), `${name}: ${t(`filter.${kind}`)}`)),
          ),
        ),
    );
  const has = (filter, kinds) =>
    systems.some((name) => kinds.some((kind) => filters.numbers.has(`${filter}=${name}.${kind}`)));
  if (filters.numbers.has("gold=no")) {
    add(
      "filter.gold",
      "unit.sentences",
      list(check("gold=yes", [t("filter.gold.yes")]), check("gold=no", [t("filter.gold.no")])),
    );
  }
  if (summary) {
    add("filter.right", "unit.sentences", alternatives(["yes", "no"], (name, kind) => `right:${name}=${kind}`));
    add(
      "filter.error",
      "unit.regions",
      grid(
        ERRORS.map((kind) => t(`error.${kind}`)),
        systems.map((name) =>
          row(
            label(name),
            ...ERRORS.map((kind) => cellCheck(`error=${name}.${kind}`, `${name}: ${t(`error.${kind}`)}`)),
          ),
        ),
      ),
    );
  } else if (systems.length > 1) {
    add(
      `filter.alike${kind}`,
      "unit.sentences",
      list(check("alike=no", [t(`filter.alike.no${kind}`)]), check("alike=yes", [t(`filter.alike.yes${kind}`)])),
    );
    if (systems.length > 2) {
      add(
        "filter.groups",
        "unit.contested",
        list(...filters.patterns.map((pattern) => check(`region=${pattern}`, [tellGroups(pattern, labels)]))),
      );
    }
  }
  if (data.sentences.some((sentence) => sentence.targets) && (summary || systems.length > 1)) {
    add(
      summary ? "filter.edit" : `filter.edit.difference${kind}`,
      summary ? "unit.regions" : "unit.contested",
      list(...[...EDITS, "none"].map((edit) => check(`edit=${edit}`, [t(`edit.${edit}`)]))),
    );
  }
  if (summary?.contested) {
    const right = (name, k) => {
      const others = labels.filter((_, other) => other !== k).join(t("list.or"));
      return check(`region=right.${name}`, [t("filter.corrects", { name: labels[k], others })]);
    };
    const byPattern = (filter, counts) =>
      Object.keys(counts).map((pattern) => check(`${filter}=${pattern}`, [drawPattern(pattern, data)]));
    add("filter.sentence", "unit.sentences", list(...byPattern("sentence", summary.sentence_patterns)));
    add(
      "filter.contested",
      "unit.contested",
      list(
        check("region=any", [t("filter.any")]),
        ...systems.map(right),
        ...byPattern("region", summary.contested.patterns),
      ),
    );
    add("filter.word", "unit.words", list(...byPattern("word", summary.token_patterns)));
  }
  if (has("changed", CHANGED)) {
    add("filter.changed", "unit.sentences", alternatives(CHANGED, (name, kind) => `changed=${name}.${kind}`));
  }
  if (SURE.slice(0, -1).some((from) => filters.numbers.has(`sure=${from}`))) {
    add("filter.sure", "unit.sentences", list(...SURE.map((from, k) => check(`sure=${from}`, [tellSure(k)]))));
  }
  if (has("links", LINKS)) {
    add("filter.links", "unit.sentences", alternatives(LINKS, (name, kind) => `links=${name}.${kind}`));
  }
  const range = (from, k) => (LENGTHS[k + 1] ? `${from}–${LENGTHS[k + 1] - 1}` : `${from}+`);
  add(
    "filter.length",
    "unit.sentences",
    list(...LENGTHS.map((from, k) => check(`length=${from}`, [range(from, k)]))),
  );
  return groups;
}

const CHANGED = ["cut", "joined", "left"];
const LINKS = ["residual", "crossing"];
