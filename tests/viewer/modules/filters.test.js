import assert from "node:assert/strict";
import { test } from "node:test";

import { Filters, Search } from "../../../src/cijie/viewer/page/filters.js";
import { Text } from "../../../src/cijie/viewer/page/text.js";

const ALIKE = { id: "1", source: "我们", words: [[2]], systems: [0, 0] };
const DIFFERING = {
  id: "2",
  source: "旅行困",
  words: [[2, 1], [3]],
  systems: [0, 1],
  targets: [{ text: "旅行团", anchors: [[0, 0, 2]] }],
  evidence: [null, { links: [[2, 2, 0.89], [0, 1, 0.5, 1]] }],
  sure: 0.7,
  reasons: [{ at: [2], kind: "joined", why: ["", ""], systems: [1] }],
  contested: [[0, 3, "ab", "S"]],
};
const DATA = { systems: ["D", "P"], summary: null, sentences: [ALIKE, DIFFERING] };
const GOLD = {
  systems: ["D", "P"],
  summary: {},
  sentences: [
    { ...ALIKE },
    {
      ...DIFFERING,
      words: [[3], [2, 1]],
      systems: [1, 0],
      contested: [[0, 3, "bg", "S"]],
      errors: [[0, 3, "over", "S", [0]]],
      tokens: [[0, "bg"]],
    },
  ],
};

const chosen = (data, ...keys) => {
  const filters = new Filters(data);
  for (const key of keys) filters.toggle(key);
  return [filters.apply(), filters];
};

test("without a choice all is shown and counted", () => {
  const [shown, filters] = chosen(DATA);
  assert.deepEqual(shown, [0, 1]);
  const counted = ["alike=yes", "alike=no", "region=ab", "edit=S", "edit=none", "changed=P.joined", "sure=0.6", "links=P.crossing", "length=0"];
  assert.deepEqual(counted.map((key) => filters.count(key)), [1, 1, 1, 1, 0, 1, 1, 1, 2]);
  assert.deepEqual([0, 1].map((n) => filters.isInteresting(n)), [false, true]);
});

test("a confidence belongs to the range that it begins", () => {
  for (const sure of [0, 0.6, 0.8, 0.95]) {
    const [, filters] = chosen({ ...DATA, sentences: [{ ...ALIKE, sure }] });
    assert.equal(filters.count(`sure=${sure}`), 1);
    assert.equal(filters.hasDoubts, sure < 0.95);
  }
});

test("values of one filter are alternatives, filters go together", () => {
  assert.deepEqual(chosen(DATA, "alike=yes", "alike=no")[0], [0, 1]);
  assert.deepEqual(chosen(DATA, "alike=yes", "edit=S")[0], []);
  const [shown, filters] = chosen(DATA, "alike=yes");
  assert.deepEqual(shown, [0]);
  assert.equal(filters.count("alike=no"), 1); // as if nothing of its filter were chosen
  assert.equal(filters.count("changed=P.joined"), 0);
  assert.equal(filters.whole("changed=P.joined"), 1);
  assert.deepEqual(chosen(DATA, "changed=P.nowhere")[0], []);
});

test("with gold regions are errors, and words have patterns", () => {
  const [shown, filters] = chosen(GOLD, "error=D.over", "edit=S");
  assert.deepEqual(shown, [1]);
  assert.deepEqual(chosen(GOLD, "error=D.over", "edit=M")[0], []);
  const counted = ["right:D=no", "right:P=yes", "word=bg", "word=gg", "region=right.P", "region=wrong.D"];
  assert.deepEqual(counted.map((key) => chosen(GOLD)[1].count(key)), [1, 2, 1, 1, 1, 1]);
  // D has one word right of two, and three words itself.
  assert.deepEqual([filters.f(0, [0, 1]), filters.f(1, [0, 1])], [2 / 5, 1]);
});

test("a search finds texts, whole words and patterns", () => {
  const found = (...search) => DATA.sentences.filter((sentence) => new Search(...search).matches(sentence)).map(({ id }) => id);
  assert.deepEqual(found("旅行", "all", false), ["2"]);
  assert.deepEqual(found("旅行团", "source", false), []);
  assert.deepEqual(found("旅行团", "target", false), ["2"]);
  assert.deepEqual(found("1|2", "id", true), ["1", "2"]);
  assert.deepEqual(found("旅行困", "token", false), ["2"]);
  assert.deepEqual(found("行", "token", false), []);
  assert.deepEqual(found("^.$", "token", true), ["2"]);
  assert.throws(() => new Search("(", "all", true), SyntaxError);
  const text = new Text("𠮷好𠮷好");
  assert.deepEqual(new Search("好", "all", false).spans(text), [[1, 2], [3, 4]]);
});

test("sentences have a pattern if they have gold", () => {
  const data = { ...GOLD, sentences: [...GOLD.sentences, { ...DIFFERING, without_gold: true }] };
  const [shown, filters] = chosen(data, "gold=no");
  assert.deepEqual(shown, [2]);
  assert.deepEqual(["sentence=gg", "sentence=bg", "gold=yes", "gold=no"].map((key) => filters.whole(key)), [1, 1, 2, 1]);
  assert.equal(filters.f(0, shown), 0);
  assert.deepEqual(chosen(data, "sentence=bg")[0], [1]);
});
