// Positions of edge labels, such as a probability or "?": on the own edge, clear of other edges, boxes and labels.
// viz/report/notes.py does the same.

import { along } from "./geometry.js";
import { passes, pointAt } from "./routing.js";

export const NOTE_HEIGHT = 14, NOTE_LETTER = 7.4; // pixels: height of a line of text, and width of a letter
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.19, 0.81, 0.13, 0.87]; // positions along the edge
const ASIDE = [13, 16.5, 20, 24, 28, 34, 40, 52]; // pixels from the edge, if no position on it is free
const MORE_SHARES = Array.from({ length: 12 }, (_, k) => (k + 0.5) / 12); // further positions, if none of these is free
const FAR_ASIDE = [...ASIDE, 64, 80, 100];
const BOX_COST = 100; // cost of a label over a box, relative to one over a line

// Return the possible positions of a label, the best first: on the edge, then beside it.
export function noteSpots(points) {
  return [...spotsAt(points, SHARES, ASIDE), ...spotsAt(points, MORE_SHARES, FAR_ASIDE)];
}

// Return the positions at shares of the edge: on it, then at distances beside it.
function spotsAt(points, shares, distances) {
  const on = shares.map((share) => pointAt(points, share)), beside = [];
  for (const distance of distances) {
    on.forEach(([x, y], k) => {
      const [toX, toY] = pointAt(points, shares[k] + 0.02), length = Math.hypot(toX - x, toY - y) || 1;
      const dx = (-(toY - y) * distance) / length, dy = ((toX - x) * distance) / length;
      beside.push([x + dx, y + dy], [x - dx, y - dy]);
    });
  }
  return [...on, ...beside];
}

// Return the possible positions of a "?" beside an arrowhead: close to its tip, then farther along the edge.
export function doubtSpots(tip, from, size) {
  const spots = [], length = Math.hypot(tip[0] - from[0], tip[1] - from[1]) || 1;
  const dx = (tip[0] - from[0]) / length, dy = (tip[1] - from[1]) / length;
  for (const back of [1.2, 1.8, 2.5, 3.3, 4.2]) {
    for (const side of [0.95, -0.95, 1.5, -1.5]) {
      const [x, y] = along(tip, from, back * size);
      spots.push([x - dy * side * size, y + dx * side * size]);
    }
  }
  return spots;
}

// Return the position of each label: its first one that is clear of other lines, boxes and earlier labels, or else the
// one with the fewest overlaps. A label has `line`, the index of its own line, `width` and `spots`.
export function placeNotes(notes, boxes, lines) {
  const bounds = lines.map((points) => {
    const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  });
  const placed = [];
  return notes.map(({ line, width, spots }) => {
    let best = spots[0], least = Infinity;
    for (const spot of spots) {
      const box = [spot[0] - width / 2, spot[1] - NOTE_HEIGHT / 2, spot[0] + width / 2, spot[1] + NOTE_HEIGHT / 2];
      let cost = 0;
      for (const other of [...boxes, ...placed]) if (overlap(box, other)) cost += BOX_COST;
      for (let k = 0; k < lines.length && cost < least; k++) if (k !== line && overlap(box, bounds[k]) && crossed(lines[k], box)) cost++;
      if (cost < least) [best, least] = [spot, cost];
      if (!cost) break;
    }
    placed.push([best[0] - width / 2, best[1] - NOTE_HEIGHT / 2, best[0] + width / 2, best[1] + NOTE_HEIGHT / 2]);
    return best;
  });
}

export function overlap(a, b) {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

export function crossed(points, box) {
  for (let k = 1; k < points.length; k++) if (passes(points[k - 1], points[k], box)) return true;
  return false;
}
