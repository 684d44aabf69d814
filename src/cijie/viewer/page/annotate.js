/* The annotation page: one item at a time, by mouse or by keyboard alone. */

import { Answers } from "./answers.js";
import { gapsOf } from "./boundaries.js";
import { all, announce, byId, isTyping, listenToKeys, make, readData, redraw, remembered } from "./dom.js";
import { Effort } from "./effort.js";
import { askAboutImport } from "./importing.js";
import { drawItem } from "./item.js";
import { clock, language, t, theme, tn } from "./language.js";
import { drawNotices, saveFile } from "./notices.js";

const KEYS = {
  annotate: ["arrows", "space", "enter", "next", "take", "undo", "flag", "comment", "hints", "guideline", "export"],
  adjudicate: ["take.region", "updown", "arrows", "space", "enter", "next", "undo", "flag", "comment", "hints", "guideline", "export"],
  vote: ["choose", "choose.none", "enter", "next", "undo", "flag", "comment", "hints", "guideline", "export"],
};

const KEY_NAMES = {
  arrows: ["←", "→"],
  space: ["Space"],
  enter: ["Enter"],
  next: ["n", "p"],
  take: ["1", "…", "9"],
  "take.region": ["1", "…", "9"],
  choose: ["1", "…", "9"],
  "choose.none": ["0"],
  updown: ["↑", "↓"],
  undo: ["u", "r"],
  flag: ["f"],
  comment: ["c"],
  hints: ["h"],
  guideline: ["g"],
  export: ["e"],
};

class Annotator {
  constructor(sheet) {
    this.sheet = sheet;
    this.answers = new Answers(sheet, (number, isRemote) => this.#changed(number, isRemote));
    this.effort = new Effort({
      name: this.answers.name,
      ids: sheet.items.map(({ id }) => id),
      current: () => this.number,
    });
    this.placeKey = JSON.stringify(["place", ...this.answers.name]);
    // Where corrections rank would sway a voter.
    this.hintsKey = `hints:${sheet.mode}`;
    this.hints = (remembered.get(this.hintsKey) ?? (sheet.mode === "vote" ? "hidden" : "shown")) === "shown";
    this.guideline = false;
    this.cursor = null; // the offset of the place in work
    this.region = 0;
    const last = Number(remembered.get(this.placeKey));
    this.number = Number.isInteger(last) && sheet.items[last] ? last : 0;
  }

  start() {
    const { sheet } = this;
    byId("annotator").textContent = sheet.annotator;
    document.title = `${sheet.annotator} · cijie`;
    byId("progress").max = sheet.items.length;
    const press = {
      previous: () => this.go(this.number - 1),
      next: () => this.go(this.number + 1),
      "next-open": () => this.goToOpen(),
      export: () => this.export(),
      import: () => byId("file").click(),
      finish: () => this.finish(),
      "help-button": () => this.help(),
    };
    for (const [id, action] of Object.entries(press)) byId(id).addEventListener("click", action);
    byId("file").addEventListener("change", () => this.import());
    byId("go").addEventListener("change", () => this.go(Number(byId("go").value) - 1));
    byId("effort").addEventListener("change", () => {
      this.effort.agree(byId("effort").checked);
      this.draw();
    });
    this.#startComment();
    listenToKeys((event) => this.press(event));
    addEventListener("resize", () => this.draw());
    language.listeners.push(() => {
      byId("task").textContent = t(`task.${sheet.mode}`);
      byId("keys").replaceChildren(
        ...KEYS[sheet.mode].flatMap((key) => [
          make("dt", {}, ...KEY_NAMES[key].flatMap((name) => [make("kbd", { text: name }), " "])),
          make("dd", { text: t(`key.${key}`) }),
        ]),
      );
      this.draw();
    });
    theme.start();
    language.start();
    this.focus();
  }

  /** The comment is kept letter by letter; nothing replaces it while an input method is at it. */
  #startComment() {
    const field = byId("comment");
    const { answers } = this;
    field.addEventListener("compositionstart", () => answers.store.hold(this.number, "comment"));
    field.addEventListener("compositionend", () => answers.store.release());
    field.addEventListener("input", () => {
      answers.type(this.number, field.value);
      this.#drawState();
    });
    // Nothing is drawn when the field is left: what is being clicked then must stay where it is.
    field.addEventListener("blur", () => {
      answers.typing = null;
    });
  }

  get item() {
    return this.sheet.items[this.number];
  }

  get text() {
    return this.answers.text(this.number);
  }

  get answer() {
    return this.answers.get(this.number);
  }

  get regions() {
    return this.item.regions ?? [];
  }

  go(number) {
    if (!(Number.isInteger(number) && this.sheet.items[number])) {
      byId("go").value = String(this.number + 1);
      return;
    }
    this.number = number;
    this.cursor = null;
    this.region = 0;
    remembered.set(this.placeKey, String(number));
    byId("go").value = String(number + 1);
    this.draw();
    this.focus();
  }

