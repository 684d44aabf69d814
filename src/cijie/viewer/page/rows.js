/* Parallel rows: texts cut into words, character under character, broken into lines together. */

import { isTyping, isolated, make, makeSvg } from "./dom.js";
import { t } from "./language.js";
import { codePoints, columnsOf, wordAt } from "./text.js";

/**
 * Where the characters of a source and of its targets stand: in columns, the first `limit` of them,
 * broken into lines of `width` pixels. Lines are broken where none of `cuts`, which are segmentations
 * of the source, nor a target has a word running through, if there is such a place; else where the
 * first of `cuts` has none.
 */
export function layOut(source, targets, { cell, width, cuts = [], limit = Infinity }) {
  const all = columnsOf(source, targets);
  const columns = all.slice(0, limit);
  const texts = [source, ...targets.map(({ text }) => text)];
  const widths = columns.map((column) =>
    column.some((k, side) => k >= 0 && !texts[side].cells[k].half) ? cell.full : cell.half,
  );
  const apart = cuts.map((words) => breaksOf(columns, 0, source, words));
  targets.forEach(({ text, words }, k) => words && apart.push(breaksOf(columns, k + 1, text, words)));
  const ranks = columns.map(([i], k) => {
    if (/^[\p{Pe}\p{Pf}\p{Po}]/u.test(source.cells[i]?.text ?? "")) return 0; // what closes a phrase
    return apart.every((places) => places[k]) ? 2 : Number(apart[0][k]);
  });
  return { columns, widths, lines: breakLines(widths, width, ranks), all: all.length };
}

/** Before which columns no word of a side runs through. */
export function breaksOf(columns, side, text, words) {
  const starts = new Set(words.map(([start]) => start));
  let isStart = true; // of what comes next on this side
  return columns
    .map((column) => column[side])
    .reverse()
    .map((cell) => {
      if (cell >= 0) isStart = text.cells[cell].blank || starts.has(text.cells[cell].start);
      return isStart;
    })
    .reverse();
}

/** Break columns into lines of at most `width` pixels, before the last one of the highest rank. */
function breakLines(widths, width, ranks) {
  const lines = [];
  let [first, used] = [0, 0];
  let best = []; // by rank, the last column that may begin a line
  for (let k = 0; k < widths.length; k += 1) {
    if (k > first) best[ranks[k]] = k;
    if (used + widths[k] > width && k > first) {
      const next = best[2] ?? best[1] ?? k;
      lines.push([first, next]);
      first = next;
      used = widths.slice(first, k).reduce((sum, each) => sum + each, 0);
      best = [];
      for (let later = first + 1; later <= k; later += 1) best[ranks[later]] = later;
    }
    used += widths[k];
  }
  lines.push([first, widths.length]);
  return lines;
}

/**
 * @typedef {object} Row
 * @property {string} kind
 * @property {string} [label]
 * @property {string} [title] the label in full
 * @property {import("./text.js").Text} text
 * @property {number} [side] 0 for the source, or what has its columns, else the number of the target
 * @property {import("./text.js").Span[] | null} [words] ascending, each a bar under its characters
 * @property {(element: HTMLElement, index: number) => void} [decorate] marks a word
 * @property {(index: number) => string[]} [cellClass] the classes of a cell
 */

/** Rows below each other, line by line. @param {any} layout @param {Row[]} rows */
export function drawRows(layout, rows, tag = "div") {
  return make(tag, { class: "rows" }, ...layout.lines.map((line) => drawLine(layout, line, rows, tag)));
}

/** One line of rows. @param {any} layout @param {Row[]} rows */
export function drawLine({ columns, widths }, line, rows, tag = "div") {
  const draw = (row) => {
    const { kind, label, title = label } = row;
    const name = label ? isolated(label, { class: "label", title, "aria-hidden": "true" }) : "";
    return make(tag, { class: `row ${kind}` }, name, drawCells(row, columns, widths, line));
  };
  return make(tag, { class: "line" }, ...rows.map(draw));
}

