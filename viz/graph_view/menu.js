// Context menu of an edge or node: explanation and background knowledge. It opens by right click, long press or the menu key.

import { button, html, itemOf } from "./elements.js";
import { shorten } from "./numbers.js";
import { inWords } from "./translation.js";

const ROOM = 8; // pixels between the menu and the border of the graph

function menuText(text, name) {
  return inWords(text, { name });
}

export const Menu = {
  listenToMenu() {
    this.menu = html("div", { class: "menu", role: "menu", hidden: "" });
    this.stage.append(this.menu);
    this.svg.addEventListener("contextmenu", (e) => this.openMenu(e));
    this.menu.addEventListener("keydown", (e) => this.onMenuKey(e));
    this.menu.addEventListener("focusout", (e) => this.menu.contains(e.relatedTarget) || this.closeMenu());
  },

  openMenu(e) {
    const { edge, node } = (e.pointerType ? this.under(e) : itemOf(e.target)) ?? {};
    if (!(edge || node) || !this.graph.rules) return;
    e.preventDefault();
    this.press = null;
    const choices = edge ? this.edgeChoices(edge) : [[menuText("Set {name} as outcome", shorten(node.name, 24)), "outcome"]];
    this.menu.replaceChildren(...choices.map(([text, rule]) => {
      const item = button(text, text, () => this.ask(edge ? [edge.a, edge.b] : [node.id, node.id], rule));
      item.setAttribute("role", "menuitem");
      return item;
    }));
    this.menu.hidden = false;
    this.menuOf = (edge ?? node).el;
    const box = this.stage.getBoundingClientRect(), own = this.menuOf.getBoundingClientRect();
    const [x, y] = e.clientX || e.clientY ? [e.clientX - box.left, e.clientY - box.top]
      : [own.left + own.width / 2 - box.left, own.top + own.height / 2 - box.top];
    const within = (at, room, size) => `${Math.max(ROOM, Math.min(at, room - size - ROOM))}px`;
    this.menu.style.left = within(x, box.width, this.menu.offsetWidth);
    this.menu.style.top = within(y, box.height, this.menu.offsetHeight);
    this.point(null);
    this.menu.firstChild.focus();
  },

  edgeChoices(edge) {
    const a = shorten(edge.na.name, 24), b = shorten(edge.nb.name, 24);
    const edges = [`${a} — ${b}`, `${a} → ${b}`, `${b} → ${a}`];
    return [[menuText("Explain {name}", edges[0]), "explain"], [menuText("Forbid {name}", edges[0]), "apart"],
      [menuText("Forbid {name}", edges[1]), "not_along"], [menuText("Forbid {name}", edges[2]), "not_against"],
      [menuText("Require {name}", edges[1]), "along"], [menuText("Require {name}", edges[2]), "against"]];
  },

  closeMenu() {
    this.menu.hidden = true;
  },

  onMenuKey(e) {
    const items = [...this.menu.children], at = items.indexOf(e.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[e.key];
    e.stopPropagation();
    if (to != null) items.at(to % items.length).focus();
    else if (e.key === "Escape") this.menuOf.focus();
    else return;
    e.preventDefault();
  },

  // Select the pair, and send the rule to Python, which stores it or explains why it cannot.
  ask(pair, rule) {
    if (rule !== "explain") this.kept.asked = { id: `${Date.now()} ${Math.random()}`, rule, pair };
    this.menuOf.focus();
    if (pair[0] !== pair[1]) this.select(pair);
    this.closeMenu();
    this.report();
  },
};
