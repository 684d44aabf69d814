"use strict";
/* One sentence as a card: its texts in parallel rows, its errors, what changed and why. */

/** A sentence of the data with its texts and words unpacked. */
function unpackSentence(data, number) {
  const packed = data.sentences[number];
  const source = new Text(packed.source, packed.characters);
  const gold = packed.gold === undefined ? null : unpackSpans(packed.gold);
  const systems = [];
  for (const words of packed.words) {
    if (words === 0) systems.push(gold);
    else systems.push(typeof words === "string" ? unpackSpans(words) : systems[words - 1]);
  }
  const targets = (packed.targets ?? []).map(([raw, words, characters, anchors]) => ({
    text: new Text(raw, characters),
    words: words ? unpackSpans(words) : null,
    anchors,
  }));
  const evidence = data.systems.map((_, k) => {
    const found = packed.evidence?.[k];
    if (!found) return null;
    const [target, anchors, links, reasons, doubts] = found;
    const residuals = unflatten(links, 6);
    return {
      target,
      anchors: anchors || targets[target].anchors,
      residuals,
      doubts: new Map(unflatten(doubts, 2)), // of a word that is not sure, the confidence
      reasons: reasons.map((each) =>
        unpackReason(each, source, targets[target].text, residuals, data.means),
      ),
    };
  });
  const regions = data.systems.map((_, k) =>
    unflatten(packed.regions?.[k] ?? [], 4).map(([start, end, kind, touching]) => ({
      start,
      end,
      kind: data.errors[kind],
      edits: data.edits.filter((_, bit) => touching & (1 << bit)),
    })),
  );
  const contested = unflatten(packed.contested ?? [], 4).map(([start, end]) => [start, end]);
  return { number, id: packed.id, source, gold, systems, targets, evidence, regions, contested };
}

const LONGEST = 1200; // columns drawn at first; more of a longer sentence when asked for

/**
 * A card: `linked` is the system whose links are shown, or -1; `chosen` is the target to show, or
 * undefined; `limit` is how many columns are drawn.
 */
function drawCard(data, sentence, { linked, chosen, search, cell, width, position, size, limit, actions }) {
  const { id, source, targets } = sentence;
  const card = make("article", {
    class: "card",
    tabindex: "-1",
    "aria-posinset": position + 1,
    "aria-setsize": size,
    "aria-labelledby": `id-${sentence.number}`,
  });
  card.dataset.id = id;
  const shown = chosen ?? sentence.evidence[linked]?.target ?? 0;
  card.append(drawHead(data, sentence, linked, shown, actions));
  card.append(drawReadable(data, sentence, limit));
  const target = targets[shown];
  let columns = columnsOf(source, target?.text, target?.anchors ?? []);
  const all = columns.length;
  columns = columns.slice(0, limit);
  const layout = { columns, widths: columnWidths(columns, source, target?.text, cell) };
  const words = sentence.gold ?? sentence.systems[0];
  const starts = lineStarts(source, words.map(([start]) => source.cellAt(start)));
  const lines = breakLines(columns, layout.widths, width, starts);
  const rows = rowsOf(data, sentence, shown, search);
  const box = make("div", { class: "rows" });
  for (const line of lines) {
    const block = make("div", { class: "line" });
    for (const { label, kind, ...row } of rows) {
      block.append(
        make(
          "div",
          { class: `row ${kind}` },
          isolated(label, { class: "label", title: label, "aria-hidden": "true" }),
          drawLine({ ...layout, line, ...row }),
        ),
      );
    }
    box.append(block);
  }
  card.append(box);
  if (all > limit) {
    const text = t("card.more", { n: columns.length, all });
    card.append(make("button", { class: "quiet", text, on: { click: actions.more } }));
  }
  card.append(...drawNotes(data, sentence));
  if (linked >= 0 && sentence.evidence[linked].target === shown) {
    box.classList.add("linked");
    // Where characters stand is known once the card is in the page.
    requestAnimationFrame(() => drawLinks(box, linksOf(sentence, linked)));
  }
  return card;
}

