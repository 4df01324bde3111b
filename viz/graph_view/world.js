// The picture's own coordinates: chosen once, and again where the window becomes another.

import { fitTo, HALO, PILL_NODES, pushApart } from "./geometry.js";

// Width to height of the picture at most: a panel that opens beside it then leaves the letters their size.
const WIDEST = 1.65;

const LEAST_LETTERS = 9; // pixels on screen below which names are placed anew, and cut before they become smaller
const LONGEST = { pills: 20, dots: 14 }; // letters of a name
const TRIES = [[20, 10], [14, 10], [11, 10], [14, 9], [11, 9], [8, 9]]; // letters of a name, and their pixels

// As wide as the page gives, wider where labels of a row would touch; a few close
// pairs are let off, or they would make everybody's letters small.
export function usualSize(nodes, pills, { clientWidth, clientHeight }) {
  const n = Math.sqrt(nodes.length), height = Math.min(clientHeight, 100 * (n + 2));
  const widest = pills ? WIDEST * height : Infinity;
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

// Every node to its place in a world, with labels pushed apart; whether none covers another.
export function placeIn({ size: [width, height], sheet, pills }, nodes) {
  for (const node of nodes) [node.px, node.py] = [node.x * width, node.y * height];
  return !pills || pushApart(nodes, sheet);
}

// The world that fills the clearing at zoom k, labels and all.
export function sheetAt(k, nodes, { clientWidth, clientHeight }) {
  const [wide, high] = [(clientWidth - 2 * HALO) / k, clientHeight / k];
  const [w, h] = [Math.max(...nodes.map((node) => node.w)), Math.max(...nodes.map((node) => node.h))];
  return { size: [Math.max(1, wide - w), Math.max(1, high - h)], sheet: [[-w / 2, wide - w / 2], [-h / 2, high - h / 2]] };
}

export const World = {
  // As the page is wide; where letters would be small, as the clearing is, with full rows; and where these have no room, of dots.
  chooseWorld() {
    if (this.graph.draws) return this.blankSheet();
    const at = innerWidth, few = this.graph.nodes.length <= PILL_NODES, usual = this.usualWorld(few);
    if (this.whole || !this.tooSmall(usual)) return usual;
    for (const [longest, pixels] of TRIES) {
      const nodes = this.measured(true, longest), tall = sheetAt(pixels / this.fontFor(true), nodes, this.clearing());
      const world = { ...tall, longest, pills: true, at };
      if (tall.size[0] > 1 && tall.size[1] > 1 && placeIn(world, nodes)) return world;
    }
    return this.usualWorld(false);
  },

  // To draw on: all that is in sight, whatever is drawn there.
  blankSheet() {
    const { clientWidth, clientHeight } = this.clearing();
    return { size: [Math.max(1, clientWidth - 2 * HALO), clientHeight], longest: LONGEST.pills, pills: true, at: innerWidth };
  },

  corners() {
    return [[0, 0], this.kept.world.size].map(([px, py]) => ({ px, py, w: 0, room: 0, above: 0, below: 0 }));
  },

  usualWorld(pills) {
    const longest = pills ? LONGEST.pills : LONGEST.dots;
    return { size: usualSize(this.measured(pills, longest), pills, this.clearing()), longest, pills, at: innerWidth };
  },

  tooSmall(world) {
    return world.pills && this.lettersIn(world) < LEAST_LETTERS;
  },

  lettersIn(world) {
    const nodes = this.measured(world.pills, world.longest);
    placeIn(world, nodes);
    return this.fontFor(world.pills) * fitTo(nodes, this.clearing())[0];
  },

  // Where the window has another width, or names have become too small; what was put somewhere by hand stays, and
  // all does where a pair is chosen: its explanation takes room from the picture.
  chooseAgain() {
    const { world, moved, selected } = this.kept;
    if (moved.size || (innerWidth === world.at && (selected != null || !this.tooSmall(world)))) return;
    const other = this.chooseWorld();
    if (JSON.stringify(other) === JSON.stringify(world)) return;
    this.kept.world = other;
    this.load(this.graph);
  },
};
