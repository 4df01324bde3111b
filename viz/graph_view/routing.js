// Routes of edges around the boxes of other nodes: shortest paths with rounded bends. A route depends on the positions
// of the nodes only, so an edge does not move when others appear or vanish. viz/layout/routing.py does the same.

import { border, xy } from "./geometry.js";

const MARGINS = [1, 3, 7]; // pixels between a bend and a box: the minimum first, the preferred margin last
const DETOUR = 1.25; // maximum length of a route with a wide margin, relative to that with a narrow one
const LANES = 3, LANE = 4; // number of lanes for edges at the same corner, and pixels between them
const CLEARANCE = 1.5; // pixels that a rounded bend keeps from a box
const ROUNDNESS = 70; // maximum length of line that a bend rounds, to each side
const MAX_SEARCHES = 30;
const SAMPLES = 8; // number of points of a rounded bend

// Return the box of a node as [left, top, right, bottom], with a margin.
export function boxOf({ px, py, w, h }, margin = 0) {
  return [px - w / 2 - margin, py - h / 2 - margin, px + w / 2 + margin, py + h / 2 + margin];
}

// Return true if a line from p to q passes through the inside of a box (Liang and Barsky's clipping). It runs a million
// times for a large graph, so it allocates nothing.
export function passes(p, q, box) {
  const px = p[0], py = p[1], qx = q[0], qy = q[1], left = box[0], top = box[1], right = box[2], bottom = box[3];
  if ((px <= left && qx <= left) || (px >= right && qx >= right) || (py <= top && qy <= top) || (py >= bottom && qy >= bottom)) return false;
  const dx = qx - px, dy = qy - py;
  let from = 0, to = 1;
  if (dx !== 0) {
    const one = (left - px) / dx, two = (right - px) / dx;
    from = one < two ? (one > from ? one : from) : two > from ? two : from;
    to = one < two ? (two < to ? two : to) : one < to ? one : to;
  }
  if (dy !== 0) {
    const one = (top - py) / dy, two = (bottom - py) / dy, low = one < two ? one : two, high = one < two ? two : one;
    if (low > from) from = low;
    if (high < to) to = high;
  }
  return to - from > 1e-9;
}

// Return the path from node a to node b around all other nodes. `lane` separates edges that turn at the same corner.
export function routeAround(a, b, nodes, lane = 0) {
  const others = [];
  for (const node of nodes) if (node !== a && node !== b) others.push(node);
  const ends = [[a.px, a.py], [b.px, b.py]], widest = MARGINS.at(-1) + LANE * (lane % LANES);
  // Prefer the widest margin, unless it requires a detour.
  let best = bendsAround(...ends, others, MARGINS[0]);
  const longest = DETOUR * (best?.length ?? Infinity);
  for (const margin of best && !best.bends.length ? [] : [widest, ...MARGINS.slice(1, -1).reverse()]) {
    const found = bendsAround(...ends, others, margin);
    if (!found || found.length > longest) continue;
    best = found;
    break;
  }
  return { ...roundedRoute(a, b, best?.bends ?? [], others), around: best?.around ?? [] };
}

// Find the bends of the shortest path, and the nodes that it avoids: only those whose boxes an earlier path crossed.
function bendsAround(start, end, others, margin) {
  // Close to an end the margin is smaller, so that no box includes the end.
  const tight = others.map((node) => {
    const room = Math.min(...[start, end].map(([x, y]) => Math.max(Math.abs(x - node.px) - node.w / 2, Math.abs(y - node.py) - node.h / 2)));
    return boxOf(node, Math.max(0, Math.min(margin, room - 1)));
  });
  const met = new Set();
  let path = [start, end];
  for (let search = 0; search < MAX_SEARCHES; search++) {
    const before = met.size;
    for (let k = 1; k < path.length; k++) for (const box of tight) if (!met.has(box) && passes(path[k - 1], path[k], box)) met.add(box);
    if (met.size === before) {
      const length = path.slice(1).reduce((sum, [x, y], k) => sum + Math.hypot(x - path[k][0], y - path[k][1]), 0);
      return { bends: path.slice(1, -1), around: others.filter((_, k) => met.has(tight[k])), length };
    }
    path = shortestPath(start, end, [...met]);
    if (!path) return null;
  }
  return null;
}

function meetsAny(p, q, boxes) {
  for (let k = 0; k < boxes.length; k++) if (passes(p, q, boxes[k])) return true;
  return false;
}

