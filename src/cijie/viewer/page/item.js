"use strict";
/* The item in work, as the page of an annotator draws it. */

/** Everything about the item but the comment, which stays where it is while it is typed. */
function drawItem(page) {
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
  const button = (id, label, pressed, action) =>
    make("button", {
      id,
      class: "quiet",
      text: label,
      "aria-pressed": pressed === null ? null : String(pressed),
      on: { click: action },
    });
  const place = t("place", { n: page.number + 1, all: sheet.items.length });
  return make(
    "header",
    { class: "item-head" },
    make("h2", { id: "item-id" }, isolated(item.id)),
    make("span", { class: "soft", text: place }),
    answer.done ? make("span", { class: "state", text: `✓ ${t("state.done")}` }) : "",
    make(
      "span",
      { class: "item-tools" },
      button("undo", t("undo"), null, () => page.step("undo")),
      button("redo", t("redo"), null, () => page.step("redo")),
      button("hints", t("hints"), page.hints, () => page.switchHints()),
      button("flag", `⚑ ${t("flag")}`, answer.flag, () => page.change({ flag: !answer.flag })),
      byId("guideline-text").childElementCount
        ? button("guideline-button", t("guideline"), page.guideline, () => page.switchGuideline())
        : "",
    ),
  );
}

/** The width that rows of characters have. */
function rowWidth() {
  return byId("item").clientWidth - (innerWidth < 640 ? 56 : 130);
}

function laidOut([raw, characters, anchors]) {
  return { text: new Text(raw, characters), anchors };
}

/** The source with its places to cut, the target, and the versions. */
function drawWork(page) {
  const { item, answer, hints } = page;
  const isAdjudication = page.sheet.mode === "adjudicate";
  const versions = item.proposals.map(([names, packed], k) => [
    `${k + 1} ${names.join(" ")}`,
    unpackSpans(packed),
  ]);
  return drawDesk({
    text: page.text,
    target: laidOut(item.target),
    targetWords: hints && item.target_words ? unpackSpans(item.target_words) : null,
    versions: hints || isAdjudication ? versions : [],
    contested: hints && !isAdjudication ? contestedEnds(item.proposals) : new Set(),
    regions: page.regions,
    current: page.region,
    boundaries: answer.boundaries,
    cursor: page.cursor,
    width: rowWidth(),
    toggle: (end) => page.toggle(end),
  });
}

/** Where some versions have a boundary and others have none. */
function contestedEnds(proposals) {
  const versions = proposals.map(([, packed]) => endsOf(packed));
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
    item.proposals.forEach(([names, packed], version) => {
      const words = cutAs(unpackSpans(packed));
      if (!ways.has(words)) ways.set(words, [version, []]);
      ways.get(words)[1].push(...names);
    });
    const choices = Array.from(ways, ([words, [version, names]]) =>
      make(
        "button",
        {
          "data-way": `${region} ${version}`,
          "aria-pressed": String(isDecided && words === now),
          on: {
            click: () => {
              page.region = region;
              page.take(version);
            },
          },
        },
        make("kbd", { text: String(version + 1) }),
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
  const list = make("ol", { class: "votes", "aria-label": t("vote.choices") });
  item.references.forEach((packed, k) => {
    const ranks = Object.entries(item.ranking).map(([name, order]) => {
      const rank = order.indexOf(k + 1);
      return `${name} ${rank < 0 ? "–" : rank + 1}`;
    });
    const button = make(
      "button",
      {
        class: "vote",
        "data-reference": k + 1,
        "aria-pressed": String(Boolean(answer.choices?.includes(k + 1))),
        "aria-label": `${k + 1}: ${packed[0]}`,
        on: { click: () => page.tick(k + 1) },
      },
      make("kbd", { text: String(k + 1) }),
      make(
        "span",
        { class: "reference" },
        drawReference(text, laidOut(packed), byId("item").clientWidth - 76),
        make("span", { class: "soft ranks", text: ranks.join(" · "), hidden: !page.hints }),
      ),
    );
    list.append(make("li", {}, button));
  });
  const none = make(
    "button",
    {
      class: "vote",
      "data-reference": 0,
      "aria-pressed": String(answer.choices?.length === 0),
      on: { click: () => page.tick(0) },
    },
    make("kbd", { text: "0" }),
    make("span", { text: t("vote.none.good") }),
  );
  list.append(make("li", {}, none));
  return list;
}
