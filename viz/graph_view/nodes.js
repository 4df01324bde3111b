// Nodes: labels inside pills, or below dots in large graphs.

import { svg } from "./elements.js";
import { border, dotSize, freeCorner, round, xy } from "./geometry.js";
import { badge, stopAt } from "./marks.js";
import { clean, number, shortNames } from "./numbers.js";
import { pointsAt } from "./spans.js";
import { inWords } from "./translation.js";
import { blocksAt } from "./turns.js";

const PRESENTER_SCALE = 1.4; // factor of the font size in the presenter view
const BADGE = 0.62; // radius of a group badge, as a share of the font size
const DOT_WITH_LETTER = 1.6; // size of a dot with a letter, relative to other dots
const KEYS = "Arrow keys change the step. Page keys jump between events. Space plays. Tab visits edges and variables. Enter selects. Alt and an arrow move a variable. Escape clears.";

export const Nodes = {
  loadNodes(given) {
    if (!this.kept.world) [this.kept.world, this.areaOfWorld] = [this.chooseWorld(), this.sizeNow()];
    const { pills, longest } = this.kept.world, font = this.fontFor(pills);
    [this.pills, this.font] = [pills, font];
    this.view.style.setProperty("--letters", `${font}px`);
    this.nodes = new Map(this.measured(pills, longest).map((node) => [node.id, node]));
    this.nodeLayer.replaceChildren();
    this.edges = [];
    this.locate();
    for (const node of this.nodes.values()) this.drawNode(node, pills, font);
    this.svg.setAttribute("aria-label", `${inWords("Graph of {n} variables.", { n: number(given.length) })} ${inWords(KEYS)}`);
  },

  fontFor(pills) {
    const n = this.graph.nodes.length, larger = this.graph.present ? PRESENTER_SCALE : 1;
    return larger * (!pills ? (n <= 120 ? 10 : 8) : n <= 12 ? 15 : n <= 25 ? 13.5 : 12);
  },

  // Return the nodes with their shortened labels and the space that these need.
  measured(pills, longest) {
    const font = this.fontFor(pills), groups = this.graph.groups ?? [];
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = `${font}px ${getComputedStyle(this.root).fontFamily}`;
    const names = this.graph.nodes.map((n) => clean(n.label)), short = this.exporting ? names : shortNames(names, longest);
    const plain = pills ? 0 : dotSize(this.graph.nodes, font, this.freeArea());
    return this.graph.nodes.map((n, k) => {
      const name = names[k], text = short[k], wide = brush.measureText(text).width;
      const dot = n.group == null ? plain : DOT_WITH_LETTER * font;
      const size = pills ? [wide + 1.3 * font, 1.8 * font] : [dot, dot];
      return { ...n, group: groups[n.group], name, text, w: size[0], h: size[1], room: pills ? size[0] : wide,
        above: pills ? 0.9 * font : font / 2, below: pills ? 0.9 * font : 1.9 * font, edges: [] };
    });
  },

  drawNode(node, pills, font) {
    const label = svg("text", pills ? { "font-size": font, y: 0.34 * font } : { y: node.h / 2, dy: "1.05em" });
    label.textContent = node.text;
    const shape = { x: -node.w / 2, y: -node.h / 2, width: node.w, height: node.h, rx: node.h / 2 };
    const box = svg("rect", shape), title = svg("title"), group = node.group;
    const said = group ? `${node.name}, ${clean(group.name)}` : node.name;
    title.textContent = said;
    node.el = svg("g", { class: pills ? "node" : "node dot", tabindex: 0, role: "button", "data-node": node.id }, title, box);
    if (group && pills) node.el.append(svg("rect", { ...shape, class: "tint", style: `fill:${group.colour}` }));
    node.el.append(label);
    if (group) {
      node.badge = badge(group, pills ? BADGE * font : node.h / 2, 0, 0);
      node.el.append(node.badge);
    }
    if ((this.graph.draws || this.graph.orients) && !this.exporting) node.el.append(this.dotOf(node));
    if (node.blocks) node.el.append(svg("path", { class: "stop", d: stopAt([0, node.h / 2]) }));
    node.said = said;
    node.el.setAttribute("aria-label", inWords("variable {name}", { name: said }));
    node.el.item = { node };
    this.placeNode(node);
    this.nodeLayer.appendChild(node.el);
  },

  // Mark the nodes that block the path of the step with a cross.
  showStops() {
    for (const node of this.nodes.values()) {
      if (!node.blocks) continue;
      const stops = blocksAt(node, this.step);
      node.el.classList.toggle("stops", stops);
      const said = stops ? `${node.said}, ${inWords("blocks the path")}` : node.said;
      node.el.setAttribute("aria-label", inWords("variable {name}", { name: said }));
    }
  },

  placeNode(node) {
    node.el.setAttribute("transform", `translate(${round(node.px)} ${round(node.py)})`);
  },

  // Place group badges where they hide no arrowhead.
  placeBadges() {
    for (const node of this.pills ? this.nodes.values() : []) {
      if (!node.badge) continue;
      const from = node.edges.flatMap((edge) => (pointsAt(edge, node) ? [edge.na === node ? edge.nb : edge.na] : []));
      const heads = from.map(({ px, py }) => border(node, [px, py])).map(([x, y]) => [x - node.px, y - node.py]);
      node.badge.setAttribute("transform", `translate(${xy(freeCorner(node, BADGE * this.font, heads))})`);
    }
  },
};