  /** The next item that is not done, from here around to here. */
  goToOpen() {
    const { length } = this.sheet.items;
    for (let step = 1; step <= length; step += 1) {
      const number = (this.number + step) % length;
      if (!this.answers.get(number).done) {
        this.go(number);
        return;
      }
    }
    announce(t("all.done"));
  }

  change(changes) {
    this.answers.change(this.number, changes);
    this.draw();
    this.focus();
  }

  toggle(end) {
    const boundaries = new Set(this.answer.boundaries);
    if (!boundaries.delete(end)) boundaries.add(end);
    this.cursor = end;
    const decided = new Set(this.answer.decided);
    const region = this.regions.findIndex(([start, stop]) => start < end && end < stop);
    if (region >= 0) decided.add(region);
    this.change({
      boundaries: [...boundaries].sort((a, b) => a - b),
      decided: [...decided].sort((a, b) => a - b),
    });
  }

  /** Take a version: in the region in work where there are regions, else in the whole sentence. */
  take(version) {
    const [names, ends] = this.item.proposals[version] ?? [];
    if (!ends) return;
    if (!this.regions.length) {
      this.change({ boundaries: ends });
      announce(t("taken", { name: names.join(", ") }));
      return;
    }
    const [start, stop] = this.regions[this.region];
    const within = (end) => start < end && end < stop;
    const decided = [...new Set([...this.answer.decided, this.region])].sort((a, b) => a - b);
    const boundaries = this.answer.boundaries.filter((end) => !within(end)).concat(ends.filter(within));
    const open = this.regions.findIndex((_, region) => !decided.includes(region));
    if (open >= 0) this.region = open;
    this.cursor = null;
    this.change({ boundaries: boundaries.sort((a, b) => a - b), decided });
  }

  /** Tick a correction, or take the tick away; 0 says that none is good. */
  tick(reference) {
    const ticked = new Set(this.answer.choices ?? []);
    let choices = [];
    if (reference) {
      if (!ticked.delete(reference)) ticked.add(reference);
      choices = ticked.size ? [...ticked].sort((a, b) => a - b) : null;
    } else if (this.answer.choices?.length === 0) choices = null;
    this.change({ choices, done: choices !== null });
  }

  finish() {
    if (this.sheet.mode === "vote" && this.answer.choices === null) {
      announce(t("vote.none"));
      return;
    }
    const open = this.regions.filter((_, region) => !this.answer.decided.includes(region)).length;
    if (open) {
      announce(tn("regions.open", open));
      return;
    }
    this.answers.change(this.number, { done: true });
    if (this.number + 1 < this.sheet.items.length) this.go(this.number + 1);
    else this.draw();
    if (this.answers.done === this.sheet.items.length) announce(t("all.done"));
  }

  draw() {
    const { item, answer, sheet } = this;
    if (sheet.mode !== "vote") this.cursor ??= this.#firstPlace();
    redraw(byId("item"), ...drawItem(this));
    byId("item").classList.toggle("is-done", answer.done);
    byId("item").dataset.id = item.id;
    byId("finish").textContent = t(answer.done ? "done.already" : "done");
    byId("previous").disabled = this.number === 0;
    byId("next").disabled = this.number + 1 === sheet.items.length;
    if (document.activeElement !== byId("go")) byId("go").value = String(this.number + 1);
    this.#drawComment();
    this.#drawState();
  }

