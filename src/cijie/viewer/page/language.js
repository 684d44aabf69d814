/* The language and the colours of the interface. Messages are pairs, in English and in Chinese. */

import { all, byId, readJson, remembered } from "./dom.js";

export const language = {
  current: "en",
  variant: "", // of the page: a message may have another text there, as `key.variant`
  listeners: [],

  start() {
    const wanted = remembered.get("language") ?? navigator.language ?? "en";
    this.current = wanted.toLowerCase().startsWith("zh") ? "zh" : "en";
    byId("language").addEventListener("click", () => {
      this.current = this.current === "zh" ? "en" : "zh";
      remembered.set("language", this.current);
      this.apply();
    });
    this.apply();
  },

  /** Fill the elements that name a message, and tell whoever writes the others. */
  apply() {
    document.documentElement.lang = this.current === "zh" ? "zh-Hans" : "en";
    for (const element of all("[data-t]")) element.textContent = t(element.dataset.t);
    for (const attribute of ["aria-label", "placeholder", "title"]) {
      for (const element of all(`[data-t-${attribute}]`)) {
        element.setAttribute(attribute, t(element.getAttribute(`data-t-${attribute}`)));
      }
    }
    for (const listener of this.listeners) listener();
  },

  /** What is there in both languages, in the one of now. */
  choose([en, zh]) {
    return this.current === "zh" ? zh : en;
  },

  get messages() {
    this.read ??= readJson("messages");
    return this.read;
  },
};

/** A message in the current language, `{name}` replaced by values; numbers are grouped. */
export function t(key, values = {}) {
  const { messages, variant } = language;
  const message = language.choose(messages[`${key}.${variant}`] ?? messages[key] ?? []);
  if (message === undefined) throw new Error(`no message ${key}`);
  return message.replace(/\{(\w+)\}/g, (_, name) => formatted(values[name]));
}

/** The message for a number of things: `key.one` for one of them, if there is such a message. */
export function tn(key, n, values = {}) {
  const one = `${key}.one`;
  const isOne = n === 1 && language.choose(language.messages[one] ?? []) !== undefined;
  return t(isOne ? one : key, { n, ...values });
}

/** Names one after another. */
export function listed(names) {
  return names.join(t("list.comma"));
}

export function formatted(value) {
  if (typeof value === "number") return value.toLocaleString("en");
  return `\u2068${value}\u2069`; // isolated: a name cannot turn the sentence around
}

/** Four decimals without the zero before the point, as papers have them. */
export function decimals(value) {
  return value.toFixed(4).replace(/^(-?)0/, "$1");
}

/** Two decimals without the zero before the point; nothing rounds to 0 or 1. */
export function decimals2(value) {
  if (value === 0 || value === 1) return String(value);
  if (value < 0.005) return "<.01";
  if (value >= 0.995) return ">.99";
  return value.toFixed(2).replace(/^0/, "");
}

/** A time as hours and minutes, with the day where it is not today's. */
export function clock(time) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const day = isToday ? {} : { month: "short", day: "numeric" };
  return date.toLocaleString(language.current, { ...day, hour: "2-digit", minute: "2-digit", hour12: false });
}

/** Light or dark: as the system has it, until somebody chooses. */
export const theme = {
  start() {
    const { dataset } = document.documentElement;
    dataset.theme = remembered.get("theme") ?? dataset.theme ?? "";
    byId("theme").addEventListener("click", () => {
      const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      dataset.theme = isDark ? "light" : "dark";
      remembered.set("theme", dataset.theme);
    });
  },
};
