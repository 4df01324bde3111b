// Selection and hover.

import { itemOf } from "./elements.js";
import { dataOf, distanceTo, routeAround } from "./routing.js";
import { pairKey } from "./spans.js";
import { inWords } from "./translation.js";

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

  // Place the description at the pointer, or at the middle of an edge or below a node that has the focus.
  placeTip(edge, e) {
    this.tipped = edge;
    const box = this.svg.getBoundingClientRect(), [k, tx, ty] = this.zoom, mid = edge.path?.mid ?? [edge.px, edge.py + edge.h / 2];
    const x = e ? e.clientX - box.left : mid[0] * k + tx, y = e ? e.clientY - box.top : mid[1] * k + ty;
    this.tip.style.left = `${Math.max(4, Math.min(x + 12, box.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${Math.max(4, Math.min(y + 14, box.height - this.tip.offsetHeight - 4))}px`;
  },
};
