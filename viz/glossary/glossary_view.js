// Glossary on every page. It leaves the content of the page unchanged: terms are underlined with CSS highlights,
// explained in a tooltip, and listed with their definitions below the page for keyboard and screen reader users.

import { caretAt, holds, isShown, rangeOf, termsIn, textsBelow } from "./finding.js";
import { element, pictureOf, Tip, lessonLink } from "./tip.js";

const REST_MS = 300, HOVER_MS = 120; // waiting times until the page, and until the pointer, counts as at rest
const ENTRY = "word-"; // prefix of the ids of entries
const NOT_UNDERLINED = "a, button, [role=tab], [role=option]";
const PRESSED = "button, summary, [role=tab], [role=option], [role=radio], label:has(input[type=radio])";
const PARAGRAPH = "p, li, th, td, h1, h2, h3, h4, label, summary";
const TERM_LINK = "a[href*='lessons?lesson=']";
const CONTROL = "input, textarea, [role=slider], [role=combobox], [role=radiogroup]";
const views = new WeakMap(); // parent element -> GlossaryView

export default function ({ data, parentElement }) {
  let view = views.get(parentElement);
  if (!view) views.set(parentElement, (view = new GlossaryView(parentElement)));
  view.update(data);
  return () => view.stop();
}

class GlossaryView {
  constructor(parent) {
    this.spans = new Map(); // text node -> terms in it
    this.described = new Set();
    this.summary = element("summary");
    this.list = element("dl");
    this.root = element("section", { class: "words" }, element("details", {}, this.summary, this.list));
    this.root.hidden = true; // until it contains a term
    parent.append(this.root);
    this.tip = new Tip(parent);
  }

  update(data) {
    if (!this.leaving) this.listen();
    if (data.here !== this.data?.here) this.listed = null;
    this.data = data;
    this.expression = new RegExp(data.pattern, "gu");
    this.listed = null;
    this.wait();
  }

