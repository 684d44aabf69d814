import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Answers } from "../../../src/cijie/viewer/page/answers.js";

const SHEET = {
  mode: "annotate",
  annotator: "A",
  checksum: "c",
  start: "agreed",
  items: [
    { id: "1", source: "旅行困", source_sha256: "s", reference: 1, target_sha256: "t", start: [2, 3], regions: [] },
    { id: "2", source: "我们", source_sha256: "u", reference: 1, target_sha256: "v", start: [2], regions: [] },
  ],
};
const NONE = { of: () => null };

// What a browser has and Node has not.
beforeEach(() => {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
  };
  globalThis.addEventListener = () => {};
  globalThis.setInterval = () => {};
});

test("an answer begins with what is proposed, and changes are undone and redone", () => {
  const answers = new Answers(SHEET, () => {});
  assert.deepEqual(answers.get(0).boundaries, [2, 3]);
  answers.change(0, { boundaries: [3] });
  assert.deepEqual(answers.spans(0), [[0, 3]]);
  assert.deepEqual(answers.undo(), { number: 0, refused: 0 });
  assert.deepEqual(answers.spans(0), [[0, 2], [2, 3]]);
  answers.redo();
  assert.deepEqual(answers.spans(0), [[0, 3]]);
  assert.equal(answers.redo(), null);
});

test("a comment that is typed in one go is one change", () => {
  const answers = new Answers(SHEET, () => {});
  for (const comment of ["a", "ab"]) answers.type(0, comment);
  assert.equal(answers.get(0).comment, "ab");
  answers.undo();
  assert.equal(answers.get(0).comment, "");
});

test("answers are kept for the next time", () => {
  new Answers(SHEET, () => {}).change(0, { boundaries: [3], done: true });
  const again = new Answers(SHEET, () => {});
  assert.deepEqual([again.get(0).boundaries, again.done], [[3], 1]);
  const other = new Answers({ ...SHEET, annotator: "B" }, () => {});
  assert.deepEqual(other.get(0).boundaries, [2, 3]);
});

test("what is exported can be imported", () => {
  const answers = new Answers(SHEET, () => {});
  answers.change(0, { boundaries: [3], flag: true });
  const text = answers.export(NONE);
  globalThis.localStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  const other = new Answers(SHEET, () => {});
  const read = other.read(text);
  assert.deepEqual(read.answers.map(({ state }) => state), ["new", "same"]);
  assert.deepEqual([[...read.refused], [...read.others], read.isOfOther], [[], [], false]);
  other.take(read.answers);
  assert.deepEqual([other.spans(0), other.flagged], [[[0, 3]], 1]);
});

test("what is of another study is taken for it", () => {
  const answers = new Answers(SHEET, () => {});
  const text = answers.export(NONE);
  assert.equal(new Answers({ ...SHEET, checksum: "d" }, () => {}).read(text).isOfOther, true);
});

test("what does not fit is refused, with the line and the reason", () => {
  const answers = new Answers(SHEET, () => {});
  const [line] = answers.export(NONE).split("\n");
  const spoilt = (changes) => JSON.stringify({ ...JSON.parse(line), ...changes });
  const lines = ["7", spoilt({ id: "9" }), spoilt({ source_sha256: "" }), spoilt({ target_sha256: "" }), spoilt({ reference: 2 }), spoilt({ spans: [[0, 1]] }), line, line, spoilt({ id: "8" }), spoilt({ source_sha256: undefined })];
  assert.deepEqual([...answers.read(lines.join("\n")).refused], [
    ["import.json", [1]],
    ["import.id", [2, 9]],
    ["import.source", [3]],
    ["import.target", [4]],
    ["import.reference", [5]],
    ["import.tokens", [6]],
    ["import.twice", [8]],
    ["import.export", [10]],
  ]);
});
