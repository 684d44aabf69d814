/* Which of the signs there are on cards, so that the page explains these. */

import { all, byId } from "./dom.js";

export function showLegend({ variant, sentences, summary, systems }) {
  const isSome = (name) => sentences.some((sentence) => sentence[name]);
  const isKnown = (name) => sentences.some(({ evidence = [] }) => evidence.some((each) => each?.[name]));
  const several = systems.length > 1;
  const shown = {
    target: isSome("targets"),
    edited: isSome("targets") && variant !== "edits",
    hit: variant === "edits",
    initial: variant === "changed",
    gold: summary,
    missed: summary && (several || variant === "edits"),
    differs: (!summary || isSome("without_gold")) && several,
    doubts: isKnown("doubts"),
    reasons: isSome("reasons"),
    links: isKnown("links"),
    odd: isSome("characters"),
  };
  for (const sign of all("[data-sign]")) sign.hidden = !shown[sign.dataset.sign];
  byId("initial").textContent = systems[0];
}
