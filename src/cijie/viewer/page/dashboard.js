"use strict";
/* The scores of the whole comparison, as Python computed them; bars and counts set filters. */

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

function drawDashboard(data, actions) {
  const panels = [drawScores(data, actions), drawErrors(data, actions)];
  const { differences, contested } = data.summary;
  if (contested) panels.push(drawPatterns(data, actions));
  if (data.summary.systems.some((system) => system.coverage)) panels.push(drawCoverage(data, actions));
  if (differences?.length) panels.splice(1, 0, drawDifferences(data));
  return panels;
}

function panel(name, title, note, ...content) {
  const heading = `panel-${name}`;
  return make(
    "section",
    { class: `panel ${name}`, "aria-labelledby": heading },
    make("h2", { id: heading, text: t(title) }),
    ...content,
    make("p", { class: "note", text: t(note) }),
  );
}

function table(heads, rows) {
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })))),
    make("tbody", {}, ...rows),
  );
}

function row(head, ...cells) {
  const content = cells.map((cell) => make("td", {}, cell));
  return make("tr", {}, make("th", { scope: "row" }, head), ...content);
}

/** Four decimals without the zero before the point, as papers have them. */
function decimals(value) {
  return value.toFixed(4).replace(/^(-?)0/, "$1");
}

function percent(value) {
  return `${(100 * value).toFixed(1)}%`;
}

