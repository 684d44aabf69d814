/* The page of an agreement: its tables, and the sentences in which annotators differ. */

import { contestedEnds, openTarget, spansOf } from "./boundaries.js";
import { Desk, drawRemarks, rowWidth } from "./desk.js";
import { byId, isolated, make, readData, row, table } from "./dom.js";
import { language, t, theme } from "./language.js";
import { copyWords } from "./rows.js";
import { Text } from "./text.js";

const report = readData();

/** What can be chosen to be shown: whether an item is, by name. */
const CHOICES = new Map([
  ["all", () => true],
  ["flagged", ({ remarks }) => remarks.some(([, isFlagged]) => isFlagged)],
  ...report.annotators.map((name, k) => [
    `alone ${k}`,
    ({ proposals }) => proposals.length > 1 && proposals.some(([names]) => names.length === 1 && names[0] === name),
  ]),
]);

function drawTables() {
  byId("tables").replaceChildren(
    ...report.tables.map(({ caption, heads, rows }) => {
      const found = table(heads, rows.map((cells) => row(...cells)));
      found.prepend(make("caption", { text: caption }));
      return found;
    }),
  );
}

function drawChoices() {
  const chosen = byId("choose").value || "all";
  const label = (value) => {
    const [kind, k] = value.split(" ");
    return t(`choose.${kind}`, { name: report.annotators[k] });
  };
  byId("choose").replaceChildren(...Array.from(CHOICES.keys(), (value) => make("option", { value, text: label(value) })));
  byId("choose").value = chosen;
}

function drawSentences() {
  const shown = report.items.filter(CHOICES.get(byId("choose").value));
  byId("counts").textContent = t("counts", { shown: shown.length, all: report.sentences });
  byId("sentences").replaceChildren(...shown.map(drawSentence));
  if (!shown.length) byId("sentences").append(make("p", { class: "soft", text: t("none") }));
}

function drawSentence(item) {
  const text = new Text(item.source, item.characters);
  return make(
    "article",
    { class: "sentence", "data-id": item.id },
    make("h2", {}, isolated(item.id)),
    new Desk({
      text,
      target: openTarget(item.target),
      versions: item.proposals.map(([names, ends]) => [names.join(" "), spansOf(text, ends)]),
      contested: contestedEnds(item.proposals),
      regions: item.regions,
      width: rowWidth(byId("sentences")),
    }).box,
    item.remarks.length ? drawRemarks(item.remarks) : "",
  );
}

byId("annotators").textContent = report.annotators.join(", ");
document.title = `${report.annotators.join(", ")} · cijie`;
byId("signature").textContent = report.signature;
byId("choose").addEventListener("change", drawSentences);
copyWords();
addEventListener("resize", drawSentences);
language.listeners.push(drawTables, drawChoices, drawSentences);
theme.start();
language.start();
