// The legend: one row for each mark that any step shows, with a sample that looks like the mark.

import { html } from "./elements.js";
import { badgeSample, pointOf, POINTS, sample, stopSample, WORDS } from "./marks.js";
import { clean } from "./numbers.js";
import { GHOST_STEPS, stateAt } from "./spans.js";
import { inWords } from "./translation.js";
import { TURNS } from "./turns.js";
import { isBlind, VERDICTS, verdictOf } from "./truth.js";
import { DIFFERENCES } from "./what_if.js";

const DIRECTIONS = ["forward", "circle-forward", "bidirected", "circles", "undirected", "conflict"]; // marks in reading order
const MEANINGS = { // marks without a word of the view
  forward: "directed: same direction in all equivalent graphs", "circle-forward": "a cause, or a hidden common cause, or both",
  bidirected: "a hidden common cause; neither causes the other", circles: "both ends open: either may cause the other, or a hidden variable both",
  undirected: "undirected: direction open", conflict: "both heads hollow, with !: conflicting evidence on the direction",
};
const DRAWN_ALIKE = { both: ["forward", "undirected"], right: ["forward", "undirected"] }; // look like edges without a comparison
const AGREED = {
  both: { forward: "in {a} and {b}, same direction", undirected: "in {a} and {b}, undirected" },
  right: { forward: "correct, directed", undirected: "correct, undirected" },
};
const DIFFS = ["both", "only_a", "only_b", "direction_differs", "left_open"];

// Return the steps at which the state of an edge may change.
function stepsOf(edge, last) {
  const ends = [...edge.spans, ...(edge.turns ?? []), ...(edge.comparable ?? [])].flatMap(([from, to]) => [from, to - 1, to, to + GHOST_STEPS - 1]);
  return [...new Set([0, last, ...ends])].filter((step) => step >= 0 && step <= last);
}

// Return the looks of all edges at all steps: each is a list of classes, the mark first, as in `Edges.paint`.
export function looksOf(graph, edges, truthShown) {
  const looks = new Map(), { steps } = graph, last = steps.count - 1;
  for (const edge of edges) {
    for (const step of stepsOf(edge, last)) {
      let state = stateAt(edge, step, last);
      const verdict = truthShown ? verdictOf(edge, state, step, isBlind(steps, step)) : "";
      if (verdict === "missing") state = { mark: edge.truth, away: true };
      if (!state.mark) continue;
      const turn = edge.turns?.find(([from, to]) => from <= step && step < to)?.[2];
      const mark = edge.determined && !state.away ? "undirected" : state.mark.replace("backward", "forward");
      const look = [mark, !steps.what_if && state.leaves && "leaves", edge.diff, verdict, turn, edge.doubt === state.mark && "doubt",
        edge.undecided && "undecided", edge.determined && !state.away && "determined", state.aware?.some(Boolean) && "b-aware",
        edge.required && !state.away && "required", edge.untested && !state.away && "untested"].filter(Boolean);
      looks.set(look.join(" "), look);
    }
  }
  return [...looks.values()];
}

