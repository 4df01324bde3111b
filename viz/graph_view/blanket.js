// The Markov blanket of the selected variable, lit: parents, children, spouses, and neighbours of open direction.

import { svg } from "./elements.js";
import { round } from "./geometry.js";
import { clean, number, shorten } from "./numbers.js";
import { stateAt } from "./spans.js";

const MOST_NAMED = 3;
// Of each role: what it is called, its sign in a text, and the same as a shape around 0 0.
const ROLES = {
  parent: ["parent", "parents", "▲", "M0 -6L6 5H-6Z"], child: ["child", "children", "▼", "M0 6L6 -5H-6Z"],
  spouse: ["spouse", "spouses", "◆", "M0 -7L6 0L0 7L-6 0Z"],
  open: ["neighbour of open direction", "neighbours of open direction", "●", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z"],
};

// The role of each node in the blanket of `node` at a step, by node; a spouse is another parent of a child.
export function blanketOf(node, step, last) {
  const roles = new Map(), around = linksOf(node, step, last);
  for (const { other, head } of around) roles.set(other, !head ? "open" : head === node ? "parent" : "child");
  const lines = around.map((link) => link.edge);
  for (const { other: child } of around.filter(({ head }) => head && head !== node)) {
    for (const { other, head, edge } of linksOf(child, step, last)) {
      if (head !== child || other === node) continue;
      if (!roles.has(other)) roles.set(other, "spouse");
      lines.push(edge);
    }
  }
  return { roles, lines: new Set(lines) };
}

// Who a node is joined to, and where the arrowhead is, if there is one alone.
export function linksOf(node, step, last) {
  return node.edges.flatMap((edge) => {
    const state = stateAt(edge, step, last);
    if (!state.mark || state.away) return [];
    const head = state.mark === "forward" ? edge.nb : state.mark === "backward" ? edge.na : null;
    return [{ edge, head, other: edge.na === node ? edge.nb : edge.na }];
  });
}

export function blanketWords(node, roles) {
  const parts = Object.entries(ROLES).map(([role, [one, many, sign]]) => {
    const names = [...roles].filter(([, r]) => r === role).map(([other]) => shorten(clean(other.name), 24));
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
    const told = names.length ? ` (${names.slice(0, MOST_NAMED).join(", ")}${more})` : "";
    return `${sign} ${number(names.length)} ${names.length === 1 ? one : many}${told}`;
  });
  return `Markov blanket of ${shorten(clean(node.name), 40)}: ${parts.join(", ")}`;
}

export const Blanket = {
  // Lit while one variable is selected, anew at every step; not while a network is drawn.
  lightBlanket() {
    const id = this.kept.selected, node = Array.isArray(id) || id == null || this.graph.draws ? null : this.nodes.get(id);
    const { roles, lines } = node ? blanketOf(node, this.step, this.last) : { roles: new Map(), lines: new Set() };
    this.view.classList.toggle("lit", !!node);
    for (const other of this.nodes.values()) this.markKin(other, roles.get(other) ?? "");
    for (const edge of new Set([...(this.lines ?? []), ...lines])) {
      edge.kin = lines.has(edge);
      this.paint(edge);
    }
    this.lines = lines;
    this.blanketWords = node ? blanketWords(node, roles) : "";
    this.remark("blanket", this.blanketWords);
  },

  markKin(node, role) {
    if (role === (node.role ?? "")) return;
    node.role = role;
    node.el.classList.toggle("kin", !!role);
    node.el.querySelector(".role")?.remove();
    if (!role) return;
    const at = `translate(${round(node.w / 2)} ${round(-node.h / 2)}) scale(1.25)`;
    node.el.append(svg("path", { class: `role ${role}`, d: ROLES[role][3], transform: at }));
  },

  // A line at the foot of the picture, beside others.
  remark(name, text) {
    const line = this.remarks.querySelector(`.${name}`);
    line.textContent = text;
    line.hidden = !text;
  },
};
