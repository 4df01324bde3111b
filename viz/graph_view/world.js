// Coordinates of the graph: chosen at the start, and again when the window changes.

import { fitTo, HALO, MAX_ROUTED, MIN_LETTERS, PILL_NODES, pushApart } from "./geometry.js";

// Maximum ratio of width to height, so that a panel that opens beside the graph does not change the font size.
const WIDEST = 1.65;

const SETTLED_MS = 400; // milliseconds without a change after which the size of the page counts as final
const MAX_LETTERS = { pills: 20, dots: 14 }; // letters of a name
const TRIES = [20, 14, 11, 8]; // letters of a name, the most first
const BEND_ROOM = 12; // pixels in which edges bend around the outermost nodes
const SMALLEST_KEPT = 0.8; // share of MIN_LETTERS below which letters do not keep the layout of a selected pair
const TINY = 1e-6;

// Return the size of the world: as wide as the page, wider where labels of a row would touch. The closest few pairs are
// ignored, or they would shrink all letters.
export function usualSize(nodes, pills, { clientWidth, clientHeight }) {
  const n = Math.sqrt(nodes.length), height = Math.min(clientHeight, 100 * (n + 2));
  const widest = pills ? WIDEST * height : Infinity;
  if (nodes.length > MAX_ROUTED) {
    const roomy = Math.sqrt(nodes.length / MAX_ROUTED); // each dot keeps its space, so that zooming in separates them
    return [roomy * clientWidth, roomy * clientHeight];
  }
  const width = Math.min(clientWidth, 260 * n + 60, widest), needed = [];
  nodes.forEach((a, k) => nodes.slice(0, k).forEach((b) => {
    const dx = Math.abs(a.x - b.x), beside = Math.abs(a.y - b.y) * height < a.h;
    if (dx > 0 && beside) needed.push(((a.room + b.room) / 2 + 14) / dx);
  }));
  needed.sort((x, y) => y - x);
  const [most, few] = pills ? [2.2, 1.3] : [1.4, 1];
  const wider = Math.max(1, Math.min(most, (needed[3] ?? 0) / width), Math.min(few, (needed[0] ?? 0) / width));
  return [wider * width, wider * height];
}

// Place the nodes in a world, push labels apart, and return true if none overlap.
export function placeIn({ size: [width, height], bounds, pills }, nodes) {
  for (const node of nodes) [node.px, node.py] = [node.x * width, node.y * height];
  return !pills || pushApart(nodes, bounds);
}

// Return the world that fills the free area at zoom k, including labels, but for `room` pixels on each side.
export function boundedWorld(k, nodes, { clientWidth, clientHeight }, room = 0) {
  const [wide, high] = [(clientWidth - 2 * (HALO + room)) / k, (clientHeight - 2 * room) / k];
  const [w, h] = [Math.max(...nodes.map((node) => node.w)), Math.max(...nodes.map((node) => node.h))];
  return { size: [Math.max(1, wide - w), Math.max(1, high - h)], bounds: [[-w / 2, wide - w / 2], [-h / 2, high - h / 2]] };
}

export const World = {
  // Prefer the usual world; if its letters are too small, fill the free area; if that fails, use dots.
  chooseWorld() {
    if (this.graph.draws) return this.blankWorld();
    const at = innerWidth, few = this.graph.nodes.length <= PILL_NODES, usual = this.usualWorld(few);
    if (this.exporting || !this.tooSmall(usual)) return usual;
    const k = MIN_LETTERS / this.fontFor(true), area = this.freeArea();
    for (const room of [BEND_ROOM, 0]) {
      for (const longest of TRIES) {
        const nodes = this.measured(true, longest), world = { ...boundedWorld(k, nodes, area, room), longest, pills: true, at };
        if (Math.min(...world.size) > 1 && placeIn(world, nodes)) return world;
      }
    }
    return this.usualWorld(false);
  },

  // Return the world of the network editor: the whole visible area.
  blankWorld() {
    const { clientWidth, clientHeight } = this.freeArea();
    return { size: [Math.max(1, clientWidth - 2 * HALO), clientHeight], longest: MAX_LETTERS.pills, pills: true, at: innerWidth };
  },

  corners() {
    return [[0, 0], this.kept.world.size].map(([px, py]) => ({ px, py, w: 0, room: 0, above: 0, below: 0 }));
  },

  usualWorld(pills) {
    const longest = pills ? MAX_LETTERS.pills : MAX_LETTERS.dots;
    return { size: usualSize(this.measured(pills, longest), pills, this.freeArea()), longest, pills, at: innerWidth };
  },

  tooSmall(world, share = 1) {
    return world.pills && this.lettersIn(world) < share * MIN_LETTERS - TINY;
  },

  lettersIn(world) {
    const nodes = this.measured(world.pills, world.longest);
    placeIn(world, nodes);
    return this.fontFor(world.pills) * fitTo(nodes, this.freeArea())[0];
  },

  // After a start or a change of the window, the page takes its size in several moves. The world is that of the last one,
  // so that it depends on the size only, not on those before.
  settleWorld() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      if (this.slider.matches(":active")) return this.settleWorld(); // the scale stays while the slider is held
      if (this.svg.clientWidth && this.graph && !this.kept.zoom) {
        this.rechooseWorld();
        this.fit();
      }
      this.settling = null;
      this.windowChanges = false;
    }, SETTLED_MS);
  },

  // Choose again when the window width changes or names become too small, and once the graph has kept another size for a
  // while. Nodes moved by hand stay. A selected pair keeps the layout, because its explanation takes space, until names
  // become illegible.
  rechooseWorld() {
    const { world, moved, selected } = this.kept, share = selected == null ? 1 : SMALLEST_KEPT;
    if (moved.size || (!this.settling && innerWidth === world.at && !this.tooSmall(world, share))) return;
    const other = this.chooseWorld();
    this.areaOfWorld = this.sizeNow();
    if (JSON.stringify(other) === JSON.stringify(world)) return;
    this.kept.world = other;
    this.load(this.graph);
  },

  sizeNow() {
    return `${this.svg.clientWidth} ${this.svg.clientHeight}`;
  },
};
