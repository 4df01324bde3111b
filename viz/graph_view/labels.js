// Names below dots: the same size on screen at every zoom, and only as many as do not overlap.

import { round } from "./geometry.js";

const NAME_SIZE = 11; // pixels on screen
const MIN_ZOOM = 0.35; // zoom below which letters and dots shrink too
const FAR = 0.8; // zoom below which clusters are named
const NAME_GAP = 3; // pixels between two names

// Return the indices of the boxes that overlap no earlier box, in order of priority; a grid of cells speeds this up.
export function clearOf(boxes, cell) {
  const cells = new Map(), shown = [];
  for (const [k, { x0, y0, x1, y1 }] of boxes.entries()) {
    const keys = [];
    for (let i = Math.floor(x0 / cell); i <= Math.floor(x1 / cell); i++) {
      for (let j = Math.floor(y0 / cell); j <= Math.floor(y1 / cell); j++) keys.push(`${i} ${j}`);
    }
    const hit = keys.some((key) => cells.get(key)?.some((b) => b.x0 < x1 && x0 < b.x1 && b.y0 < y1 && y0 < b.y1));
    if (hit) continue;
    shown.push(k);
    for (const key of keys) cells.has(key) ? cells.get(key).push(boxes[k]) : cells.set(key, [boxes[k]]);
  }
  return new Set(shown);
}

export const Labels = {
  // Update labels after a zoom, a move or a selection. An exported image has all names.
  labelSoon() {
    if (this.exporting || this.pills || this.labelFrame) return;
    this.labelFrame = requestAnimationFrame(() => {
      this.labelFrame = null;
      this.label();
    });
  },

  label() {
    const k = this.zoom[0], letters = NAME_SIZE / Math.max(k, MIN_ZOOM), ids = [].concat(this.kept.selected ?? []);
    const first = (node) => (ids.includes(node.id) ? 2 : node.role ? 1 : 0);
    const nodes = [...this.nodes.values()].filter((node) => !node.away)
      .sort((a, b) => first(b) - first(a) || b.edges.length - a.edges.length);
    const scale = letters / this.font, gap = NAME_GAP / k;
    const boxes = nodes.map(({ px, py, room, h }) => ({ x0: px - scale * room / 2 - gap, x1: px + scale * room / 2 + gap,
      y0: py + h / 2, y1: py + h / 2 + 1.15 * letters }));
    const shown = clearOf(boxes, 6 * letters);
    this.view.style.setProperty("--letters", `${round(letters)}px`);
    nodes.forEach((node, at) => {
      const mute = !shown.has(at) && first(node) < 2;
      if (mute !== !!node.mute) node.el.classList.toggle("mute", (node.mute = mute));
    });
    // At a low zoom, names of clusters are more useful than those of a few members.
    this.view.classList.toggle("far", k < FAR);
    this.root.dataset.labels = shown.size;
  },
};
