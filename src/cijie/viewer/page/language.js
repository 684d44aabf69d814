"use strict";
/* The language and the colours of the interface. Messages are in `messages`, by language and key. */

const language = {
  current: "en",
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
    for (const element of document.querySelectorAll("[data-t]")) {
      element.textContent = t(element.dataset.t);
    }
    for (const attribute of ["aria-label", "placeholder", "title"]) {
      for (const element of document.querySelectorAll(`[data-t-${attribute}]`)) {
        element.setAttribute(attribute, t(element.getAttribute(`data-t-${attribute}`)));
      }
    }
    for (const listener of this.listeners) listener();
  },
};

/** A message in the current language, `{name}` replaced by values; numbers are grouped. */
function t(key, values = {}) {
  const message = messages[language.current][key];
  if (message === undefined) throw new Error(`no message ${key}`);
  return message.replace(/\{(\w+)\}/g, (_, name) => formatted(values[name]));
}

/** The message for a number of things: `key.one` for one of them, if there is such a message. */
function tn(key, n, values = {}) {
  const one = `${key}.one`;
  return t(n === 1 && one in messages[language.current] ? one : key, { n, ...values });
}

function formatted(value) {
  if (typeof value === "number") return value.toLocaleString("en");
  return `\u2068${value}\u2069`; // isolated: a name cannot turn the sentence around
}

/** A time as hours and minutes, with the day where it is not today's. */
function clock(time) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  const day = isToday ? {} : { month: "short", day: "numeric" };
  return date.toLocaleString(language.current, { ...day, hour: "2-digit", minute: "2-digit", hour12: false });
}

/** Light or dark: as the system has it, until somebody chooses. */
const theme = {
  start() {
    const chosen = remembered.get("theme");
    if (chosen) document.documentElement.dataset.theme = chosen;
    byId("theme").addEventListener("click", () => {
      const next = this.isDark() ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      remembered.set("theme", next);
    });
  },

  isDark() {
    const { theme: chosen } = document.documentElement.dataset;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  },
};
