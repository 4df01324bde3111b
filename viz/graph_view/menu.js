// Context menu of an edge with background knowledge. It opens by right click, long press or the menu key.

import { button, html, itemOf } from "./elements.js";
import { shorten } from "./numbers.js";

const ROOM = 8; // pixels between the menu and the border of the graph

export const Menu = {
  listenToMenu() {
    this.menu = html("div", { class: "menu", role: "menu", hidden: "" });
    this.stage.append(this.menu);
    this.svg.addEventListener("contextmenu", (e) => this.openMenu(e));
    this.menu.addEventListener("keydown", (e) => this.onMenuKey(e));
    this.menu.addEventListener("focusout", (e) => this.menu.contains(e.relatedTarget) || this.closeMenu());
  },

  openMenu(e) {
    const edge = (e.pointerType ? this.under(e) : itemOf(e.target))?.edge;
    if (!edge || !this.graph.rules) return;
    e.preventDefault();
    this.press = null;
    const a = shorten(edge.na.name, 24), b = shorten(edge.nb.name, 24);
    const choices = [[`Forbid ${a} — ${b}`, "apart"], [`Forbid ${a} → ${b}`, "not_along"],
      [`Forbid ${b} → ${a}`, "not_against"], [`Require ${a} → ${b}`, "along"], [`Require ${b} → ${a}`, "against"]];
    this.menu.replaceChildren(...choices.map(([text, rule]) => {
      const item = button(text, text, () => this.ask(edge, rule));
      item.setAttribute("role", "menuitem");
      return item;
    }));
    this.menu.hidden = false;
    this.menuOf = edge.el;
    const box = this.stage.getBoundingClientRect(), mid = edge.path.mid, [k, tx, ty] = this.zoom;
    const [x, y] = e.clientX || e.clientY ? [e.clientX - box.left, e.clientY - box.top] : [mid[0] * k + tx, mid[1] * k + ty];
    const within = (at, room, size) => `${Math.max(ROOM, Math.min(at, room - size - ROOM))}px`;
    this.menu.style.left = within(x, box.width, this.menu.offsetWidth);
    this.menu.style.top = within(y, box.height, this.menu.offsetHeight);
    this.point(null);
    this.menu.firstChild.focus();
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

  // Send the rule to Python, which stores it or explains why it cannot.
  ask(edge, rule) {
    this.kept.asked = { id: `${Date.now()} ${Math.random()}`, rule, pair: [edge.a, edge.b] };
    this.menuOf.focus();
    this.select([edge.a, edge.b]);
    this.report();
  },
};
