// What if: the steps are values of a parameter, and what is drawn is held against one of them.

import { button, html } from "./elements.js";
import { clean, number } from "./numbers.js";

export const SINCE = {
  came: ["+", "more than at the value held"], went: ["−", "fewer than at the value held"],
  veered: ["↔", "direction differs from the value held"], pending: ["", "at the value held; this value is not there yet"],
};

export function markAt(edge, step) {
  return edge.spans.find(([from, to]) => from <= step && step < to)?.[2] ?? "";
}

// An edge at a step, held against another one; an edge that went is drawn as it was.
export function besides(edge, step, base, missing = false) {
  const mark = markAt(edge, step), held = markAt(edge, base);
  if (missing) return { mark: held, away: true, since: held && "pending" };
  if (mark) return { mark, since: mark === held ? "" : held ? "veered" : "came" };
  return { mark: held, away: true, since: held && "went" };
}

export function sinceInWords({ came, went, veered }) {
  const parts = [[came, "more"], [went, "fewer"], [veered, "turned"]].filter(([n]) => n);
  if (!parts.length) return "nothing changed";
  return parts.map(([n, word], k) => `${number(n)} ${k ? "" : n === 1 ? "edge " : "edges "}${word}`).join(", ");
}

export function isMissing({ missing = [] }, step) {
  return missing.some(([from, to]) => from <= step && step < to);
}

export const WhatIf = {
  buildWhatIf() {
    this.bands = html("div", { class: "bands", "aria-hidden": "true" });
    this.holdButton = button("Hold this value", "Hold this value: other values are then held against it", () => this.hold(), "pin");
    this.jumps = html("span", { class: "jumps" });
    return [this.holdButton, this.jumps];
  },

  // Before the edges are loaded.
  loadWhatIf() {
    const whatIf = this.steps.what_if;
    this.since = { came: 0, went: 0, veered: 0, pending: 0 };
    this.base = whatIf && Math.max(0, Math.min(this.last, this.kept.base ?? whatIf.base));
    this.holdButton.hidden = this.bands.hidden = this.jumps.hidden = !whatIf;
    this.loadMap();
    if (!whatIf) return;
    const width = (from, to) => `left:${(100 * (from - 0.5)) / Math.max(1, this.last)}%;width:${(100 * (to - from)) / Math.max(1, this.last)}%`;
    this.bands.replaceChildren(
      ...whatIf.bands.map(([from, to], k) => html("span", { class: k % 2 ? "band odd" : "band", style: width(from, to) })),
      ...whatIf.missing.map(([from, to]) => html("span", { class: "band missing", style: width(from, to) })));
    this.jumps.replaceChildren(...whatIf.jumps.map(({ label, step, help }) => button(label, `${label}: ${help}`, () => this.jump(step))));
  },

  besidesBase(edge) {
    return besides(edge, this.step, this.base, isMissing(this.steps.what_if, this.step));
  },

  // Where values that are not there begin, or end, every edge may look different.
  entersMissing(before, step) {
    const whatIf = this.steps.what_if;
    return whatIf && before >= 0 && isMissing(whatIf, before) !== isMissing(whatIf, step);
  },

  countSince(edge, since) {
    if (edge.since) this.since[edge.since]--;
    if (since) this.since[since]++;
    edge.since = since;
  },

  hold() {
    this.base = this.kept.base = this.step;
    for (const edge of this.edges) this.paint(edge);
    this.settleCrowd();
    this.drawCurve();
    this.say();
    this.announce(`other values are held against ${this.steps.ticks[this.base]}`);
    this.report();
  },

  sinceWords() {
    const whatIf = this.steps.what_if;
    if (!whatIf) return "";
    if (isMissing(whatIf, this.step)) return "not there yet";
    if (this.step === this.base) return "the value held";
    return `from ${clean(this.steps.ticks[this.base])}: ${sinceInWords(this.since)}`;
  },
};
