"use strict";
/* Why boundaries are where they are, in sentences: those of `cijie.pictures.reasons`. */

const [JOIN, FOLLOWED, AT_END] = [1, 2, 4]; // flags of a reason

/** A reason as Python packed it, with the texts that it speaks of. */
function unpackReason([flags, from, to, start, end, confidence, ...places], source, target, residuals, means) {
  const ends = [...places, end];
  const alike = new Map(); // by what is said, so that nothing is said twice
  for (const [i, j, , , by, value] of residuals.toSorted((a, b) => a[1] - b[1])) {
    if (j < from || j >= to) continue;
    const pair = { a: characterAt(source, i), b: characterAt(target, j), by: means[by], value };
    alike.set(JSON.stringify(pair), pair);
  }
  return {
    join: Boolean(flags & JOIN),
    followed: Boolean(flags & FOLLOWED),
    atEnd: Boolean(flags & AT_END),
    places,
    pieces: ends.map((at, k) => source.slice(k ? ends[k - 1] : start, at).trim()),
    word: target.slice(from, to),
    alike: [...alike.values()],
    confidence: confidence < 0 ? null : confidence,
  };
}

function characterAt(text, offset) {
  return text.cells[text.cellAt(offset)]?.text ?? "";
}

/** The reason as a sentence. */
function tellReason({ join, followed, atEnd, pieces, word, alike }) {
  const whole = pieces.join("");
  const values = { whole, pieces: pieces.join("|"), first: pieces[0], word };
  let key;
  if (!join) key = `reason.${followed ? "cut" : "uncut"}.${atEnd ? "end" : "start"}`;
  else if (!followed) key = "reason.apart";
  else key = whole === word ? "reason.same" : "reason.join";
  const likeness = alike.map((each) => t("reason.and") + tellLikeness(each));
  return t(key, values) + likeness.join("") + t("list.stop");
}

function tellLikeness({ a, b, by, value }) {
  return t(`alike.${by}`, { a, b, value: decimals2(value) });
}

/** How sure the decision is, and what else could have been decided; "" if nobody said. */
function tellConfidence({ join, followed, pieces, confidence }) {
  if (confidence === null) return "";
  const other = pieces.join(join === followed ? "|" : "");
  return t("reason.sure", { sure: decimals2(confidence), other, rest: decimals2(1 - confidence) });
}

/** Two decimals without the zero before the point; nothing rounds to 0 or 1. */
function decimals2(value) {
  if (value === 0 || value === 1) return String(value);
  if (value < 0.005) return "<.01";
  if (value >= 0.995) return ">.99";
  return value.toFixed(2).replace(/^0/, "");
}