// Search with A* over the corners of the boxes. A shortest path turns around a corner, so it never enters or leaves
// through the quadrant of the box: `slopes` has the sign of dx * dy that is forbidden for lines at each corner.
function shortestPath(start, end, boxes) {
  const points = [start, end], slopes = [0, 0];
  for (const [left, top, right, bottom] of boxes) {
    for (const [x, y, slope] of [[left, top, 1], [right, top, -1], [left, bottom, -1], [right, bottom, 1]]) {
      if (boxes.some((box) => x > box[0] && x < box[2] && y > box[1] && y < box[3])) continue;
      points.push([x, y]);
      slopes.push(slope);
    }
  }
  const far = points.map(([x, y]) => Math.hypot(x - end[0], y - end[1]));
  const cost = points.map(() => Infinity), from = points.map(() => -1), done = points.map(() => false);
  cost[0] = 0;
  for (;;) {
    let at = -1;
    for (let k = 0; k < points.length; k++) if (!done[k] && cost[k] < Infinity && (at < 0 || cost[k] + far[k] < cost[at] + far[at])) at = k;
    if (at < 0) return null;
    if (at === 1) break;
    done[at] = true;
    const [x, y] = points[at];
    for (let k = 1; k < points.length; k++) {
      if (done[k]) continue;
      const dx = points[k][0] - x, dy = points[k][1] - y, slope = dx * dy;
      if (slope * slopes[at] > 0 || slope * slopes[k] > 0) continue;
      const length = cost[at] + Math.hypot(dx, dy);
      if (length < cost[k] - 1e-9 && !meetsAny(points[at], points[k], boxes)) {
        cost[k] = length;
        from[k] = at;
      }
    }
  }
  const path = [];
  for (let k = 1; k >= 0; k = from[k]) path.unshift(points[k]);
  return path;
}

function within([x, y], [left, top, right, bottom]) {
  return x > left && x < right && y > top && y < bottom;
}

// Return the point where a line from inside a node's box to `to` leaves it.
function exit(node, from, to) {
  if (from[0] === node.px && from[1] === node.py) return border(node, to);
  const [left, top, right, bottom] = boxOf(node), dx = to[0] - from[0], dy = to[1] - from[1];
  const t = Math.min(dx ? ((dx > 0 ? right : left) - from[0]) / dx : Infinity, dy ? ((dy > 0 ? bottom : top) - from[1]) / dy : Infinity);
  return [from[0] + t * dx, from[1] + t * dy];
}

// Cut the path at the borders of its ends, and round its bends as far as boxes allow.
function roundedRoute(a, b, bends, others) {
  let start = [a.px, a.py], end = [b.px, b.py];
  bends = [...bends];
  while (bends.length && within(bends[0], boxOf(a))) start = bends.shift();
  while (bends.length && within(bends.at(-1), boxOf(b))) end = bends.pop();
  const from = exit(a, start, bends[0] ?? end), to = exit(b, end, bends.at(-1) ?? start);
  const line = [from, ...bends, to], curves = [];
  bends.forEach((bend, k) => {
    const near = others.map((node) => boxOf(node, CLEARANCE)), [before, after] = [line[k], line[k + 2]];
    const room = ([x, y]) => Math.hypot(x - bend[0], y - bend[1]) / 2;
    let cut = Math.min(ROUNDNESS, room(before), room(after)), curve = curveAt(before, bend, after, cut);
    for (let tries = 0; tries < 5 && hits(curve, near); tries++) curve = curveAt(before, bend, after, (cut /= 2));
    curves.push(hits(curve, near) ? curveAt(before, bend, after, 0) : curve);
  });
  const points = [from, ...curves.flatMap(sampled), to];
  return { from, to, bends, curves, points, mid: pointAt(points, 0.5), first: bends[0] ?? to, last: bends.at(-1) ?? from };
}

function towards([x, y], [toX, toY], distance) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  return [x + ((toX - x) * distance) / length, y + ((toY - y) * distance) / length];
}

// A bend as a quadratic curve: its start, its control point and its end.
function curveAt(before, bend, after, cut) {
  return [towards(bend, before, cut), bend, towards(bend, after, cut)];
}

function sampled([from, bend, to]) {
  return Array.from({ length: SAMPLES + 1 }, (_, k) => {
    const t = k / SAMPLES, [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
    return [p * from[0] + q * bend[0] + r * to[0], p * from[1] + q * bend[1] + r * to[1]];
  });
}

function hits(curve, boxes) {
  const points = sampled(curve);
  return boxes.some((box) => points.some((point, k) => k && passes(points[k - 1], point, box)));
}

// Return the point at a share of the length of a polyline.
export function pointAt(points, share) {
  const lengths = points.slice(1).map((point, k) => Math.hypot(point[0] - points[k][0], point[1] - points[k][1]));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (const [k, length] of lengths.entries()) {
    if (left <= length && length > 0) return towards(points[k], points[k + 1], left);
    left -= length;
  }
  return points.at(-1);
}

// Return the path as SVG data, between ends that leave space for arrowheads.
export function dataOf({ curves }, begin, end) {
  return `M${xy(begin)}${curves.map(([from, bend, to]) => `L${xy(from)}Q${xy(bend)} ${xy(to)}`).join("")}L${xy(end)}`;
}

// Return the distance of a point to a path.
export function distanceTo({ points }, x, y) {
  let least = Infinity;
  for (let k = 1; k < points.length; k++) {
    const [x1, y1] = points[k - 1], dx = points[k][0] - x1, dy = points[k][1] - y1;
    const t = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
    least = Math.min(least, Math.hypot(x1 + t * dx - x, y1 + t * dy - y));
  }
  return least;
}

// Return true if a path passes through the box of a node, with a margin.
export function touches({ points }, node, margin = 0) {
  const box = boxOf(node, margin);
  return points.some((point, k) => k && passes(points[k - 1], point, box));
}
