// Compare the graph with the true graph: correct, extra, missing and differently directed edges.

import { clean, number } from "./numbers.js";
import { inWords } from "./translation.js";

const SIGN_OF = { right: "✓", extra: "+", missing: "−", turned: "↔" }; // the signs drawn on edges
export const VERDICTS = ["right", "extra", "missing", "turned"];
const chosen = { truth: false }; // shared by all graphs of the page

// Return the verdict on an edge at a step; "" if neither graph has it. Unknown directions are not compared.
export function verdictOf(edge, state, step, blind) {
  const truth = edge.truth ?? "none";
  if (!state.mark || state.away) return truth === "none" ? "" : "missing";
  if (truth === "none") return "extra";
  const mark = edge.comparable?.find(([from, to]) => from <= step && step < to)?.[2] ?? state.mark;
  return blind || (/^(forward|backward|circle.*|bidirected)$/.test(mark) ? mark : "undirected") === truth ? "right" : "turned";
}

export function isBlind(steps, step) {
  return (steps.blind ?? []).some(([from, to]) => from <= step && step < to);
}

export const Truth = {
  loadTruth() {
    this.tally = { right: 0, extra: 0, missing: 0, turned: 0 };
    this.truthButton.hidden = !this.graph.truth || this.graph.truth === "always";
    this.truthButton.setAttribute("aria-pressed", this.truthShown());
  },

  truthShown() {
    return this.graph.truth === "always" || (!!this.graph.truth && chosen.truth);
  },

  toggleTruth() {
    chosen.truth = !chosen.truth;
    this.truthButton.setAttribute("aria-pressed", chosen.truth);
    for (const edge of this.edges) this.paint(edge);
    this.loadLegend(this.edges);
    this.showTruth();
    this.announce(chosen.truth ? this.truthText() : inWords("comparison hidden"));
  },

  verdict(edge, state) {
    return this.truthShown() ? verdictOf(edge, state, this.step, isBlind(this.steps, this.step)) : "";
  },

  // Return true if directions become known or unknown between two steps; then every edge may change.
  entersBlind(before, step) {
    return this.truthShown() && before >= 0 && isBlind(this.steps, before) !== isBlind(this.steps, step);
  },

  count(edge, verdict) {
    if (edge.verdict) this.tally[edge.verdict]--;
    if (verdict) this.tally[verdict]++;
    edge.verdict = verdict;
  },

  truthText() {
    const { right, extra, missing, turned } = this.tally, n = extra + missing + turned;
    const blind = isBlind(this.steps, this.step);
    const parts = [[SIGN_OF.right, right, "{n} correct"], [SIGN_OF.extra, extra, "{n} extra"], [SIGN_OF.missing, missing, "{n} missing"]];
    if (!blind) parts.push([SIGN_OF.turned, turned, "{n} with a different direction"]);
    const listed = parts.map(([sign, count, words]) => `${sign} ${inWords(words, { n: number(count) })}`).join(", ");
    const distance = inWords(blind ? "{n} wrong pairs (directions ignored)" : "SHD {n}", { n: number(n) });
    return `${inWords("Compared with the true graph: {parts}", { parts: listed })} · ${distance}`;
  },

  showTruth() {
    this.remark("truth", this.truthShown() ? clean(this.truthText()) : "");
  },
};
