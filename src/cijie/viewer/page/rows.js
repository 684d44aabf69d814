"use strict";
/* Parallel rows: texts cut into words, character under character, broken into lines together. */

/** The cells that may begin a line: those given, but not what closes a phrase. */
function lineStarts(text, cells) {
  return new Set(cells.filter((cell) => !/^[\p{Pe}\p{Pf}\p{Po}]/u.test(text.cells[cell]?.text)));
}

/** Break columns into lines of at most `width` pixels, before one of the cells `starts` if it can be. */
function breakLines(columns, widths, width, starts) {
  const lines = [];
  let first = 0;
  let used = 0;
  let best = -1; // the last column that may begin a line
  for (let k = 0; k < columns.length; k += 1) {
    if (starts.has(columns[k][0])) best = k;
    if (used + widths[k] > width && k > first) {
      const next = best > first ? best : k;
      lines.push([first, next]);
      first = next;
      used = widths.slice(first, k).reduce((sum, each) => sum + each, 0);
    }
    used += widths[k];
  }
  lines.push([first, columns.length]);
  return lines;
}

/** The width of each column: that of its wider character. */
function columnWidths(columns, source, target, { full, half }) {
  return columns.map(([i, j]) =>
    [source.cells[i], target?.cells[j]].some((cell) => cell && !cell.half) ? full : half,
  );
}

/**
 * One line of one row.
 *
 * `side` is 0 for a text that the source's columns hold, 1 for the target's. `words` are ascending
 * spans, each shown as a bar under its characters; `decorate(element, index)` marks a word,
 * `cellClass(index)` gives a cell's classes.
 */
function drawLine({ text, side, columns, widths, line, words: given, decorate, cellClass }) {
  const row = make("span", { class: "cells", "aria-hidden": "true" });
  const words = given ?? [];
  const wordOf = (cell) => (cell in text.cells ? wordAt(words, text.cells[cell].start) : -1);
  let last = line[0] - 1;
  while (last >= 0 && columns[last][side] < 0) last -= 1;
  last = last < 0 ? -1 : columns[last][side];
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

/** The number of the span that holds an offset, or -1. */
function wordAt(words, offset) {
  const number = firstBehind(words, offset);
  return number < words.length && words[number][0] <= offset ? number : -1;
}

/** The number of the first span that ends behind an offset. */
function firstBehind(words, offset) {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle][1] <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function drawCell(text, index, width, side, cellClass) {
  const cell = text.cells[index];
  const element = make("span", { class: "cell" });
  element.style.width = `${width}px`;
  if (!cell) return element;
  element.classList.add(...(cellClass?.(index) ?? []));
  element.dataset[side ? "target" : "source"] = index;
  if (cell.blank) {
    element.classList.add("blank");
    element.title = codePoints(cell.text);
  } else {
    element.textContent = cell.text;
    if (/[\p{C}\p{Zl}\p{Zp}\u034f\ufe00-\ufe0f]/u.test(cell.text)) {
      element.classList.add("odd"); // something in it is not to be seen
      element.title = codePoints(cell.text);
    }
  }
  return element;
}

/** Lines between linked characters of two rows that are drawn in `box`. `links` are of cells. */
function drawLinks(box, links) {
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
  for (const { source, target, kind, score, crossing } of links) {
    const [from, to] = [sources.get(source), targets.get(target)];
    if (!from || !to) continue;
    const [x1, y1] = [(from.left + from.right) / 2 - origin.left, from.bottom - origin.top];
    const [x2, y2] = [(to.left + to.right) / 2 - origin.left, to.top - origin.top];
    const middle = (y1 + y2) / 2;
    const path = `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
    const label =
      kind === "residual" ? t(crossing ? "link.crossing" : "link.residual", { score }) : t("link.anchor");
    const group = makeSvg("g", { class: `link ${kind}${crossing ? " crossing" : ""}` });
    group.append(makeSvg("path", { d: path, class: "reach" }), makeSvg("path", { d: path }));
    if (crossing) group.append(makeSvg("circle", { cx: (x1 + x2) / 2, cy: middle, r: 3 }));
    group.append(makeSvg("title", {}, label));
    svg.append(group);
  }
  box.append(svg);
}