  /** The comment as it is kept; a field in use keeps its selection, one that is composed is left. */
  #drawComment() {
    const field = byId("comment");
    const { comment } = this.answer;
    if (this.answers.store.held || field.value === comment) return;
    const { selectionStart, selectionEnd } = field;
    field.value = comment;
    if (document.activeElement === field) field.setSelectionRange(selectionStart, selectionEnd);
  }

  /** What is done and what is kept. */
  #drawState() {
    const { answers, sheet } = this;
    byId("progress").value = answers.done;
    byId("counts").textContent = t("progress", {
      done: answers.done,
      all: sheet.items.length,
      flagged: answers.flagged,
    });
    byId("undo").disabled = !answers.past.length;
    byId("redo").disabled = !answers.future.length;
    const { unsaved, lastSaved } = answers.store;
    byId("saved").classList.toggle("unsaved", unsaved.size > 0);
    byId("saved").textContent = unsaved.size
      ? t("saved.not", { n: unsaved.size })
      : lastSaved
        ? t("saved", { time: clock(lastSaved) })
        : t("saved.nothing");
    redraw(byId("notices"), ...drawNotices(this));
  }

  #firstPlace() {
    const gaps = gapsOf(this.text);
    const [start] = this.regions[this.region] ?? [0];
    return gaps.find((end) => end > start) ?? gaps[0] ?? null;
  }

  /** An item was changed in another window, or is saved now. */
  #changed(number, isRemote) {
    if (number === this.number) {
      if (isRemote) announce(t("changed.elsewhere"));
      this.draw();
    } else this.#drawState();
  }

  /** Give the keyboard the place in work. */
  focus() {
    const isVote = this.sheet.mode === "vote";
    const [place] = isVote ? [...all(".vote[aria-pressed=true]"), ...all(".vote")] : all(`.gap[data-end="${this.cursor}"]`);
    place?.focus({ preventScroll: false });
  }

  move(step) {
    const gaps = gapsOf(this.text);
    const next = gaps[gaps.indexOf(this.cursor) + step];
    if (next === undefined) return;
    document.querySelector(".gap[tabindex='0']")?.setAttribute("tabindex", "-1");
    this.cursor = next;
    document.querySelector(`.gap[data-end="${next}"]`)?.setAttribute("tabindex", "0");
    this.focus();
  }

  moveRegion(step) {
    const next = this.region + step;
    if (next < 0 || next >= this.regions.length) return;
    this.region = next;
    this.cursor = null;
    this.draw();
    this.focus();
  }

  /** Undo or redo. */
  step(way) {
    const done = this.answers[way]();
    if (!done) return;
    if (done.refused) announce(t(`${way}.refused`));
    if (done.number === this.number) {
      this.draw();
      this.focus();
    } else this.go(done.number);
  }

  switchHints() {
    this.hints = !this.hints;
    remembered.set(this.hintsKey, this.hints ? "shown" : "hidden");
    this.draw();
    this.focus();
  }

  switchGuideline() {
    if (!byId("guideline-text").childElementCount) return;
    this.guideline = !this.guideline;
    byId("guideline").hidden = !this.guideline;
    this.draw();
    this.focus();
  }

  help() {
    byId("effort").checked = this.effort.isAgreed === true;
    byId("help").showModal();
  }

  retry() {
    this.answers.store.retry();
    this.draw();
  }

  export() {
    const { annotator, mode } = this.sheet;
    const name = annotator.replace(/[^\p{L}\p{N}._-]+/gu, "-");
    const kind = { annotate: "annotation", adjudicate: "adjudication", vote: "votes" }[mode];
    saveFile(this.answers.export(this.effort), `${kind}-${name}.jsonl`);
    announce(t("exported"));
  }

  /** Say what a file would change, and change it if that is wanted. */
  async import() {
    const [file] = byId("file").files;
    if (!file) return;
    const read = this.answers.read(await file.text());
    byId("file").value = "";
    const chosen = await askAboutImport(read, this.sheet.annotator);
    if (!chosen) return;
    this.answers.take(chosen);
    for (const { number, effort } of chosen) this.effort.take(number, effort);
    this.draw();
    announce(tn("imported", chosen.length));
  }

  press(event) {
    const { key } = event;
    if (isTyping(event)) {
      if (key === "Escape" || (key === "Enter" && event.target.id === "comment")) {
        event.target.blur();
        this.focus();
        event.preventDefault();
      }
      return;
    }
    const control = event.ctrlKey || event.metaKey;
    if (event.altKey || (control && !"zy".includes(key.toLowerCase()))) return;
    // A letter is a key of the page, Enter on a button is that button's.
    const onButton = event.target.matches("button:not(.gap):not(.vote), summary, a");
    if (onButton && (key === "Enter" || key === " ")) return;
    const action = this.#action(key, control, event.shiftKey);
    if (!action) return;
    event.preventDefault();
    action();
  }

  #action(key, control, shift) {
    const isVote = this.sheet.mode === "vote";
    if (control) {
      return key.toLowerCase() === "y" || shift ? () => this.step("redo") : () => this.step("undo");
    }
    if (/^[0-9]$/.test(key)) {
      const k = Number(key);
      if (!isVote) return k ? () => this.take(k - 1) : null;
      return k <= this.item.references.length ? () => this.tick(k) : null;
    }
    const actions = {
      n: () => this.go(this.number + 1),
      PageDown: () => this.go(this.number + 1),
      p: () => this.go(this.number - 1),
      PageUp: () => this.go(this.number - 1),
      Enter: () => this.finish(),
      u: () => this.step("undo"),
      r: () => this.step("redo"),
      c: () => byId("comment").focus(),
      f: () => this.change({ flag: !this.answer.flag }),
      h: () => this.switchHints(),
      g: () => this.switchGuideline(),
      e: () => this.export(),
      "?": () => this.help(),
    };
    if (!isVote) {
      Object.assign(actions, {
        ArrowLeft: () => this.move(-1),
        ArrowRight: () => this.move(1),
        ArrowUp: () => this.moveRegion(-1),
        ArrowDown: () => this.moveRegion(1),
        " ": () => this.cursor !== null && this.toggle(this.cursor),
      });
    }
    return actions[key];
  }
}

new Annotator(readData()).start();
