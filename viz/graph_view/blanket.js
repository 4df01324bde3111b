// Highlight the Markov blanket of the selected variable: parents, children, spouses and undirected neighbours.

import { svg } from "./elements.js";
import { round } from "./geometry.js";
import { clean, number, shorten } from "./numbers.js";
import { stateAt } from "./spans.js";
import { inWords } from "./translation.js";

const MAX_NAMED = 3;
// Role -> singular, plural, sign in text, and the same sign as a path around the origin.
const ROLES = {
  parent: ["parent", "parents", "▲", "M0 -6L6 5H-6Z"], child: ["child", "children", "▼", "M0 6L6 -5H-6Z"],
  spouse: ["spouse", "spouses", "◆", "M0 -7L6 0L0 7L-6 0Z"],
  open: ["undirected neighbour", "undirected neighbours", "●", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z"],
};

// Return the role of each node in the blanket of `node` at a step, and the edges involved.
export function blanketOf(node, step, last) {
  const roles = new Map(), links = linksOf(node, step, last);
  for (const { other, head } of links) roles.set(other, !head ? "open" : head === node ? "parent" : "child");
  const lines = links.map((link) => link.edge);
  for (const { other: child } of links.filter(({ head }) => head && head !== node)) {
    for (const { other, head, edge } of linksOf(child, step, last)) {
      if (head !== child || other === node) continue;
      if (!roles.has(other)) roles.set(other, "spouse");
      lines.push(edge);
    }
  }
  return { roles, lines: new Set(lines) };
}

// Return the edges of a node at a step, with the other end and the head of a directed edge.
export function linksOf(node, step, last) {
  return node.edges.flatMap((edge) => {
    const state = stateAt(edge, step, last);
    if (!state.mark || state.away) return [];
    const head = state.mark === "forward" ? edge.nb : state.mark === "backward" ? edge.na : null;
    return [{ edge, head, other: edge.na === node ? edge.nb : edge.na }];
  });
}

export function blanketText(node, roles) {
  const parts = Object.entries(ROLES).map(([role, [one, many, sign]]) => {
    const names = [...roles].filter(([, r]) => r === role).map(([other]) => shorten(clean(other.name), 24));
    const more = names.length > MAX_NAMED ? inWords(" and {n} more", { n: names.length - MAX_NAMED }) : "";
    const listed = names.length ? ` (${names.slice(0, MAX_NAMED).join(", ")}${more})` : "";
    return `${sign} ${number(names.length)} ${inWords(names.length === 1 ? one : many)}${listed}`;
  });
  return inWords("Markov blanket of {name}: {parts}", { name: shorten(clean(node.name), 40), parts: parts.join(", ") });
}

export const Blanket = {
  // Highlight the blanket while one variable is selected, updated at each step; never in the network editor or where the page forbids it.
  showBlanket() {
    const id = this.kept.selected, node = Array.isArray(id) || id == null || this.graph.draws || this.graph.blanket === false ? null : this.nodes.get(id);
    const { roles, lines } = node ? blanketOf(node, this.step, this.last) : { roles: new Map(), lines: new Set() };
    this.view.classList.toggle("blanket-shown", !!node);
    for (const other of this.nodes.values()) this.markRole(other, roles.get(other) ?? "");
    for (const edge of new Set([...(this.lines ?? []), ...lines])) {
      edge.related = lines.has(edge);
      this.paint(edge);
    }
    this.lines = lines;
    this.blanketText = node ? blanketText(node, roles) : "";
    this.remark("blanket", this.blanketText);
  },

  markRole(node, role) {
    if (role === (node.role ?? "")) return;
    node.role = role;
    node.el.classList.toggle("related", !!role);
    node.el.querySelector(".role")?.remove();
    if (!role) return;
    const at = `translate(${round(node.w / 2)} ${round(-node.h / 2)}) scale(1.25)`;
    node.el.append(svg("path", { class: `role ${role}`, d: ROLES[role][3], transform: at }));
  },

  // Set one of the remarks below the graph.
  remark(name, text) {
    const line = this.remarks.querySelector(`.${name}`);
    line.textContent = text;
    line.hidden = !text;
  },
};
