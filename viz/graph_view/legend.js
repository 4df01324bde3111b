// The legend: one row for each mark that any step shows.

import { html } from "./elements.js";
import { badgeSample, pointOf, POINTS, sample, stopSample, WORDS } from "./marks.js";
import { clean } from "./numbers.js";
import { inWords } from "./translation.js";
import { TURNS } from "./turns.js";
import { VERDICTS } from "./truth.js";
import { DIFFERENCES } from "./what_if.js";

export const Legend = {
  loadLegend(edges) {
    const points = new Set((this.steps.series ?? []).flatMap((s) => s.marks ?? []));
    const some = (test) => edges.some(test), mark = (m) => some((e) => e.spans.some((s) => s[2] === m));
    const whatIf = !!this.steps.what_if, leaves = !whatIf && some((e) => e.spans.some((s) => s[1] < this.steps.count));
    const rows = [
      [mark("forward") || mark("backward"), "forward",
        this.graph.directed ?? inWords("directed: same direction in all equivalent graphs")],
      [mark("circle-forward") || mark("circle-backward"), "circle-forward", inWords("a cause, or a hidden common cause, or both")],
      [mark("bidirected"), "bidirected", inWords("a hidden common cause; neither causes the other")],
      [mark("circles"), "circles", inWords("both ends open: each may be a cause, or a hidden one")],
      [some((e) => e.doubt), "forward doubt", inWords("hollow with ?: direction weakly supported")],
      [some((e) => e.determined), "undirected determined", inWords("=: one determines the other, no direction")],
      [mark("undirected"), "undirected", this.graph.undirected ?? inWords("undirected: direction open")],
      [mark("conflict"), "conflict", inWords("conflicting evidence on the direction")],
      [some((e) => e.spans.some((s) => s[3] || s[4])), "undirected b-aware", inWords("dot: this end is aware of the other")],
      [leaves, "undirected leaves", inWords("removed at the next step")], [leaves, "ghost", inWords("just removed")],
      [some((e) => e.required), "undirected required", inWords("required")], [some((e) => e.forbidden), "forbidden", inWords("forbidden")],
      [some((e) => e.few_rows), "few-rows", inWords("no edge, but too few rows to test")],
      [some((e) => e.untested), "undirected untested", inWords("?: never tested (low power)")],
      ...["both", "only_a", "only_b", "direction_differs", "left_open"].map((d) => [some((e) => e.diff === d), `undirected ${d}`,
        inWords(WORDS[d])]),
      ...Object.entries(TURNS).map(([how, [, words]]) => [some((e) => e.turns?.some((t) => t[2] === how)),
        `forward ${how}`, inWords(words)]),
      ...Object.entries(DIFFERENCES).slice(0, 3).map(([how, [, words]]) => [whatIf, `undirected ${how}`, inWords(words)]),
      ...VERDICTS.map((v) => [this.truthShown(), `undirected ${v}`, inWords(WORDS[v])]),
    ].filter((row) => row[0]);
    const stops = [...this.nodes.values()].some((node) => node.blocks?.length);
    const notes = [some((e) => e.strength != null) && inWords("wider line: stronger"),
      some((e) => e.opacity != null) && inWords("fainter line: less probable")].filter(Boolean);
    const groups = this.graph.groups ?? [];
    const boxed = (this.graph.boxes ?? []).length && html("div", {}, sample("box"), inWords("group being refined"));
    this.legend.replaceChildren(html("summary", {}, inWords("Legend")), ...(boxed ? [boxed] : []),
      ...groups.map((g) => html("div", {}, badgeSample(g), clean(g.name))),
      ...Object.entries(POINTS).filter(([m]) => points.has(m)).map(([m, words]) => html("div", {},
        html("span", { class: `gap point ${m}` }, pointOf(m)), `${inWords("curve")}: ${inWords(words)}`)),
      ...rows.map(([, classes, words]) => html("div", {}, sample(classes), words)),
      ...(stops ? [html("div", {}, stopSample(), inWords("blocks the path"))] : []),
      ...notes.map((words) => html("div", {}, html("span", { class: "gap" }), words)));
    this.legend.hidden = !rows.length && !groups.length;
  },
};
