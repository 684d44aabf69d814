/* What an imported file would change: said before anything is changed. */

import { byId, make } from "./dom.js";
import { t, tn } from "./language.js";

const MOST_REASONS = 5;

/**
 * Ask what to take of what was read from a file (see `Answers.read`); gives the answers to take, or
 * null.
 */
export function askAboutImport({ answers, refused, others }, annotator) {
  const fresh = answers.filter(({ state }) => state === "new");
  const wanted = answers.filter(({ state }) => state !== "same");
  const lines = ["new", "same", "newer", "older"].flatMap((state) => {
    const n = answers.filter((answer) => answer.state === state).length;
    return n ? [make("li", { text: tn(`import.${state}`, n) })] : [];
  });
  const reasons = refused.slice(0, MOST_REASONS).map(([line, key]) => t("import.line", { line, why: t(key) }));
  if (refused.length > MOST_REASONS) reasons.push("…");
  if (refused.length) {
    const list = make("ul", {}, ...reasons.map((text) => make("li", { text })));
    lines.push(make("li", {}, tn("import.refused", refused.length), list));
  }
  const warnings = Array.from(others, (name) =>
    make("p", { class: "warning", text: name === null ? t("import.nobody", { annotator }) : t("import.other", { name, annotator }) }),
  );
  byId("importing-text").replaceChildren(make("ul", {}, ...lines), ...warnings);
  const button = (value, list) =>
    make("button", { value, disabled: !list.length, text: t(`import.take.${value}`, { n: list.length }) });
  const choices = { all: wanted, new: fresh };
  byId("importing-choice").replaceChildren(
    ...(fresh.length < wanted.length ? [button("new", fresh)] : []),
    button("all", wanted),
    make("button", { value: "", text: t("import.cancel"), autofocus: warnings.length ? "" : null }),
  );
  const dialog = byId("importing");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(choices[dialog.returnValue] ?? null), { once: true });
  });
}
