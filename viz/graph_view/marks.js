// Marks of edges, nodes and points, and their texts.

import { ICONS, svg } from "./elements.js";
import { along, round, xy } from "./geometry.js";

export const WORDS = {
  undirected: "undirected: direction open", forward: "directed", backward: "directed",
  conflict: "conflicting evidence on the direction",
  circles: "both ends open", "circle-forward": "one end open; the end with the arrowhead is not the cause",
  "circle-backward": "one end open; the end with the arrowhead is not the cause", bidirected: "hidden common cause",
  both: "in {a} and {b}", only_a: "in {a} only", only_b: "in {b} only",
  direction_differs: "contradictory (drawn as in {a})", left_open: "undetermined in one graph (drawn as in {a})",
  right: "correct", extra: "extra: not in the true graph", missing: "missing: in the true graph only",
  turned: "direction differs from the true graph",
};
export const POINTS = { star: "chosen", "hollow star": "chosen, but not a valid CPDAG", hollow: "not a valid CPDAG" };
export const SIGNS = { both: "", only_a: "+", only_b: "−", direction_differs: "↔", left_open: "∘", extra: "+", missing: "−", turned: "↔" };

// Return a star, a dot or a circle.
export function pointOf(mark) {
  const d = mark.includes("star") ? "M8 .8l2.2 4.7 5.1.6-3.8 3.5 1 5.1L8 12.2l-4.5 2.5 1-5.1L.7 6.1l5.1-.6z"
    : "M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z";
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d }));
}

export function headAt(tip, from, size) {
  const back = along(tip, from, size), w = size * 0.42, dx = (tip[1] - back[1]) / size, dy = (back[0] - tip[0]) / size;
  const d = `M${xy(tip)}L${xy([back[0] + dx * w, back[1] + dy * w])}L${xy([back[0] - dx * w, back[1] - dy * w])}Z`;
  return svg("path", { class: "head", d });
}

// Shapes at the two ends of an edge, by its mark.
const ENDS = {
  forward: ["", "head"], backward: ["head", ""], conflict: ["head", "head"], bidirected: ["head", "head"],
  circles: ["circle", "circle"], "circle-forward": ["circle", "head"], "circle-backward": ["head", "circle"],
};
export const RADIUS = 4.5; // radius of a circle at an end
export const SIGN = { forward: "→", "circle-forward": "o→", bidirected: "↔", circles: "o—o" };

export function endsOf(mark) {
  return ENDS[mark] ?? ["", ""];
}

export function circleAt(tip, from, r = RADIUS) {
  const [cx, cy] = along(tip, from, r);
  return svg("circle", { class: "open-end", cx: round(cx), cy: round(cy), r });
}

export function crossAt([x, y]) {
  return `M${round(x - 5)} ${round(y - 5)}l10 10m0-10l-10 10`;
}

// Return a cross in a circle, which no arrowhead looks like.
export function stopAt([x, y]) {
  return `M${round(x - 7)} ${round(y)}a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M${round(x - 4)} ${round(y - 4)}l8 8m0-8l-8 8`;
}

export function noteAt([x, y], text, beside) {
  const note = svg("text", { class: "note", x: round(x + (beside ? 14 : 0)), y: round(y + 4) });
  note.textContent = text;
  return note;
}

// Return the badge of a group; its letter has the same meaning as its colour.
export function badge(group, r, x, y) {
  const letter = svg("text", { class: "letter", "font-size": round((group.mark.length > 1 ? 1.05 : 1.4) * r), y: round(0.48 * r),
    style: `fill:${group.ink}` });
  letter.textContent = group.mark;
  const plate = svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: group.shape === "square" ? 0.3 * r : r,
    style: `fill:${group.colour}` });
  return svg("g", { class: "badge", transform: `translate(${round(x)} ${round(y)})` }, plate, letter);
}

export function badgeSample(group) {
  return svg("svg", { class: "sample", width: 40, height: 18, "aria-hidden": "true" }, badge(group, 8, 20, 9));
}

export function stopSample() {
  return svg("svg", { class: "sample", width: 40, height: 16, "aria-hidden": "true" }, svg("path", { class: "stop", d: stopAt([20, 8]) }));
}

export function sample(classes) {
  const g = svg("g", { class: `mark ${classes}` }, svg("path", { class: "line", d: "M3 8H37", "stroke-width": 2 }));
  const [first, last] = endsOf(classes.split(" ")[0]);
  if (last === "head") g.append(headAt([38, 8], [0, 8], 9));
  if (first === "head") g.append(headAt([2, 8], [40, 8], 9));
  if (last === "circle") g.append(circleAt([38, 8], [0, 8]));
  if (first === "circle") g.append(circleAt([2, 8], [40, 8]));
  if (/doubt/.test(classes)) g.append(noteAt([20, 12], "?"));
  if (/ determined/.test(classes)) g.append(noteAt([20, 8], "="));
  if (/b-aware/.test(classes)) g.append(svg("circle", { class: "aware", cx: 36, cy: 8, r: 3.5 }));
  if (/forbidden/.test(classes)) g.append(svg("path", { class: "cross", d: crossAt([20, 8]) }));
  if (/required/.test(classes)) g.append(svg("path", { class: "lock", d: ICONS.lock, transform: "translate(20 8)" }));
  const sign = { ...SIGNS, added: "+", removed: "−", reversed: "↔", open: "●" }[classes.split(" ")[1]];
  if (sign) g.append(noteAt([20, 8], sign));
  return svg("svg", { class: "sample", width: 40, height: 16, "aria-hidden": "true" }, g);
}
