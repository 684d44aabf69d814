/* What an annotator has to know about the work that is kept, until it is dealt with. */

import { spansOf } from "./boundaries.js";
import { button, byId, isolated, make } from "./dom.js";
import { t, tn } from "./language.js";

/** The notices of a page: what is not saved first, then what asks for a decision. */
export function drawNotices(page) {
  const { store } = page.answers;
  const full = [...store.unsaved].filter(([, reason]) => reason === "full").map(([k]) => k);
  const notices = [];
  if (full.length) {
    notices.push(
      notice("unsaved", `${tn("unsaved", full.length, { ids: named(page, full) })} ${t("unsaved.what")}`, {
        "unsaved.retry": () => page.retry(),
        "file.export": () => page.export(),
      }),
    );
  }
  for (const [k, clash] of store.clashes) notices.push(drawClash(page, k, clash));
  const strange = store.strange().map(([id, text]) => [[id].flat()[0], text]);
  if (strange.length) {
    const message = tn("strange", strange.length, { ids: [...new Set(strange.map(([id]) => id))].join(", ") });
    notices.push(
      notice("strange", message, {
        "strange.save": () => {
          const lines = strange.map((pair) => `${JSON.stringify(pair)}\n`);
          saveFile(lines.join(""), "set-aside.jsonl");
        },
        "strange.discard": () => {
          store.discardStrange();
          page.draw();
        },
      }),
    );
  }
  if (page.effort.isAgreed === null) {
    const agree = (isAgreed) => () => {
      page.effort.agree(isAgreed);
      page.draw();
    };
    notices.push(notice("effort", t("effort.ask"), { "effort.yes": agree(true), "effort.no": agree(false) }));
  }
  if (!store.values.some((_, k) => store.touched(k))) {
    notices.push(
      notice("empty", t("empty", { annotator: page.sheet.annotator }), { "file.import": () => byId("file").click() }),
    );
  }
  return notices;
}

/** What was said here and in another window about the same thing. */
function drawClash(page, k, { theirs, fields }) {
  const { answers, sheet } = page;
  const settle = (isMine) => () => {
    answers.store.settle(k, isMine);
    page.draw();
  };
  const shown = (answer) => fields.map((field) => said(page, k, field, answer[field])).join("; ");
  const versions = [
    ["clash.here", answers.get(k)],
    ["clash.there", theirs.value],
  ].map(([key, answer]) => make("li", {}, make("span", { class: "soft", text: `${t(key)} ` }), isolated(shown(answer))));
  const element = notice(`clash ${k}`, t("clash", { id: sheet.items[k].id }), {
    "clash.keep": settle(true),
    "clash.take": settle(false),
  });
  element.querySelector("p").after(make("ul", {}, ...versions));
  return element;
}

/** What one field of an answer says. */
function said(page, k, field, value) {
  if (field === "boundaries") return page.answers.text(k).words(spansOf(page.answers.text(k), value), "|");
  if (field === "comment") return `${t("comment")}: ${value || "–"}`;
  if (field === "decided") return `${t("region.decided")}: ${value.map((region) => region + 1).join(", ") || "–"}`;
  if (field === "choices") return `${t("vote.choices")}: ${value?.join(", ") ?? "–"}`;
  if (field === "flag" || field === "done") return `${t(field === "flag" ? "flag" : "state.done")}: ${value ? "✓" : "–"}`;
  return `${field}: ${value}`;
}

function notice(kind, message, actions) {
  const buttons = Object.entries(actions).map(([key, action]) => 
    button(t(key), action, { "data-action": `${kind} ${key}` }),
  );
  return make(
    "div",
    { class: `notice ${kind}` },
    make("p", { text: message }),
    make("div", { class: "notice-buttons" }, ...buttons),
  );
}

/** The ids of some items, not too many. */
function named(page, numbers) {
  const ids = numbers.slice(0, 5).map((k) => page.sheet.items[k].id);
  return ids.join(", ") + (numbers.length > 5 ? ", …" : "");
}

/** Give the annotator a file. */
export function saveFile(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
