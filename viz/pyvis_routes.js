// Edges of the pyvis page: the routes and labels of the other pictures, in place of the straight lines of vis.js.

import { along } from "./graph_view/geometry.js";
import { doubtSpots, NOTE_LETTER, noteSpots, placeNotes } from "./graph_view/notes.js";
import { boxOf, routeAround } from "./graph_view/routing.js";

const CIRCLE_SIZE = 4.5; // pixels: radius of a circle at an end of an edge
const MAX_LIVE = 300; // maximum number of edges routed while nodes move; more are straight until the nodes rest
const REST_MS = 150;

// Return the shapes at the two ends of an edge: "arrow", "circle" or "".
export function pyvisEnds(arrows) {
  if (typeof arrows === "string") return ["from", "to"].map((end) => (arrows.includes(end) ? "arrow" : ""));
  return ["from", "to"].map((end) => (arrows[end] ? arrows[end].type ?? "arrow" : ""));
}

// Return the route and the label position of each edge between boxes, which are [id, {px, py, w, h, square}].
export function pyvisRoutes(boxes, edges) {
  const all = [...boxes.values()], paths = edges.map(({ from, to }, k) => routeAround(boxes.get(from), boxes.get(to), all, k));
  const labels = edges.flatMap(({ label, width }, line) => {
    if (!label) return [];
    const { to, last, points } = paths[line];
    return [{ line, width: label.length * NOTE_LETTER + 2, spots: label === "?" ? doubtSpots(to, last, headSize(width)) : noteSpots(points) }];
  });
  const places = placeNotes(labels, all.map((box) => boxOf(box)), paths.map(({ points }) => points));
  return { paths, notes: new Map(labels.map(({ line }, k) => [line, places[k]])) };
}

function headSize(width) {
  return 7 + 1.6 * width;
}

// Draw all edges after each frame of vis.js, which draws only the nodes.
export function drawRoutes(network, nodes, edges, { springs, ink, paper }) {
  const given = edges.get(), ids = nodes.getIds();
  let key = "", drawn = null, timer = 0;
  const boxes = () => new Map(ids.map((id) => {
    const { x, y } = network.getPosition(id), { shape, size } = nodes.get(id);
    if (shape === "dot") return [id, { px: x, py: y, w: 2 * size, h: 2 * size }];
    const { left, right, top, bottom } = network.getBoundingBox(id);
    return [id, { px: (left + right) / 2, py: (top + bottom) / 2, w: right - left, h: bottom - top, square: true }];
  }));
  network.on("afterDrawing", (pen) => {
    const now = boxes(), at = JSON.stringify([...now]);
    if (at !== key && drawn && given.length > MAX_LIVE && !timer) {
      timer = setTimeout(() => {
        [timer, drawn] = [0, null];
        network.redraw();
      }, REST_MS);
    }
    if (at !== key && !timer) [key, drawn] = [at, pyvisRoutes(now, given)];
    given.forEach((edge, k) => drawEdge(pen, edge, timer ? routeAround(now.get(edge.from), now.get(edge.to), []) : drawn.paths[k]));
    if (!timer) for (const [k, place] of drawn.notes) drawLabel(pen, given[k].label, place, ink, paper);
  });
  if (springs) {
    network.on("dragStart", (event) => {
      if (!event.nodes.length) return;
      network.setOptions({ physics: { enabled: true } });
      network.startSimulation();
    });
    network.on("dragEnd", () => network.setOptions({ physics: { enabled: false } }));
  }
  network.redraw();
}

function drawEdge(pen, { arrows, color, width, dashes }, { from, to, first, last, curves }) {
  const [atFrom, atTo] = pyvisEnds(arrows), size = headSize(width);
  const gap = { arrow: 0.8 * size, circle: 2 * CIRCLE_SIZE, "": 0 };
  const begin = along(from, first, gap[atFrom]), end = along(to, last, gap[atTo]);
  pen.strokeStyle = pen.fillStyle = color;
  pen.lineWidth = width;
  pen.setLineDash(dashes ? [5, 5] : []);
  pen.beginPath();
  pen.moveTo(...begin);
  for (const [start, bend, stop] of curves) {
    pen.lineTo(...start);
    pen.quadraticCurveTo(...bend, ...stop);
  }
  pen.lineTo(...end);
  pen.stroke();
  pen.setLineDash([]);
  for (const [mark, tip, origin] of [[atFrom, from, first], [atTo, to, last]]) {
    pen.beginPath();
    if (mark === "arrow") {
      const back = along(tip, origin, size), dx = (tip[1] - back[1]) * 0.42, dy = (back[0] - tip[0]) * 0.42;
      pen.moveTo(...tip);
      pen.lineTo(back[0] + dx, back[1] + dy);
      pen.lineTo(back[0] - dx, back[1] - dy);
      pen.fill();
    } else if (mark === "circle") {
      pen.arc(...along(tip, origin, CIRCLE_SIZE), CIRCLE_SIZE, 0, 2 * Math.PI);
      pen.stroke();
    }
  }
}

function drawLabel(pen, label, [x, y], ink, paper) {
  pen.font = "600 12px sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineWidth = 4;
  pen.lineJoin = "round";
  pen.strokeStyle = paper;
  pen.strokeText(label, x, y);
  pen.fillStyle = ink;
  pen.fillText(label, x, y);
}
