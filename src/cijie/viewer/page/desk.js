/* The item in work: the source with a place to cut between each two characters, and hints below. */

import { gapsOf, spansOf } from "./boundaries.js";
import { button, isolated, make } from "./dom.js";
import { t } from "./language.js";
import { drawRows, layOut } from "./rows.js";
import { unlinkedCells } from "./text.js";

const CELL = { full: 34, half: 20 };
const CELL_SMALL = { full: 28, half: 17 };

/** The width that rows of characters have in an element. */
export function rowWidth(element) {
  return element.clientWidth - (innerWidth < 640 ? 56 : 130);
}

/**
 * The rows of a sentence to be cut. `versions` are hints, [label, spans]; `regions` are spans in
 * which versions differ, `current` is the number of the one in work; `contested` are the ends at which
 * hints differ. `toggle(end)` is called for a place that is chosen; without it there is nothing to
 * choose. `cursor` is the place that the Tab key reaches.
 */
export function drawDesk({
  text,
  target,
  versions,
  contested = new Set(),
  regions,
  current = -1,
  boundaries = [],
  cursor = -1,
  width,
  toggle = null,
}) {
  const inRegion = (cell) => {
    const { start } = text.cells[cell];
    const region = regions.findIndex(([from, to]) => from <= start && start < to);
    return region < 0 ? [] : region === current ? ["differs", "current"] : ["differs"];
  };
  const layout = layOut(text, target, { cell: innerWidth < 640 ? CELL_SMALL : CELL, width });
  const box = drawRows(layout, [
    { label: "S", kind: "source", text, words: spansOf(text, boundaries), cellClass: inRegion },
    targetRow(text, target, { label: "T", words: target.words }),
    ...versions.map(([label, words]) => ({ label, kind: "version", text, words, cellClass: inRegion })),
  ]);
  if (!toggle) return box;
  const [gaps, cut] = [new Set(gapsOf(text)), new Set(boundaries)];
  for (const cells of box.querySelectorAll(".row.source .cells")) {
    cells.removeAttribute("aria-hidden");
    cells.setAttribute("role", "group");
    for (const element of cells.querySelectorAll("[data-source]")) {
      const { end, text: before } = text.cells[Number(element.dataset.source)];
      if (!gaps.has(end)) continue;
      const after = text.slice(end, end + 1);
      element.append(
        button(null, () => toggle(end), {
          class: contested.has(end) ? "gap contested" : "gap",
          title: contested.has(end) ? t("gap.contested") : null,
          "data-end": end,
          "aria-pressed": String(cut.has(end)),
          "aria-label": t(cut.has(end) ? "gap.cut" : "gap.whole", { before, after }),
          tabIndex: end === cursor ? 0 : -1,
        }),
      );
    }
  }
  return box;
}

/** The row of a target, in which what its source has not is marked. */
function targetRow(source, target, rest) {
  const [, unlinked] = unlinkedCells(source, target);
  const cellClass = (cell) => (unlinked.has(cell) ? ["edited"] : []);
  return { kind: "target", text: target.text, side: 1, cellClass, ...rest };
}

/** A source with one of its references below, for a vote. */
export function drawReference(text, target, width) {
  const [unlinked] = unlinkedCells(text, target);
  const cellClass = (cell) => (unlinked.has(cell) ? ["edited"] : []);
  const rows = [{ kind: "version", text, cellClass }, targetRow(text, target, {})];
  return drawRows(layOut(text, target, { cell: CELL_SMALL, width }), rows, "span");
}

/** Who flagged the sentence, and what they said. */
export function drawRemarks(remarks) {
  const list = make("ul", { class: "remarks", "aria-label": t("remarks") });
  for (const [name, isFlagged, comment] of remarks) {
    const flag = isFlagged ? make("span", { class: "flagged", text: `⚑ ${t("flagged")} ` }) : "";
    list.append(make("li", {}, isolated(name, { class: "soft" }), " ", flag, isolated(comment)));
  }
  return list;
}
