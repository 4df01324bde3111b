// Names beside dots: the same size on screen at every zoom, and only as many as do not overlap.

import { round } from "./geometry.js";
import { crossed, overlap } from "./notes.js";
import { boxOf } from "./routing.js";

const NAME_SIZE = 11; // pixels on screen
const MIN_ZOOM = 0.35; // zoom below which letters and dots shrink too
const FAR = 0.8; // zoom below which clusters are named
const NAME_GAP = 3; // pixels between two names
const NAME_HEIGHT = 1.35, NAME_MIDDLE = 0.72; // letters: height of a name, and of its middle below its dot
const MAX_CLEAR = 50; // maximum number of nodes whose names cover no edge

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

// Return the centre of each name relative to its node, or null: below, above or beside the dot, where the name lies in the
// `view` and covers no line, no other dot and no earlier name.
export function clearSpots(nodes, lines, { letters, scale, gap, view }) {
  const dots = nodes.map((node) => boxOf(node)), names = [];
  return nodes.map((node, k) => {
    const wide = scale * node.room, high = NAME_HEIGHT * letters, low = (node.h + high) / 2, aside = (node.w + wide) / 2 + gap;
    for (const [dx, dy] of [[0, low], [0, -low], [aside, 0], [-aside, 0]]) {
      const [x, y] = [node.px + dx, node.py + dy], box = [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
      const inside = box[0] >= view[0] && box[1] >= view[1] && box[2] <= view[2] && box[3] <= view[3];
      if (!inside || names.some((other) => overlap(box, other)) || dots.some((other, at) => at !== k && overlap(box, other))) continue;
      if (lines.some((points) => crossed(points, box))) continue;
      names.push([box[0] - gap, box[1], box[2] + gap, box[3]]);
      return [dx, dy];
    }
    return null;
  });
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
    const shown = nodes.length <= MAX_CLEAR ? this.placeNames(nodes, { letters, scale, gap }) : clearOf(nodes.map(({ px, py, room, h }) => (
      { x0: px - scale * room / 2 - gap, x1: px + scale * room / 2 + gap, y0: py + h / 2, y1: py + h / 2 + 1.15 * letters })), 6 * letters);
    this.view.style.setProperty("--letters", `${round(letters)}px`);
    nodes.forEach((node, at) => {
      const mute = !shown.has(at) && first(node) < 2;
      if (mute !== !!node.mute) node.el.classList.toggle("mute", (node.mute = mute));
    });
    // At a low zoom, names of clusters are more useful than those of a few members.
    this.view.classList.toggle("far", k < FAR);
    this.root.dataset.labels = shown.size;
  },

  // Move names off the edges of the final graph, and return the indices of the nodes whose name has a place.
  placeNames(nodes, { letters, scale, gap }) {
    const [k, x, y] = this.zoom, view = [-x / k, -y / k, (this.svg.clientWidth - x) / k, (this.svg.clientHeight - y) / k];
    const spots = clearSpots(nodes, this.finalEdges().map((edge) => edge.path.points), { letters, scale, gap, view });
    nodes.forEach(({ el, h }, at) => {
      const [dx, dy] = spots[at] ?? [0, 0], low = spots[at] ? h / 2 + NAME_MIDDLE * letters : 0;
      el.querySelector(":scope > text").setAttribute("transform", `translate(${round(dx)} ${round(dy - low)})`);
    });
    return new Set([...spots.keys()].filter((at) => spots[at]));
  },
};