function drawHead(data, sentence, linked, shown, actions) {
  const { id, evidence, source, targets } = sentence;
  const head = make("header", { class: "card-head" });
  head.append(make("h3", { id: `id-${sentence.number}` }, isolated(id)));
  head.append(make("span", { class: "length", text: tn("card.length", source.length) }));
  if (sentence.gold) head.append(...data.systems.map((name, k) => drawVerdict(name, sentence.regions[k].length)));
  else head.append(...drawChanged(data, sentence));
  const tools = make("span", { class: "card-tools" });
  if (targets.length > 1) tools.append(drawTargets(targets, shown, actions));
  const offered = evidence.flatMap((each, k) =>
    each && (each.anchors.length || each.residuals.length) ? [k] : [],
  );
  for (const k of offered) {
    tools.append(
      make(
        "button",
        {
          class: "quiet",
          "aria-pressed": String(linked === k),
          "aria-label": t("card.links.of", { name: data.systems[k] }),
          on: { click: () => actions.link(linked === k ? -1 : k) },
        },
        `${t("card.links")} `,
        isolated(data.systems[k]),
      ),
    );
  }
  tools.append(
    make("button", { class: "quiet", text: "TSV", title: t("card.copy"), on: { click: actions.copy } }),
    make("button", {
      class: "quiet",
      text: "#",
      title: t("card.address"),
      "aria-label": t("card.address"),
      on: { click: actions.address },
    }),
  );
  head.append(tools);
  return head;
}

function drawVerdict(name, errors) {
  const label = errors ? tn("card.errors", errors, { name }) : t("card.right", { name });
  return make(
    "span",
    { class: `verdict ${errors ? "bad" : "good"}`, role: "img", "aria-label": label, title: label },
    isolated(name),
    errors ? ` ✗ ${errors}` : " ✓",
  );
}

/** How much each system changed, and how sure the least sure of them is. */
function drawChanged(data, { evidence }) {
  const parts = [];
  let least = 1;
  evidence.forEach((each, k) => {
    if (!each) return;
    const changes = changesOf(each).length;
    if (changes) {
      const text = ` ${tn("card.changes", changes)}`;
      parts.push(make("span", { class: "verdict" }, isolated(data.systems[k]), text));
    }
    const sure = each.reasons.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
    least = Math.min(least, ...sure, ...each.doubts.values());
  });
  if (least < 1) parts.push(make("span", { class: "length", text: t("card.least", { sure: decimals2(least) }) }));
  return parts;
}

/** The boundaries that a system changed: [place, whether it cut there]. */
function changesOf({ reasons }) {
  return reasons.flatMap(({ followed, join, places }) => (followed ? places.map((at) => [at, !join]) : []));
}

/** A switch between the targets. */
function drawTargets(targets, shown, actions) {
  const group = make("span", { class: "targets", role: "group", "aria-label": t("card.targets") });
  targets.forEach(({ text }, k) => {
    group.append(
      make("button", {
        class: "quiet",
        text: `T${k + 1}`,
        title: text.raw,
        "aria-label": t("card.target", { n: k + 1 }),
        "aria-pressed": String(k === shown),
        on: { click: () => actions.target(k) },
      }),
    );
  });
  return group;
}

/** The rows in words, for those who do not see them. */
function drawReadable(data, { source, gold, systems, targets }, limit) {
  const list = make("ul", { class: "visually-hidden" });
  const add = (label, text, words) =>
    list.append(
      make(
        "li",
        {},
        isolated(label),
        ": ",
        isolated(words ? text.words(words.slice(0, limit)) : text.slice(0, limit)),
      ),
    );
  add(t("row.source"), source);
  for (const { text, words } of targets) add(t("row.target"), text, words);
  if (gold) add(t("row.gold"), source, gold);
  data.systems.forEach((name, k) => add(name, source, systems[k]));
  return list;
}

function rowsOf(data, sentence, shown, search) {
  const { source, gold, systems, targets, regions, evidence, contested } = sentence;
  const target = targets[shown];
  const found = (text, fields) =>
    search && fields.includes(search.field) ? cellsOf(text, search.spans(text)) : new Set();
  const hit = (text, span) =>
    search?.field === "token" && search.word.test(text.slice(...span)) ? "hit" : "";
  const unlinked = unlinkedCells(source, target);
  const plain = (text, cells, apart) => (cell) => [
    ...(cells.has(cell) ? ["hit"] : []),
    ...(apart.has(cell) ? ["edited"] : []),
  ];
  const rows = [
    {
      label: "S",
      kind: "source link-end",
      text: source,
      side: 0,
      cellClass: plain(source, found(source, ["all", "source"]), unlinked[0]),
    },
  ];
  if (target) {
    rows.push({
      label: targets.length > 1 ? `T${shown + 1}` : "T",
      kind: "target link-end",
      text: target.text,
      side: 1,
      words: target.words,
      cellClass: plain(target.text, found(target.text, ["all", "target"]), unlinked[1]),
    });
  }
  const key = ([start, end]) => `${start}-${end}`;
  if (gold) {
    const having = systems.map((spans) => new Set(spans.map(key)));
    rows.push({
      label: t("row.gold"),
      kind: "gold",
      text: source,
      side: 0,
      words: gold,
      decorate(element, k) {
        if (!having.every((words) => words.has(key(gold[k])))) element.classList.add("missed");
        if (hit(source, gold[k])) element.classList.add("hit");
      },
    });
  }
  const right = gold && new Set(gold.map(key));
  data.systems.forEach((name, k) => {
    const changes = new Map(
      (evidence[k] ? changesOf(evidence[k]) : []).map(([at, cut]) => [source.cellAt(at), cut]),
    );
    rows.push({
      label: name,
      kind: regions[k].length ? "system bad" : "system",
      text: source,
      side: 0,
      words: systems[k],
      decorate(element, n) {
        const word = systems[k][n];
        if (right) element.classList.toggle("wrong", !right.has(key(word)));
        else element.classList.toggle("differs", wordAt(contested, word[0]) >= 0);
        const confidence = evidence[k]?.doubts.get(n);
        if (confidence !== undefined) {
          element.classList.add("doubtful");
          element.title = t("word.confidence", { confidence: decimals2(confidence) });
        }
        if (hit(source, word)) element.classList.add("hit");
      },
      cellClass(cell) {
        const cut = changes.get(cell);
        return cut === undefined ? [] : [cut ? "cut" : "joined"];
      },
    });
  });
  return rows;
}

