// Draw a network with pointer, buttons and keys. Each stroke is sent to Python, which returns a new graph; strokes
// that Python has not acknowledged are sent again.

import { button, html, itemOf, svg } from "./elements.js";
import { border, round, xy } from "./geometry.js";
import { inWords } from "./translation.js";

const DOT = 5, FINGER = 15; // pixels: radius of the dot that starts an edge, and of its touch target
const DONE = { node: "node added", edge: "edge drawn", turn: "edge reversed", delete: "deleted" };
const PENS = { n: "node", e: "edge", t: "turn", F2: "rename", Delete: "delete", Backspace: "delete" };

// Return true if a pen applies to the selection; `joined` is true if the selected nodes are adjacent.
export function penFits(pen, selected, joined) {
  const n = selected == null ? 0 : [].concat(selected).length;
  return { node: true, edge: n === 2 && !joined, turn: n === 2 && joined, rename: n === 1, delete: n === 1 || joined }[pen];
}

export const Drawing = {
  buildPens() {
    const pen = (text, what, words) => {
      const b = button(text, words, () => this.usePen(what));
      b.dataset.pen = what;
      return b;
    };
    this.pens = html("div", { class: "pens", role: "toolbar", "aria-label": inWords("Drawing tools"), hidden: "" },
      pen("Node", "node", "Add a node (key N, or double-click an empty spot)"),
      pen("Edge", "edge", "Draw an edge from the first to the second selected node (key E, or drag from a node's blue handle)"),
      pen("Reverse", "turn", "Reverse the selected edge (key T)"),
      pen("Rename", "rename", "Rename the selected node (key F2, or double-click it)"),
      pen("Delete", "delete", "Delete the selection (key Delete)"));
    this.rubber = svg("path", { class: "rubber" });
    return this.pens;
  },

  loadPens() {
    this.pens.hidden = !this.graph.draws;
    this.view.append(this.rubber);
    this.svg.ondblclick = this.graph.draws ? (e) => this.onTwice(e) : null;
  },

  fitPens() {
    for (const b of this.pens.children) b.disabled = !penFits(b.dataset.pen, this.kept.selected, !!this.chosen);
  },

  // Return the dot of a node from which edges are dragged.
  dotOf(node) {
    const at = { cx: round(node.w / 2), cy: 0 };
    return svg("g", { class: "pull" }, svg("circle", { ...at, r: FINGER, class: "reach" }), svg("circle", { ...at, r: DOT, class: "dot" }));
  },

  stroke(what, nodes, more = {}) {
    const before = this.kept.strokes ?? [], id = Math.max(Date.now(), (this.kept.lastStroke ?? 0) + 1);
    this.kept.lastStroke = id;
    this.kept.strokes = [...before, { id, what, nodes, ...more }];
    this.report();
  },

  // Drop the strokes that Python has acknowledged, up to this number.
  acknowledgeStrokes(heard = 0) {
    this.kept.strokes = (this.kept.strokes ?? []).filter((stroke) => stroke.id > heard);
  },

  usePen(what) {
    const { selected } = this.kept;
    if (!penFits(what, selected, !!this.chosen)) return;
    const nodes = what === "node" ? [] : [].concat(selected);
    if (what === "rename") return this.renameNode(this.nodes.get(nodes[0]));
    this.announce(inWords(DONE[what]));
    this.stroke(what, nodes);
  },

  // Keys act on the focused item, otherwise on the selection.
  onPenKey(e) {
    const what = PENS[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!this.graph.draws || !what || e.ctrlKey || e.metaKey || e.altKey) return false;
    const { node, edge } = itemOf(e.composedPath()[0]) ?? {}, selected = [].concat(this.kept.selected ?? []);
    const named = node?.id ?? selected.at(-1); // of two selected nodes the one that was clicked last
    if (edge) this.select([edge.a, edge.b]);
    else if (what === "rename" && named != null) this.select(named);
    else if (node && what === "delete" && selected.length < 2) this.select(node.id);
    this.usePen(what);
    e.preventDefault();
    e.stopPropagation();
    return true;
  },

  onTwice(e) {
    const item = itemOf(e.target);
    if (item?.node) return this.renameNode(item.node);
    if (!item) this.stroke("node", [], { at: this.placeAt(e) });
  },

  worldAt(e) {
    const box = this.svg.getBoundingClientRect(), [k, tx, ty] = this.zoom;
    return [(e.clientX - box.left - tx) / k, (e.clientY - box.top - ty) / k];
  },

  placeAt(e) {
    const { size } = this.kept.world;
    return this.worldAt(e).map((v, axis) => +(v / size[axis]).toFixed(4));
  },

  // Draw the line from the dot to the pointer.
  pull(node, e) {
    const to = this.worldAt(e);
    this.rubber.setAttribute("d", `M${xy(border(node, to))}L${xy(to)}`);
    const over = this.nodeUnder(e);
    for (const one of this.nodes.values()) one.el.classList.toggle("aim", one === over && one !== node);
  },

  // Dropped on a node, the line becomes an edge, or directs it; dropped beside all nodes, it adds a child.
  endPull(node, e) {
    this.rubber.removeAttribute("d");
    for (const one of this.nodes.values()) one.el.classList.remove("aim");
    const to = this.nodeUnder(e);
    if (e.type === "pointercancel" || to === node) return;
    if (to) this.stroke("edge", [node.id, to.id]);
    else if (this.graph.draws) this.stroke("node", [node.id], { at: this.placeAt(e) });
  },

  nodeUnder(e) {
    const hits = this.root.getRootNode().elementsFromPoint(e.clientX, e.clientY);
    return hits.filter((hit) => !hit.closest(".pull")).map((hit) => itemOf(hit)?.node).find(Boolean);
  },

  // Open a text box over the node: Enter accepts the name, Escape or leaving keeps the old one.
  renameNode(node) {
    this.nameBox?.remove();
    const box = html("input", { class: "name-box", type: "text", "aria-label": inWords("New name of {name}", { name: node.name }) });
    const [k, tx, ty] = this.zoom;
    box.value = node.label;
    box.style.left = `${round(Math.max(4, Math.min(node.px * k + tx - 70, this.svg.clientWidth - 150)))}px`;
    box.style.top = `${round(node.py * k + ty - 15)}px`;
    box.addEventListener("keydown", (e) => {
      e.stopPropagation();
      if (e.key !== "Enter" && e.key !== "Escape") return;
      if (e.key === "Enter" && box.value.trim()) this.stroke("rename", [node.id], { name: box.value.trim() });
      (this.nodes.get(node.id)?.el ?? this.svg).focus({ preventScroll: true });
    });
    box.addEventListener("blur", () => box.remove());
    this.stage.append((this.nameBox = box));
    box.select();
    box.focus();
  },

  // Loading a graph creates nodes and edges again; return a function that restores the focus.
  saveFocus() {
    const item = this.graph && itemOf(this.root.getRootNode().activeElement ?? this.root);
    if (!item) return () => {};
    const ids = item.node ? [item.node.id] : [item.edge.a, item.edge.b];
    return () => {
      const there = item.node ? this.nodes.get(ids[0]) : this.edges.find((edge) => ids.includes(edge.a) && ids.includes(edge.b));
      (there?.el ?? this.svg).focus({ preventScroll: true });
    };
  },
};
