// Zoom, pan and drag.

import { itemOf } from "./elements.js";
import { fitTo, MIN_LETTERS, round } from "./geometry.js";
import { stateAt } from "./spans.js";

const BAR = 46, FOOT = 40; // pixels that "fit" reserves: on top for buttons, below for remarks
const MAX_FITTED = 60; // maximum number of nodes of a graph whose bends "fit" shows; routing takes too long with more
const CLEAR = 4; // pixels below the search box and the buttons
const DRAG_AFTER = 3; // distance in pixels from which a press is a drag

export const Zoom = {
  setZoom([k, x, y], byUser = true) {
    this.zoom = [k, x, y];
    this.kept.zoom = byUser ? this.zoom : null;
    this.view.setAttribute("transform", `translate(${round(x)} ${round(y)}) scale(${Math.round(k * 1e4) / 1e4})`);
    this.drawEdgeCanvasSoon();
    this.labelSoon();
    this.mapSoon();
  },

  // Return the area that buttons and remarks leave free.
  freeArea() {
    const { clientWidth, clientHeight } = this.svg;
    const bar = Math.max(BAR, this.toolbar.offsetTop + this.toolbar.offsetHeight + CLEAR);
    return { clientWidth, clientHeight: Math.max(1, clientHeight - bar - FOOT), top: bar };
  },

  fitted() {
    const all = [...this.nodes.values()].filter((node) => !node.away);
    if (this.graph?.draws) all.push(...this.corners());
    if (!all.length) return [1, 0, 0];
    const area = this.freeArea(), bends = this.bends(), legible = MIN_LETTERS / this.font;
    // Names are not made smaller than legible for the bends: then only the nodes have to fit.
    const [k, x, y] = fitTo([...all, ...bends], area), least = this.pills && bends.length ? Math.min(legible, fitTo(all, area)[0]) : 0;
    return k >= least ? [k, x, y] : fitTo([...all, ...bends], area, least);
  },

  // Return the points of the routes of the final graph, as nodes without a size; routes may leave the area of the boxes.
  bends() {
    if (!this.steps || this.usesCanvas || this.nodes.size > MAX_FITTED) return [];
    return this.finalEdges().flatMap((edge) => edge.path.points.map(([px, py]) => ({ px, py, w: 0, room: 0, above: 0, below: 0 })));
  },

  // Return the edges of the final graph, with their routes.
  finalEdges() {
    const step = this.steps.choice ?? this.last;
    const shown = this.edges.filter((edge) => !edge.na.away && !edge.nb.away && !stateAt(edge, step, this.last).away);
    for (const edge of shown) if (edge.dirty || !edge.path) this.reroute(edge);
    return shown;
  },

  fit() {
    this.setZoom(this.fitted(), false);
  },

  zoomBy(factor, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const [k, tx, ty] = this.zoom, to = Math.max(0.8 * this.fitted()[0], Math.min(8, k * factor));
    this.setZoom([to, x - (x - tx) * (to / k), y - (y - ty) * (to / k)]);
    return to !== k;
  },

  onDown(e) {
    this.dragged = false;
    const node = itemOf(e.target)?.node;
    if (e.button !== 0 || (e.pointerType === "touch" && !node)) return; // a touch beside the nodes scrolls the page
    this.press = { x: e.clientX, y: e.clientY, zoom: this.zoom, node, pulls: !!e.target.closest?.(".pull") };
  },

  onMove(e) {
    const press = this.press;
    if (!press) return this.point(this.under(e), e);
    const dx = e.clientX - press.x, dy = e.clientY - press.y;
    if (!this.dragged && Math.hypot(dx, dy) < DRAG_AFTER) return;
    if (!this.dragged) {
      this.dragged = true;
      this.svg.setPointerCapture(e.pointerId);
      if (press.node) press.start = [press.node.px, press.node.py];
      this.point(null);
    }
    if (press.pulls) return this.pull(press.node, e);
    if (!press.node) return this.setZoom([this.zoom[0], press.zoom[1] + dx, press.zoom[2] + dy]);
    press.node.px = press.start[0] + dx / this.zoom[0];
    press.node.py = press.start[1] + dy / this.zoom[0];
    this.placeNode(press.node);
    this.redraw(this.edgesNear(press.node));
  },

  onUp(e) {
    const node = this.dragged && this.press?.node, pulls = this.press?.pulls;
    this.press = null;
    if (!node) return;
    if (pulls) return this.endPull(node, e);
    this.put(node);
    this.report();
  },

  onResize() {
    if (!this.svg.clientWidth) return; // hidden, or being removed
    this.fitHeight(); // before the graph adapts to a size that only the growth of the slider's part has caused
    if (this.settling) this.settleWorld();
    if (this.letters) this.reserveLines(this.letters);
    if (this.graph) this.namePhases();
    if (!this.graph || this.pending) this.settle();
    else if (!this.kept.zoom) {
      if (this.kept.selected == null && this.areaOfWorld !== this.sizeNow()) this.settleWorld();
      else this.rechooseWorld();
      this.fit();
    }
    if (!this.tip.hidden && this.edges.includes(this.tipped)) this.placeTip(this.tipped);
  },
};
