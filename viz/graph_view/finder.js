// Finding a variable by its name.

import { html } from "./elements.js";
import { clean, number } from "./numbers.js";

const NEAR = 1.1; // least zoom at which a variable that was found is shown
const FROM = 13; // variables from which on there is a box to search

// Those whose names hold the text: the same first, then those that begin with it.
export function matches(names, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const rank = (name) => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3);
  const ranked = names.map((name, k) => [rank(name.toLowerCase()), k]).filter(([r]) => r < 3);
  return ranked.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, k]) => k);
}

export const Finder = {
  buildFinder() {
    const known = html("datalist", { id: "names" });
    this.search = html("input", { type: "search", placeholder: "Find a variable", "aria-label": "find a variable", list: "names" });
    this.search.addEventListener("focus", () => {
      known.replaceChildren(...[...this.nodes.values()].map((node) => html("option", { value: node.name })));
    });
    this.search.addEventListener("input", () => (this.found = -1));
    this.search.addEventListener("keydown", (e) => this.onSearchKey(e));
    this.finder = html("div", { class: "finder", role: "search" }, this.search, known, this.buildAround());
    return this.finder;
  },

  loadFinder() {
    this.finder.hidden = this.graph.nodes.length < FROM;
    this.found = -1;
  },

  // Enter goes on to the next one; a search must not move the slider meanwhile.
  onSearchKey(e) {
    e.stopPropagation();
    if (e.key === "Enter") this.find(this.search.value);
    if (e.key === "Escape") this.svg.focus({ preventScroll: true });
  },

  find(text) {
    const nodes = [...this.nodes.values()], hits = matches(nodes.map((node) => node.name), text);
    if (!hits.length) return this.announce(`no variable is called ${clean(text)}`);
    this.found = (this.found + 1) % hits.length;
    const node = nodes[hits[this.found]];
    if (this.kept.around) this.kept.around.centre = node.id;
    this.select(node.id);
    this.keepAround();
    if (this.kept.around) this.fit();
    else this.flyTo(node);
    if (hits.length === 1) node.el.focus({ preventScroll: true });
    this.announce(`${number(this.found + 1)} of ${number(hits.length)}: ${this.describeSelection()}`);
    this.report();
  },

  flyTo({ px, py }) {
    const k = Math.max(this.zoom[0], NEAR), { clientWidth: width, clientHeight: height } = this.svg;
    this.setZoom([k, width / 2 - k * px, height / 2 - k * py]);
  },
};