/** One line of one row. @param {Row} shown */
function drawCells(shown, columns, widths, line) {
  const { text, side = 0, decorate, cellClass } = shown;
  const row = make("span", { class: "cells", lang: "zh", "aria-hidden": "true" });
  const words = shown.words ?? [];
  const wordOf = (cell) => (cell in text.cells ? wordAt(words, text.cells[cell].start) : -1);
  let last = columns.slice(0, line[0]).findLast((column) => column[side] >= 0)?.[side] ?? -1;
  let open = null;
  let number = -1; // of the open word
  for (let k = line[0]; k < line[1]; k += 1) {
    const cell = columns[k][side];
    let within = wordOf(cell >= 0 ? cell : last);
    // What is beside a gap on one side only does not fill it.
    if (cell < 0 && wordOf(last + 1) !== within) within = -1;
    if (within !== number) {
      number = within;
      open = within < 0 ? null : make("span", { class: "word" });
      if (open) {
        decorate?.(open, within);
        if (cell < 0 || text.cells[cell].start !== words[within][0]) open.classList.add("continues");
        row.append(open);
      }
    }
    (open ?? row).append(drawCell(text, cell, widths[k], side, cellClass));
    if (cell >= 0) last = cell;
  }
  if (open && text.cells[last].end < words[number][1]) open.classList.add("continued");
  return row;
}

function drawCell(text, index, width, side, cellClass) {
  const cell = text.cells[index];
  const element = make("span", { class: "cell" });
  element.style.width = `${width}px`;
  if (!cell) return element;
  element.classList.add(...(cellClass?.(index) ?? []));
  element.dataset[side ? "target" : "source"] = index;
  if (!cell.blank) element.textContent = cell.text;
  // In some characters there is something that is not to be seen.
  const isOdd = !cell.blank && /[\p{C}\p{Zl}\p{Zp}\u034f\ufe00-\ufe0f]/u.test(cell.text);
  if (cell.blank || isOdd) {
    element.classList.add(isOdd ? "odd" : "blank");
    element.title = codePoints(cell.text);
  }
  return element;
}

/** Lines between linked characters of two rows that are drawn in `box`. `links` are of cells. */
export function drawLinks(box, links) {
  const svg = makeSvg("svg", { class: "links", "aria-hidden": "true" });
  const origin = box.getBoundingClientRect();
  const find = (key) =>
    new Map(
      Array.from(box.querySelectorAll(`.link-end [data-${key}]`), (cell) => [
        Number(cell.dataset[key]),
        cell.getBoundingClientRect(),
      ]),
    );
  const [sources, targets] = [find("source"), find("target")];
  for (const { source, target, kind, score, crossing, by, value } of links) {
    const [from, to] = [sources.get(source), targets.get(target)];
    if (!from || !to) continue;
    const [x1, y1] = [(from.left + from.right) / 2 - origin.left, from.bottom - origin.top];
    const [x2, y2] = [(to.left + to.right) / 2 - origin.left, to.top - origin.top];
    const middle = (y1 + y2) / 2;
    const path = `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
    const group = makeSvg("g", { class: `link ${kind} ${by ?? ""} ${crossing ? "crossing" : ""}` });
    group.append(makeSvg("path", { d: path, class: "reach" }), makeSvg("path", { d: path }));
    if (crossing) group.append(makeSvg("circle", { cx: (x1 + x2) / 2, cy: middle, r: 3 }));
    const told = t(`link.${by ?? kind}`, { score, value }) + (crossing ? t("link.crossing") : "");
    group.append(makeSvg("title", {}, told));
    svg.append(group);
  }
  box.append(svg);
}

/** What is copied from rows has blanks between words, and a line for each row. */
export function copyWords() {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (!selection.rangeCount || isTyping(event)) return;
    const copied = selection.getRangeAt(0).cloneContents();
    const words = copied.querySelectorAll(".word");
    if (!words.length) return;
    for (const word of words) if (!word.classList.contains("continued")) word.after(" ");
    for (const label of copied.querySelectorAll(".label")) label.after("\t");
    for (const row of copied.querySelectorAll(".row, header, li")) row.after("\n");
    event.clipboardData.setData("text/plain", copied.textContent.replace(/ +$/gm, ""));
    event.preventDefault();
  });
}
