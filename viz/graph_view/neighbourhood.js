// Show only the neighbourhood of one variable: its Markov blanket, or the nodes within a number of steps.

import { blanketOf, linksOf } from "./blanket.js";
import { html } from "./elements.js";
import { clean, number, shorten } from "./numbers.js";
import { inWords } from "./translation.js";

const RANGES = { all: "All variables", blanket: "Markov blanket", 1: "Within 1 step", 2: "Within 2 steps", 3: "Within 3 steps" };

// Return the nodes within `range` of `centre` at a step, including `centre`.
export function neighbourhoodOf(centre, range, step, last) {
  if (range === "blanket") return new Set([centre, ...blanketOf(centre, step, last).roles.keys()]);
  const reached = new Set([centre]);
  let rim = [centre];
  for (let hop = 0; hop < +range; hop++) {
    rim = rim.flatMap((node) => linksOf(node, step, last).map(({ other }) => other)).filter((node) => !reached.has(node));
    for (const node of rim) reached.add(node);
  }
  return reached;
}

export const Neighbourhood = {
  buildNeighbourhood() {
    this.rangePicker = html("select", { class: "range", "aria-label": inWords("Variables shown"), title: inWords("Variables shown") },
      ...Object.entries(RANGES).map(([value, words]) => html("option", { value }, inWords(words))));
    this.rangePicker.addEventListener("change", () => this.showNeighbourhood(this.rangePicker.value));
    return this.rangePicker;
  },

  // Use the selected variable as centre, else the previous centre, else the variable with the most edges.
  showNeighbourhood(range) {
    const { selected, neighbourhood } = this.kept, id = [].concat(selected ?? neighbourhood?.centre ?? [])[0];
    const centre = this.nodes.get(id) ?? this.hub();
    this.kept.neighbourhood = range === "all" || !centre ? null : { centre: centre.id, range };
    if (this.kept.neighbourhood) this.select(centre.id);
    this.updateNeighbourhood();
    this.chooseRenderer();
    this.settleEdgeCanvas();
    this.fit();
    this.announce(this.neighbourhoodText || inWords("all variables shown"));
    this.report();
  },

  hub() {
    const degree = (node) => linksOf(node, this.step, this.last).length;
    return [...this.nodes.values()].reduce((best, node) => (!best || degree(node) > degree(best) ? node : best), null);
  },

  // Recompute the neighbourhood at each step, because blankets change. Nodes and view stay in place.
  updateNeighbourhood() {
    const shown = this.kept.neighbourhood, centre = shown && this.nodes.get(shown.centre);
    if (shown && !centre) this.kept.neighbourhood = null;
    const kept = centre ? neighbourhoodOf(centre, shown.range, this.step, this.last) : null, changed = [];
    for (const node of this.nodes.values()) {
      const away = !!kept && !kept.has(node);
      if (away === !!node.away) continue;
      node.away = away;
      node.el.classList.toggle("elsewhere", away);
      changed.push(...node.edges);
    }
    for (const edge of new Set(changed)) this.paint(edge);
    if (changed.length) this.labelSoon();
    if (changed.length) this.drawClusters();
    this.rangePicker.value = kept ? shown.range : "all";
    this.neighbourhoodText = kept ? this.describeNeighbourhood(centre, shown.range, kept.size) : "";
    this.remark("neighbourhood", this.neighbourhoodText);
  },

  describeNeighbourhood(centre, range, size) {
    const name = shorten(clean(centre.name), 40), all = this.nodes.size;
    const what = { blanket: "the Markov blanket of {name}", 1: "variables within {k} step of {name}" }[range] ?? "variables within {k} steps of {name}";
    return inWords("Shown: {what}, {n} of {all} variables; {hidden} hidden",
      { what: inWords(what, { name, k: range }), n: number(size), all: number(all), hidden: number(all - size) });
  },
};
