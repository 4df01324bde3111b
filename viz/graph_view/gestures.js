// Wheel, touch gestures, and nodes moved by hand.

import { itemOf } from "./elements.js";
import { inWords } from "./translation.js";
import { placeIn } from "./world.js";

const HINT_MS = 1600;
const NUDGE = 12; // pixels on screen by which a key moves a node
const ARROWS = { ArrowLeft: [-1, 0, "{name} moved left"], ArrowRight: [1, 0, "{name} moved right"],
  ArrowUp: [0, -1, "{name} moved up"], ArrowDown: [0, 1, "{name} moved down"] };

export const Gestures = {
  listenToGestures() {
    this.listenToMenu();
    this.svg.addEventListener("wheel", (e) => this.onWheel(e), { passive: false });
    for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
      this.svg.addEventListener(type, (e) => this.onTouch(e), { passive: false });
    }
  },

  // The wheel zooms with Ctrl, with the focus in the graph, or in full screen; otherwise the page scrolls.
  // Browsers report a touchpad pinch as Ctrl and wheel.
  onWheel(e) {
    const held = e.ctrlKey || e.metaKey;
    if (!held && !this.full && !this.svg.contains(this.root.getRootNode().activeElement)) return this.showHint();
    const box = this.svg.getBoundingClientRect(), speed = e.deltaMode ? 0.05 : 0.0015;
    // At the limits of the zoom, let the wheel scroll the page.
    const zoomed = this.zoomBy(Math.exp(-e.deltaY * speed), e.clientX - box.left, e.clientY - box.top);
    if (zoomed || held) e.preventDefault();
  },

  showHint() {
    clearTimeout(this.hinting);
    this.hint.hidden = false;
    this.hinting = setTimeout(() => (this.hint.hidden = true), HINT_MS);
  },

  // One finger scrolls the page, two fingers pan and zoom the graph.
  onTouch(e) {
    if (e.touches.length !== 2) return (this.pinch = null);
    e.preventDefault();
    const box = this.svg.getBoundingClientRect(), [a, b] = e.touches, before = this.pinch;
    const x = (a.clientX + b.clientX) / 2 - box.left, y = (a.clientY + b.clientY) / 2 - box.top;
    this.pinch = { x, y, apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1 };
    this.press = null;
    if (!before) return;
    const [k, tx, ty] = this.zoom;
    this.setZoom([k, tx + x - before.x, ty + y - before.y]);
    this.zoomBy(this.pinch.apart / before.apart, x, y);
  },

  // Alt and an arrow key move the focused variable.
  nudge(e) {
    const node = itemOf(e.composedPath()[0])?.node, way = ARROWS[e.key];
    if (!e.altKey || e.ctrlKey || e.metaKey || !node || !way) return false;
    node.px += (way[0] * NUDGE) / this.zoom[0];
    node.py += (way[1] * NUDGE) / this.zoom[0];
    this.put(node);
    this.announce(inWords(way[2], { name: node.name }));
    this.reportSoon();
    e.preventDefault();
    e.stopPropagation();
    return true;
  },

  // Fix a node at its current position, on every page and in every run of this table.
  put(node) {
    const [width, height] = this.kept.world.size, at = [node.px / width, node.py / height].map((v) => +v.toFixed(4));
    this.kept.moved.set(node.id, at);
    this.changed();
    [node.px, node.py] = [at[0] * width, at[1] * height];
    this.placeNode(node);
    this.redraw(this.edges);
  },

  resetPositions() {
    this.kept.moved.clear();
    this.changed();
    this.locate();
    this.announce(inWords("layout reset"));
    this.report();
  },

  changed() {
    this.kept.moves = `${Date.now()} ${Math.random()}`;
    this.backButton.hidden = !this.kept.moved.size;
  },

  // Apply the positions that Python stores, once it has acknowledged the last move.
  applyPositions({ at, heard }) {
    if (this.graph && heard !== this.kept.moves) return;
    this.kept.moves = heard;
    if (JSON.stringify(at) === JSON.stringify([...this.kept.moved])) return;
    this.kept.moved = new Map(at);
    if (this.graph && !this.pending) this.locate();
  },

  // Place every node: by the layout with labels pushed apart, or at the position chosen by the user.
  locate() {
    const [width, height] = this.kept.world.size, all = [...this.nodes.values()];
    placeIn(this.kept.world, all);
    for (const node of all) {
      const at = this.kept.moved.get(node.id);
      if (at) [node.px, node.py] = [at[0] * width, at[1] * height];
      if (node.el) this.placeNode(node);
    }
    this.backButton.hidden = !this.kept.moved.size;
    if (this.edges.length) this.redraw(this.edges);
    if (this.clusters) this.drawClusters();
  },
};
