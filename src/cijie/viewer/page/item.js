/* The item in work, as the page of an annotator draws it. */

import { contestedEnds, openTarget, spansOf } from "./boundaries.js";
import { Desk, drawReference, drawRemarks, rowWidth } from "./desk.js";
import { button, byId, han, isolated, make } from "./dom.js";
import { t } from "./language.js";

/** Everything about the item but the comment, which stays where it is while it is typed. */
export function drawItem(page) {
  const { item, sheet } = page;
  if (sheet.mode === "vote") return [drawHead(page), drawVote(page)];
  page.desk = makeDesk(page);
  return [
    drawHead(page),
    page.regions.length ? drawRegion(page) : "",
    page.desk.box,
    item.remarks?.length ? drawRemarks(item.remarks) : "",
  ];
}

function drawHead(page) {
  const { item, answer, sheet } = page;
  const tool = (id, label, action, pressed = null) => button(label, action, { id, class: "quiet", "aria-pressed": pressed });
  const place = t("place", { n: page.number + 1, all: sheet.items.length });
  return make(
    "header",
    { class: "item-head" },
    make("h2", { id: "item-id" }, isolated(item.id)),
    make("span", { class: "soft", text: place }),
    make("span", { class: "state", text: answer.done ? `✓ ${t("state.done")}` : "" }),
    make(
      "span",
      { class: "item-tools" },
      tool("undo", t("undo"), () => page.step("undo")),
      tool("redo", t("redo"), () => page.step("redo")),
      tool("hints", t("hints"), () => page.switchHints(), page.hints),
      tool("flag", `⚑ ${t("flag")}`, () => page.change({ flag: !answer.flag }), answer.flag),
    ),
  );
}

/** The source with its places to cut, the target, and the versions. */
function makeDesk(page) {
  const { item, answer, hints, text } = page;
  const isAdjudication = page.sheet.mode === "adjudicate";
  const target = openTarget(item.target);
  return new Desk({
    text,
    target: hints ? target : { ...target, words: null },
    versions: item.proposals.map(([names, ends], k) => [`${k + 1} ${names.join(" ")}`, spansOf(text, ends)]),
    isShown: hints || isAdjudication,
    contested: hints || isAdjudication ? contestedEnds(item.proposals) : new Set(),
    regions: page.regions,
    current: page.region,
    decided: answer.decided,
    boundaries: answer.boundaries,
    cursor: page.cursor,
    width: rowWidth(byId("item")),
    toggle: (end) => page.toggle(end),
  });
}

/** The region in work, beside the sentence: the ways to cut it, and whose they are. */
function drawRegion(page) {
  const { item, answer, text, region, regions } = page;
  const [start, stop] = regions[region];
  const cutAs = (spans) => text.words(spans.filter(([from]) => start <= from && from < stop), "|");
  const now = cutAs(page.answers.spans(page.number));
  const isDecided = answer.decided.includes(region);
  const ways = new Map(); // [number of the first version, names] by words
  item.proposals.forEach(([names, ends], version) => {
    const words = cutAs(spansOf(text, ends));
    if (!ways.has(words)) ways.set(words, [version, []]);
    ways.get(words)[1].push(...names);
  });
  const choices = Array.from(ways, ([words, [version, names]]) =>
    button(
      null,
      () => page.take(version),
      { "data-way": `${region} ${version}`, "aria-pressed": isDecided && words === now },
      make("kbd", { text: version + 1 }),
      " ",
      han(words, { class: "words" }),
      " ",
      isolated(names.join(", "), { class: "soft" }),
    ),
  );
  const state = `${isDecided ? "✓" : "○"} ${t(isDecided ? "region.decided" : "region.open")}`;
  const own = isDecided && !ways.has(now) ? han(now, { class: "words", "aria-label": t("region.own", { words: now }) }) : "";
  const step = (key, sign, by) =>
    button(sign, () => page.moveRegion(by), { class: "quiet", "aria-label": t(key), disabled: !regions[region + by] });
  return make(
    "div",
    { class: "regions", role: "group", "aria-label": t("regions") },
    step("region.previous", "‹", -1),
    make("span", { class: "soft", text: t("region.place", { n: region + 1, all: regions.length }) }),
    step("region.next", "›", 1),
    make("span", { class: "region-state", text: state }),
    make("span", { class: "choices" }, ...choices, own),
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
