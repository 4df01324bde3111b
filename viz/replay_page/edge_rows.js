// The edges at a step, as rows of a table and as cells of a matrix.

import { markAt } from "../graph_view/what_if.js";

const ARROW_OF = {
  forward: "→", backward: "→", circles: "o—o", "circle-forward": "o→", "circle-backward": "←o", bidirected: "↔",
};

// Return the edges at a step, the strongest first: the nodes from tail to head, the mark, its type, and the edge.
export function edgeRows(graph, step, types) {
  const rows = graph.edges.flatMap((edge) => {
    const mark = markAt(edge, step);
    if (!mark) return [];
    const turned = mark === "backward", fixed = edge.determined && mark in types;
    const [from, to] = turned ? [edge.b, edge.a] : [edge.a, edge.b];
    return [{ from, to, edge, mark: fixed ? "=" : ARROW_OF[mark] ?? "—", type: fixed ? "determined" : types[mark] ?? types.undirected }];
  });
  const strength = ({ edge }) => edge.strength ?? edge.opacity ?? -1;
  return rows.sort((x, y) => strength(y) - strength(x));
}

// Return the cells [row, column, edge] that a matrix fills at a step: one for an arrow, both for any other mark.
export function matrixCells(graph, step) {
  return graph.edges.flatMap((edge) => {
    const mark = markAt(edge, step), { a, b } = edge;
    if (!mark) return [];
    if (edge.determined || !["forward", "backward"].includes(mark)) return [[a, b, edge], [b, a, edge]];
    return [mark === "backward" ? [b, a, edge] : [a, b, edge]];
  });
}

// Return the rows whose cells contain every word of a text.
export function matchingRows(rows, text, cellsOf) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const cells = cellsOf(row).join("\n").toLowerCase();
    return words.every((word) => cells.includes(word));
  });
}

// Write the steps at which a pair is adjacent, and whether it is adjacent at the step on screen; nothing for a single one.
export function presenceText(edge, steps, step) {
  if (steps.count === 1) return "";
  const { count, offset = 0, ticks } = steps, named = (k) => (ticks ? ticks[k] : (k + offset).toLocaleString("en"));
  const spans = [];
  for (const [from, to] of edge?.spans ?? []) {
    if (spans.at(-1)?.[1] === from) spans.at(-1)[1] = to;
    else spans.push([from, to]);
  }
  const what = ticks ? steps.axis_label : "step", here = spans.some(([from, to]) => from <= step && step < to);
  const now = `${what ? `At ${what} ${named(step)}, on screen` : `On screen, ${named(step)}`}: ${here ? "present" : "absent"}.`;
  if (!spans.length) return `Never present. ${now}`;
  const said = spans.map(([from, to]) => (to - from === 1 ? named(from) : `${named(from)} to ${named(to - 1)}`));
  if (!what) return `Present: ${said.join(", ")}. ${now}`;
  return `Present at ${what}${ticks ? "" : "s"} ${said.join(", ")}${ticks ? "" : ` of ${named(count - 1)}`}. ${now}`;
}