  listen() {
    this.leaving = new AbortController();
    const options = { signal: this.leaving.signal, passive: true };
    document.addEventListener("pointermove", (event) => this.hover(event), options);
    document.addEventListener("click", (event) => this.press(event), { ...options, capture: true }); // capture: some handlers stop clicks
    document.addEventListener("focusin", (event) => this.look(event), options);
    document.addEventListener("focusout", () => this.tip.leave(), options);
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.tip.hide(), options);
    document.addEventListener("scroll", () => this.tip.hide(), { ...options, capture: true });
    this.changes = new MutationObserver((all) => all.every(({ target }) => this.isOwn(target)) || this.wait());
    this.changes.observe(document.body, { childList: true, characterData: true, subtree: true });
  }

  stop() {
    clearTimeout(this.resting);
    clearTimeout(this.hovering);
    this.leaving?.abort();
    this.leaving = null;
    this.changes?.disconnect();
    this.tip.hide();
    CSS.highlights?.delete("term");
  }

  isOwn(node) {
    return this.root.contains(node) || this.tip.box.contains(node);
  }

  wait() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.scan(), REST_MS);
  }

  scan() {
    this.spans.clear();
    for (const text of textsBelow(document.body)) {
      const found = termsIn(text.data, this.expression, this.data.forms);
      if (found.length && isShown(text)) this.spans.set(text, found);
    }
    this.roots = [...new Set([...this.spans.keys()].map((text) => text.getRootNode()))].filter((one) => one !== document);
    this.showList();
    this.describe();
    this.underline();
    this.root.dataset.ready = "1";
  }

  // List each term on screen with its definition, in the order of the glossary.
  showList() {
    const seen = new Set([...this.spans.values()].flat().map(({ term }) => term));
    const names = Object.keys(this.data.terms).filter((term) => seen.has(term));
    const listed = names.join("\n");
    if (listed === this.listed) return;
    this.listed = listed;
    this.summary.textContent = this.data.say["glossary"].replace("{n}", names.length);
    this.root.hidden = !names.length;
    this.list.replaceChildren(...names.map((name) => this.entry(name)));
  }

  entry(name) {
    const term = this.data.terms[name];
    const definition = element("p", { id: idOf(name) }, term.definition);
    const meaning = element("dd", {}, definition, ...pictureOf(term), ...lessonLink(term, this.data.say));
    return element("div", {}, element("dt", {}, name), meaning);
  }

  // Attach definitions to paragraphs and labelled controls, so that screen readers announce them.
  describe() {
    for (const one of this.described) one.removeAttribute("aria-describedby");
    this.described.clear();
    for (const [text, found] of this.spans) {
      if (text.getRootNode() !== document) continue; // descriptions do not reach into shadow roots
      const near = text.parentElement.closest(TERM_LINK) ?? text.parentElement.closest(PARAGRAPH);
      const label = near?.closest("[data-testid=stWidgetLabel]");
      const control = label?.closest("[data-testid=stElementContainer]")?.querySelector(CONTROL);
      for (const one of [near, control]) this.addWords(one, found);
    }
  }

  addWords(one, found) {
    const before = one?.getAttribute("aria-describedby");
    if (!one || (before != null && !this.described.has(one))) return; // keep existing descriptions
    const ids = new Set([...(before ?? "").split(" "), ...found.map(({ term }) => idOf(term))]);
    one.setAttribute("aria-describedby", [...ids].join(" ").trim());
    this.described.add(one);
  }

  // Underline the first mention of a term in each paragraph, except in links and buttons.
  underline() {
    const ranges = [], seen = new Set();
    for (const [text, found] of this.spans) {
      const parent = text.parentElement;
      if (text.getRootNode() !== document || parent.closest(NOT_UNDERLINED) || parent.closest("canvas")) continue;
      for (const one of found) {
        const paragraph = parent.closest(PARAGRAPH) ?? parent, mark = `${this.numberOf(paragraph)} ${one.term}`;
        if (!seen.has(mark)) ranges.push(rangeOf(text, one));
        seen.add(mark);
      }
    }
    if (CSS.highlights) CSS.highlights.set("term", new Highlight(...ranges));
  }

  numberOf(paragraph) {
    this.numbers ??= new WeakMap();
    if (!this.numbers.has(paragraph)) this.numbers.set(paragraph, (this.count = (this.count ?? 0) + 1));
    return this.numbers.get(paragraph);
  }

  hover(event) {
    clearTimeout(this.hovering);
    if (this.tip.box.contains(event.target)) return;
    this.hovering = setTimeout(() => this.look(event), HOVER_MS);
  }

  // Show no tooltip over a pressed button until the pointer has left it.
  press(event) {
    this.pressed = event.target.closest?.(PRESSED)?.getBoundingClientRect();
    if (!this.pressed) return this.look(event);
    clearTimeout(this.hovering);
    this.tip.hide();
  }

  // Show the tooltip of the term under the pointer, touched, or focused.
  look({ clientX: x, clientY: y, target }) {
    if (this.isOwn(target)) return;
    if (x != null && this.pressed && holds(this.pressed, x, y)) return;
    if (x != null) this.pressed = null;
    const at = x == null ? this.inLink(target) : this.under(x, y);
    if (!at) return this.tip.leave();
    this.silence(target);
    this.tip.show(at.term, this.data.terms[at.term], this.data.say, at.box);
  }

  under(x, y) {
    const caret = caretAt(x, y, this.roots ?? []);
    for (const one of this.spans.get(caret?.node) ?? []) {
      const box = [...rangeOf(caret.node, one).getClientRects()].find((rect) => holds(rect, x, y));
      if (box) return { term: one.term, box };
    }
    return null;
  }

  inLink(target) {
    const link = target.closest?.(TERM_LINK);
    const [, found] = [...this.spans].find(([text]) => link?.contains(text)) ?? [];
    return found && { term: found[0].term, box: link.getBoundingClientRect() };
  }

  // Remove the title, because the browser's own tooltip would repeat the definition.
  silence(target) {
    target.closest?.(TERM_LINK)?.removeAttribute("title");
  }
}

function idOf(term) {
  return ENTRY + term.replace(/[^\p{L}\p{N}]+/gu, "-");
}
