import assert from "node:assert/strict";
import { test } from "node:test";

import { layOut } from "../../../src/cijie/viewer/page/rows.js";
import { Text } from "../../../src/cijie/viewer/page/text.js";

const CELL = { full: 10, half: 6 };
const spans = (...lengths) => {
  let next = 0;
  return lengths.map((length) => [next, (next += length)]);
};
const broken = (source, target, width, cuts) =>
  layOut(source, target ? [target] : [], { cell: CELL, width, cuts }).lines.map(([first]) => first);

test("a line is broken where no row has a word running through", () => {
  const source = new Text("我们参加了旅行困");
  const [a, b] = [spans(2, 2, 1, 2, 1), spans(2, 3, 3)];
  assert.deepEqual(broken(source, null, 60, [a, b]), [0, 5]);
  assert.deepEqual(broken(source, null, 40, [a, b]), [0, 2, 5]);
  // Where there is no such place, at a word of the first row; and else anywhere.
  assert.deepEqual(broken(source, null, 30, [a, spans(8)]), [0, 2, 5]);
  assert.deepEqual(broken(source, null, 30, [spans(8)]), [0, 3, 6]);
});

test("a word of the target is kept together, too", () => {
  const source = new Text("去旅行困吗");
  const cuts = [spans(1, 2, 1, 1)];
  const target = { text: new Text("去旅行团吗"), anchors: [[0, 0, 3], [4, 4, 1]] };
  assert.deepEqual(broken(source, { ...target, words: spans(1, 2, 1, 1) }, 30, cuts), [0, 3]);
  assert.deepEqual(broken(source, { ...target, words: spans(1, 3, 1) }, 30, cuts), [0, 1, 4]);
});

test("what closes a phrase begins no line", () => {
  const source = new Text("我们去，走");
  assert.deepEqual(broken(source, null, 30, [spans(2, 1, 1, 1)]), [0, 2]);
});
