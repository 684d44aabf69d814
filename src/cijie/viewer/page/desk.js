"use strict";
/* The item in work: the source with a place to cut between each two characters, and hints below. */

const CELL = { full: 34, half: 20 };
const CELL_SMALL = { full: 28, half: 17 };

/** The end offsets where a boundary can be set: those of characters with another one after them. */
function gapsOf(text) {
  const ends = text.cells.filter((cell) => !cell.blank).map((cell) => cell.end);
  return ends.slice(0, -1);
}

/**
 * The rows of a sentence to be cut. `versions` are hints, [label, spans]; `regions` are spans in
 * which versions differ, `current` is the number of the one in work; `contested` are the ends at which
 * hints differ. `toggle(end)` is called for a place that is chosen; without it there is nothing to
 * choose. `cursor` is the place that the Tab key reaches.
 */
function drawDesk({
  text,
  target,
  targetWords,
  versions,
  contested = new Set(),
  regions,
  current,
  boundaries = [],
  cursor,
  width,
  toggle,
}) {
  const columns = columnsOf(text, target?.text, target?.anchors ?? []);
  const widths = columnWidths(columns, text, target?.text, innerWidth < 640 ? CELL_SMALL : CELL);
  const starts = lineStarts(text, [...text.cells.keys()]);
  const box = make("div", { class: "rows" });
  const cut = new Set(boundaries);
  const spans = spansOf(text, boundaries);
  const gaps = new Set(toggle ? gapsOf(text) : []);
  const regionOf = (cell) =>
    regions.findIndex(([start, end]) => start <= text.cells[cell].start && text.cells[cell].start < end);
  const inRegion = (cell) => {
    const region = regionOf(cell);
    return region < 0 ? [] : region === current ? ["differs", "current"] : ["differs"];
  };
  const unlinked = target
    ? new Set(anchoredCells(text, target.text, target.anchors).map(([, cell]) => cell))
    : new Set();
  const draw = (label, kind, line, options) =>
    make(
      "div",
      { class: `row ${kind}` },
      isolated(label, { class: "label", "aria-hidden": "true", title: label }),
      drawLine({ text, side: 0, columns, widths, line, ...options }),
    );
  for (const line of breakLines(columns, widths, width, starts)) {
    const block = make("div", { class: "line" });
    const work = draw("S", "source", line, { words: spans, cellClass: inRegion });
    const cells = work.querySelector(".cells");
    if (toggle) {
      cells.removeAttribute("aria-hidden");
      cells.setAttribute("role", "group");
    }
    for (const element of cells.querySelectorAll("[data-source]")) {
      const { end, text: before } = text.cells[Number(element.dataset.source)];
      if (!gaps.has(end)) continue;
      const after = text.slice(end, end + 1);
      const isCut = cut.has(end);
      const isContested = contested.has(end);
      element.append(
        make("button", {
          class: isContested ? "gap contested" : "gap",
          title: isContested ? t("gap.contested") : null,
          "data-end": end,
          "aria-pressed": String(isCut),
          "aria-label": t(isCut ? "gap.cut" : "gap.whole", { before, after }),
          tabIndex: end === cursor ? 0 : -1,
          on: { click: () => toggle(end) },
        }),
      );
    }
    block.append(work);
    if (target) {
      const cellClass = (cell) => (unlinked.has(cell) || target.text.cells[cell].blank ? [] : ["edited"]);
      block.append(
        draw("T", "target", line, { text: target.text, side: 1, words: targetWords, cellClass }),
      );
    }
    for (const [label, words] of versions) {
      block.append(draw(label, "version", line, { words, cellClass: inRegion }));
    }
    box.append(block);
  }
  return box;
}

/** A source with one of its references below, for a vote. */
function drawReference(text, target, width) {
  const columns = columnsOf(text, target.text, target.anchors);
  const widths = columnWidths(columns, text, target.text, CELL_SMALL);
  const starts = lineStarts(text, [...text.cells.keys()]);
  const links = anchoredCells(text, target.text, target.anchors);
  const linked = [0, 1].map((side) => new Set(links.map((link) => link[side])));
  const box = make("span", { class: "rows" });
  for (const line of breakLines(columns, widths, width, starts)) {
    const block = make("span", { class: "line" });
    [text, target.text].forEach((each, side) => {
      const cellClass = (cell) => (linked[side].has(cell) || each.cells[cell].blank ? [] : ["edited"]);
      const cells = drawLine({ text: each, side, columns, widths, line, cellClass });
      block.append(make("span", { class: `row ${side ? "target" : "version"}` }, cells));
    });
    box.append(block);
  }
  return box;
}

/** Who flagged the sentence, and what they said. */
function drawRemarks(remarks) {
  const list = make("ul", { class: "remarks", "aria-label": t("remarks") });
  for (const [name, isFlagged, comment] of remarks) {
    const flag = isFlagged ? make("span", { class: "flagged", text: `⚑ ${t("flagged")} ` }) : "";
    list.append(make("li", {}, isolated(name, { class: "soft" }), " ", flag, isolated(comment)));
  }
  return list;
}
