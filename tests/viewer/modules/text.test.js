import assert from "node:assert/strict";
import { test } from "node:test";

import { Text, anchoredCells, codePoints, columnsOf, escapeRegExp, textLength, unlinkedCells, wordAt } from "../../../src/cijie/viewer/page/text.js";

// 👩‍🏫 is three code points, and five units of JavaScript's strings.
const TEACHER = new Text("今👩‍🏫 好", [[0, 1], [1, 4], [5, 6]]);

test("cells are characters and white space, at code points", () => {
  const shown = TEACHER.cells.map(({ start, end, text, blank }) => [start, end, text, blank]);
  assert.deepEqual(shown, [
    [0, 1, "今", false],
    [1, 4, "👩‍🏫", false],
    [4, 5, " ", true],
    [5, 6, "好", false],
  ]);
  assert.deepEqual([0, 1, 3, 4, 5].map((offset) => TEACHER.cellAt(offset)), [0, 1, 1, 2, 3]);
});

test("a text without given characters has a cell for each code point", () => {
  const text = new Text("𠮷田a");
  assert.deepEqual(text.cells.map((cell) => [cell.text, cell.half]), [["𠮷", false], ["田", false], ["a", true]]);
  assert.equal(text.length, 3);
  assert.equal(text.words([[0, 2], [2, 3]], "|"), "𠮷田|a");
  assert.deepEqual(new Text("").cells, []);
});

test("a word is found by an offset in it", () => {
  const words = [[0, 2], [3, 4]];
  assert.deepEqual([0, 1, 2, 3, 4].map((offset) => wordAt(words, offset)), [0, 0, -1, 1, -1]);
});

test("anchored characters stand in one column, others side by side", () => {
  const source = new Text("吃么什了");
  const target = { text: new Text("吃什么"), anchors: [[0, 0, 1], [2, 1, 1]] };
  assert.deepEqual(anchoredCells(source, target.text, target.anchors), [[0, 0], [2, 1]]);
  assert.deepEqual(columnsOf(source, [target]), [[0, 0], [1, -1], [2, 1], [3, 2]]);
  assert.deepEqual(unlinkedCells(source, target), [new Set([1, 3]), new Set([2])]);
  const other = { text: new Text("ab"), anchors: [[3, 1, 1]] }; // one column for what both insert
  assert.deepEqual(columnsOf(source, [target, other]).length, 4);
  assert.deepEqual(columnsOf(source, []), [[0], [1], [2], [3]]);
});

test("lengths and code points are those of Python", () => {
  assert.deepEqual(["", "好", "𠮷a"].map(textLength), [0, 1, 2]);
  assert.equal(codePoints("\u202e𠮷"), "U+202E U+20BB7");
  assert.match("a.b(c)", new RegExp(`^${escapeRegExp("a.b(c)")}$`, "u"));
});
