/* What the signs on a card mean. */

import { make, makeSvg } from "./dom.js";
import { t } from "./language.js";

export function drawLegend(data) {
  const { sentences, summary, systems } = data;
  const isSome = (name) => sentences.some(({ evidence = [] }) => evidence.some((each) => each?.[name]));
  const word = (kind, text = "旅行") => {
    const cells = Array.from(text, (char) => make("span", { class: "cell", text: char }));
    return sample(kind.row, make("span", { class: `word ${kind.word}` }, ...cells));
  };
  const sample = (row, ...content) =>
    make("span", { class: `row ${row}` }, make("span", { class: "cells", lang: "zh", "aria-hidden": "true" }, ...content));
  const cell = (kind, text) => make("span", { class: `cell ${kind}`, text });
  const line = (kind, ring) => {
    const svg = makeSvg("svg", { class: "sample", viewBox: "0 0 44 12", "aria-hidden": "true" });
    const link = makeSvg("g", { class: `link ${kind}` }, makeSvg("path", { d: "M2 6H42" }));
    if (ring) link.append(makeSvg("circle", { cx: 22, cy: 6, r: 3 }));
    svg.append(link);
    return svg;
  };
  const signs = [];
  const add = (key, shown) => signs.push(make("div", {}, make("dt", {}, shown), make("dd", { text: t(`legend.${key}`) })));
  add("source", make("i", { text: "S" }));
  if (sentences.some(({ targets }) => targets)) {
    add("target", make("i", { text: "T" }));
    add("edited", sample("source", cell("edited", "困")));
  }
  if (data.before) add("initial", make("span", { class: "name", text: systems[0] }));
  if (summary) {
    add("wrong", word({ row: "system", word: "wrong" }));
    if (systems.length > 1) add("missed", word({ row: "gold", word: "missed" }));
  }
  const withoutGold = !summary || sentences.some((each) => each.without_gold);
  if (withoutGold && systems.length > 1) {
    add(data.before ? "differs.changed" : "differs", word({ row: "system", word: "differs" }));
  }
  if (isSome("doubts")) add("doubtful", word({ row: "system", word: "doubtful" }));
  if (sentences.some(({ reasons }) => reasons)) {
    add("cut", sample("system", cell("", "来"), cell("cut", "了")));
    add("joined", sample("system", cell("", "旅"), cell("joined", "行")));
  }
  add("anchor", line("anchor"));
  if (isSome("links")) {
    add("residual", line("residual"));
    add("place", line("residual place"));
    add("crossing", line("residual crossing", true));
  }
  if (sentences.some(({ characters }) => characters)) add("odd", sample("source", cell("odd", "好")));
  return signs;
}
