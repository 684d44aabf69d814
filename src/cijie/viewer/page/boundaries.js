/* Segmentations as word-final positions, in code points, ascending. */

import { Text } from "./text.js";

/** The offsets where a boundary can be set: the ends of characters with another one after them. */
export function gapsOf(text) {
  return text.characters.slice(0, -1).map(([, end]) => end);
}

/** Where some versions, [names, boundaries], have a boundary and others have none; ascending. */
export function contestedEnds(versions) {
  const counts = new Map();
  for (const [, ends] of versions) for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  const contested = [...counts.keys()].filter((end) => counts.get(end) < versions.length);
  return new Set(contested.sort((a, b) => a - b));
}

/** Spans from word-final positions: a word starts at the first character after the one before. */
export function spansOf(text, boundaries) {
  let next = 0;
  return boundaries.map((end) => {
    const [start] = text.characters[next];
    while (text.characters[next]?.[1] <= end) next += 1;
    return [start, end];
  });
}

/** Spans of words from the numbers of their characters. */
export function wordsOf(text, lengths) {
  let next = 0;
  return lengths.map((length) => {
    const first = next;
    next += length;
    return text.isPlain ? [first, next] : [text.characters[first][0], text.characters[next - 1][1]];
  });
}

/** A target of the data: its text, its words if known, the anchors to its source, marks of edits. */
export function openTarget({ text: raw, characters, words, anchors = [], marks }) {
  const text = new Text(raw, characters);
  return { text, words: words ? wordsOf(text, words) : null, anchors, marks };
}

/** The word-final positions of spans, or null if they are not a segmentation of the text. */
export function boundariesOf(text, spans) {
  if (!Array.isArray(spans)) return null;
  const boundaries = spans.map((span) => span?.[1]);
  if (!areBoundaries(text, boundaries)) return null;
  const same = spansOf(text, boundaries).every(([start], k) => start === spans[k][0]);
  return same ? boundaries : null;
}

/** Whether a value is a list of word-final positions of the text. */
export function areBoundaries(text, value) {
  const ends = text.characters.map(([, end]) => end);
  const last = ends.at(-1); // where any segmentation ends
  const possible = new Set(ends);
  return areNumbers(value, 0, last ?? 0) && value.at(-1) === last && value.every((end) => possible.has(end));
}

/** Whether a value is a list of ascending whole numbers, from `low` to `high`. */
export function areNumbers(value, low, high) {
  return (
    Array.isArray(value) &&
    value.every((x, k) => Number.isInteger(x) && low <= x && x <= high && (k === 0 || value[k - 1] < x))
  );
}
