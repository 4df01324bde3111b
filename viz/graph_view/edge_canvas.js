// Edge canvas: a step with too many edges for SVG elements draws them as thin lines on a canvas below the
// graph. Elements of unremarkable edges are then deferred, and updated once fewer edges are left.

import { html, svg } from "./elements.js";
import { along, border } from "./geometry.js";
import { headAt, RADIUS } from "./marks.js";
import { distanceTo } from "./routing.js";
import { GHOST_STEPS, stateAt, upper } from "./spans.js";
import { isBlind } from "./truth.js";

const CANVAS_FROM = 300; // edges at a step above which the canvas draws them
const REACH = 8; // pixels on screen within which the pointer hits a line
const STANDS_OUT = /\b(selected|related|leaves|hover)\b/; // classes of edges that stay elements
const PASSING = /\b(selected|related|hover)\b/g; // the classes among them that do not depend on the step
const MAX_BYTES = 48e6; // maximum size of all tiles together
const CHANGES = 400; // maximum number of changes in the interval of a tile; more if the tiles would exceed MAX_BYTES
const FAINTEST = 0.45; // opacity of the weakest line: all lines are equally thin, so opacity shows the strength
const INKS = 6; // levels of opacity
const ROUTING_MS = 8; // milliseconds for routing in a frame without a step; edges without a route are straight

// Return the number of edges shown at each step, including those just removed.
export function countsOf(edges, last) {
  const change = new Int32Array(last + 2);
  for (const { spans } of edges) {
    spans.forEach(([from, to], k) => {
      const next = spans[k + 1]?.[0] ?? last + 1, gone = Math.min(to + GHOST_STEPS, next);
      if (from > last) return;
      change[from]++;
      change[Math.min(gone, last + 1)]--;
    });
  }
  for (let step = 1; step <= last; step++) change[step] += change[step - 1];
  return change.subarray(0, last + 1);
}

// Start steps of intervals that hold at most `most` of the sorted change steps.
export function intervalStarts(changes, most) {
  const begins = [0];
  for (let k = 0, begin = 0; k < changes.length; k++) {
    if (k - begin < most || changes[k] <= begins.at(-1)) continue;
    begins.push(changes[k]);
    begin = k;
  }
  return begins;
}