function cellsOf(text, spans) {
  const cells = new Set();
  for (const span of spans) {
    const [start, end] = text.cellRange(span);
    for (let cell = start; cell < end; cell += 1) cells.add(cell);
  }
  return cells;
}

/** The cells of source and target that correspond to nothing identical. */
function unlinkedCells(source, target) {
  if (!target) return [new Set(), new Set()];
  const links = anchoredCells(source, target.text, target.anchors);
  return [source, target.text].map((text, side) => {
    const linked = new Set(links.map((link) => link[side]));
    return new Set(text.cells.flatMap((cell, k) => (linked.has(k) || cell.blank ? [] : [k])));
  });
}

function linksOf({ source, targets, evidence }, k) {
  const { target, anchors, residuals } = evidence[k];
  const { text } = targets[target];
  return [
    ...anchoredCells(source, text, anchors).map(([i, j]) => ({
      source: i,
      target: j,
      kind: "anchor",
    })),
    ...residuals.map(([i, j, score, crossing]) => ({
      source: source.cellAt(i),
      target: text.cellAt(j),
      kind: "residual",
      score: score.toFixed(2),
      crossing: crossing === 1,
    })),
  ];
}

/** A sentence as a block of M2, or null where a word cannot be in one or words are not known. */
function m2Block(data, { number, source, gold, targets }) {
  const [target] = targets;
  if (!target?.words) return null;
  const words = gold.map((span) => source.slice(...span));
  const corrected = target.words.map((span) => target.text.slice(...span));
  if ([...words, ...corrected].some((word) => /\s|\|\|\|/.test(word) || word === "-NONE-")) return null;
  const edits = unflatten(data.sentences[number].edits ?? [], 5);
  const lines = [["S", ...words].join(" ")];
  const add = (start, end, type, correction) =>
    lines.push(`A ${start} ${end}|||${type}|||${correction || "-NONE-"}|||REQUIRED|||-NONE-|||0`);
  if (edits.length) {
    lines.push(["T0-A0", ...corrected].join(" "));
    for (const [start, end, type, from, to] of edits) {
      add(start, end, data.edits[type], corrected.slice(from, to).join(" "));
    }
  } else {
    lines.push("T0 没有错误");
    add(-1, -1, "noop", "");
  }
  return `${lines.join("\n")}\n`;
}

/** The errors or differences, each once for all systems that share it, and the reasons. */
function drawNotes(data, sentence) {
  const notes = [];
  const add = (name, found, draw) => {
    if (found.length) notes.push(drawList(name, found, draw));
  };
  const reasons = groupedReasons(data, sentence);
  if (sentence.gold) add("errors", groupedErrors(data, sentence), drawError);
  // Where there is but one thing to differ from, the reasons tell it.
  else if (data.systems.length > 2 || !reasons.length) {
    add("differences", sentence.contested, (region) => drawDifference(data, sentence, region));
  }
  add("reasons", reasons, (reason) => drawReason(sentence, reason));
  return notes;
}

const MOST = 40; // notes of a kind; a sentence with more of them is no sentence

function drawList(name, notes, draw) {
  const list = make("ul", { class: name, "aria-label": t(`notes.${name}`) });
  list.append(...notes.slice(0, MOST).map(draw));
  const rest = notes.length - MOST;
  if (rest > 0) list.append(make("li", { text: t("notes.more", { n: rest }) }));
  return list;
}

