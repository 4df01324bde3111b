// Edges that were turned at a step: by hand, because it follows, or from one DAG of a class to the next; those that lie
// on a path of that step; and those that a quiz asks about.

// Of each: what stands at the edge, and what it means.
export const TURNS = {
  "by-hand": ["by hand", "directed by hand"], follows: ["follows", "follows from that"],
  besides: ["too", "turned too, to stay in the class"], changed: ["↻", "unlike in the DAG before"],
  open: ["●", "on an open path"], shut: ["×", "on a closed path"],
  asked: ["?", "to choose among"],
};

export function turnAt(edge, step) {
  return edge.turns?.find(([from, to]) => from <= step && step < to)?.[2] ?? "";
}
