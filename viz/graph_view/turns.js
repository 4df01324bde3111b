// Edges that a step marks: directed by hand or as a consequence, changed from one DAG of a class to the next, on a path
// of the step, or asked about in a quiz or a lesson.

// Mark -> note at the edge, and its meaning.
export const TURNS = {
  "by-hand": ["by hand", "directed by hand"], follows: ["implied", "implied by the edges directed by hand"],
  besides: ["also", "also reversed, to stay in the class"], changed: ["↻", "differs from the previous DAG"],
  open: ["●", "on an open path"], shut: ["", "on a blocked path"],
  traced: ["", "path asked about"], reason: ["", "in the v-structure or cycle of the explanation"],
  asked: ["?", "possible answer"], chosen: ["◆", "chosen"], solved: ["✓", "correct"], mistaken: ["✗", "wrong in your answer"],
};

// Return true at the steps at which a node blocks the path.
export function blocksAt(node, step) {
  return !!node.blocks?.some(([from, to]) => from <= step && step < to);
}

export function turnAt(edge, step) {
  return edge.turns?.find(([from, to]) => from <= step && step < to)?.[2] ?? "";
}