function drawScores({ summary }, actions) {
  const scores = summary.systems.map(({ tokens }) => tokens);
  const lowest = Math.min(...scores.flatMap((each) => [each.precision, each.recall]));
  // A scale that ends at 1 and leaves some room below the lowest score.
  const floor = Math.max(0, 1 - (1 - lowest) * 1.15);
  const place = (value) => `${floor < 1 ? (100 * (value - floor)) / (1 - floor) : 100}%`;
  const rows = summary.systems.map(({ name, tokens }) => {
    const track = make("span", { class: "dots", "aria-hidden": "true" });
    for (const score of ["f1", "precision", "recall"]) {
      const dot = make("i", { class: score });
      dot.style.insetInlineStart = place(tokens[score]);
      track.append(dot);
    }
    const label = t("panel.wrong.of", { name });
    return row(
      isolated(name),
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

function drawDifferences({ summary }) {
  const signed = (value) => (value < 0 ? "−" : "+") + decimals(Math.abs(value));
  const rows = summary.differences.map(({ a, b, difference, low, high, p_randomisation: p }) =>
    row(
      make("span", {}, isolated(a), " − ", isolated(b)),
      signed(difference),
      `[${signed(low)}, ${signed(high)}]`,
      p < 0.0001 ? "< .0001" : decimals(p),
    ),
  );
  const heads = ["", "ΔF1", t("panel.interval"), "p"];
  return panel("differences", "panel.differences", "panel.differences.note", table(heads, rows));
}

function drawErrors({ summary, errors }, actions) {
  const total = ({ errors: found }) => errors.reduce((sum, kind) => sum + found[kind].count, 0);
  const most = Math.max(1, ...summary.systems.map(total));
  const rows = summary.systems.map((system) => {
    const bar = make("span", { class: "stack" });
    for (const kind of errors) {
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
    return row(isolated(system.name), formatted(total(system)), whole);
  });
  const legend = make("span", { class: "legend" });
  for (const kind of errors) {
    legend.append(make("span", {}, make("i", { class: `swatch ${kind}` }), t(`error.${kind}`)));
  }
  const content = table(["", t("panel.all"), ""], rows);
  content.tHead.rows[0].cells[2].append(legend);
  return panel("error-types", "panel.errors", "panel.errors.note", content);
}

function drawPatterns({ summary, systems }, actions) {
  const { token_patterns: words, contested } = summary;
  const all = "g".repeat(systems.length);
  const shown = [...new Set([...Object.keys(words), ...Object.keys(contested.patterns)])]
    .filter((pattern) => pattern !== all)
    .sort()
    .reverse();
  const most = (counts) => Math.max(1, ...shown.map((pattern) => counts[pattern] ?? 0));
  const [mostWords, mostRegions] = [most(words), most(contested.patterns)];
  const bar = (filter, pattern, count, whole, unit) => {
    const label = t(unit, { pattern, n: count });
    const button = filterButton(
      `${filter}=${pattern}`,
      actions,
      { class: "bar plain", "aria-label": label, title: label },
      make("i"),
      make("span", { class: "count", text: formatted(count) }),
    );
    button.firstChild.style.width = `${(70 * count) / whole}%`;
    return button;
  };
  const rows = shown.map((pattern) =>
    row(
      drawPattern(pattern),
      bar("word", pattern, words[pattern] ?? 0, mostWords, "panel.patterns.words.of"),
      bar("region", pattern, contested.patterns[pattern] ?? 0, mostRegions, "panel.patterns.regions.of"),
    ),
  );
  const heads = [systems.join(" "), t("panel.patterns.words"), t("panel.patterns.regions")];
  return panel("patterns", "panel.patterns", "panel.patterns.note", table(heads, rows));
}

/** A pattern as signs, one a system: filled where it is right, a cross where it is wrong. */
function drawPattern(pattern) {
  const signs = make("span", { class: "pattern", title: pattern });
  for (const letter of pattern) {
    signs.append(make("span", { class: letter === "g" ? "good" : "bad", text: letter }));
  }
  return signs;
}

function drawCoverage({ summary }, actions) {
  const rows = summary.systems
    .filter((system) => system.coverage)
    .map(({ name, coverage }) => {
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
        isolated(name),
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
function drawFilters(data, filters, actions) {
  const { systems, errors, edits, summary } = data;
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
  add(
    "filter.right",
    "unit.sentences",
    grid(
      [t("filter.yes"), t("filter.no")],
      systems.map((name) =>
        row(
          isolated(name),
          cellCheck(`right:${name}=yes`, `${name}: ${t("filter.yes")}`),
          cellCheck(`right:${name}=no`, `${name}: ${t("filter.no")}`),
        ),
      ),
    ),
  );
  add(
    "filter.error",
    "unit.regions",
    grid(
      errors.map((kind) => t(`error.${kind}`)),
      systems.map((name) =>
        row(
          isolated(name),
          ...errors.map((kind) => cellCheck(`error=${name}.${kind}`, `${name}: ${t(`error.${kind}`)}`)),
        ),
      ),
    ),
  );
  if (data.sentences.some((sentence) => sentence.targets)) {
    add(
      "filter.edit",
      "unit.regions",
      list(...[...edits, "none"].map((edit) => check(`edit=${edit}`, [t(`edit.${edit}`)]))),
    );
  }
  if (summary.contested) {
    const right = (name) => {
      const others = systems.filter((other) => other !== name).join(t("list.or"));
      return check(`region=right.${name}`, [t("filter.corrects", { name, others })]);
    };
    add(
      "filter.contested",
      "unit.contested",
      list(
        check("region=any", [t("filter.any")]),
        ...systems.map(right),
        ...Object.keys(summary.contested.patterns).map((x) => check(`region=${x}`, [drawPattern(x)])),
      ),
    );
    add(
      "filter.word",
      "unit.words",
      list(...Object.keys(summary.token_patterns).map((x) => check(`word=${x}`, [drawPattern(x)]))),
    );
  }
  const linked = systems.filter((name) => filters.numbers.has(`links=${name}.residual`));
  const changed = systems.filter((name) => filters.numbers.has(`links=${name}.changed`));
  if (linked.length || changed.length) {
    const kinds = ["residual", "crossing", "changed"];
    add(
      "filter.links",
      "unit.sentences",
      grid(
        kinds.map((kind) => t(`filter.${kind}`)),
        systems
          .filter((name) => linked.includes(name) || changed.includes(name))
          .map((name) =>
            row(
              isolated(name),
              ...kinds.map((kind) => cellCheck(`links=${name}.${kind}`, `${name}: ${t(`filter.${kind}`)}`)),
            ),
          ),
      ),
    );
  }
  const range = (from, k) => (LENGTHS[k + 1] ? `${from}–${LENGTHS[k + 1] - 1}` : `${from}+`);
  add(
    "filter.length",
    "unit.sentences",
    list(...LENGTHS.map((from, k) => check(`length=${from}`, [range(from, k)]))),
  );
  return groups;
}