// Return the classes of the sample and the words of each row.
export function rowsOf(graph, edges, truthShown) {
  const looks = looksOf(graph, edges, truthShown), { steps } = graph;
  const names = { a: graph.labels?.[0] ?? "A", b: graph.labels?.[1] ?? "B" };
  const first = (name) => looks.find((look) => look.slice(1).includes(name));
  // An edge that a comparison or a step marks has its own colour, so it is no example of a plain mark.
  const plain = (mark) => looks.some((look) => look[0] === mark && look.slice(1).every((name) => ["b-aware", "required", "untested"].includes(name)));
  const own = { forward: graph.directed, undirected: graph.undirected };
  const one = (name, words, also = "") => (first(name) ? [[`${first(name)[0]} ${name}${also}`, words]] : []);
  const shaped = (mark) => !["forward", "undirected"].includes(mark) && looks.some((look) => look[0] === mark);
  // Ends that occur only in the colours of a comparison are shown without a colour.
  const rows = DIRECTIONS.filter((mark) => plain(mark) || shaped(mark)).map((mark) => [plain(mark) ? mark : `${mark} shape`,
    own[mark] ?? inWords(MEANINGS[mark])]);
  rows.push(...one("doubt", inWords("hollow head with ?: direction weakly supported or contradicted")));
  rows.push(...one("undecided", inWords("grey arrow: undecided, or not judged")));
  if (first("determined")) rows.push(["undirected determined", inWords("=: linked (nearly) by a function, no direction")]);
  if (first("b-aware")) rows.push(["undirected b-aware", inWords("dot: this end is aware of the other")]);
  rows.push(...one("leaves", graph.leaves ?? inWords("removed at the next step")));
  for (const [mark, words] of [["ghost", graph.ghost ?? inWords("just removed")], ["forbidden", inWords("forbidden")],
    ["few-rows", inWords("no edge, but too few rows to test")]]) if (looks.some((look) => look[0] === mark)) rows.push([mark, words]);
  rows.push(...one("required", inWords("required")), ...one("untested", inWords("never tested (low power)")));
  for (const name of [...DIFFS, ...(truthShown ? VERDICTS : [])]) {
    const alike = DRAWN_ALIKE[name]?.filter((mark) => looks.some((look) => look[0] === mark && look.includes(name))) ?? [];
    if (alike.length) for (const mark of alike) rows.push([`${mark} ${name}`, inWords(AGREED[name][mark], names)]);
    else rows.push(...one(name, inWords(WORDS[name], names)));
  }
  for (const [how, [, words]] of Object.entries(TURNS)) rows.push(...one(how, inWords(words)));
  return steps.what_if ? [...rows, ...rowsOfChanges(steps, edges)] : rows;
}

// Return the rows of the changes between values of a parameter, whichever value is the reference.
function rowsOfChanges({ count, what_if: whatIf }, edges) {
  const canonical = (edge) => edge.spans[0][2].replace("backward", "forward"), drawn = edges.filter((edge) => edge.spans.length);
  const some = drawn.find((edge) => edge.spans.reduce((n, [from, to]) => n + to - from, 0) < count);
  const turned = drawn.find((edge) => new Set(edge.spans.map((span) => span[2])).size > 1);
  const found = { added: some, removed: some, reversed: turned, pending: whatIf.missing?.length ? drawn[0] : null };
  return Object.entries(found).filter(([, edge]) => edge).map(([how, edge]) => [`${canonical(edge)} ${how}`, inWords(DIFFERENCES[how][1])]);
}

export const Legend = {
  loadLegend(edges) {
    const points = new Set((this.steps.series ?? []).flatMap((s) => s.marks ?? []));
    const rows = rowsOf(this.graph, edges, this.truthShown());
    const stops = [...this.nodes.values()].some((node) => node.blocks?.length);
    const notes = [edges.some((e) => e.strength != null) && (this.graph.wider ?? inWords("wider line: stronger")),
      edges.some((e) => e.opacity != null) && (this.graph.fainter ?? inWords("fainter line: less probable"))].filter(Boolean);
    const groups = this.graph.groups ?? [];
    const boxed = (this.graph.boxes ?? []).length && html("div", {}, sample("box"), inWords("group being refined"));
    const lines = rows.map(([classes, words]) => html("div", {}, sample(classes), html("span", {}, words)));
    this.directedWords = lines[rows.findIndex(([classes]) => classes === "forward")]?.lastChild;
    this.legend.replaceChildren(html("summary", {}, inWords("Legend")), ...(boxed ? [boxed] : []),
      ...groups.map((g) => html("div", {}, badgeSample(g), clean(g.name))),
      ...Object.entries(POINTS).filter(([m]) => points.has(m)).map(([m, words]) => html("div", {},
        html("span", { class: `gap point ${m}` }, pointOf(m)), `${inWords("curve")}: ${inWords(words)}`)),
      ...lines,
      ...(stops ? [html("div", {}, stopSample(), inWords("blocks the path"))] : []),
      ...notes.map((words) => html("div", {}, html("span", { class: "gap" }), words)));
    this.legend.hidden = !rows.length && !groups.length;
    this.updateLegend();
  },

  // Show what an arrow means at the step: in the middle of a search, its direction may still change.
  updateLegend() {
    const early = this.graph.early;
    if (!this.directedWords || !early) return;
    const words = this.step >= 0 && this.step < early.until ? early.directed : this.graph.directed ?? inWords(MEANINGS.forward);
    if (this.directedWords.textContent !== words) this.directedWords.textContent = words;
  },
};
