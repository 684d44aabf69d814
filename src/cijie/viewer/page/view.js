/* The viewer: search, filters and the list of sentences, and their state in the address. */

import { LONGEST, drawCard, drawPrinted, hasLinks, openSentence } from "./card.js";
import { drawDashboard, drawFigure, drawFilters, nameF } from "./dashboard.js";
import { all, announce, button, byId, copyText, findLike, isTyping, listenToKeys, make, readData, saveFile } from "./dom.js";
import { Filters, Search } from "./filters.js";
import { decimals, formatted, language, t, theme, tn } from "./language.js";
import { showLegend } from "./legend.js";
import { CardList } from "./list.js";
import { Review } from "./review.js";
import { copyWords } from "./rows.js";

const PRINTED = 100; // sentences

class Viewer {
  constructor(data) {
    this.data = data;
    language.variant = data.variant;
    this.filters = new Filters(data);
    this.state = { query: "", field: "all", pattern: false, sort: "differ", at: null };
    this.targets = new Map(); // sentences of which another target than the first is shown
    this.linked = new Map(); // the system whose links are shown, by sentence
    this.limits = new Map(); // how many columns are drawn of sentences that are very long
    this.search = null;
    this.review = new Review(data, () => {
      this.list.redraw(); // as another window or the storage has it now
      this.#showDecided();
    });
    this.actions = {
      isSelected: (key) => this.filters.selected.has(key),
      toggle: (key) => {
        this.filters.toggle(key);
        this.refresh();
      },
    };
    this.list = new CardList(
      byId("list"),
      (number, position) => this.#drawCard(number, position),
      (number) => this.#estimate(number),
    );
  }

  start() {
    document.title = `${this.data.title} · cijie`;
    byId("title").textContent = this.data.title;
    byId("title").title = this.data.title;
    const longest = Math.max(...this.data.labels.map((name) => name.length));
    const label = Math.min(130, Math.max(innerWidth < 640 ? 44 : 64, 8 * longest + 14));
    document.documentElement.style.setProperty("--label-width", `${label}px`);
    byId("signature").textContent = this.data.signature;
    if (!this.data.summary) byId("sort").querySelector("[value=errors]").remove();
    showLegend(this.data);
    this.#unfold();
    this.#listen();
    this.#readAddress();
    language.listeners.push(() => this.#draw());
    language.start();
    theme.start();
    addEventListener("hashchange", () => {
      if (location.hash !== this.address) {
        this.#readAddress();
        this.#draw();
      }
    });
  }

  /** What there is room for is open; a narrow window has it folded. */
  #unfold() {
    const wide = matchMedia("(min-width: 961px)");
    const unfold = () => {
      for (const part of all(".wide-open")) part.open = wide.matches;
    };
    wide.addEventListener("change", unfold);
    unfold();
  }

