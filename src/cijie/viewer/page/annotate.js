"use strict";
/* The annotation page: one item at a time, by mouse or by keyboard alone. */

const KEYS = {
  annotate: ["arrows", "space", "enter", "next", "take", "undo", "flag", "comment", "hints", "guideline", "export"],
  adjudicate: ["take.region", "updown", "arrows", "space", "enter", "next", "undo", "flag", "comment", "hints", "guideline", "export"],
  vote: ["choose", "enter", "next", "undo", "comment", "hints", "guideline", "export"],
};

const KEY_NAMES = {
  arrows: ["←", "→"],
  space: ["Space"],
  enter: ["Enter"],
  next: ["n", "p"],
  take: ["1", "…", "9"],
  "take.region": ["1", "…", "9"],
  choose: ["1", "…", "9"],
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
    this.answers = new Answers(sheet);
    this.answers.changed = (number) => number === this.number && this.draw();
    this.hints = remembered.get("hints") !== "hidden";
    this.cursor = null; // the offset of the place in work
    this.region = 0;
    const last = Number(remembered.get(`${this.answers.prefix}#place`));
    this.number = last < sheet.items.length ? last : 0;
  }

  start() {
    const { sheet } = this;
    byId("annotator").textContent = sheet.annotator;
    document.title = `${sheet.annotator} · cijie`;
    byId("guideline-text").textContent = sheet.guideline;
    byId("progress").max = sheet.items.length;
    const press = {
      previous: () => this.go(this.number - 1),
      next: () => this.go(this.number + 1),
      "next-open": () => this.goToOpen(),
      export: () => this.export(),
      import: () => byId("file").click(),
      "help-button": () => byId("help").showModal(),
    };
    for (const [id, action] of Object.entries(press)) byId(id).addEventListener("click", action);
    byId("file").addEventListener("change", () => this.import());
    byId("go").addEventListener("change", () => this.go(Number(byId("go").value) - 1));
    listenToKeys((event) => this.press(event));
    addEventListener("resize", () => this.draw());
    addEventListener("beforeunload", (event) => {
      if (!this.answers.saved) event.preventDefault();
    });
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

  get item() {
    return this.sheet.items[this.number];
  }

  get answer() {
    return this.answers.get(this.number);
  }

  get regions() {
    return unflatten(this.item.regions ?? [], 2);
  }

  go(number) {
    if (!(number >= 0 && number < this.sheet.items.length)) {
      this.draw();
      return;
    }
    this.number = number;
    this.cursor = null;
    this.region = 0;
    remembered.set(`${this.answers.prefix}#place`, String(number));
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
    const packed = this.item.proposals[version]?.[1];
    if (packed === undefined) return;
    const ends = unpackSpans(packed).map(([, end]) => end);
    if (!this.regions.length) {
      this.change({ boundaries: ends });
      announce(t("taken", { name: this.item.proposals[version][0] }));
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

  finish() {
    if (this.sheet.mode === "vote" && this.answer.choice === null) {
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
    const { item, answer, answers, sheet } = this;
    const parts = [this.#drawHead()];
    parts.push(sheet.mode === "vote" ? this.#drawVote() : this.#drawDesk());
    if (this.regions.length) parts.push(this.#drawRegions());
    if (item.comments?.length) parts.push(this.#drawComments());
    const comment = make("input", {
      id: "comment",
      type: "text",
      value: answer.comment,
      autocomplete: "off",
      on: { change: (event) => answers.change(this.number, { comment: event.target.value }) },
    });
    const foot = make(
      "div",
      { class: "foot" },
      make("label", { class: "inline comment" }, t("comment"), " ", comment),
      make("button", {
        id: "finish",
        text: answer.done ? t("done.already") : t("done"),
        on: { click: () => this.finish() },
      }),
    );
    parts.push(foot);
    byId("item").replaceChildren(...parts);
    byId("go").value = String(this.number + 1);
    byId("previous").disabled = this.number === 0;
    byId("next").disabled = this.number + 1 === sheet.items.length;
    byId("progress").value = answers.done;
    byId("counts").textContent = t(sheet.mode === "vote" ? "progress.votes" : "progress", {
      done: answers.done,
      all: sheet.items.length,
      flagged: answers.flagged,
    });
    byId("warning").hidden = answers.saved;
    byId("warning").textContent = t("unsaved");
    byId("item").classList.toggle("is-done", answer.done);
    byId("item").dataset.id = item.id;
  }

  #drawHead() {
    const { item, answer, answers, sheet } = this;
    const button = (id, label, pressed, action, disabled = false) =>
      make("button", {
        id,
        class: "quiet",
        text: label,
        "aria-pressed": pressed === null ? null : String(pressed),
        disabled,
        on: { click: action },
      });
    const state = answer.done ? make("span", { class: "state", text: `✓ ${t("state.done")}` }) : "";
    const head = make(
      "header",
      { class: "item-head" },
      make("h2", { id: "item-id" }, isolated(item.id)),
      make("span", { class: "soft", text: t("place", { n: this.number + 1, all: sheet.items.length }) }),
      state,
      make(
        "span",
        { class: "item-tools" },
        button("undo", t("undo"), null, () => this.undo(), !answers.past.length),
        button("redo", t("redo"), null, () => this.redo(), !answers.future.length),
        button("hints", t("hints"), this.hints, () => this.switchHints()),
        ...(sheet.mode === "vote"
          ? []
          : [button("flag", `⚑ ${t("flag")}`, answer.flag, () => this.change({ flag: !answer.flag }))]),
        ...(sheet.guideline
          ? [button("guideline-button", t("guideline"), !byId("guideline").hidden, () => this.switchGuideline())]
          : []),
      ),
    );
    return head;
  }

  get #width() {
    return byId("item").clientWidth - (innerWidth < 640 ? 56 : 130);
  }

  #target([raw, characters, anchors]) {
    return { text: new Text(raw, characters), anchors };
  }

  #drawDesk() {
    const { item, answer } = this;
    const text = this.answers.text(this.number);
    this.cursor ??= this.#firstPlace(text);
    const numbered = item.proposals.map(([name, packed], k) => [`${k + 1} ${name}`, unpackSpans(packed)]);
    const isAdjudication = this.sheet.mode === "adjudicate";
    return drawDesk({
      text,
      target: this.#target(item.target),
      targetWords: this.hints && item.target_words ? unpackSpans(item.target_words) : null,
      versions: this.hints || isAdjudication ? numbered : [],
      regions: this.regions,
      current: this.region,
      boundaries: answer.boundaries,
      cursor: this.cursor,
      width: this.#width,
      toggle: (end) => this.toggle(end),
    });
  }

  #firstPlace(text) {
    const gaps = gapsOf(text);
    const [start] = this.regions[this.region] ?? [0];
    return gaps.find((end) => end > start) ?? gaps[0] ?? null;
  }

  /** The regions, each with the versions to choose from. */
  #drawRegions() {
    const { item, answer } = this;
    const text = this.answers.text(this.number);
    const list = make("ol", { class: "regions", "aria-label": t("regions") });
    const own = this.answers.spans(this.number);
    this.regions.forEach(([start, stop], region) => {
      const cutAs = (spans) =>
        text.words(spans.filter(([from]) => start <= from && from < stop), "|");
      const now = cutAs(own);
      const decided = answer.decided.includes(region);
      const choices = item.proposals.map(([name, packed], version) => {
        const words = cutAs(unpackSpans(packed));
        return make(
          "button",
          {
            "aria-pressed": String(decided && words === now),
            on: {
              click: () => {
                this.region = region;
                this.take(version);
              },
            },
          },
          make("kbd", { text: String(version + 1) }),
          " ",
          isolated(words, { class: "words" }),
          " ",
          isolated(name, { class: "soft" }),
        );
      });
      const current = region === this.region;
      const state = t(decided ? "region.decided" : "region.open");
      list.append(
        make(
          "li",
          { class: current ? "current" : "", "aria-current": current ? "true" : null },
          make("span", { class: "soft", text: `${start}–${stop} ` }),
          make("span", { class: "soft", text: `${decided ? "✓" : "○"} ${state}` }),
          make("span", { class: "choices" }, ...choices),
        ),
      );
    });
    return list;
  }

  /** What the annotators said. */
  #drawComments() {
    const list = make("ul", { class: "comments", "aria-label": t("comments") });
    for (const [name, comment] of this.item.comments) {
      list.append(make("li", {}, isolated(name, { class: "soft" }), " ", isolated(comment)));
    }
    return list;
  }

  #drawVote() {
    const { item, answer } = this;
    const text = this.answers.text(this.number);
    const list = make("ol", { class: "votes", "aria-label": t("vote.choices") });
    item.choices.forEach(([number, ...packed], k) => {
      const ranks = Object.entries(item.ranking).map(
        ([name, order]) => `${name} ${order.includes(number) ? order.indexOf(number) + 1 : "–"}`,
      );
      list.append(
        make(
          "li",
          {},
          make(
            "button",
            {
              class: "vote",
              "data-reference": number,
              "aria-pressed": String(answer.choice === number),
              "aria-label": `${k + 1}: ${packed[0]}`,
              on: { click: () => this.change({ choice: number, done: true }) },
            },
            make("kbd", { text: String(k + 1) }),
            make(
              "span",
              { class: "reference" },
              drawReference(text, this.#target(packed), this.#width),
              make("span", { class: "soft ranks", text: ranks.join(" · "), hidden: !this.hints }),
            ),
          ),
        ),
      );
    });
    return list;
  }

  /** Give the keyboard the place in work. */
  focus() {
    const place =
      this.sheet.mode === "vote"
        ? (document.querySelector(".vote[aria-pressed=true]") ?? document.querySelector(".vote"))
        : document.querySelector(`.gap[data-end="${this.cursor}"]`);
    place?.focus({ preventScroll: false });
  }

  move(step) {
    const gaps = gapsOf(this.answers.text(this.number));
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

  undo() {
    this.#return(this.answers.undo());
  }

  redo() {
    this.#return(this.answers.redo());
  }

  #return(number) {
    if (number === null) return;
    if (number === this.number) {
      this.draw();
      this.focus();
    } else this.go(number);
  }

  switchHints() {
    this.hints = !this.hints;
    remembered.set("hints", this.hints ? "shown" : "hidden");
    this.draw();
    this.focus();
  }

  switchGuideline() {
    if (!this.sheet.guideline) return;
    byId("guideline").hidden = !byId("guideline").hidden;
    this.draw();
    this.focus();
  }

  export() {
    const { annotator, mode } = this.sheet;
    const file = new Blob([this.answers.export()], { type: "application/x-ndjson" });
    const name = annotator.replace(/[^\p{L}\p{N}._-]+/gu, "-");
    const link = make("a", {
      href: URL.createObjectURL(file),
      download: `${mode === "vote" ? "votes" : "annotation"}-${name}.jsonl`,
    });
    link.click();
    URL.revokeObjectURL(link.href);
    announce(t("exported"));
  }

  async import() {
    const [file] = byId("file").files;
    if (!file) return;
    const { taken, refused } = this.answers.import(await file.text());
    byId("file").value = "";
    this.draw();
    const first = refused.length ? t("import.first", { line: refused[0][0], why: t(refused[0][1]) }) : "";
    announce(`${t("imported", { n: taken, refused: refused.length })} ${first}`);
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
    const onButton = event.target.matches("button:not(.gap):not(.vote), summary");
    if (onButton && (key === "Enter" || key === " ")) return;
    const action = this.#action(key, control, event.shiftKey);
    if (!action) return;
    event.preventDefault();
    action();
  }

  #action(key, control, shift) {
    const isVote = this.sheet.mode === "vote";
    if (control) {
      return key.toLowerCase() === "y" || shift ? () => this.redo() : () => this.undo();
    }
    if (/^[1-9]$/.test(key)) {
      const k = Number(key) - 1;
      if (!isVote) return () => this.take(k);
      const choice = this.item.choices[k]?.[0];
      return choice === undefined ? null : () => this.change({ choice, done: true });
    }
    const actions = {
      n: () => this.go(this.number + 1),
      PageDown: () => this.go(this.number + 1),
      p: () => this.go(this.number - 1),
      PageUp: () => this.go(this.number - 1),
      Enter: () => this.finish(),
      u: () => this.undo(),
      r: () => this.redo(),
      c: () => byId("comment").focus(),
      h: () => this.switchHints(),
      g: () => this.switchGuideline(),
      e: () => this.export(),
      "?": () => byId("help").showModal(),
    };
    if (!isVote) {
      Object.assign(actions, {
        ArrowLeft: () => this.move(-1),
        ArrowRight: () => this.move(1),
        ArrowUp: () => this.moveRegion(-1),
        ArrowDown: () => this.moveRegion(1),
        " ": () => this.cursor !== null && this.toggle(this.cursor),
        f: () => this.change({ flag: !this.answer.flag }),
      });
    }
    return actions[key];
  }
}

new Annotator(readData()).start();
