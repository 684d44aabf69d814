/* The item in work, as the page of an annotator draws it. */

import { openTarget, spansOf } from "./boundaries.js";
import { drawDesk, drawReference, drawRemarks, rowWidth } from "./desk.js";
import { button, byId, isolated, make } from "./dom.js";
import { t } from "./language.js";

/** Everything about the item but the comment, which stays where it is while it is typed. */
export function drawItem(page) {
  const { item, sheet } = page;
  return [
    drawHead(page),
    ...(sheet.mode === "vote" ? [drawCriteria(), drawVote(page)] : [drawWork(page)]),
    page.regions.length ? drawRegions(page) : "",
    item.remarks?.length ? drawRemarks(item.remarks) : "",
  ];
}

function drawHead(page) {
  const { item, answer, sheet } = page;
  const tool = (id, label, action, pressed = null) => button(label, action, { id, class: "quiet", "aria-pressed": pressed });
  const place = t("place", { n: page.number + 1, all: sheet.items.length });
  const hasGuideline = byId("guideline-text").childElementCount > 0;
  return make(
    "header",
    { class: "item-head" },
    make("h2", { id: "item-id" }, isolated(item.id)),
    make("span", { class: "soft", text: place }),
    answer.done ? make("span", { class: "state", text: `✓ ${t("state.done")}` }) : "",
    make(
      "span",
      { class: "item-tools" },
      tool("undo", t("undo"), () => page.step("undo")),
      tool("redo", t("redo"), () => page.step("redo")),
      tool("hints", t("hints"), () => page.switchHints(), page.hints),
      tool("flag", `⚑ ${t("flag")}`, () => page.change({ flag: !answer.flag }), answer.flag),
      hasGuideline ? tool("guideline-button", t("guideline"), () => page.switchGuideline(), page.guideline) : "",
    ),
  );
}

/** The source with its places to cut, the target, and the versions. */
function drawWork(page) {
  const { item, answer, hints, text } = page;
  const isAdjudication = page.sheet.mode === "adjudicate";
  const versions = item.proposals.map(([names, ends], k) => [`${k + 1} ${names.join(" ")}`, spansOf(text, ends)]);
  const target = openTarget(item.target);
  return drawDesk({
    text,
    target: hints ? target : { ...target, words: null },
    versions: hints || isAdjudication ? versions : [],
    contested: hints && !isAdjudication ? contestedEnds(item.proposals) : new Set(),
    regions: page.regions,
    current: page.region,
    boundaries: answer.boundaries,
    cursor: page.cursor,
    width: rowWidth(byId("item")),
    toggle: (end) => page.toggle(end),
  });
}

/** Where some versions have a boundary and others have none. */
function contestedEnds(proposals) {
  const versions = proposals.map(([, ends]) => ends);
  const all = new Set(versions.flat());
  for (const end of all) if (versions.every((ends) => ends.includes(end))) all.delete(end);
  return all;
}

/** The regions, each with the ways to cut it, and whose they are. */
function drawRegions(page) {
  const { item, answer, text } = page;
  const list = make("ol", { class: "regions", "aria-label": t("regions") });
  const own = page.answers.spans(page.number);
  page.regions.forEach(([start, stop], region) => {
    const cutAs = (spans) => text.words(spans.filter(([from]) => start <= from && from < stop), "|");
    const now = cutAs(own);
    const isDecided = answer.decided.includes(region);
    const ways = new Map(); // [number of the first version, names] by words
    item.proposals.forEach(([names, ends], version) => {
      const words = cutAs(spansOf(text, ends));
      if (!ways.has(words)) ways.set(words, [version, []]);
      ways.get(words)[1].push(...names);
    });
    const takeWay = (version) => {
      page.region = region;
      page.take(version);
    };
    const choices = Array.from(ways, ([words, [version, names]]) =>
      button(
        null,
        () => takeWay(version),
        { "data-way": `${region} ${version}`, "aria-pressed": isDecided && words === now },
        make("kbd", { text: version + 1 }),
        " ",
        isolated(words, { class: "words" }),
        " ",
        isolated(names.join(", "), { class: "soft" }),
      ),
    );
    const isCurrent = region === page.region;
    const state = `${isDecided ? "✓" : "○"} ${t(isDecided ? "region.decided" : "region.open")}`;
    list.append(
      make(
        "li",
        { class: isCurrent ? "current" : "", "aria-current": isCurrent ? "true" : null },
        make("span", { class: "soft", text: `${start}–${stop} ` }),
        make("span", { class: "soft", text: state }),
        make("span", { class: "choices" }, ...choices),
      ),
    );
  });
  return list;
}

/** By what a correction is to be judged. */
function drawCriteria() {
  const criteria = ["criterion.grammar", "criterion.meaning"].map((key) => make("li", { text: t(key) }));
  return make(
    "div",
    { class: "criteria" },
    make("ol", {}, ...criteria),
    make("p", { class: "soft", text: t("vote.ties") }),
  );
}

/** All corrections of the source, to be ticked. */
function drawVote(page) {
  const { item, answer, text } = page;
  const choice = (number, isTicked, label, content) =>
    button(
      null,
      () => page.tick(number),
      { class: "vote", "data-reference": number, "aria-pressed": isTicked, "aria-label": label },
      make("kbd", { text: number }),
      content,
    );
  const choices = item.references.map((reference, k) => {
    const number = k + 1;
    const ranks = Object.entries(item.ranking).map(([name, order]) => {
      const rank = order.indexOf(number);
      return `${name} ${rank < 0 ? "–" : rank + 1}`;
    });
    const content = make(
      "span",
      { class: "reference" },
      drawReference(text, openTarget(reference), byId("item").clientWidth - 76),
      make("span", { class: "soft ranks", text: ranks.join(" · "), hidden: !page.hints }),
    );
    return choice(number, Boolean(answer.choices?.includes(number)), `${number}: ${reference.text}`, content);
  });
  const none = choice(0, answer.choices?.length === 0, null, make("span", { text: t("vote.none.good") }));
  const items = [...choices, none].map((each) => make("li", {}, each));
  return make("ol", { class: "votes", "aria-label": t("vote.choices") }, ...items);
}
