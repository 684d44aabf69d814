/* The annotation page: one item at a time, by mouse or by keyboard alone. */

import { Answers } from "./answers.js";
import { contestedEnds, gapsOf } from "./boundaries.js";
import { all, announce, byId, isTyping, listenToKeys, readData, redraw, remembered, saveFile } from "./dom.js";
import { Effort } from "./effort.js";
import { askAboutImport } from "./importing.js";
import { drawItem } from "./item.js";
import { clock, language, t, theme, tn } from "./language.js";
import { drawNotices } from "./notices.js";
import { copyWords } from "./rows.js";

class Annotator {
  constructor(sheet) {
    this.sheet = sheet;
    this.apartKey = JSON.stringify(["apart", sheet.checksum, sheet.annotator, location.pathname]);
    const apart = remembered.get(this.apartKey) === "yes" ? location.pathname : null;
    this.answers = new Answers(sheet, () => this.#changed(), apart);
    this.effort = new Effort({
      name: this.answers.name,
      ids: sheet.items.map(({ id }) => id),
      current: () => (this.answers.store.isWriter ? this.number : null),
    });
    this.placeKey = JSON.stringify(["place", ...this.answers.name]);
    this.pageKey = JSON.stringify(["page", ...this.answers.name]);
    // Where corrections rank would sway a voter.
    this.hintsKey = `hints:${sheet.mode}`;
    this.hints = (remembered.get(this.hintsKey) ?? (sheet.mode === "vote" ? "hidden" : "shown")) === "shown";
    this.desk = null;
    this.cursor = null; // the offset of the place in work
    this.region = 0;
    const last = Number(remembered.get(this.placeKey));
    this.number = Number.isInteger(last) && sheet.items[last] ? last : 0;
  }

  start() {
    const { sheet } = this;
    document.title = `${sheet.annotator} · cijie`;
    byId("progress").max = sheet.items.length;
    byId("guideline-button").hidden = !byId("guideline-text").childElementCount;
    const press = {
      previous: () => this.go(this.number - 1),
      next: () => this.go(this.number + 1),
      "next-open": () => this.goToOpen(),
      export: () => this.export(),
      import: () => byId("file").click(),
      finish: () => this.finish(),
      "help-button": () => this.help(),
      "guideline-button": () => this.switchGuideline(),
    };
    for (const [id, action] of Object.entries(press)) byId(id).addEventListener("click", action);
    byId("file").addEventListener("change", () => this.import());
    byId("go").addEventListener("change", () => this.goTo(byId("go").value.trim()));
    byId("effort").addEventListener("change", () => {
      this.effort.agree(byId("effort").checked);
      this.draw();
    });
    this.#startComment();
    listenToKeys((event) => this.press(event));
    addEventListener("resize", () => this.draw());
    copyWords();
    byId("annotator").textContent = sheet.annotator;
    language.listeners.push(() => this.draw());
    theme.start();
    language.start();
  }

  /** The comment is kept letter by letter, but not what an input method is still at. */
  #startComment() {
    const field = byId("comment");
    const keep = () => {
      this.isComposing = false;
      this.answers.type(this.number, field.value);
      this.#drawState();
    };
    field.addEventListener("compositionstart", () => {
      this.isComposing = true;
    });
    field.addEventListener("compositionend", keep);
    field.addEventListener("input", (event) => event.isComposing || keep());
    // Nothing is drawn when the field is left: what is being clicked then must stay where it is.
    field.addEventListener("blur", () => {
      this.answers.typing = null;
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
    if (!this.sheet.items[number]) {
      if (number > 0) announce(t("last"));
      return;
    }
    this.number = number;
    this.cursor = null;
    this.region = 0;
    remembered.set(this.placeKey, String(number));
    byId("go").value = this.item.id;
    this.draw();
    this.focus();
  }

  /** Go to the sentence that has an id, or else that number. */
  goTo(name) {
    const number = this.answers.byId.get(name) ?? (/^[0-9]+$/.test(name) ? Number(name) - 1 : -1);
    if (!this.sheet.items[number]) announce(t("nav.none", { name }));
    byId("go").value = this.item.id;
    if (this.sheet.items[number]) this.go(number);
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
    const cut = new Set(this.answer.boundaries);
    if (!cut.delete(end)) cut.add(end);
    const boundaries = [...cut].sort((a, b) => a - b);
    this.cursor = end;
    const region = this.regions.findIndex(([start, stop]) => start < end && end < stop);
    if (region >= 0) {
      this.region = region;
      this.change({ boundaries, decided: this.#decided(region) });
      this.#tellRegions();
      return;
    }
    this.answers.change(this.number, { boundaries });
    this.desk.update(boundaries, end); // a long sentence takes long to be drawn
    this.#drawState();
    this.focus();
  }

  #decided(region) {
    return [...new Set([...this.answer.decided, region])].sort((a, b) => a - b);
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
    const decided = this.#decided(this.region);
    const boundaries = this.answer.boundaries.filter((end) => !within(end)).concat(ends.filter(within));
    const open = this.regions.findIndex((_, region) => !decided.includes(region));
    if (open >= 0) this.region = open;
    this.cursor = null;
    this.change({ boundaries: boundaries.sort((a, b) => a - b), decided });
    this.#tellRegions();
  }

  get #open() {
    return this.regions.filter((_, region) => !this.answer.decided.includes(region)).length;
  }

  #tellRegions() {
    announce(this.#open ? tn("regions.open", this.#open) : t("regions.decided"));
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
    if (this.#open) {
      announce(tn("regions.open", this.#open));
      return;
    }
    this.answers.change(this.number, { done: true });
    const left = this.sheet.items.length - this.answers.done;
    if (this.number + 1 < this.sheet.items.length) this.go(this.number + 1);
    else {
      this.draw();
      announce(tn("last.open", left));
    }
    if (!left) announce(t("all.done"));
  }

  draw() {
    const { item, answer, sheet } = this;
    const isLast = this.number + 1 === sheet.items.length;
    if (sheet.mode !== "vote") this.cursor ??= this.#firstPlace();
    byId("work").inert = !this.answers.store.isWriter;
    redraw(byId("item"), ...drawItem(this));
    byId("item").classList.toggle("is-done", answer.done);
    byId("item").dataset.id = item.id;
    byId("finish").textContent = t(isLast ? "done.last" : answer.done ? "done.already" : "done");
    byId("previous").disabled = this.number === 0;
    byId("next").disabled = isLast;
    if (document.activeElement !== byId("go")) byId("go").value = item.id;
    this.#drawComment();
    this.#drawState();
  }

  /** The comment as it is kept; a field in use keeps its selection, one that is composed is left. */
  #drawComment() {
    const field = byId("comment");
    const { comment } = this.answer;
    if (this.isComposing || field.value === comment) return;
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

  /** Where one would begin: where proposals differ first, or else at the first place. */
  #firstPlace() {
    const gaps = gapsOf(this.text);
    const [start] = this.regions[this.region] ?? [0];
    return this.#contested.find((end) => end > start) ?? gaps.find((end) => end > start) ?? gaps[0] ?? null;
  }

  /** Where proposals differ, as far as that is shown. */
  get #contested() {
    return this.hints || this.regions.length ? [...contestedEnds(this.item.proposals)] : [];
  }

  /** Something is saved now, or this window may write now, or another one has written. */
  #changed() {
    const { isWriter, lastSaved } = this.answers.store;
    if (!lastSaved) remembered.set(this.pageKey, location.pathname);
    if (isWriter && byId("work").inert === false) this.#drawState();
    else {
      this.draw();
      if (isWriter) this.focus();
    }
  }

  /** Give the keyboard the place in work. */
  focus() {
    const isVote = this.sheet.mode === "vote";
    const [place] = isVote ? [...all(".vote[aria-pressed=true]"), ...all(".vote")] : all(`.gap[data-end="${this.cursor}"]`);
    place?.focus({ preventScroll: false });
  }

  /** Go on to the next of some places, or back. */
  move(step, places = gapsOf(this.text)) {
    const isNext = (end) => (step > 0 ? end > this.cursor : end < this.cursor);
    const next = step > 0 ? places.find(isNext) : places.findLast(isNext);
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
    if (byId("guideline-button").hidden) return;
    const isShown = byId("guideline").hidden;
    byId("guideline").hidden = !isShown;
    byId("guideline-button").setAttribute("aria-pressed", String(isShown));
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
    const chosen = await askAboutImport(read, this.sheet);
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
    if (event.altKey || !this.answers.store.isWriter) return;
    // A letter is a key of the page, Enter on a button is that button's.
    const onButton = event.target.matches("button:not(.gap):not(.vote), summary, a");
    const isButtons = onButton && (key === "Enter" || key === " ");
    const action = isButtons ? null : this.#action(key, control, event.shiftKey);
    // What is held down moves, but decides nothing that nobody has seen.
    const isHeld = event.repeat && !key.startsWith("Arrow");
    if (action || (isButtons && isHeld)) event.preventDefault();
    if (!isHeld) action?.();
  }

  #action(key, control, shift) {
    const isVote = this.sheet.mode === "vote";
    if (control) {
      const words = () => gapsOf(this.text).filter((end) => this.answer.boundaries.includes(end));
      const actions = {
        z: () => this.step(shift ? "redo" : "undo"),
        y: () => this.step("redo"),
        arrowleft: () => this.move(-1, words()),
        arrowright: () => this.move(1, words()),
      };
      return actions[key.toLowerCase()];
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
      const further = (step) => (this.regions.length ? this.moveRegion(step) : this.move(step, this.#contested));
      Object.assign(actions, {
        ArrowLeft: () => this.move(-1),
        ArrowRight: () => this.move(1),
        ArrowUp: () => further(-1),
        ArrowDown: () => further(1),
        Home: () => this.move(-1, gapsOf(this.text).slice(0, 1)),
        End: () => this.move(1, gapsOf(this.text).slice(-1)),
        " ": () => this.cursor !== null && this.toggle(this.cursor),
      });
    }
    return actions[key];
  }
}

new Annotator(readData()).start();
