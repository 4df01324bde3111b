// Clusters of a large graph, drawn as patches: groups with more edges inside than to other nodes.

import { svg } from "./elements.js";
import { hullOf, round, xy } from "./geometry.js";
import { clean, number, shorten } from "./numbers.js";
import { stateAt } from "./spans.js";
import { inWords } from "./translation.js";

const FROM_NODES = 300; // number of nodes above which clusters are drawn
const MEMBERS = 6; // minimum size of a cluster that is drawn
const STRANGERS = 0.25; // maximum number of foreign nodes inside a patch, as a share of its members
const SWEEPS = 30;

// Label propagation (Raghavan, Albert and Kumara 2007). Nodes with many neighbours go first and ties go to the first
// label, so the result is deterministic. `neighbours` are lists of indices; the result is one label per node.
export function communities(neighbours) {
  const label = neighbours.map((_, k) => k);
  const order = [...label].sort((a, b) => neighbours[b].length - neighbours[a].length || a - b);
  for (let sweep = 0, moved = true; moved && sweep < SWEEPS; sweep++) {
    moved = false;
    for (const k of order) {
      const votes = new Map();
      for (const other of neighbours[k]) votes.set(label[other], (votes.get(label[other]) ?? 0) + 1);
      let best = label[k], most = votes.get(best) ?? 0;
      for (const [l, n] of votes) if (n > most || (n === most && l < best && most > 0)) [best, most] = [l, n];
      moved ||= best !== label[k];
      label[k] = best;
    }
  }
  return label;
}

export function isInside(corners, x, y) {
  return corners.every(([x0, y0], k) => {
    const [x1, y1] = corners[(k + 1) % corners.length];
    return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= 0;
  });
}

export const Clusters = {
  // Find the clusters of the result; they stay the same while the slider moves.
  loadClusters() {
    this.clusters = [];
    if (this.nodes.size > FROM_NODES) {
      const all = [...this.nodes.values()], at = new Map(all.map((node, k) => [node, k])), step = this.steps.choice ?? this.last;
      const joined = (edge, state = stateAt(edge, step, this.last)) => state.mark && !state.away;
      const label = communities(all.map((node) => node.edges.filter((edge) => joined(edge))
        .map((edge) => at.get(edge.na === node ? edge.nb : edge.na))));
      const groups = Map.groupBy(all, (node) => label[at.get(node)]);
      this.clusters = [...groups.values()].filter((members) => members.length >= MEMBERS);
    }
    this.drawClusters();
  },

  drawClusters() {
    const all = [...this.nodes.values()], patches = [];
    for (const members of this.kept.neighbourhood ? [] : this.clusters) {
      const own = new Set(members), corners = hullOf(members);
      const strangers = all.filter((node) => !own.has(node) && isInside(corners, node.px, node.py));
      if (strangers.length > STRANGERS * members.length) continue;
      const hub = members.reduce((best, node) => (node.edges.length > best.edges.length ? node : best));
      const title = svg("title");
      title.textContent = inWords("cluster of {n} around {name}", { n: number(members.length), name: clean(hub.name) });
      patches.push(svg("path", { class: "patch", d: `M${corners.map(xy).join("L")}Z` }, title));
      const name = svg("text", { class: "patch-name", x: round(hub.px), y: round(Math.min(...members.map((n) => n.py))) });
      name.textContent = `${shorten(clean(hub.name), 14)} + ${number(members.length - 1)}`;
      patches.push(name);
    }
    this.clusterLayer.replaceChildren(...patches);
    this.root.dataset.clusters = patches.length / 2;
  },
};
