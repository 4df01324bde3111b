// The panel that explains a pair.

import { html } from "../graph_view/elements.js";
import { clean } from "../graph_view/numbers.js";
import { pairKey } from "../graph_view/spans.js";

export const NOT_EXPLAINED = "This file does not explain this pair: the run is large, and it has no edge here.";
const DASH = "–";

// Return the position of each pair in the packs.
export function pairIndex(pairs) {
  return new Map(pairs.map(([a, b], k) => [pairKey(a, b), k]));
}

function reasonKey(view, step, a, b) {
  return `${view} ${step} ${pairKey(a, b)}`;
}

// Return the texts of the differences by slider, step and pair.
export function reasonIndex(reasons) {
  return new Map(reasons.map(([view, step, a, b, texts]) => [reasonKey(view, step, a, b), texts]));
}

export const Explaining = {
  buildPanel() {
    const options = () => [html("option", { value: "" }, DASH), ...this.page.names.map((name, k) => html("option", { value: k }, clean(name)))];
    [this.first, this.second] = ["Between", "and"].map((label) => {
      const box = html("select", {}, ...options());
      box.addEventListener("change", () => this.choosePair());
      return html("label", {}, `${label} `, box);
    });
    this.boxes = [this.first, this.second].map((label) => label.lastChild);
    this.language = html("select", { "aria-label": "Language of the explanation" },
      ...Object.entries(this.page.languages).map(([value, name]) => html("option", { value }, name)));
    this.language.addEventListener("change", () => this.explain());
    this.claim = html("p", { class: "claim", "aria-live": "polite" });
    this.reasons = html("div", { class: "reasons" });
    this.presence = html("p", { class: "presence" });
    this.difference = html("div", { class: "difference", "aria-live": "polite" });
    this.tests = html("div", { class: "wide", role: "region", "aria-label": "Tests of this pair", tabindex: 0, hidden: "" });
    return html("aside", { class: "why", "aria-label": "Explanation of a pair" },
      html("div", { class: "why-head" }, html("h2", {}, "Explain a pair"), this.language),
      html("div", { class: "pick" }, this.first, this.second), this.claim, this.reasons, this.presence, this.difference, this.tests);
  },

  choosePair() {
    const [a, b] = this.boxes.map((box) => (box.value === "" ? null : +box.value));
    const chosen = a === b ? a : a === null ? b : b === null ? a : [a, b];
    this.selectInGraph(chosen);
    this.showSelected(chosen);
  },

  // Follow the selection of the picture: a pair, a node, or nothing.
  showSelected(selected) {
    const ids = selected == null ? [] : [].concat(selected), before = this.boxes.map((box) => box.value);
    const same = ids.length === 2 && ids.every((id) => before.includes(String(id)));
    if (!same) this.boxes.forEach((box, k) => (box.value = ids[k] ?? ""));
    this.pair = ids.length === 2 ? ids : null;
    return this.explain();
  },

  async explain() {
    const pair = this.pair, language = this.language.value;
    this.matrixSoon();
    this.showPresence();
    if (!pair) return this.write(["Click an edge, or choose any two variables here."], null);
    const [{ pairs, texts }, tests] = await Promise.all([this.open(`texts-${language}`), this.open("tests")]);
    if (pair !== this.pair || language !== this.language.value) return undefined; // the choice has changed
    const at = (this.index ??= pairIndex(pairs)).get(pairKey(...pair));
    this.claim.lang = this.reasons.lang = language;
    return this.write(texts[at] ?? [NOT_EXPLAINED], at == null ? null : { columns: tests.columns, rows: tests.rows[at] });
  },

  write([claim, ...sentences], tests) {
    this.claim.textContent = claim;
    this.claim.classList.toggle("empty", !this.pair);
    this.reasons.replaceChildren(...sentences.map((sentence) => html("p", {}, sentence)));
    this.tests.replaceChildren();
    this.tests.hidden = !tests?.rows.length;
    if (!tests?.rows.length) return;
    const row = (cell, values) => html("tr", {}, ...values.map((value) => html(cell, {}, String(value))));
    this.tests.append(html("table", { "aria-label": "Largest p first" },
      html("thead", {}, row("th", tests.columns)), html("tbody", {}, ...tests.rows.map((values) => row("td", values)))));
  },

  showPresence() {
    this.presence.textContent = this.pair ? this.presenceOf(this.pair) : "";
    this.showDifference();
  },

  // At another value of a parameter, show which run the text explains, and why the edge differs from that of the run.
  async showDifference() {
    const { pair, step, view } = this, { base } = this.page.views[view], language = this.language.value;
    const { what_if: whatIf, ticks, axis_label: axis } = this.graph.steps;
    if (!pair || !whatIf || step === base) return this.difference.replaceChildren();
    const known = reasonIndex(await this.open(`reasons-${language}`));
    if (pair !== this.pair || step !== this.step || view !== this.view || language !== this.language.value) return undefined;
    const [lead, ...chain] = known.get(reasonKey(view, step, ...pair)) ?? [];
    const at = base == null ? "" : ` (${[axis, ticks[base]].filter(Boolean).join(" ")})`;
    const note = html("p", {}, `The text above explains the run itself${at}.`);
    const claim = lead ? [html("p", { class: "claim", lang: language }, lead)] : [];
    return this.difference.replaceChildren(note, ...claim, ...chain.map((sentence) => html("p", { lang: language }, sentence)));
  },
};