  #listen() {
    const { state } = this;
    let waiting;
    byId("query").addEventListener("input", () => {
      clearTimeout(waiting);
      // A long corpus is not searched at each key.
      if (this.filters.size > 5000) waiting = setTimeout(() => this.#searchFor(), 200);
      else this.#searchFor();
    });
    byId("pattern").addEventListener("change", () => this.#searchFor());
    byId("field").addEventListener("change", () => this.#searchFor());
    byId("sort").addEventListener("change", () => {
      state.sort = byId("sort").value;
      this.refresh();
    });
    byId("query").addEventListener("blur", () => {
      this.isTyped = false;
    });
    byId("clear").addEventListener("click", () => {
      this.#clear();
      byId("query").focus();
    });
    const goToList = () => this.list.scrollTo(0)?.focus({ preventScroll: true });
    byId("skip").addEventListener("click", goToList);
    byId("to-list").addEventListener("click", () => {
      byId("filter-panel").open = false;
      goToList();
    });
    byId("copy").addEventListener("click", () => this.#copy(this.#toCopy()));
    byId("export").addEventListener("click", () => saveFile(this.review.export(), "review.csv"));
    byId("help-button").addEventListener("click", () => byId("help").showModal());
    listenToKeys((event) => this.#press(event));
    copyWords();
    addEventListener("beforeprint", () => this.#print());
    addEventListener("afterprint", () => byId("printed").replaceChildren());
  }

  /** Everything, in the language of now. */
  #draw() {
    byId("dashboard").replaceChildren(...drawDashboard(this.data, this.filters, this.actions));
    byId("filters").replaceChildren(...drawFilters(this.data, this.filters, this.actions));
    this.refresh({ keepPlace: true });
    if (this.state.at !== null) this.#goTo(this.state.at);
    this.#sayLost();
    this.#showDecided();
  }

  /** Neither search nor filters. */
  #clear() {
    this.filters.selected.clear();
    byId("query").value = "";
    byId("field").value = "all";
    byId("pattern").checked = false;
    this.#searchFor();
  }

  /** What the address asks for and cannot be shown, with a way out. */
  #sayLost() {
    const { at } = this.state;
    const known = new Set(all("[data-filter]").map(({ dataset }) => dataset.filter));
    const unknown = [...this.filters.selected].filter((key) => !known.has(key));
    const say = (message, action, act) => [make("p", {}, message), button(t(action), act)];
    let said = [];
    if (unknown.length) {
      said = say(t("lost.filter", { keys: unknown.join(", ") }), "lost.drop", () => {
        for (const key of unknown) this.filters.toggle(key);
        this.#draw();
      });
    } else if (at !== null && !this.shown.some((n) => this.data.sentences[n].id === at)) {
      const isThere = this.data.sentences.some(({ id }) => id === at);
      said = say(t(isThere ? "lost.hidden" : "lost.sentence", { id: at }), isThere ? "lost.show" : "lost.drop", () => {
        if (isThere) this.#clear();
        this.state.at = isThere ? at : null;
        this.#draw();
      });
    }
    byId("lost").replaceChildren(...said);
  }

  #searchFor() {
    const { state } = this;
    state.query = byId("query").value.trim();
    state.field = byId("field").value;
    state.pattern = byId("pattern").checked;
    this.refresh();
  }

  #findMatches() {
    const { query, field, pattern } = this.state;
    const searched = JSON.stringify([query, field, pattern]);
    if (searched === this.searched) return true;
    let search = null;
    try {
      if (query) search = new Search(query, field, pattern);
    } catch (error) {
      byId("query").setAttribute("aria-invalid", "true");
      byId("query-error").textContent = `${t("search.bad")} ${error.message}`;
      return false;
    }
    byId("query").removeAttribute("aria-invalid");
    byId("query-error").textContent = "";
    this.search = search;
    this.searched = searched;
    this.filters.matches =
      search && Uint8Array.from(this.data.sentences, (sentence) => search.matches(sentence));
    return true;
  }

  /** Show what search, filters and order ask for now. */
  refresh({ keepPlace = false } = {}) {
    if (!this.#findMatches()) return;
    if (!keepPlace) byId("lost").replaceChildren();
    this.shown = this.#sorted(this.filters.apply());
    this.state.at = keepPlace ? this.state.at : null;
    const place = keepPlace ? this.list.topmost() : 0;
    this.#showCounts();
    this.#writeAddress(!keepPlace);
    this.list.show(this.shown);
    const { length } = this.list.items;
    if (length < this.shown.length) byId("count").textContent += ` ${t("shown.first", { n: length })}`;
    if (place) this.list.scrollTo(place);
    else if (!keepPlace && byId("list").getBoundingClientRect().top < 0) this.list.scrollTo(0);
  }

  #sorted(numbers) {
    const { sort } = this.state;
    const { lengths, errorCounts, contestedCounts, doubts } = this.filters;
    const { compare } = new Intl.Collator("en", { numeric: true });
    const most = (counts) => (a, b) => counts[b] - counts[a];
    const order = {
      differ: (a, b) => Number(this.filters.isInteresting(b)) - Number(this.filters.isInteresting(a)),
      file: () => 0,
      id: (a, b) => compare(this.data.sentences[a].id, this.data.sentences[b].id),
      length: most(lengths),
      errors: most(errorCounts),
      contested: most(contestedCounts),
      doubt: (a, b) => doubts[a] - doubts[b],
    }[sort];
    return numbers.sort((a, b) => order(a, b) || a - b);
  }

