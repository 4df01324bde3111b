// The legend: one row for each mark that some step shows.

import { html } from "./elements.js";
import { badgeSample, pointOf, POINTS, sample, WORDS } from "./marks.js";
import { clean } from "./numbers.js";
import { TURNS } from "./turns.js";
import { VERDICTS } from "./truth.js";
import { DIFFERENCES } from "./what_if.js";

export const Legend = {
  loadLegend(edges) {
    const points = new Set((this.steps.series ?? []).flatMap((s) => s.marks ?? []));
    const some = (test) => edges.some(test), mark = (m) => some((e) => e.spans.some((s) => s[2] === m));
    const whatIf = !!this.steps.what_if, leaves = !whatIf && some((e) => e.spans.some((s) => s[1] < this.steps.count));
    const rows = [
      [mark("forward") || mark("backward"), "forward", this.graph.directed
        ?? "directed: same direction in all equivalent graphs"],
      [mark("circle-forward") || mark("circle-backward"), "circle-forward", "a cause, or a hidden common cause, or both"],
      [mark("bidirected"), "bidirected", "a hidden common cause; neither causes the other"],
      [mark("circles"), "circles", "both ends open: each may be a cause, or a hidden one"],
      [some((e) => e.doubt), "forward doubt", "hollow with ?: direction uncertain"],
      [some((e) => e.determined), "undirected determined", "=: one determines the other, no direction"],
      [mark("undirected"), "undirected", "undirected: direction not determined"],
      [mark("conflict"), "conflict", "conflicting evidence on the direction"],
      [some((e) => e.spans.some((s) => s[3] || s[4])), "undirected b-aware", "dot: this end is aware of the other"],
      [leaves, "undirected leaves", "removed at the next step"], [leaves, "ghost", "just removed"],
      [some((e) => e.required), "undirected required", "required"], [some((e) => e.forbidden), "forbidden", "forbidden"],
      [some((e) => e.few_rows), "few-rows", "no edge, but too few rows to test"],
      [some((e) => e.untested), "undirected untested", "?: never tested (low power)"],
      ...["both", "only_a", "only_b", "direction_differs"].map((d) => [some((e) => e.diff === d), `undirected ${d}`,
        WORDS[d]]),
      ...Object.entries(TURNS).map(([how, [, words]]) => [some((e) => e.turns?.some((t) => t[2] === how)),
        `forward ${how}`, words]),
      ...Object.entries(DIFFERENCES).slice(0, 3).map(([how, [, words]]) => [whatIf, `undirected ${how}`, words]),
      ...VERDICTS.map((v) => [this.truthShown(), `undirected ${v}`, WORDS[v]]),
    ].filter((row) => row[0]);
    const notes = [some((e) => e.strength != null) && "wider line: stronger",
      some((e) => e.opacity != null) && "fainter line: less probable"].filter(Boolean);
    const groups = this.graph.groups ?? [];
    const boxed = (this.graph.boxes ?? []).length && html("div", {}, sample("box"), "group being refined");
    this.legend.replaceChildren(html("summary", {}, "Legend"), ...(boxed ? [boxed] : []),
      ...groups.map((g) => html("div", {}, badgeSample(g), clean(g.name))),
      ...Object.entries(POINTS).filter(([m]) => points.has(m)).map(([m, words]) => html("div", {},
        html("span", { class: `gap point ${m}` }, pointOf(m)), `curve: ${words}`)),
      ...rows.map(([, classes, words]) => html("div", {}, sample(classes), words)),
      ...notes.map((words) => html("div", {}, html("span", { class: "gap" }), words)));
    this.legend.hidden = !rows.length && !groups.length;
  },
};
