// Crowds: where a step has more edges than elements can keep up with, they are drawn as thin straight lines on a canvas
// below the picture. An edge's element then lags behind, unless it stands out, and is brought up to date once the crowd
// has thinned out.

import { html, svg } from "./elements.js";
import { border } from "./geometry.js";
import { headAt } from "./marks.js";
import { GHOST_STEPS, stateAt, upper } from "./spans.js";
import { isBlind } from "./truth.js";

const CROWD = 300; // edges at once from which the canvas draws them
const REACH = 8; // pixels on screen from a line at which it is still pointed at
const STANDS_OUT = /\b(selected|kin|leaves|hover)\b/; // classes of edges that are elements even then
const PASSING = /\b(selected|kin|hover)\b/g; // of them those that no step brings
const MOST_BYTES = 48e6; // of all sheets together
const CHANGES = 400; // edges that change in the while of one sheet, or more where so many sheets would not fit
const FAINTEST = 0.45; // of the weakest line's ink: all are equally thin, so strength shows as darkness
const INKS = 6; // shades between the faintest and the full ink

// How many edges each step shows, those just removed included.
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

// Where each while begins in which at most so many of the sorted `changes` (steps) happen.
export function whilesOf(changes, most) {
  const begins = [0];
  for (let k = 0, since = 0; k < changes.length; k++) {
    if (k - since < most || changes[k] <= begins.at(-1)) continue;
    begins.push(changes[k]);
    since = k;
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

export function distanceToSegment([x1, y1, x2, y2], x, y) {
  const dx = x2 - x1, dy = y2 - y1, t = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1);
  const at = Math.max(0, Math.min(1, t));
  return Math.hypot(x1 + at * dx - x, y1 + at * dy - y);
}

export const Crowd = {
  buildCrowd() {
    this.canvas = html("canvas", { class: "crowd", "aria-hidden": "true", hidden: "" });
    this.behind = new Set();
    this.inks = new Map(); // by what an edge looks like
    this.sheets = new Map(); // by position in `whiles`
    this.edition = 0; // of what sheets show apart from steps
    return this.canvas;
  },

  loadCrowd() {
    this.behind.clear();
    this.counts = countsOf(this.edges, this.last);
    this.edition++;
    this.crowd = false;
    // An edge that only ever stands in a crowd needs no element.
    let thin = 0;
    const before = Int32Array.from(this.counts, (n) => { const b = thin; thin += n <= CROWD; return b; });
    const until = (step) => (step > this.last ? thin : before[step]);
    for (const edge of this.edges) edge.alone = edge.spans.some(([from, to]) => until(to) > until(Math.min(from, this.last)));
    this.svg.classList.toggle("layered", thin <= this.last);
  },

  // Before the edges of a step are painted.
  gather() {
    this.stepping = true;
    const crowd = !this.whole && this.edgesAt(this.step) > CROWD; // a picture to save has an element for each
    if (crowd === this.crowd) return;
    this.crowd = crowd;
    this.edgeLayer.classList.toggle("behind", crowd);
    this.canvas.hidden = !crowd;
  },

  edgesAt(step) {
    if (this.kept.around) return this.edges.filter((e) => !e.na.away && !e.nb.away && stateAt(e, step, this.last).mark).length;
    return this.counts[step];
  },

  // And after.
  settleCrowd() {
    this.stepping = false;
    if (this.crowd) return this.drawCrowd();
    for (const edge of this.behind) this.show(edge);
    this.behind.clear();
  },

  lags(edge) {
    const lags = this.crowd && !STANDS_OUT.test(edge.state) && !STANDS_OUT.test(edge.shown ?? "");
    if (lags) this.behind.add(edge);
    if (!this.stepping) this.edition++;
    return lags;
  },

  drawCrowdSoon() {
    if (!this.crowd || this.crowdFrame) return;
    this.crowdFrame = requestAnimationFrame(() => {
      this.crowdFrame = null;
      if (this.crowd) this.drawCrowd();
    });
  },

  // What stays as it is for a while is drawn once, on a sheet; a step adds what changes in that while.
  drawCrowd() {
    const { clientWidth: width, clientHeight: height } = this.svg, sharp = Math.min(2, devicePixelRatio);
    if (!width || !height) return; // hidden: drawn once it has a size
    const size = [Math.round(width * sharp), Math.round(height * sharp)], pen = penOf(this.canvas, size);
    const [k, tx, ty] = this.zoom ?? [1, 0, 0], view = [sharp * k, 0, 0, sharp * k, sharp * tx, sharp * ty];
    const lit = this.view.classList.contains("lit"), blind = this.truthShown() && isBlind(this.steps, this.step);
    const edition = [...size, ...view, lit, blind, this.root.dataset.theme, this.edition].join();
    if (edition !== this.sheetEdition) this.layOut(size);
    this.sheetEdition = edition;
    const { sheet, moving } = this.sheetAt(this.step, size, view, lit);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(sheet, 0, 0);
    this.drawAll(pen, view, moving.filter((edge) => !/\bleaves\b/.test(edge.state)), lit);
  },

  // Whiles so long that the sheets of all of them are kept: a jump then finds its sheet.
  layOut([width, height]) {
    this.sheets.clear();
    const fit = Math.max(1, Math.floor(MOST_BYTES / (4 * width * height)));
    this.whiles = whilesOf(this.changeSteps, Math.max(CHANGES, Math.ceil(this.changeSteps.length / fit)));
  },

  sheetAt(step, size, view, lit) {
    const at = upper(this.whiles, step) - 1;
    if (!this.sheets.has(at)) {
      const sheet = html("canvas"), [from, to] = [this.whiles[at], (this.whiles[at + 1] ?? this.last + 1) - 1];
      const moving = [...this.touchedBetween(from, to)], still = new Set(moving);
      this.drawAll(penOf(sheet, size), view, this.edges.filter((edge) => !still.has(edge)), lit);
      this.sheets.set(at, { sheet, moving });
    }
    return this.sheets.get(at);
  },

  // Lines of one ink together; each by itself, which is quick for lines one pixel thin.
  drawAll(pen, view, edges, lit) {
    const groups = new Map();
    for (const edge of edges) {
      if (!edge.state) continue;
      const ink = this.inkFor(edge, lit);
      if (!groups.has(ink)) groups.set(ink, []);
      groups.get(ink).push(edge);
    }
    pen.setTransform(...view);
    pen.lineWidth = 1 / view[0];
    for (const [ink, lines] of groups) if (ink.opacity) this.drawLines(pen, ink, lines);
    pen.globalAlpha = 1;
  },

  inkFor(edge, lit) {
    const strong = Math.ceil(INKS * (edge.strength ?? 1)) / INKS, sure = edge.opacity == null ? 1 : Math.max(0.25, edge.opacity);
    const key = `${this.root.dataset.theme} ${lit} ${strong} ${sure} ${edge.state}`;
    if (!this.inks.has(key)) {
      const [colour, opacity] = this.inkOf(edge.state.replace(PASSING, ""));
      const known = `${colour} ${opacity * sure * (FAINTEST + (1 - FAINTEST) * strong)}`;
      if (!this.inks.has(known)) this.inks.set(known, { colour, opacity: +known.split(" ").at(-1) });
      this.inks.set(key, this.inks.get(known));
    }
    return this.inks.get(key);
  },

  // The colour that the style sheet gives a line with these classes, and how much of it is left.
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
      const [x1, y1, x2, y2] = this.straight(edge), mark = edge.state;
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
      pen.stroke();
      if (/\b(forward|conflict)\b/.test(mark)) pen.fill(this.head(edge, [x2, y2], [x1, y1]));
      if (/\b(backward|conflict)\b/.test(mark)) pen.fill(this.head(edge, [x1, y1], [x2, y2]));
    }
  },

  head(edge, tip, from) {
    return new Path2D(headAt(tip, from, 6 + edge.width).getAttribute("d"));
  },

  // From rim to rim; kept until one of the ends moves.
  straight(edge) {
    const { na, nb } = edge, where = edge.ends;
    if (where && where[4] === na.px && where[5] === na.py && where[6] === nb.px && where[7] === nb.py) return where;
    edge.ends = [...border(na, [nb.px, nb.py]), ...border(nb, [na.px, na.py]), na.px, na.py, nb.px, nb.py];
    return edge.ends;
  },

  nearestInCrowd(x, y) {
    let best = null, least = REACH / this.zoom[0];
    for (const edge of this.edges) {
      if (!edge.here || /\belsewhere\b/.test(edge.state)) continue;
      const distance = distanceToSegment(this.straight(edge), x, y);
      if (distance < least) [best, least] = [edge, distance];
    }
    return best && { edge: best };
  },
};
