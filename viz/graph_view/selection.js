// Selection and hover.

import { itemOf } from "./elements.js";
import { clearestSpot } from "./geometry.js";
import { dataOf, distanceTo, pointAt, routeAround } from "./routing.js";
import { pairKey } from "./spans.js";
import { inWords } from "./translation.js";

const BOX_POINTS = [[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]]; // centre and corners, in half widths and half heights
const NAME_WEIGHT = 10; // weight of a point of a name, relative to one of an edge

export const Selection = {
  activate(item, shift = false) {
    if (this.graph.asks) return this.reportClick(item);
    const last = this.kept.selected;
    let chosen = null;
    if (item?.edge) chosen = [item.edge.a, item.edge.b];
    else if (item?.node) {
      const id = item.node.id, first = Array.isArray(last) ? (shift ? last[0] : null) : last;
      // A second node makes a pair; the same node again clears the selection.
      if (first == null) chosen = id;
      else if (first !== id) chosen = [first, id];
    }
    this.select(chosen);
    this.announce(chosen == null ? inWords("selection cleared") : this.selectedText());
    this.report();
  },

  // In question mode nothing stays selected, and every click is sent, even a repeated one.
  reportClick(item) {
    const nodes = item?.edge ? [item.edge.na, item.edge.nb] : item?.node ? [item.node] : [];
    if (!nodes.length) return;
    this.announce(inWords("asked: {names}", { names: nodes.map((node) => node.name).join(inWords(" and ")) }));
    this.stroke("click", nodes.map((node) => node.id));
  },

  select(wanted) {
    const ids = wanted == null ? [] : [].concat(wanted);
    const known = ids.length > 0 && ids.every((id) => this.nodes.has(id));
    this.kept.selected = known ? wanted : null;
    for (const node of this.nodes.values()) node.el.classList.toggle("selected", known && ids.includes(node.id));
    const before = this.chosen;
    this.chosen = known && ids.length === 2 ? this.pairs.get(pairKey(...ids)) : null;
    for (const edge of new Set([before, this.chosen])) if (edge && this.edges.includes(edge)) this.paint(edge);
    this.showBlanket();
    this.labelSoon();
    this.drawPair();
    this.fitPens();
  },

  describeSelection() {
    const ids = [].concat(this.kept.selected), [a, b] = ids.map((id) => this.nodes.get(id).name);
    return ids.length === 1 ? [a, this.blanketText].filter(Boolean).join(". ") : this.chosen ? this.describe(this.chosen) : inWords("{a} and {b}, not adjacent", { a, b });
  },

  selectedText() {
    return inWords("selected: {what}", { what: this.describeSelection() });
  },

  // Draw a dotted line for a selected pair that has no edge at this step.
  drawPair() {
    const ids = this.kept.selected;
    const absent = Array.isArray(ids) && !this.chosen?.here;
    if (!absent) return this.pair.removeAttribute("d");
    const [na, nb] = ids.map((id) => this.nodes.get(id)), path = routeAround(na, nb, this.nodes.values());
    this.pair.setAttribute("d", dataOf(path, path.from, path.to));
  },

  // Return the item under the pointer. Where hit areas of edges overlap, the nearest line wins.
  under(e) {
    const item = itemOf(e.target), box = this.svg.getBoundingClientRect(), [k, tx, ty] = this.zoom;
    const x = (e.clientX - box.left - tx) / k, y = (e.clientY - box.top - ty) / k;
    if (!item && this.usesCanvas) return this.nearestOnCanvas(x, y);
    if (!item?.edge) return item;
    const hits = this.root.getRootNode().elementsFromPoint(e.clientX, e.clientY).map((hit) => itemOf(hit)?.edge);
    let best = item.edge, least = Infinity;
    for (const edge of new Set(hits.filter(Boolean))) {
      const distance = distanceTo(edge.path, x, y);
      if (distance < least) [best, least] = [edge, distance];
    }
    return { edge: best };
  },

  point(item, e) {
    this.hovered?.el.classList.remove("hover");
    this.hovered = e && item?.edge;
    if (this.hovered) this.show(this.hovered);
    this.hovered?.el.classList.add("hover");
    // The pointer shows the whole name of a variable as its title; the focus needs the tip.
    const named = !e && item?.node && item.node.text !== item.node.name;
    this.tip.hidden = !(item?.edge || named) || !!this.press;
    if (this.tip.hidden) return;
    this.tip.textContent = named ? item.node.said : this.describe(item.edge);
    this.placeTip(item.edge ?? item.node, e);
  },

  // Place the description at the pointer. Of an edge or node that has the focus, place it near by or in a corner, where it
  // covers the fewest nodes and edges.
  placeTip(item, e) {
    this.tipped = item;
    const box = this.svg.getBoundingClientRect(), [w, h] = [this.tip.offsetWidth, this.tip.offsetHeight];
    const [right, bottom] = [box.width - w - 4, box.height - h - 4], top = this.freeArea().top;
    const [x, y] = e ? [e.clientX - box.left, e.clientY - box.top] : this.onScreen(item.path?.mid ?? [item.px, item.py + item.h / 2]);
    const at = (left, high, least = 4) => [Math.max(4, Math.min(left, right)), Math.max(least, Math.min(high, bottom))];
    const near = at(x + 12, y + 14);
    const others = [at(x - w - 12, y + 14), at(x + 12, y - h - 14, top), at(x - w - 12, y - h - 14, top), at(4, bottom), at(right, bottom)];
    const [left, high] = e ? near : clearestSpot([near, ...others], [w, h], this.drawnPoints());
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${high}px`;
  },

  onScreen([x, y]) {
    const [k, tx, ty] = this.zoom;
    return [x * k + tx, y * k + ty];
  },

  // Return points of the nodes and edges in the picture, in screen pixels, with the weights of what they belong to.
  drawnPoints() {
    const nodes = [...this.nodes.values()].filter((node) => !node.away), shares = [0.25, 0.5, 0.75];
    const corners = nodes.flatMap(({ px, py, w, h }) => BOX_POINTS.map(([x, y]) => [[px + (x * w) / 2, py + (y * h) / 2], NAME_WEIGHT]));
    const shown = this.edges.filter(({ path, el }) => path && !el?.classList.contains("away"));
    const lines = shown.flatMap(({ path }) => shares.map((share) => [pointAt(path.points, share), 1]));
    return [...corners, ...lines].map(([point, weight]) => [...this.onScreen(point), weight]);
  },
};
