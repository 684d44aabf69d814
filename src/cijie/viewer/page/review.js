/* What a person decides about the places that a system is least sure of, kept in the browser. */

import { button, han, make } from "./dom.js";
import { t } from "./language.js";
import { Store } from "./store.js";

// As `cijie recover --review` writes them, and `--decisions` reads them.
const COLUMNS = ["id", "place", "left", "words", "right", "alternative", "confidence", "reason", "decision"];
const DECISIONS = ["accept", "reject"];

/** The rows of a review, in the order of the sentences, each with its decision. */
export class Review {
  /** @param {any} data @param {() => void} changed called when something changes by itself */
  constructor({ sentences, title }, changed) {
    this.rows = [];
    this.ofSentence = sentences.map(({ id, reasons = [] }) =>
      reasons.flatMap((reason) => {
        if (!reason.review) return [];
        reason.row = this.rows.push([id, ...reason.review, reason.why[0]]) - 1;
        return [reason.row];
      }),
    );
    this.store = new Store({
      name: ["review", title],
      ids: this.rows.map((row) => row.slice(0, 6)), // up to the alternative
      check: ({ decision }) => (["", ...DECISIONS].includes(decision) ? { decision } : null),
      fresh: () => ({ decision: "" }),
      changed,
    });
  }

  isOpen(k) {
    return !this.store.values[k].decision;
  }

  get decided() {
    return this.rows.filter((_, k) => !this.isOpen(k)).length;
  }

  /** Decide, or take a decision back; what there is to say about it, if anything. */
  decide(k, decision) {
    if (this.store.isWriter === false) return t("review.elsewhere");
    this.store.put(k, { decision: this.store.values[k].decision === decision ? "" : decision });
    return this.store.unsaved.size ? t("review.unsaved") : "";
  }

  /** The two ways to decide a row: the words as they are, and the others. */
  draw(k, decide) {
    const [, , , words, , alternative] = this.rows[k];
    const { decision } = this.store.values[k];
    const buttons = [words, alternative].map((text, way) =>
      button(
        null,
        () => decide(DECISIONS[way]),
        {
          "data-decide": `${k} ${DECISIONS[way]}`, // what has the focus keeps it, see findLike
          "aria-pressed": decision === DECISIONS[way],
          "aria-label": `${t(`review.${DECISIONS[way]}`)} ${text}`,
          title: t(`review.${DECISIONS[way]}`),
        },
        "✓✗"[way],
        " ",
        han(text),
      ),
    );
    return make("span", { class: "decide", "data-row": k }, ...buttons);
  }

  /** All rows as CSV, with a byte order mark for spreadsheet programs. */
  export() {
    const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = this.rows.map((row, k) => [...row, this.store.values[k].decision]);
    return `\ufeff${[COLUMNS, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
  }
}
