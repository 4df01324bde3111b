// What if: the steps are values of a parameter, each compared with a reference value.

import { button, html } from "./elements.js";
import { clean, number } from "./numbers.js";
import { inWords } from "./translation.js";

export const DIFFERENCES = {
  added: ["+", "added: absent at the reference value"], removed: ["−", "removed: present at the reference value"],
  reversed: ["↔", "direction differs from the reference value"], pending: ["", "present at the reference value; this value is not computed yet"],
};

export function markAt(edge, step) {
  return edge.spans.find(([from, to]) => from <= step && step < to)?.[2] ?? "";
}

const CHANGE_WORDS = { added: "added", removed: "removed", reversed: "reversed", directed: "newly directed", opened: "no longer directed" };

// Return the state of an edge at a step compared with a reference step; a removed edge keeps its old mark. A different
// direction is counted by its kind: a line that became an arrow has not been reversed. Edges of a variable that either
// table lacks are no difference.
export function compareSteps(edge, step, base, missing = false, { left_out: leftOut = [] } = {}) {
  const mark = markAt(edge, step), reference = markAt(edge, base);
  if (leftOut.length && [step, base].some((k) => [edge.a, edge.b].includes(leftOut[k]))) return mark ? { mark, change: "" } : { mark, away: true, change: "" };
  if (missing) return { mark: reference, away: true, change: reference && "pending" };
  if (mark && reference && mark !== reference) {
    return { mark, change: "reversed", kind: reference === "undirected" ? "directed" : mark === "undirected" ? "opened" : "reversed" };
  }
  if (mark) return { mark, change: reference ? "" : "added" };
  return { mark: reference, away: true, change: reference && "removed" };
}

export function describeChanges(numbers) {
  const parts = Object.entries(CHANGE_WORDS).map(([kind, word]) => [numbers[kind] ?? 0, word]).filter(([n]) => n);
  if (!parts.length) return inWords("no change");
  const counted = (n) => inWords(n === 1 ? "{n} edge" : "{n} edges", { n: number(n) });
  return parts.map(([n, word], k) => `${k ? number(n) : counted(n)} ${inWords(word)}`).join(", ");
}

export function isMissing({ missing = [] }, step) {
  return missing.some(([from, to]) => from <= step && step < to);
}

export const WhatIf = {
  buildWhatIf() {
    this.bands = html("div", { class: "bands", "aria-hidden": "true" });
    this.referenceButton = button("Use as reference", "Use as reference: compare the other values with this one", () => this.setReference(), "pin");
    this.jumps = html("span", { class: "jumps" });
    return [this.referenceButton, this.jumps];
  },

  // Load the parameter values, before the edges are loaded.
  loadWhatIf() {
    const whatIf = this.steps.what_if;
    this.changes = { ...Object.fromEntries(Object.keys(CHANGE_WORDS).map((kind) => [kind, 0])), pending: 0 };
    this.base = whatIf && Math.max(0, Math.min(this.last, this.kept.base ?? whatIf.base));
    this.referenceButton.hidden = this.bands.hidden = this.jumps.hidden = !whatIf;
    this.loadMap();
    if (!whatIf) return;
    const width = (from, to) => `left:${(100 * (from - 0.5)) / Math.max(1, this.last)}%;width:${(100 * (to - from)) / Math.max(1, this.last)}%`;
    this.bands.replaceChildren(
      ...whatIf.bands.map(([from, to], k) => html("span", { class: k % 2 ? "band odd" : "band", style: width(from, to) })),
      ...whatIf.missing.map(([from, to]) => html("span", { class: "band missing", style: width(from, to) })));
    this.jumps.replaceChildren(...whatIf.jumps.map(({ label, step, help }) => button(label, `${label}: ${help}`, () => this.jump(step))));
  },

  compareWithBase(edge) {
    return compareSteps(edge, this.step, this.base, isMissing(this.steps.what_if, this.step), this.steps.what_if);
  },

  // Return true if a step range without results begins or ends between two steps, or another variable is left out; then
  // every edge may change.
  entersMissing(before, step) {
    const whatIf = this.steps.what_if;
    return whatIf && before >= 0 && (isMissing(whatIf, before) !== isMissing(whatIf, step) || whatIf.left_out?.length > 0);
  },

  countChange(edge, change) {
    if (edge.change) this.changes[edge.change]--;
    if (change) this.changes[change]++;
    edge.change = change;
  },

  setReference() {
    this.base = this.kept.base = this.step;
    for (const edge of this.edges) this.paint(edge);
    this.settleEdgeCanvas();
    this.drawCurve();
    this.say();
    this.announce(inWords("reference: {value}", { value: this.steps.ticks[this.base] }));
    this.report();
  },

  changeText() {
    const whatIf = this.steps.what_if;
    if (!whatIf) return "";
    if (isMissing(whatIf, this.step)) return inWords("not computed yet");
    if (this.step === this.base) return inWords("reference");
    const texts = { value: clean(this.steps.ticks[this.base]), changes: describeChanges(this.changes) };
    return inWords(whatIf.left_out?.length ? "compared with {value}, without edges of left-out columns: {changes}" : "compared with {value}: {changes}", texts);
  },
};
