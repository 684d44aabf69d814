/* One sentence as a card: its texts in parallel rows, its errors, what changed and why. */

import { openTarget, wordsOf } from "./boundaries.js";
import { button, drawName, han, isolated, make, marked } from "./dom.js";
import { decimals2, language, listed, t, tn } from "./language.js";
import { drawLinks, drawRows, layOut } from "./rows.js";
import { Text, anchoredCells, firstBehind, unlinkedCells, wordAt } from "./text.js";

export const LONGEST = 1200; // columns drawn at first; more of a longer sentence when asked for
const MOST = 40; // notes of a kind; a sentence with more of them is no sentence

/** A sentence of the data with its texts as cells and its words as spans. */
export function openSentence({ sentences, summary, systems }, number) {
  const sentence = sentences[number];
  const source = new Text(sentence.source, sentence.characters);
  const spans = sentence.words.map((lengths) => wordsOf(source, lengths));
  const isEdited = !sentence.systems; // a page of corrections: targets are references, then the systems'
  const targets = (sentence.targets ?? []).map(openTarget);
  return {
    ...sentence,
    number,
    source,
    words: isEdited ? spans[0] : null,
    gold: summary && !isEdited && !sentence.without_gold ? spans[0] : null,
    systems: isEdited ? targets.slice(-systems.length) : sentence.systems.map((k) => ({ text: source, words: spans[k] })),
    targets: isEdited ? targets.slice(0, -systems.length) : targets,
    evidence: sentence.evidence ?? [],
    reasons: sentence.reasons ?? [],
    errors: sentence.errors ?? [],
    contested: sentence.contested ?? [],
  };
}

/** The boundaries that a system changed: [place, whether it cut there]. */
function changesOf({ reasons }, system) {
  const followed = reasons.filter(({ kind, systems }) => kind !== "left" && systems.includes(system));
  return followed.flatMap(({ at, kind }) => at.map((place) => [place, kind === "cut"]));
}

/** Whether there is something to link by what a system's words rest on. */
export function hasLinks(evidence, targets) {
  return Boolean(evidence && (anchorsOf(evidence, targets).length || evidence.links));
}

function anchorsOf({ target = 0, anchors }, targets) {
  return anchors ?? targets[target].anchors ?? [];
}

/**
 * A card: `linked` is the system whose links are shown, or -1; `chosen` is the target to show, or
 * undefined; `limit` is how many columns are drawn.
 */
export function drawCard(data, sentence, { linked, chosen, search, cell, width, position, size, limit, actions }) {
  const { id, source, targets, evidence } = sentence;
  const linkedTarget = evidence[linked] && (evidence[linked].target ?? 0);
  const shown = chosen ?? linkedTarget ?? 0;
  const sides = sidesOf(sentence, shown);
  const own = sentence.systems.filter(({ text }) => text === source).map(({ words }) => words);
  const cuts = [sentence.words ?? sentence.gold ?? [], ...own].filter(({ length }) => length);
  const layout = layOut(source, sides, { cell, width, cuts, limit });
  const box = drawRows(layout, rowsOf(data, sentence, shown, search));
  if (linkedTarget === shown) {
    box.classList.add("linked");
    // Where characters stand is known once the card is in the page.
    requestAnimationFrame(() => drawLinks(box, linksOf(sentence, linked)));
  }
  const more = t("card.more", { n: layout.columns.length, all: layout.all });
  return make(
    "article",
    {
      class: "card",
      tabindex: "-1",
      "aria-posinset": position + 1,
      "aria-setsize": size,
      "aria-labelledby": `id-${sentence.number}`,
      "data-id": id,
    },
    drawHead(data, sentence, linked, shown, actions),
    drawReadable(data, sentence, limit),
    box,
    layout.all > limit ? button(more, actions.more, { class: "quiet" }) : "",
    ...drawNotes(data, sentence, actions.drawRow),
  );
}

/** What stands below a source in columns of its own: the target shown, and what systems corrected. */
function sidesOf({ source, systems, targets }, shown) {
  return [...targets.slice(shown, shown + 1), ...systems.filter(({ text }) => text !== source)];
}

