// Survival map: one row per edge, with the values at which it exists. Tall bars are directed, low bars undirected.

import { html } from "./elements.js";
import { markAt, isMissing } from "./what_if.js";
import { number, shorten } from "./numbers.js";
import { inWords } from "./translation.js";

const MAP_ROW = 15, MAP_NAMES = 190, MAP_LETTERS = 26; // pixels of a row and of the names; letters of both names

export const SurvivalMap = {
  buildMap() {
    this.mapCanvas = html("canvas", { tabindex: 0, role: "img" });
    this.mapScroll = html("div", { class: "map-rows" }, this.mapCanvas);
    this.map = html("details", { class: "map" }, html("summary", {}, inWords("Which edges exist in which run")), this.mapScroll);
    this.map.addEventListener("toggle", () => {
      this.fitHeight();
      this.drawSurvival();
    });
    this.mapCanvas.addEventListener("pointermove", (e) => this.lightRow(this.rowAt(e)));
    this.mapCanvas.addEventListener("pointerleave", () => this.lightRow(-1));
    this.mapCanvas.addEventListener("blur", () => this.lightRow(-1));
    this.mapCanvas.addEventListener("click", (e) => this.explainRow(this.rowAt(e), this.stepAt(e)));
    this.mapCanvas.addEventListener("keydown", (e) => this.onMapKey(e));
    return this.map;
  },

  loadMap() {
    this.map.hidden = !this.steps.what_if;
    this.row = -1;
  },

  rowAt(e) {
    return Math.min(this.edges.length - 1, Math.floor(e.offsetY / MAP_ROW));
  },

  stepAt(e) {
    const room = this.mapCanvas.clientWidth - MAP_NAMES;
    return e.offsetX < MAP_NAMES ? this.step : Math.min(this.last, Math.floor(((e.offsetX - MAP_NAMES) / room) * this.steps.count));
  },

  onMapKey(e) {
    const ways = { ArrowUp: this.row - 1, ArrowDown: this.row + 1 };
    if (e.key === "Enter" && this.row >= 0) this.explainRow(this.row, this.step);
    else if (e.key in ways) this.lightRow(Math.max(0, Math.min(this.edges.length - 1, ways[e.key])), true);
    else return;
    e.preventDefault();
    e.stopPropagation();
  },

  // Highlight the edge of a row in the graph, as a ghost where it is absent.
  lightRow(row, byKey = false) {
    if (row === this.row && !byKey) return;
    const before = this.edges[this.row], edge = this.edges[row];
    before?.el?.setAttribute("class", before.shown || "away");
    this.row = row;
    this.drawSurvival();
    this.tip.hidden = !edge;
    if (!edge) return;
    if (!edge.el) this.createEdge(edge);
    if (edge.dirty) this.reroute(edge);
    if (!edge.d) this.shape(edge, { mark: markAt(edge, edge.spans[0][0]) });
    edge.el.setAttribute("class", `${edge.shown || "edge mark ghost"} hover`);
    this.point({ edge });
    edge.el.classList.add("hover");
    if (!byKey) return;
    this.mapScroll.scrollTop = Math.max(0, (row - 3) * MAP_ROW);
    this.announce(this.describe(edge));
  },

  explainRow(row, step) {
    const edge = this.edges[row];
    if (!edge) return;
    this.go(step);
    this.select([edge.a, edge.b]);
    this.announce(this.selectedText());
    this.tip.hidden = true;
    this.report();
  },

  drawSurvival() {
    if (!this.map.open || !this.steps?.what_if) return;
    const width = this.mapScroll.clientWidth, height = MAP_ROW * this.edges.length, sharp = Math.min(2, devicePixelRatio);
    const style = getComputedStyle(this.root), ink = style.color, blue = style.getPropertyValue("--directed").trim();
    Object.assign(this.mapCanvas, { width: width * sharp, height: height * sharp });
    Object.assign(this.mapCanvas.style, { width: `${width}px`, height: `${height}px` });
    this.mapCanvas.setAttribute("aria-label", inWords("{n} edges, most persistent first; arrow keys move between them", { n: number(this.edges.length) }));
    const pen = this.mapCanvas.getContext("2d"), room = width - MAP_NAMES, at = (step) => MAP_NAMES + (room * step) / this.steps.count;
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.font = `11px ${style.fontFamily}`;
    pen.textBaseline = "middle";
    this.edges.forEach((edge, row) => {
      const y = row * MAP_ROW, name = (node) => shorten(node.name, MAP_LETTERS / 2);
      pen.globalAlpha = row === this.row ? 0.18 : row % 2 ? 0.05 : 0;
      pen.fillStyle = ink;
      pen.fillRect(0, y, width, MAP_ROW);
      pen.globalAlpha = 1;
      pen.fillText(`${name(edge.na)} — ${name(edge.nb)}`, 2, y + MAP_ROW / 2, MAP_NAMES - 8);
      for (const [from, to, mark] of edge.spans) {
        const tall = mark === "undirected" ? 4 : 9;
        pen.fillStyle = mark === "undirected" ? ink : blue;
        pen.fillRect(at(from), y + (MAP_ROW - tall) / 2, at(to) - at(from), tall);
      }
    });
    pen.fillStyle = ink;
    pen.globalAlpha = 0.15;
    for (let k = 0; k <= this.last; k++) if (isMissing(this.steps.what_if, k)) pen.fillRect(at(k), 0, at(k + 1) - at(k), height);
    pen.globalAlpha = 0.9;
    pen.strokeStyle = ink;
    pen.strokeRect(at(this.step), 0.5, at(this.step + 1) - at(this.step), height - 1);
  },
};