function penOf(canvas, [width, height]) {
  const pen = canvas.getContext("2d");
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

export const EdgeCanvas = {
  buildEdgeCanvas() {
    this.canvas = html("canvas", { class: "edge-canvas", "aria-hidden": "true", hidden: "" });
    this.deferred = new Set();
    this.inks = new Map(); // pen styles by appearance
    this.tiles = new Map(); // tiles by index in `intervals`
    this.canvasVersion = 0; // counts changes of the drawing other than steps
    return this.canvas;
  },

  loadEdgeCanvas() {
    this.deferred.clear();
    this.counts = countsOf(this.edges, this.last);
    this.canvasVersion++;
    this.usesCanvas = false;
    // An edge that is always drawn on the canvas needs no element.
    let thin = 0;
    const before = Int32Array.from(this.counts, (n) => { const b = thin; thin += n <= CANVAS_FROM; return b; });
    const until = (step) => (step > this.last ? thin : before[step]);
    for (const edge of this.edges) edge.needsElement = edge.spans.some(([from, to]) => until(to) > until(Math.min(from, this.last)));
    this.svg.classList.toggle("layered", thin <= this.last);
  },

  // Choose canvas or elements, before the edges of a step are painted.
  chooseRenderer() {
    this.stepping = true;
    const usesCanvas = !this.exporting && this.edgesAt(this.step) > CANVAS_FROM; // an exported image has an element for each edge
    if (usesCanvas === this.usesCanvas) return;
    this.usesCanvas = usesCanvas;
    this.edgeLayer.classList.toggle("deferred", usesCanvas);
    this.canvas.hidden = !usesCanvas;
  },

  edgesAt(step) {
    if (this.kept.neighbourhood) return this.edges.filter((e) => !e.na.away && !e.nb.away && stateAt(e, step, this.last).mark).length;
    return this.counts[step];
  },

  // Draw the canvas, or update deferred elements, after the edges of a step are painted.
  settleEdgeCanvas() {
    this.stepping = false;
    if (this.usesCanvas) return this.drawEdgeCanvas();
    for (const edge of this.deferred) this.show(edge);
    this.deferred.clear();
  },

  isDeferred(edge) {
    const isDeferred = this.usesCanvas && !STANDS_OUT.test(edge.state) && !STANDS_OUT.test(edge.shown ?? "");
    if (isDeferred) this.deferred.add(edge);
    if (!this.stepping) this.canvasVersion++;
    return isDeferred;
  },

  drawEdgeCanvasSoon() {
    if (!this.usesCanvas || this.canvasFrame) return;
    this.canvasFrame = requestAnimationFrame(() => {
      this.canvasFrame = null;
      if (this.usesCanvas) this.drawEdgeCanvas();
    });
  },

  // Draw a step: a tile holds the edges that stay unchanged in its interval, and the step adds the others.
  drawEdgeCanvas() {
    const { clientWidth: width, clientHeight: height } = this.svg, sharp = Math.min(2, devicePixelRatio);
    if (!width || !height) return; // hidden: drawn once it has a size
    const size = [Math.round(width * sharp), Math.round(height * sharp)], pen = penOf(this.canvas, size);
    const [k, tx, ty] = this.zoom ?? [1, 0, 0], view = [sharp * k, 0, 0, sharp * k, sharp * tx, sharp * ty];
    const dimmed = this.view.classList.contains("blanket-shown"), blind = this.truthShown() && isBlind(this.steps, this.step);
    const version = [...size, ...view, dimmed, blind, this.root.dataset.theme, this.canvasVersion].join();
    if (version !== this.tileVersion) this.planTiles(size);
    this.tileVersion = version;
    const { tile, moving } = this.tileAt(this.step, size, view, dimmed);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(tile, 0, 0);
    this.drawAll(pen, view, moving.filter((edge) => !/\bleaves\b/.test(edge.state)), dimmed);
    if (this.edges.some((edge) => edge.dirty)) this.routeSoon();
  },

  // Route the edges in short intervals, those of the step first, so that the slider stays responsive; then redraw them.
  routeSoon() {
    this.routeFrame ??= requestAnimationFrame(() => {
      this.routeFrame = null;
      const rest = this.edges.filter((edge) => edge.dirty).sort((a, b) => !!a.state - !!b.state);
      const begun = this.step !== this.routedStep, shown = rest.some((edge) => edge.state);
      this.routedStep = this.step;
      const until = begun ? 0 : performance.now() + ROUTING_MS;
      while (rest.length && performance.now() < until) this.reroute(rest.pop());
      if (rest.length) this.routeSoon();
      if (begun || (rest.length && (!shown || rest.at(-1).state))) return;
      this.canvasVersion++;
      if (this.usesCanvas) this.drawEdgeCanvas();
    });
  },

  // Choose intervals long enough for all tiles to fit into MAX_BYTES, so that a jump finds its tile.
  planTiles([width, height]) {
    this.tiles.clear();
    const fit = Math.max(1, Math.floor(MAX_BYTES / (4 * width * height)));
    this.intervals = intervalStarts(this.changeSteps, Math.max(CHANGES, Math.ceil(this.changeSteps.length / fit)));
  },

  tileAt(step, size, view, dimmed) {
    const at = upper(this.intervals, step) - 1;
    if (!this.tiles.has(at)) {
      const tile = html("canvas"), [from, to] = [this.intervals[at], (this.intervals[at + 1] ?? this.last + 1) - 1];
      const moving = [...this.touchedBetween(from, to)], still = new Set(moving);
      this.drawAll(penOf(tile, size), view, this.edges.filter((edge) => !still.has(edge)), dimmed);
      this.tiles.set(at, { tile, moving });
    }
    return this.tiles.get(at);
  },

  // Draw the lines grouped by colour and opacity; single strokes are fast for lines one pixel thin.
  drawAll(pen, view, edges, dimmed) {
    const groups = new Map();
    for (const edge of edges) {
      if (!edge.state) continue;
      const ink = this.inkFor(edge, dimmed);
      if (!groups.has(ink)) groups.set(ink, []);
      groups.get(ink).push(edge);
    }
    pen.setTransform(...view);
    pen.lineWidth = 1 / view[0];
    for (const [ink, lines] of groups) if (ink.opacity) this.drawLines(pen, ink, lines);
    pen.globalAlpha = 1;
  },

  inkFor(edge, dimmed) {
    const strong = Math.ceil(INKS * (edge.strength ?? 1)) / INKS, sure = edge.opacity == null ? 1 : Math.max(0.25, edge.opacity);
    const key = `${this.root.dataset.theme} ${dimmed} ${strong} ${sure} ${edge.state}`;
    if (!this.inks.has(key)) {
      const [colour, opacity] = this.inkOf(edge.state.replace(PASSING, ""));
      const known = `${colour} ${opacity * sure * (FAINTEST + (1 - FAINTEST) * strong)}`;
      if (!this.inks.has(known)) this.inks.set(known, { colour, opacity: +known.split(" ").at(-1) });
      this.inks.set(key, this.inks.get(known));
    }
    return this.inks.get(key);
  },

  // Return the colour and opacity that the style sheet gives a line with these classes.
  inkOf(classes) {
    const line = svg("path", { class: "line" }), probe = svg("g", { class: classes }, line);
    this.probes.appendChild(probe);
    const outer = getComputedStyle(probe), inner = getComputedStyle(line), hidden = outer.display === "none";
    const ink = [inner.stroke, hidden ? 0 : +outer.opacity * +inner.opacity * +inner.strokeOpacity];
    probe.remove();
    return ink;
  },

  drawLines(pen, { colour, opacity }, edges) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.globalAlpha = opacity;
    for (const edge of edges) {
      const { from, to, first, last, curves } = this.lineOf(edge), mark = edge.state;
      pen.beginPath();
      pen.moveTo(from[0], from[1]);
      for (const [begin, bend, end] of curves) {
        pen.lineTo(begin[0], begin[1]);
        pen.quadraticCurveTo(bend[0], bend[1], end[0], end[1]);
      }
      pen.lineTo(to[0], to[1]);
      pen.stroke();
      if (edge.determined) continue;
      if (/\b(forward|conflict|bidirected)\b/.test(mark)) pen.fill(this.head(edge, to, last));
      if (/\b(backward|conflict|bidirected)\b/.test(mark)) pen.fill(this.head(edge, from, first));
      if (/\b(circles|circle-forward)\b/.test(mark)) pen.stroke(this.circle(from, first));
      if (/\b(circles|circle-backward)\b/.test(mark)) pen.stroke(this.circle(to, last));
    }
  },

  head(edge, tip, from) {
    return new Path2D(headAt(tip, from, 6 + edge.width).getAttribute("d"));
  },

  circle(tip, from) {
    const [x, y] = along(tip, from, RADIUS), path = new Path2D();
    path.arc(x, y, RADIUS, 0, 2 * Math.PI);
    return path;
  },

  // Return the route of an edge, or a straight line until it has one; the line is cached until one of the nodes moves.
  lineOf(edge) {
    if (!edge.dirty) return edge.path;
    const { na, nb } = edge, key = [na.px, na.py, nb.px, nb.py].join();
    if (edge.straight?.key === key) return edge.straight;
    const from = border(na, [nb.px, nb.py]), to = border(nb, [na.px, na.py]);
    edge.straight = { key, from, to, first: to, last: from, curves: [], points: [from, to] };
    return edge.straight;
  },

  nearestOnCanvas(x, y) {
    let best = null, least = REACH / this.zoom[0];
    for (const edge of this.edges) {
      if (!edge.here || /\belsewhere\b/.test(edge.state)) continue;
      const distance = distanceTo(this.lineOf(edge), x, y);
      if (distance < least) [best, least] = [edge, distance];
    }
    return best && { edge: best };
  },
};
