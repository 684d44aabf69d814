/* What an imported file would change: said before anything is changed. */

import { byId, make } from "./dom.js";
import { listed, t, tn } from "./language.js";

/**
 * Ask what to take of what was read from a file (see `Answers.read`); gives the answers to take, or
 * null.
 */
export function askAboutImport({ answers, refused, others, isOfOther }, { annotator }) {
  const wanted = answers.filter(({ state }) => state !== "same");
  const newer = wanted.filter(({ state }) => state !== "older");
  const lines = ["new", "same", "newer", "older"].flatMap((state) => {
    const n = answers.filter((answer) => answer.state === state).length;
    return n ? [make("li", { text: tn(`import.${state}`, n) })] : [];
  });
  for (const [key, numbers] of refused) {
    const message = tn("import.refused", numbers.length, { why: t(key), lines: listed(numbers) });
    lines.push(make("li", { class: "refused", text: message }));
  }
  const warnings = Array.from(others, (name) =>
    name === null ? t("import.nobody", { annotator }) : t("import.other", { name, annotator }),
  );
  if (isOfOther) warnings.push(t("import.study"));
  if (!answers.length) warnings.unshift(t(refused.size ? "import.none" : "import.empty"));
  byId("importing-text").replaceChildren(
    make("ul", {}, ...lines),
    ...warnings.map((text) => make("p", { class: "warning", text })),
  );
  const button = (value, list) =>
    make("button", { value, disabled: !list.length, text: t(`import.take.${value}`, { n: list.length }) });
  const choices = { all: wanted, newer };
  byId("importing-choice").replaceChildren(
    ...(newer.length < wanted.length ? [button("newer", newer)] : []),
    ...(answers.length ? [button("all", wanted)] : []),
    make("button", { value: "", text: t("import.cancel"), autofocus: warnings.length ? "" : null }),
  );
  const dialog = byId("importing");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(choices[dialog.returnValue] ?? null), { once: true });
  });
}