function drawHead(data, sentence, linked, shown, actions) {
  const { id, evidence, source, targets } = sentence;
  const tools = make("span", { class: "card-tools" });
  if (targets.length > 1) tools.append(drawTargets(targets, shown, actions));
  data.systems.forEach((name, k) => {
    if (!hasLinks(evidence[k], targets)) return;
    const links = button(`${t("card.links")} `, () => actions.link(linked === k ? -1 : k), {
      class: "quiet",
      "aria-pressed": String(linked === k),
      "aria-label": t("card.links.of", { name }),
    });
    links.append(drawName(data, k));
    tools.append(links);
  });
  const [copy, address] = [t("card.copy"), t("card.address")];
  tools.append(
    button("TSV", actions.copy, { class: "quiet", title: copy, "aria-label": copy }),
    button(t("card.address.short"), actions.address, { class: "quiet", title: address, "aria-label": address }),
  );
  return make(
    "header",
    { class: "card-head" },
    make("h3", { id: `id-${sentence.number}` }, isolated(id)),
    make("span", { class: "length", text: tn("card.length", source.length) }),
    ...(sentence.gold || sentence.words ? drawVerdicts(data, sentence) : drawChanged(data, sentence)),
    tools,
  );
}

/** Whether each system is right. */
function drawVerdicts(data, sentence) {
  return data.systems.map((name, k) => {
    const errors = sentence.errors.filter(([, , kind, , systems]) => kind !== "hit" && systems.includes(k)).length;
    const label = errors ? tn("card.errors", errors, { name }) : t("card.right", { name });
    return make(
      "span",
      { class: `verdict ${errors ? "bad" : "good"}`, role: "img", "aria-label": label, title: label },
      drawName(data, k),
      errors ? ` ✗ ${errors}` : " ✓",
    );
  });
}

/** How much each system changed, and how sure the least sure of them is. */
function drawChanged(data, sentence) {
  const parts = data.labels.flatMap((_, k) => {
    const changes = changesOf(sentence, k).length;
    const text = ` ${tn("card.changes", changes)}`;
    return changes ? [make("span", { class: "verdict" }, drawName(data, k), text)] : [];
  });
  if (sentence.sure === undefined) return parts;
  const least = t("card.least", { sure: decimals2(sentence.sure) });
  return [...parts, make("span", { class: "length", text: least })];
}

/** A switch between the targets. */
function drawTargets(targets, shown, actions) {
  const buttons = targets.map(({ text }, k) =>
    button(`${t("legend.target.sign")}${k + 1}`, () => actions.target(k), {
      class: "quiet",
      title: text.raw,
      "aria-label": t("card.target", { n: k + 1 }),
      "aria-pressed": String(k === shown),
    }),
  );
  return make("span", { class: "targets", role: "group", "aria-label": t("card.targets") }, ...buttons);
}

/** The rows in words: [label, text, words or null]. */
function readableRows(data, { source, words, gold, systems, targets }) {
  return [
    [t("row.source"), source, words],
    ...targets.map((target) => [t("row.target"), target.text, target.words]),
    ...(gold ? [[t("row.gold"), source, gold]] : []),
    ...systems.map(({ text, words }, k) => [data.systems[k], text, words]),
  ];
}

/** A sentence for paper: its texts, each in a line, and where systems differ or err. */
export function drawPrinted(data, sentence) {
  const { id, words, targets } = sentence;
  const first = words ? 0 : 1; // else what is behind the targets: gold, or the first system
  const rows = readableRows(data, sentence).slice(first, first + targets.length + 1);
  const lines = drawTexts(rows, "p", " ");
  return make("article", { class: "printed" }, make("h3", {}, isolated(id)), ...lines, ...drawNotes(data, sentence));
}

/** The rows in words, for those who do not see them. */
function drawReadable(data, sentence, limit) {
  return make("ul", { class: "visually-hidden" }, ...drawTexts(readableRows(data, sentence), "li", ": ", limit));
}

function drawTexts(rows, tag, separator, limit = Infinity) {
  return rows.map(([label, text, words]) => {
    const read = words ? text.words(words.slice(0, limit)) : text.slice(0, limit);
    return make(tag, {}, isolated(label, { class: "label" }), separator, han(read));
  });
}

/** Mark a word by the outcome of the edit that it belongs to. */
function markEdit(marks, element, n) {
  const mark = marks.find(([start, end]) => start <= n && n < end);
  if (mark) element.classList.add(mark[2] === "hit" ? "right" : mark[2]);
}

