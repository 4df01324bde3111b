// Find a variable by name.

import { html } from "./elements.js";
import { clean, number } from "./numbers.js";
import { inWords } from "./translation.js";

const NEAR = 1.1; // minimum zoom at which a found variable is shown
const FROM = 13; // number of variables from which the search box is shown

// Return the indices of matching names: exact matches first, then prefixes, then other matches.
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
    this.search = html("input", { type: "search", placeholder: inWords("Find a variable"), "aria-label": inWords("Find a variable"), list: "names" });
    this.search.addEventListener("focus", () => {
      known.replaceChildren(...[...this.nodes.values()].map((node) => html("option", { value: node.name })));
    });
    this.search.addEventListener("input", () => (this.found = -1));
    this.search.addEventListener("keydown", (e) => this.onSearchKey(e));
    this.finder = html("div", { class: "finder", role: "search" }, this.search, known, this.buildNeighbourhood());
    return this.finder;
  },

  loadFinder() {
    this.finder.hidden = this.graph.nodes.length < FROM;
    this.found = -1;
  },

  // Enter shows the next match. Keys must not reach the slider.
  onSearchKey(e) {
    e.stopPropagation();
    if (e.key === "Enter") this.find(this.search.value);
    if (e.key === "Escape") this.svg.focus({ preventScroll: true });
  },

  find(text) {
    const nodes = [...this.nodes.values()], hits = matches(nodes.map((node) => node.name), text);
    if (!hits.length) return this.announce(inWords("no variable matches {text}", { text: clean(text) }));
    this.found = (this.found + 1) % hits.length;
    const node = nodes[hits[this.found]];
    if (this.kept.neighbourhood) this.kept.neighbourhood.centre = node.id;
    this.select(node.id);
    this.updateNeighbourhood();
    if (this.kept.neighbourhood) this.fit();
    else this.flyTo(node);
    if (hits.length === 1) node.el.focus({ preventScroll: true });
    this.announce(inWords("{k} of {n}: {found}", { k: number(this.found + 1), n: number(hits.length), found: this.describeSelection() }));
    this.report();
  },

  flyTo({ px, py }) {
    const k = Math.max(this.zoom[0], NEAR), { clientWidth: width, clientHeight: height } = this.svg;
    this.setZoom([k, width / 2 - k * px, height / 2 - k * py]);
  },
};
