import assert from "node:assert/strict";
import { test } from "node:test";

import { areBoundaries, areNumbers, boundariesOf, gapsOf, openTarget, spansOf, wordsOf } from "../../../src/cijie/viewer/page/boundaries.js";
import { Text } from "../../../src/cijie/viewer/page/text.js";

const PLAIN = new Text("我们好");
const SPACED = new Text(" 我们 好 ", [[1, 2], [2, 3], [4, 5]]);

test("words begin at the first character behind the one before", () => {
  assert.deepEqual(spansOf(PLAIN, [2, 3]), [[0, 2], [2, 3]]);
  assert.deepEqual(spansOf(SPACED, [3, 5]), [[1, 3], [4, 5]]);
  assert.deepEqual(spansOf(new Text(""), []), []);
});

test("words are numbers of characters", () => {
  assert.deepEqual(wordsOf(PLAIN, [2, 1]), [[0, 2], [2, 3]]);
  assert.deepEqual(wordsOf(SPACED, [2, 1]), [[1, 3], [4, 5]]);
  assert.deepEqual(wordsOf(SPACED, [3]), [[1, 5]]);
});

test("spans that are a segmentation give their ends back", () => {
  assert.deepEqual(boundariesOf(SPACED, [[1, 3], [4, 5]]), [3, 5]);
  for (const spans of [null, 7, [[1, 3]], [[0, 3], [4, 5]], [[1, 4], [4, 5]], [[1, 3], [3, 3], [4, 5]], [null]]) {
    assert.equal(boundariesOf(SPACED, spans), null, JSON.stringify(spans));
  }
});

test("a boundary can be set behind every character but the last", () => {
  assert.deepEqual(gapsOf(SPACED), [2, 3]);
  assert.deepEqual(gapsOf(new Text("")), []);
});

test("boundaries are ascending ends of characters, up to the last", () => {
  assert.ok(areBoundaries(SPACED, [2, 3, 5]));
  for (const value of [[2, 3], [3, 2, 5], [4, 5], [5, 5], ["2", 5], undefined]) {
    assert.ok(!areBoundaries(SPACED, value), JSON.stringify(value));
  }
  assert.ok(areBoundaries(new Text(""), []));
  assert.ok(areNumbers([1, 3], 1, 3) && !areNumbers([0, 3], 1, 3) && !areNumbers([1.5], 1, 3));
});

test("a target has its words if they are known", () => {
  assert.deepEqual(openTarget({ text: "我们", words: [2] }).words, [[0, 2]]);
  const target = openTarget({ text: "我们" });
  assert.deepEqual([target.words, target.anchors], [null, []]);
});
