"use strict";
/* Segmentations as an annotator edits them: the word-final positions, in code points, ascending. */

/** The word-final positions of packed spans. */
function endsOf(packed) {
  return unpackSpans(packed).map(([, end]) => end);
}

/** The end of the last character that is not white space: where any segmentation ends. */
function lastEnds(text) {
  const last = text.cells.findLast((cell) => !cell.blank);
  return last ? [last.end] : [];
}

/** Spans from word-final positions: a word starts at the first character after the one before. */
function spansOf(text, boundaries) {
  const cells = text.cells.filter((cell) => !cell.blank);
  let next = 0;
  return boundaries.map((end) => {
    const { start } = cells[next];
    while (next < cells.length && cells[next].end <= end) next += 1;
    return [start, end];
  });
}

/** The word-final positions of spans, or null if they are not a segmentation of the text. */
function boundariesOf(text, spans) {
  if (!Array.isArray(spans)) return null;
  const boundaries = spans.map((span) => span?.[1]);
  const ends = new Set(text.cells.filter((cell) => !cell.blank).map((cell) => cell.end));
  const ascending = boundaries.every((end, k) => ends.has(end) && (k === 0 || boundaries[k - 1] < end));
  if (!ascending || boundaries.at(-1) !== lastEnds(text)[0]) return null;
  const same = spansOf(text, boundaries).every(([start], k) => start === spans[k][0]);
  return same ? boundaries : null;
}