function rowsOf(data, sentence, shown, search) {
  const { source, gold, systems, targets, errors, evidence, contested } = sentence;
  const target = targets[shown];
  const isHit = (span) => Boolean(search?.isWord(source.slice(...span)));
  const unlinked = sentence.words ? [new Set(), new Set()] : unlinkedCells(source, target);
  const row = (label, kind, text, side, words = null) => {
    const isSought = search && ["all", kind].includes(search.field);
    const hits = isSought ? cellsOf(text, search.spans(text)) : new Set();
    const cellClass = (cell) => [
      ...(hits.has(cell) ? ["hit"] : []),
      ...(unlinked[side]?.has(cell) ? ["edited"] : []),
    ];
    return { label, kind: `${kind} link-end`, text, side, words, cellClass };
  };
  /** @type {import("./rows.js").Row[]} */
  const rows = [row("S", "source", source, 0, sentence.words)];
  if (target) {
    const label = t("legend.target.sign") + (targets.length > 1 ? shown + 1 : "");
    rows.push(row(label, "target", target.text, 1, target.words));
    if (target.marks) rows[1].decorate = (element, n) => markEdit(target.marks, element, n);
  }
  const having = systems.map(({ words }) => new Set(words.map(String)));
  const right = new Set(gold?.map(String));
  if (gold) {
    rows.push({
      label: t("row.gold"),
      kind: "gold",
      text: source,
      words: gold,
      decorate(element, k) {
        element.classList.toggle("missed", !having.every((words) => words.has(String(gold[k]))));
        element.classList.toggle("hit", isHit(gold[k]));
      },
    });
  }
  data.labels.forEach((label, k) => {
    const { text, words, marks } = systems[k];
    const isBad = errors.some(([, , kind, , erring]) => kind !== "hit" && erring.includes(k));
    const changes = new Map(changesOf(sentence, k).map(([at, cut]) => [source.cellAt(at), cut]));
    const doubts = new Map(evidence[k]?.doubts);
    rows.push({
      label,
      title: data.systems[k],
      kind: isBad && gold ? "system bad" : "system",
      text,
      side: text === source ? 0 : k + 2,
      words,
      decorate(element, n) {
        const word = words[n];
        if (marks) markEdit(marks, element, n);
        else if (gold) element.classList.toggle("wrong", !right.has(String(word)));
        else element.classList.toggle("differs", wordAt(contested, word[0]) >= 0);
        if (doubts.has(n)) {
          element.classList.add("doubtful");
          element.title = t("word.confidence", { confidence: decimals2(doubts.get(n)) });
        }
        element.classList.toggle("hit", !marks && isHit(word));
      },
      cellClass(cell) {
        return changes.has(cell) ? [changes.get(cell) ? "cut" : "joined"] : [];
      },
    });
  });
  return rows;
}

function cellsOf(text, spans) {
  const cells = new Set();
  for (const [start, end] of spans) {
    for (let cell = text.cellAt(start); text.cells[cell]?.start < end; cell += 1) cells.add(cell);
  }
  return cells;
}

function linksOf({ source, targets, evidence }, k) {
  const { target = 0, links = [] } = evidence[k];
  const { text } = targets[target];
  const anchors = anchoredCells(source, text, anchorsOf(evidence[k], targets));
  return [
    ...anchors.map(([i, j]) => ({ source: i, target: j, kind: "anchor" })),
    ...links.map(([i, j, score, crossing, by, value]) => ({
      source: source.cellAt(i),
      target: text.cellAt(j),
      kind: "residual",
      score: score.toFixed(2),
      crossing: Boolean(crossing),
      by,
      value: value.toFixed(2),
    })),
  ];
}

/** The errors or differences, each once for all systems that share it, and the reasons. */
function drawNotes(data, sentence, /** @type {(row: number) => any} */ drawRow = () => "") {
  const { contested, errors, gold, reasons } = sentence;
  const names = (systems) => systems.map((k) => data.labels[k]);
  const notes = [];
  const add = (name, found, draw) => {
    if (found.length) notes.push(drawList(name, found, draw));
  };
  if (sentence.words) add("errors", errors, (error) => drawEdit(sentence, error, names));
  else if (gold) add("errors", errors, (error) => drawError(sentence, error, names));
  // Where there is but one thing to differ from, the reasons tell it.
  else if (data.systems.length > 2 || !reasons.length) {
    add("differences", contested, (region) => drawDifference(data, sentence, region));
  }
  add("reasons", reasons, (reason) => drawReason(reason, names(reason.systems), drawRow));
  return notes;
}