/** The words between two boundaries. */
function wordsWithin(spans, start, end) {
  return spans.slice(firstBehind(spans, start), firstBehind(spans, end));
}

function groupedErrors(data, { source, gold, systems, regions, contested, evidence }) {
  const groups = new Map();
  regions.forEach((found, k) => {
    for (const region of found) {
      const predicted = wordsWithin(systems[k], region.start, region.end);
      const key = [region.start, region.end, ...predicted.flat()].join();
      const changes = evidence[k] ? changesOf(evidence[k]) : [];
      const changed = changes.some(([at]) => region.start < at && at < region.end);
      const group = groups.get(key) ?? {
        ...region,
        gold: source.words(wordsWithin(gold, region.start, region.end), "|"),
        predicted: source.words(predicted, "|"),
        names: [],
        changed: [],
        contested: wordAt(contested, region.start) >= 0 || wordAt(contested, region.end - 1) >= 0,
        compared: evidence.some(Boolean),
      };
      group.names.push(data.systems[k]);
      if (changed) group.changed.push(data.systems[k]);
      groups.set(key, group);
    }
  });
  return [...groups.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

function drawError(error) {
  const { kind, start, end, gold, predicted, names } = error;
  return make(
    "li",
    {},
    make("span", { class: `kind ${kind}`, text: t(`error.${kind}`) }),
    make("span", { class: "span", text: `${start}–${end}` }),
    make(
      "span",
      { class: "cuts" },
      isolated(gold, { class: "is-gold" }),
      make("span", { class: "becomes", "aria-label": t("notes.becomes"), role: "img" }, "→"),
      isolated(predicted, { class: "is-wrong" }),
    ),
    make("span", { class: "why" }, isolated(names.join(t("list.comma")), { class: "names" }), ` ${explain(error)}`),
  );
}

/** Why the words of a region are wrong, in one sentence. */
function explain({ kind, edits, names, changed, compared, contested }) {
  const what = t(names.length > 1 ? `why.${kind}.many` : `why.${kind}.one`);
  const parts = [what];
  if (compared) {
    const list = edits.map((edit) => t(`why.edit.${edit}`)).join(t("list.comma"));
    parts.push(edits.length ? t("why.edited", { edits: list }) : t("why.alike"));
    if (changed.length) parts.push(t("why.projected", { names: changed.join(", ") }));
  }
  if (contested) parts.push(t("why.contested"));
  return parts.join(t("list.semicolon")) + t("list.stop");
}

/** A region that systems do not cut alike, and who cuts it how. */
function drawDifference(data, { source, systems }, [start, end]) {
  const groups = new Map();
  systems.forEach((spans, k) => {
    const words = source.words(wordsWithin(spans, start, end), "|");
    groups.set(words, [...(groups.get(words) ?? []), data.systems[k]]);
  });
  const note = make("li", {}, make("span", { class: "span", text: `${start}–${end}` }));
  for (const [words, names] of groups) {
    note.append(
      make(
        "span",
        { class: "version" },
        isolated(words, { class: "cuts" }),
        " ",
        isolated(names.join(t("list.comma")), { class: "names" }),
      ),
    );
  }
  return note;
}

/** The reasons, those that several systems have alike once. */
function groupedReasons(data, { evidence }) {
  const groups = new Map();
  evidence.forEach((each, k) => {
    for (const reason of each?.reasons ?? []) {
      const key = `${reason.places} ${tellReason(reason)}`;
      const group = groups.get(key) ?? { ...reason, names: [], sure: "" };
      group.names.push(data.systems[k]);
      group.sure ||= tellConfidence(reason);
      groups.set(key, group);
    }
  });
  return [...groups.values()].sort((a, b) => a.places[0] - b.places[0]);
}

function drawReason({ gold }, reason) {
  const { join, followed, places, names, sure } = reason;
  const kind = t(`change.${followed ? (join ? "joined" : "cut") : "left"}`);
  const why = make("span", { class: "why" }, make("span", { class: "told", text: tellReason(reason) }));
  if (sure) why.append(` ${sure}`);
  if (gold) {
    const ends = new Set(gold.map((span) => span[1]));
    // With what was done, or left alone, there is a boundary at each place, or at none.
    const right = places.every((at) => ends.has(at) === (join !== followed));
    why.append(` ${t(right ? "why.goldtoo" : "why.goldnot")}`);
  }
  return make(
    "li",
    {},
    make("span", { class: "kind change", text: kind }),
    isolated(names.join(t("list.comma")), { class: "names" }),
    why,
  );
}
