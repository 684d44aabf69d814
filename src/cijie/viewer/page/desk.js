/* The item in work: the source with a place to cut between each two characters, and hints below. */

import { gapsOf, spansOf } from "./boundaries.js";
import { button, isolated, make, marked } from "./dom.js";
import { t } from "./language.js";
import { breaksOf, drawLine, drawRows, layOut } from "./rows.js";
import { unlinkedCells } from "./text.js";

const CELL = { full: 34, half: 20 };
const CELL_SMALL = { full: 28, half: 17 };

/** The width that rows of characters have in an element. */
export function rowWidth(element) {
  return element.clientWidth - (innerWidth < 640 ? 56 : 130);
}

/**
 * The rows of a sentence to be cut, in `box`. `versions` are hints, [label, spans], and rows of their
 * own if `isShown`; where they differ are the ends `contested`, within the spans `regions`, of which
 * `current` is the number of the one in work and `decided` those of the ones that are. `toggle(end)` is
 * called for a place that is chosen; without it there is nothing to choose. `cursor` is the place that
 * the Tab key reaches.
 */
export class Desk {
  /** @param {any} given */
  constructor(given) {
    const defaults = { isShown: true, current: -1, decided: [], boundaries: [], cursor: -1, toggle: null };
    this.given = { ...defaults, ...given };
    const { text, target, versions, contested, width, isShown } = this.given;
    this.gaps = new Set(gapsOf(text));
    this.#layOut();
    const version = ([label, words]) => {
      const ends = new Set(words.map(([, end]) => end));
      const isBar = (cell) => contested.has(text.cells[cell].end) && ends.has(text.cells[cell].end);
      const cellClass = (cell) => [...this.#marks(cell), ...(isBar(cell) ? ["bar"] : [])];
      return { label, kind: "version", text, words, cellClass };
    };
    this.others = [
      targetRow(text, target, { label: "T", words: target.words }),
      ...(isShown ? versions.map(version) : []),
    ];
    this.box = make("div", { class: "rows" }, ...this.layout.lines.map((line) => this.#line(line)));
  }

  /** Break lines within no word; they stay as they are, so that nothing moves, until a word is there. */
  #layOut() {
    const { text, target, versions, boundaries, width } = this.given;
    const own = spansOf(text, boundaries);
    const apart = this.layout && breaksOf(this.layout.columns, 0, text, own);
    if (apart && this.layout.lines.every(([first]) => apart[first])) return;
    const cell = innerWidth < 640 ? CELL_SMALL : CELL;
    const cuts = [...(own.length ? [own] : []), ...versions.map(([, words]) => words)];
    this.layout = layOut(text, [target], { cell, width, cuts });
  }

  #line(line) {
    const element = drawLine(this.layout, line, [this.#source(), ...this.others]);
    this.#addGaps(element);
    return element;
  }

  /** Draw the lines anew around a place where the source was cut, or joined, and what moved by that. */
  update(boundaries, end) {
    const before = boundaries.findLast((each) => each < end) ?? 0;
    const after = boundaries.find((each) => each > end) ?? end;
    const kept = new Map(this.layout.lines.map((line, k) => [String(line), this.box.children[k]]));
    Object.assign(this.given, { boundaries, cursor: end });
    this.#layOut();
    const { columns, lines } = this.layout;
    const { cells } = this.given.text;
    const isNear = ([cell]) => cell >= 0 && before <= cells[cell].end && cells[cell].start <= after;
    const drawn = lines.map((line) => {
      const old = columns.slice(...line).some(isNear) ? null : kept.get(String(line));
      return old ?? this.#line(line);
    });
    for (const element of kept.values()) if (!drawn.includes(element)) element.remove();
    drawn.forEach((element, k) => {
      if (this.box.children[k] !== element) this.box.insertBefore(element, this.box.children[k] ?? null);
    });
  }

  #source() {
    const { text, boundaries } = this.given;
    const cellClass = (cell) => this.#marks(cell, true);
    return { label: "S", kind: "source", text, words: spansOf(text, boundaries), cellClass };
  }

  /** In what region a cell is: on the source also whether that is in work, and decided. */
  #marks(cell, isSource = false) {
    const { text, regions, decided, current } = this.given;
    const { start } = text.cells[cell];
    const region = regions.findIndex(([from, to]) => from <= start && start < to);
    if (region < 0) return [];
    if (!isSource) return ["differs"];
    const state = decided.includes(region) ? ["decided"] : [];
    return ["differs", ...state, ...(region === current ? ["current"] : [])];
  }

  #addGaps(box) {
    const { text, contested, cursor, boundaries, toggle } = this.given;
    if (!toggle) return;
    const cut = new Set(boundaries);
    for (const row of box.querySelectorAll(".row.source .cells")) {
      row.removeAttribute("aria-hidden");
      row.setAttribute("role", "group");
      row.setAttribute("aria-label", "S");
      for (const element of row.querySelectorAll("[data-source]")) {
        const { end, text: before } = text.cells[Number(element.dataset.source)];
        if (!this.gaps.has(end)) continue;
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
  }
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
  return drawRows(layOut(text, [target], { cell: CELL_SMALL, width }), rows, "span");
}

/** Who flagged the sentence, and what they said. */
export function drawRemarks(remarks) {
  const list = make("ul", { class: "remarks", "aria-label": t("remarks") });
  for (const [name, isFlagged, comment] of remarks) {
    const flag = isFlagged ? make("span", { class: "flagged", text: `⚑ ${t("flagged")} ` }) : "";
    list.append(make("li", {}, isolated(name, { class: "soft" }), " ", flag, make("bdi", {}, ...marked(comment))));
  }
  return list;
}
