// The graph held against the truth: which edges are right, too many, missing, or point another way.

import { clean, number } from "./numbers.js";

const TOLD = { right: "✓", extra: "−", missing: "+", turned: "↔" }; // signs, as on the edges
export const VERDICTS = ["right", "extra", "missing", "turned"];
const chosen = { truth: false }; // for all pictures of this page

// What an edge is to the truth at a step; "" if it is in neither. Where directions are unknown they are not compared.
export function verdictOf(edge, state, step, blind) {
  const truth = edge.truth ?? "none";
  if (!state.mark || state.away) return truth === "none" ? "" : "missing";
  if (truth === "none") return "extra";
  const held = edge.held?.find(([from, to]) => from <= step && step < to)?.[2] ?? state.mark;
  return blind || (held === "conflict" ? "undirected" : held) === truth ? "right" : "turned";
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
    this.sayTruth();
    this.announce(chosen.truth ? this.truthWords() : "the truth is hidden");
  },

  verdict(edge, state) {
    return this.truthShown() ? verdictOf(edge, state, this.step, isBlind(this.steps, this.step)) : "";
  },

  // Where directions begin, or cease, to be known every edge may look different.
  entersBlind(before, step) {
    return this.truthShown() && before >= 0 && isBlind(this.steps, before) !== isBlind(this.steps, step);
  },

  count(edge, verdict) {
    if (edge.verdict) this.tally[edge.verdict]--;
    if (verdict) this.tally[verdict]++;
    edge.verdict = verdict;
  },

  truthWords() {
    const { right, extra, missing, turned } = this.tally, n = extra + missing + turned;
    const pairs = `${number(n)} ${n === 1 ? "pair differs" : "pairs differ"}`;
    const blind = isBlind(this.steps, this.step);
    const parts = [`${TOLD.right} ${number(right)} right`, `${TOLD.extra} ${number(extra)} too many`,
      `${TOLD.missing} ${number(missing)} missing`];
    if (!blind) parts.push(`${TOLD.turned} ${number(turned)} with another direction`);
    return `Against the truth: ${parts.join(", ")}; ${pairs} ${blind ? "(directions aside)" : "(SHD)"}`;
  },

  sayTruth() {
    this.remark("truth", this.truthShown() ? clean(this.truthWords()) : "");
  },
};
