// Pure functions of points, lines and boxes.

export const HALO = 22; // pixels that stay free on each side of the graph

export const MIN_LETTERS = 10; // font size in pixels from which names are legible

export const PILL_NODES = 90; // maximum number of nodes with the label inside a pill; larger graphs use dots

export const MAX_ROUTED = 900; // maximum number of nodes that edges are routed around; in larger graphs edges are straight

const DOT_SHARE = 0.4; // maximum diameter of a dot, as a share of the distance to the nearest one where dots are close

export function round(v) {
  return Math.round(v * 100) / 100;
}

export function xy([x, y]) {
  return `${round(x)} ${round(y)}`;
}

export function along([x, y], [toX, toY], distance) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  return [x + ((toX - x) * distance) / length, y + ((toY - y) * distance) / length];
}

// Return the point where the line from the node's centre to `to` leaves its pill, or its rectangle if it is square.
export function border({ px, py, w, h, square }, [x, y]) {
  const dx = x - px, dy = y - py, r = h / 2, flat = w / 2 - r, length = Math.hypot(dx, dy) || 1;
  if (square) {
    const s = Math.min(w / 2 / (Math.abs(dx) || 1e-9), h / 2 / (Math.abs(dy) || 1e-9));
    return [px + s * dx, py + s * dy];
  }
  const t = Math.abs(dy) < 1e-9 ? Infinity : r / Math.abs(dy);
  if (Math.abs(dx) * t <= flat) return [px + dx * t, py + dy * t];
  const c = Math.sign(dx) * flat, ux = dx / length, uy = dy / length, p = c * ux;
  const s = p + Math.sqrt(Math.max(0, p * p - c * c + r * r));
  return [px + ux * s, py + uy * s];
}

// Return the diameter of dots: that of a letter, or less where a quarter of them would nearly touch another. Larger
// graphs have a world in which each dot keeps its space.
export function dotSize(nodes, font, { clientWidth, clientHeight }) {
  if (nodes.length > MAX_ROUTED) return font;
  const nearest = nodes.map((a) => Math.min(...nodes.map((b) =>
    (a === b ? Infinity : Math.hypot((a.x - b.x) * clientWidth, (a.y - b.y) * clientHeight))))).sort((a, b) => a - b);
  return Math.min(font, Math.max(font / 2, DOT_SHARE * nearest[Math.floor(nodes.length / 4)]));
}

// Return the first corner of a box around [0, 0] where a badge of radius r hides no arrowhead, else the corner farthest
// from the arrowheads.
export function freeCorner({ w, h }, r, heads) {
  const corners = [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([x, y]) => [(x * w) / 2, y * (h / 2 + 0.1 * r)]);
  const room = ([x, y]) => Math.min(...heads.map(([a, b]) => Math.hypot(a - x, b - y)));
  return corners.find((at) => room(at) > 2.2 * r) ?? corners.reduce((best, at) => (room(at) > room(best) ? at : best));
}

// Move overlapping labels apart along the shorter axis, and return true if no overlap is left. Within bounds,
// [[left, right], [top, bottom]], later sweeps prefer vertical moves, because rows are full.
export function pushApart(nodes, bounds = null) {
  let moved = true;
  for (let sweep = 0; moved && sweep < (bounds ? 240 : 80); sweep++) {
    const tired = bounds ? 1 + sweep / 40 : 1;
    moved = false;
    nodes.forEach((a, k) => nodes.slice(0, k).forEach((b) => {
      const dx = a.px - b.px, dy = a.py - b.py;
      const wide = (a.w + b.w) / 2 + 8 - Math.abs(dx), high = (a.h + b.h) / 2 + 6 - Math.abs(dy);
      if (wide < 0.5 || high < 0.5) return;
      moved = true;
      const [axis, way] = tired * wide < high ? ["px", wide * (dx < 0 ? -1 : 1)] : ["py", high * (dy < 0 ? -1 : 1)];
      a[axis] += way / 2;
      b[axis] -= way / 2;
      if (bounds) for (const node of [a, b]) keepInside(node, bounds);
    }));
  }
  return !moved;
}

export function keepInside(node, [[left, right], [top, bottom]]) {
  node.px = Math.max(left + node.w / 2, Math.min(right - node.w / 2, node.px));
  node.py = Math.max(top + node.h / 2, Math.min(bottom - node.h / 2, node.py));
}

// Return the zoom and the offset that show all nodes, centred; a zoom of at least `least`.
export function fitTo(nodes, { clientWidth: width, clientHeight: height, top = 0 }, least = 0) {
  const wide = (n) => Math.max(n.room, n.w) / 2;
  const x0 = Math.min(...nodes.map((n) => n.px - wide(n))), x1 = Math.max(...nodes.map((n) => n.px + wide(n)));
  const y0 = Math.min(...nodes.map((n) => n.py - n.above)), y1 = Math.max(...nodes.map((n) => n.py + n.below));
  const k = Math.max(least, Math.min((width - 2 * HALO) / (x1 - x0), height / (y1 - y0), 1.35));
  return [k, (width - k * (x0 + x1)) / 2, top + (height - k * (y0 + y1)) / 2];
}

// Return the convex hull of the boxes of some nodes, with a margin (Andrew's monotone chain).
export function hullOf(nodes) {
  const room = 9, corners = nodes.flatMap(({ px, py, w, h }) => [-1, 1].flatMap((a) => [-1, 1].map((b) =>
    [px + a * (w / 2 + room), py + b * (h / 2 + room)])));
  corners.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (points) => {
    const kept = [];
    for (const c of points) {
      while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), c) <= 0) kept.pop();
      kept.push(c);
    }
    return kept.slice(0, -1);
  };
  return corners.length ? [...half(corners), ...half([...corners].reverse())] : [];
}

// Return the first of the spots, [left, top], at which a box covers the smallest sum of weights of points [x, y, weight].
export function clearestSpot(spots, [w, h], points) {
  const covered = spots.map(([left, top]) => points.reduce((sum, [x, y, weight]) =>
    sum + weight * (x > left && x < left + w && y > top && y < top + h), 0));
  return spots[covered.indexOf(Math.min(...covered))];
}