  #showCounts() {
    const { filters, shown } = this;
    for (const element of all("[data-count]")) {
      const count = filters.count(element.dataset.count);
      element.textContent = formatted(count);
      element.closest("label").classList.toggle("none", !count);
    }
    for (const element of all("[data-filter]")) {
      const selected = filters.selected.has(element.dataset.filter);
      if (element.type === "checkbox") element.checked = selected;
      else element.setAttribute("aria-pressed", String(selected));
    }
    byId("count").textContent = t("shown", { n: shown.length, all: filters.size });
    const isScored = this.data.summary && shown.some((n) => !this.data.sentences[n].without_gold);
    const scores = this.data.labels.map((_, k) => drawFigure(this.data, k, decimals(filters.f(k, shown))));
    byId("shown-scores").replaceChildren(...(isScored ? [t("shown.scores", { name: nameF(this.data) }), ...scores] : []));
    const { query, field, pattern } = this.state;
    byId("clear").disabled = !filters.selected.size && !query && !pattern && field === "all";
    byId("nothing").hidden = shown.length > 0;
    const sought = { query, field: t(`field.${field}`) };
    byId("nothing").textContent = query ? t("nothing.sought", sought) : t("nothing");
    const active = filters.selected.size;
    byId("filter-count").textContent = active ? ` (${active})` : "";
  }

  // The address holds what differs from the start: after # a query string. Each search, filter and order
  // is an entry of the browser's history, a search that is being typed one.

  #writeAddress(isStep = false) {
    const { query, field, pattern, sort, at } = this.state;
    const parts = new URLSearchParams();
    if (query) parts.set("q", query);
    if (field !== "all") parts.set("in", field);
    if (pattern) parts.set("re", "1");
    for (const key of this.filters.selected) parts.append("f", key);
    if (sort !== "differ") parts.set("sort", sort);
    if (at !== null) parts.set("at", at);
    const text = parts.toString();
    this.address = text ? `#${text}` : "";
    if (this.address === location.hash) return;
    const isTyping = document.activeElement === byId("query");
    const way = isStep && !(isTyping && this.isTyped) ? "pushState" : "replaceState";
    this.isTyped = isStep && isTyping;
    history[way](null, "", this.address || location.pathname + location.search);
  }

  #readAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    // What is not among the choices is the first of them.
    const chosen = (id, value) => {
      byId(id).value = value;
      byId(id).value ||= byId(id).options[0].value;
      return byId(id).value;
    };
    Object.assign(this.state, {
      query: parts.get("q") ?? "",
      field: chosen("field", parts.get("in")),
      pattern: parts.get("re") === "1",
      sort: chosen("sort", parts.get("sort")),
      at: parts.get("at"),
    });
    this.filters.selected = new Set(parts.getAll("f"));
    byId("query").value = this.state.query;
    byId("pattern").checked = this.state.pattern;
  }

  get #cell() {
    return innerWidth < 640 ? { full: 22, half: 13 } : { full: 26, half: 15 };
  }

  get #rowWidth() {
    const style = getComputedStyle(byId("list"));
    return byId("list").clientWidth - parseFloat(style.getPropertyValue("--label-width")) - 34;
  }

  #estimate(number) {
    const { targets, evidence } = this.data.sentences[number];
    const length = Math.min(this.filters.lengths[number] * 1.12, LONGEST);
    const lines = Math.ceil((length * this.#cell.full) / Math.max(this.#rowWidth, 200));
    const linked = this.#linkedOf(number) >= 0 && evidence ? 34 : 0;
    const rows = (this.data.systems.length + (targets ? 3 : 2)) * 31;
    return 62 + lines * (rows + linked + 14) + this.filters.errorCounts[number] * 22;
  }

  #linkedOf(number) {
    return this.linked.get(number) ?? -1;
  }

  #drawCard(number, position) {
    const sentence = openSentence(this.data, number);
    return drawCard(this.data, sentence, {
      linked: this.#linkedOf(number),
      chosen: this.targets.get(number),
      search: this.search,
      cell: this.#cell,
      width: this.#rowWidth,
      position,
      size: this.shown.length,
      limit: this.limits.get(number) ?? LONGEST,
      actions: {
        drawRow: (k) => this.review.draw(k, (decision) => this.#decide(k, decision, position)),
        target: (k) => {
          this.targets.set(number, k);
          this.#redraw(position);
        },
        link: (k) => {
          this.linked.set(number, k);
          this.targets.delete(number); // its own target is shown
          this.#redraw(position);
        },
        more: () => {
          this.limits.set(number, 4 * (this.limits.get(number) ?? LONGEST));
          this.#redraw(position);
        },
        copy: () => this.#copy([number]),
        address: () => {
          this.state.at = sentence.id;
          this.#writeAddress();
          copyText(location.href);
          announce(t("card.address.done"));
        },
      },
    });
  }

  /** Draw a card anew; what was in use on it, the same button or the card itself, stays so. */
  #redraw(position) {
    const before = this.list.cards.get(position);
    const used = before?.contains(document.activeElement) ? document.activeElement : null;
    before?.remove();
    this.list.cards.delete(position);
    this.list.update();
    const card = this.list.cards.get(position);
    if (card && used) (findLike(used, card) ?? card).focus({ preventScroll: true });
  }

  #decide(k, decision, position) {
    const said = this.review.decide(k, decision);
    if (said) announce(said);
    this.#redraw(position);
    this.#showDecided();
  }

  /** Decide the row in use, or the next that is open, and go on to the one after it. */
  #decideNext(position, decision) {
    /** @type {any} */
    const used = document.activeElement.closest("[data-row]");
    const next = used ? [position, Number(used.dataset.row)] : this.#nextOpen(position);
    if (next) this.#decide(next[1], decision, next[0]);
    const [place, k] = this.#nextOpen(position) ?? [];
    if (place === undefined) announce(t("review.done"));
    else this.list.scrollTo(place)?.querySelector(`[data-row="${k}"] button`)?.focus({ preventScroll: true });
  }

  /** The next row that is open, with its position, or null. */
  #nextOpen(position) {
    for (let place = position; place < this.shown.length; place += 1) {
      const row = this.review.ofSentence[this.shown[place]].find((k) => this.review.isOpen(k));
      if (row !== undefined) return [place, row];
    }
    return null;
  }

  #showDecided() {
    const { decided, rows } = this.review;
    byId("export").hidden = !rows.length;
    byId("export").textContent = t("review.export", { n: decided, all: rows.length });
  }

  #goTo(id) {
    const position = this.shown.findIndex((number) => this.data.sentences[number].id === id);
    if (position >= 0) this.list.scrollTo(position)?.focus({ preventScroll: true });
  }

  // Copying: a line a sentence, its words joined by spaces.

  /** The sentences shown, as they stand in the file unless another order was chosen. */
  #toCopy() {
    return this.state.sort === "differ" ? this.shown.toSorted((a, b) => a - b) : this.shown;
  }

  async #copy(numbers) {
    const { summary, systems } = this.data;
    const words = summary ? [summary.systems[0].tokens ? "gold" : "words"] : [];
    const lines = [["id", "source", "target", ...words, ...systems]];
    for (const number of numbers) {
      const { id, source, gold, words, systems: rows, targets } = openSentence(this.data, number);
      const target = targets[0];
      const shownTarget = target?.words ? target.text.words(target.words) : (target?.text.raw ?? "");
      const known = summary ? [source.words(words ?? gold ?? [])] : [];
      lines.push([id, source.raw, shownTarget, ...known, ...rows.map((each) => each.text.words(each.words))]);
    }
    // A tab or a line break in a field would be read as the end of it.
    const text = lines.map((fields) => fields.map((field) => field.replace(/[\t\r\n]/g, " ")).join("\t"));
    await copyText(`${text.join("\n")}\n`);
    announce(tn("copied", numbers.length));
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (isTyping(event)) {
      if (key === "Escape") event.target.blur();
      return;
    }
    const card = document.activeElement.closest?.(".card");
    const position = card ? Number(card.getAttribute("aria-posinset")) - 1 : null;
    const here = position ?? this.list.topmost();
    const step = { j: 1, k: -1 }[key];
    if (step) {
      const next = position === null ? here : here + step;
      if (next >= 0 && next < this.shown.length) {
        this.list.scrollTo(next)?.focus({ preventScroll: true });
      }
    } else if (key === "/") byId("query").focus();
    else if (key === "l") this.#nextLinks(here);
    else if (key === "c") this.#copy(this.shown.slice(here, here + 1));
    else if ("ax".includes(key) && !event.repeat) this.#decideNext(here, key === "a" ? "accept" : "reject");
    else if (key === "?") byId("help").showModal();
    else return;
    event.preventDefault();
  }

  /** The links of the next system that has some, and after the last one none. */
  #nextLinks(position) {
    const number = this.shown[position];
    const { evidence = [], targets } = this.data.sentences[number] ?? {};
    const offered = evidence.flatMap((each, k) => (hasLinks(each, targets) ? [k] : []));
    const now = offered.indexOf(this.#linkedOf(number));
    this.linked.set(number, offered[now + 1] ?? -1);
    this.#redraw(position);
  }

  /** What is shown, for paper: as much of it as one would print. */
  #print() {
    const printed = this.shown.slice(0, PRINTED);
    const isAll = printed.length === this.shown.length;
    const note = t(isAll ? "printed.all" : "printed", { n: printed.length, all: this.shown.length });
    const blocks = printed.map((number) => drawPrinted(this.data, openSentence(this.data, number)));
    byId("printed").replaceChildren(make("p", { text: note }), ...blocks);
  }
}

new Viewer(readData()).start();
