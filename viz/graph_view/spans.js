// State of an edge at a step.

export const GHOST_STEPS = 10; // number of steps for which a removed edge is a ghost; the last step has no ghosts

export function stateAt(edge, step, last) {
  let gone = -Infinity;
  for (let k = 0; k < edge.spans.length; k++) {
    const [from, to, mark, awareA, awareB] = edge.spans[k];
    if (step < from) break;
    if (step < to) {
      const leaves = step + 1 === to && to <= last && edge.spans[k + 1]?.[0] !== to;
      return { mark, leaves, aware: [awareA, awareB] };
    }
    gone = to;
  }
  if (edge.forbidden) return { mark: "forbidden", away: true };
  if (edge.few_rows) return { mark: "few-rows", away: true };
  return { mark: step - gone < GHOST_STEPS && step < last ? "ghost" : "", away: true };
}

// Return true if the edge has an arrowhead at a node at any step.
export function pointsAt(edge, node) {
  const way = edge.nb === node ? "forward" : "backward", ways = ["conflict", "bidirected", way, `circle-${way}`];
  return edge.spans.some(([, , mark]) => ways.includes(mark));
}

export function pairKey(a, b) {
  return JSON.stringify(a < b ? [a, b] : [b, a]);
}

// Return the first index in the sorted `values` with a value above `limit`.
export function upper(values, limit) {
  let low = 0, high = values.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (values[mid] <= limit) low = mid + 1;
    else high = mid;
  }
  return low;
}
