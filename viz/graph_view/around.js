// The surroundings of one variable: its Markov blanket, or so many steps around; the others are put out of sight.

import { blanketOf, linksOf } from "./blanket.js";
import { html } from "./elements.js";
import { clean, number, shorten } from "./numbers.js";

const REACHES = { all: "all variables", blanket: "its Markov blanket", 1: "1 step around", 2: "2 steps around", 3: "3 steps around" };

// The nodes that are shown around `centre` at a step, itself included.
export function surroundings(centre, reach, step, last) {
  if (reach === "blanket") return new Set([centre, ...blanketOf(centre, step, last).roles.keys()]);
  const reached = new Set([centre]);
  let rim = [centre];
  for (let hop = 0; hop < +reach; hop++) {
    rim = rim.flatMap((node) => linksOf(node, step, last).map(({ other }) => other)).filter((node) => !reached.has(node));
    for (const node of rim) reached.add(node);
  }
  return reached;
}

export const Around = {
  buildAround() {
    this.reach = html("select", { class: "reach", "aria-label": "which variables to show", title: "which variables to show" },
      ...Object.entries(REACHES).map(([value, words]) => html("option", { value }, words)));
    this.reach.addEventListener("change", () => this.showAround(this.reach.value));
    return this.reach;
  },

  // Around the variable that is selected, else the one of before, else the one with the most edges.
  showAround(reach) {
    const { selected, around } = this.kept, id = [].concat(selected ?? around?.centre ?? [])[0];
    const centre = this.nodes.get(id) ?? this.hub();
    this.kept.around = reach === "all" || !centre ? null : { centre: centre.id, reach };
    if (this.kept.around) this.select(centre.id);
    this.keepAround();
    this.gather();
    this.settleCrowd();
    this.fit();
    this.announce(this.aroundWords || "all variables are shown");
    this.report();
  },

  hub() {
    const degree = (node) => linksOf(node, this.step, this.last).length;
    return [...this.nodes.values()].reduce((best, node) => (!best || degree(node) > degree(best) ? node : best), null);
  },

  // At each step anew, for blankets change on the way; no node moves, and the view stays where it is.
  keepAround() {
    const around = this.kept.around, centre = around && this.nodes.get(around.centre);
    if (around && !centre) this.kept.around = null;
    const kept = centre ? surroundings(centre, around.reach, this.step, this.last) : null, changed = [];
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
    this.reach.value = kept ? around.reach : "all";
    this.aroundWords = kept ? this.wordsAround(centre, around.reach, kept.size) : "";
    this.remark("around", this.aroundWords);
  },

  wordsAround(centre, reach, size) {
    const name = shorten(clean(centre.name), 40), all = this.nodes.size;
    const what = reach === "blanket" ? `the Markov blanket of ${name}` : `${name} and ${REACHES[reach]}`;
    return `Shown: ${what}, ${number(size)} of ${number(all)} variables; ${number(all - size)} hidden`;
  },
};