function drawList(name, notes, draw) {
  const rest = notes.length - MOST;
  return make(
    "ul",
    { class: name, "aria-label": t(`notes.${name}`) },
    ...notes.slice(0, MOST).map(draw),
    rest > 0 ? make("li", { text: t("notes.more", { n: rest }) }) : "",
  );
}

/** The words of a region. */
function wordsWithin(source, spans, start, end) {
  return source.words(spans.slice(firstBehind(spans, start), firstBehind(spans, end)), "|");
}

function drawSpan(start, end) {
  return make("span", { class: "span", text: `${start}–${end}` });
}

function drawNames(names) {
  return isolated(listed(names), { class: "names" });
}

function drawError(sentence, error, names) {
  const { source, gold, systems } = sentence;
  const [start, end, , , erring] = error;
  const words = (spans, name) => han(wordsWithin(source, spans, start, end), { class: name });
  const becomes = [words(gold, "is-gold"), words(systems[erring[0]].words, "is-wrong")];
  return drawBecoming(error, ...becomes, drawNames(names(erring)), ` ${explain(sentence, error, names)}`);
}

/** What an edit makes of the words of the source, its type, and whose it is. */
function drawEdit({ source, words }, edit, names) {
  const [start, end, kind, [type], systems, correction] = edit;
  const before = han(start < end ? wordsWithin(source, words, start, end) : "∅");
  const after = han(correction || "∅", { class: kind === "wrong" ? "is-wrong" : "is-gold" });
  return drawBecoming(edit, before, after, isolated(type, { class: "type" }), " ", drawNames(names(systems)));
}

function drawBecoming([start, end, kind], before, after, ...why) {
  const sign = make("span", { class: "becomes", "aria-label": t("notes.becomes"), role: "img" }, "→");
  return make(
    "li",
    {},
    make("span", { class: `kind ${kind}`, text: t(`error.${kind}`) }),
    drawSpan(start, end),
    make("span", { class: "cuts" }, before, sign, after),
    make("span", { class: "why" }, ...why),
  );
}

/** Why the words of a region are wrong, in one sentence. */
function explain(sentence, [start, end, kind, edits, erring], names) {
  const { contested, evidence } = sentence;
  const parts = [t(erring.length > 1 ? `why.${kind}.many` : `why.${kind}.one`)];
  if (evidence.length) {
    const list = listed(Array.from(edits, (edit) => t(`why.edit.${edit}`)));
    parts.push(edits ? t("why.edited", { edits: list }) : t("why.alike"));
    const hasChanged = (k) => changesOf(sentence, k).some(([at]) => start < at && at < end);
    const changed = names(erring.filter(hasChanged));
    if (changed.length) parts.push(t("why.projected", { names: changed.join(", ") }));
  }
  if ([start, end - 1].some((at) => wordAt(contested, at) >= 0)) parts.push(t("why.contested"));
  return parts.join(t("list.semicolon")) + t("list.stop");
}

/** A region that systems segment differently, and the words of each. */
function drawDifference(data, { source, systems }, [start, end]) {
  const groups = new Map();
  systems.forEach((each, k) => {
    const words = wordsWithin(source, each.words, start, end);
    groups.set(words, [...(groups.get(words) ?? []), data.labels[k]]);
  });
  const versions = Array.from(groups, ([words, names]) =>
    make("span", { class: "version" }, han(words, { class: "cuts" }), " ", drawNames(names)),
  );
  return make("li", {}, drawSpan(start, end), ...versions);
}

function drawReason({ kind, why, sure, right, row }, names, drawRow) {
  const gold = right === undefined ? "" : ` ${t(right ? "why.goldtoo" : "why.goldnot")}`;
  return make(
    "li",
    {},
    make("span", { class: "kind change", text: t(`change.${kind}`) }),
    drawNames(names),
    make(
      "span",
      { class: "why" },
      make("span", { class: "told" }, ...marked(language.choose(why))),
      ...(sure ? [" ", ...marked(language.choose(sure))] : []),
      gold,
    ),
    row === undefined ? "" : drawRow(row),
  );
}
