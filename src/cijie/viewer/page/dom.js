/* Elements, made without markup: whatever is in the data is text and stays text. */

/**
 * An element. `properties` are set as attributes, except `class`, `text`, `on` (listeners by event),
 * and `hidden`, `disabled`, `checked`, `value`; null and undefined are left out. Children that are
 * strings become text.
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (key === "class") element.className = value;
    else if (key === "text") element.textContent = value;
    else if (key === "on") {
      for (const [event, listener] of Object.entries(value)) {
        element.addEventListener(event, listener);
      }
    } else if (key in DIRECT) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const DIRECT = { hidden: 1, disabled: 1, checked: 1, value: 1, tabIndex: 1 };

/** A button; `properties` and further children are as for `make`. */
export function button(label, click, properties = {}, ...children) {
  return make("button", { text: label, ...properties, on: { click } }, ...children);
}

/** A table under heads, of rows. */
export function table(heads, rows) {
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...heads.map((text) => (text ? make("th", { scope: "col", text }) : make("td"))))),
    make("tbody", {}, ...rows),
  );
}

/** A row of a table. */
export function row(head, ...cells) {
  const content = cells.map((cell) => make("td", {}, cell));
  return make("tr", {}, make("th", { scope: "row" }, head), ...content);
}

/** An element of an SVG image. */
export function makeSvg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Replace what is in an element; the keyboard stays at its place if there is that place again. */
export function redraw(element, ...children) {
  const used = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...children);
  if (used) findLike(used, element)?.focus({ preventScroll: true });
}

/** What has the mark of an element that was used: its id, its data or its name. @returns {any} */
export function findLike(used, within) {
  const mark = Array.from(used.attributes).find(({ name }) => /^(id$|data-|aria-label$)/.test(name));
  return mark ? within.querySelector(`[${mark.name}="${CSS.escape(mark.value)}"]`) : null;
}

/** A piece of data amid other text, which cannot disturb the order of that. */
export function isolated(text, properties = {}) {
  return make("bdi", { ...properties, text });
}

/** The same for a piece of Chinese. */
export function han(text, properties = {}) {
  return isolated(text, { lang: "zh", ...properties });
}

/** What a system is called here; the whole name when one points at it. */
export function drawName({ systems, labels }, k) {
  return isolated(labels[k], { class: "name", title: systems[k] });
}

/** A sentence of the page's language with the Chinese in it marked as such. */
export function marked(sentence) {
  const parts = sentence.split(/([\p{sc=Han}|]*\p{sc=Han}[\p{sc=Han}|]*)/u);
  return parts.map((part, k) => (k % 2 ? make("span", { lang: "zh", text: part }) : part));
}

/** @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** The elements that a selector finds. @returns {any[]} */
export function all(selector, within = document) {
  return [...within.querySelectorAll(selector)];
}

/** What an action gives, or something else if it fails. */
export function attempt(action, otherwise = null) {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

/** What is remembered where the browser allows it, for good or, in the storage "session", in a tab. */
export const remembered = {
  get: (key, storage = "local") => attempt(() => globalThis[`${storage}Storage`].getItem(`cijie:${key}`)),
  set: (key, value, storage = "local") =>
    attempt(() => {
      globalThis[`${storage}Storage`].setItem(`cijie:${key}`, value);
      return true;
    }, false),
  keys: () =>
    attempt(() => Object.keys(localStorage), []).flatMap((key) => (key.startsWith("cijie:") ? [key.slice(6)] : [])),
  remove: (key) => attempt(() => localStorage.removeItem(`cijie:${key}`)),
};

/** What an element of the page holds as JSON. */
export function readJson(id) {
  return JSON.parse(byId(id).textContent);
}

/** The data of the page, in it or beside it. */
export function readData() {
  return globalThis.cijieData ?? readJson("data");
}

let announced; // the timer of what is said now

/** Say something to a screen reader, and show it for a while. */
export function announce(message) {
  const status = byId("status");
  status.textContent = message;
  status.classList.add("shown");
  clearTimeout(announced);
  announced = setTimeout(() => status.classList.remove("shown"), 4000);
}

/**
 * Hear the keys of the page. A key that an input method takes is none, whatever has the focus, nor is
 * one that goes to a dialog.
 */
export function listenToKeys(listener) {
  addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (!document.querySelector("dialog[open]")) listener(event);
  });
}

/** Whether a key belongs to a field that is being typed in. */
export function isTyping(event) {
  return event.target.matches("input:not([type=checkbox]), textarea, select");
}

/** Give a file to whoever uses the page. */
export function saveFile(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { value: text, class: "visually-hidden" });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
