// Edges: a step repaints only the edges that it changes.

import { ICONS, svg, whenIdle } from "./elements.js";
import { along, hullOf, MAX_ROUTED, round, xy } from "./geometry.js";
import { circleAt, crossAt, endsOf, headAt, noteAt, RADIUS, SIGN, SIGNS, WORDS } from "./marks.js";
import { doubtSpots, NOTE_LETTER, noteSpots, placeNotes } from "./notes.js";
import { awareness, clean } from "./numbers.js";
import { boxOf, dataOf, routeAround, touches } from "./routing.js";
import { inWords } from "./translation.js";
import { turnAt, TURNS } from "./turns.js";
import { GHOST_STEPS, pairKey, stateAt, upper } from "./spans.js";
import { DIFFERENCES } from "./what_if.js";

const LEAVING = 3; // pixels: minimum width of an edge that leaves at the next step
const LARGER_NOTES = 16 / 12; // font size of edge labels in the presenter view, relative to other views
const NEARLY_SURE = 0.995; // probability above which the number is omitted, because it would read 1.00

export const Edges = {
  loadEdges(given) {
    this.edgeLayer.replaceChildren();
    this.next.clear();
    this.present = 0;
    this.loadTruth();
    this.pairs = new Map();
    const [a, b] = this.graph.labels ?? ["A", "B"];
    this.labels = { a, b };
    const changes = [];
    this.edges = given.map((e, index) => {
      const edge = { ...e, na: this.nodes.get(e.a), nb: this.nodes.get(e.b), state: "", width: 2, dirty: true, lane: index };
      if (e.strength != null) edge.width = 1 + 4 * e.strength;
      if (!this.pills) edge.width *= 0.6;
      edge.na.edges.push(edge);
      edge.nb.edges.push(edge);
      this.pairs.set(pairKey(e.a, e.b), edge);
      e.spans.forEach(([from, to], k) => {
        changes.push([from, index], [to, index]);
        if (e.spans[k + 1]?.[0] !== to) changes.push([to - 1, index], [Math.min(to + GHOST_STEPS, this.last), index]);
      });
      for (const [from, to] of [...(e.comparable ?? []), ...(e.turns ?? [])]) changes.push([from, index], [to, index]);
      return edge;
    });
    changes.sort((x, y) => x[0] - y[0]);
    this.changeSteps = Int32Array.from(changes, (c) => c[0]);
    this.changeEdges = Int32Array.from(changes, (c) => c[1]);
    this.loadEdgeCanvas();
    this.loadLegend(given);
    this.placeBadges();
  },

  // Return the edges whose state changes between two steps.
  touched(from, to) {
    if (from < 0) return this.edges;
    const begin = upper(this.changeSteps, Math.min(from, to)), end = upper(this.changeSteps, Math.max(from, to));
    if (end - begin > this.edges.length) return this.edges;
    return this.touchedBetween(from, to);
  },

  touchedBetween(from, to) {
    const begin = upper(this.changeSteps, Math.min(from, to)), end = upper(this.changeSteps, Math.max(from, to));
    return new Set(Array.from(this.changeEdges.subarray(begin, end), (k) => this.edges[k]));
  },

  paint(edge) {
    const [state, verdict] = this.stateOf(edge);
    const classes = state.mark && ["edge mark", state.mark, state.leaves && "leaves", edge.diff, state.change, verdict, state.turn,
      edge.doubt === state.mark && "doubt", edge.undecided && "undecided", edge.determined && "determined", state.aware?.[0] && "a-aware", state.aware?.[1] && "b-aware",
      edge === this.chosen && "selected", edge.related && "related",
      (edge.na.away || edge.nb.away) && "elsewhere"].filter(Boolean).join(" ");
    if (classes === edge.state) return;
    edge.state = classes;
    this.count(edge, verdict);
    this.countChange(edge, state.kind ?? state.change);
    this.present += !state.away - !!edge.here;
    edge.here = !state.away;
    this.next[state.leaves ? "add" : "delete"](edge);
    if (!this.isDeferred(edge)) this.show(edge);
  },

  // Bring the element of an edge up to date.
  show(edge) {
    const classes = edge.state;
    if (classes === (edge.shown ?? "")) return;
    edge.shown = classes;
    this.placeNotesSoon();
    if (!classes) return edge.el && this.hide(edge);
    if (!edge.el) this.createEdge(edge);
    edge.el.setAttribute("class", classes);
    const [state, verdict] = this.stateOf(edge);
    // Most edges appear and disappear unchanged; then setting the class suffices.
    const looks = `${state.mark} ${state.leaves} ${state.aware} ${verdict} ${state.turn} ${state.change}`;
    if (looks === edge.looks && !edge.dirty) return;
    edge.el.setAttribute("aria-label", this.describe(edge, state));
    this.shape(edge, state);
    edge.looks = looks;
  },

  // Return the state of an edge and its verdict against the truth; a missing edge is drawn with its true mark.
  stateOf(edge) {
    const state = this.steps.what_if ? this.compareWithBase(edge) : stateAt(edge, this.step, this.last);
    const verdict = this.verdict(edge, state);
    state.turn = turnAt(edge, this.step);
    return [verdict === "missing" ? { mark: edge.truth, away: true } : state, verdict];
  },

  hide(edge) {
    // Move the focus away from a hidden edge, because the arrow keys would stop working.
    if (edge.el.getRootNode().activeElement === edge.el) this.svg.focus({ preventScroll: true });
    edge.el.setAttribute("class", "away");
  },

  createEdge(edge) {
    edge.hit = svg("path", { class: "hit" });
    edge.line = svg("path", { class: "line", "stroke-width": round(edge.width) });
    edge.el = svg("g", { tabindex: 0, role: "button", "data-a": edge.a, "data-b": edge.b }, edge.hit, edge.line);
    if (edge.opacity != null) edge.el.style.setProperty("--sure", Math.max(0.25, edge.opacity));
    edge.el.item = { edge };
    edge.el.setAttribute("class", "away");
    this.edgeLayer.appendChild(edge.el);
  },

  // Create the elements of unseen edges while the browser is idle, so that the first long drag is fast.
  prepare() {
    const rest = this.edges.filter((edge) => !edge.el && edge.needsElement);
    const work = (deadline) => {
      do {
        for (const edge of rest.splice(-20)) {
          if (!edge.el) this.createEdge(edge);
          if (edge.dirty) this.reroute(edge);
        }
      } while (rest.length && deadline.timeRemaining() > 3);
      if (rest.length) this.idle = whenIdle(work);
    };
    this.idle.cancel();
    this.idle = whenIdle(work);
  },

  describe(edge, state = this.stateOf(edge)[0]) {
    const a = edge.na.name, b = edge.nb.name, away = !state.mark || state.away;
    const turned = /backward/.test(state.mark), [tail, head] = turned ? [b, a] : [a, b];
    const pair = edge.determined ? `${a} = ${b}` : `${tail} ${SIGN[turned ? state.mark.replace("backward", "forward") : state.mark] ?? "—"} ${head}`;
    const more = [away ? inWords("not in the graph at this step") : edge.determined ?? inWords(WORDS[state.mark]),
      edge.diff && inWords(WORDS[edge.diff], this.labels),
      ...[DIFFERENCES[state.change]?.[1], WORDS[edge.verdict], TURNS[state.turn]?.[1]].map((text) => inWords(text)),
      edge.doubt === state.mark && edge.doubt_text, state.leaves && inWords("removed at the next step"),
      edge.untested && inWords("never tested"), edge.few_rows && inWords("too few rows to test"),
      edge.required && inWords("required"), edge.forbidden && inWords("forbidden"),
      edge.opacity != null && (edge.opacity_text ?? inWords("probability {p}", { p: edge.opacity.toFixed(2) })),
      state.aware?.some((k) => k != null) && awareness(a, b, state.aware), edge.strength_text];
    return [pair, ...more].filter(Boolean).map(clean).join(", ");
  },

  shape(edge, state = this.stateOf(edge)[0]) {
    if (edge.dirty) this.reroute(edge);
    const { from, to, first, last, mid } = edge.path;
    const headed = edge.determined ? "" : state.mark, [atA, atB] = endsOf(headed);
    const toA = atA === "head", toB = atB === "head";
    const head = 7 + 1.3 * edge.width, gap = { head: head - 1, circle: 2 * RADIUS };
    const begin = atA ? along(from, first, gap[atA]) : from, end = atB ? along(to, last, gap[atB]) : to;
    const d = dataOf(edge.path, begin, end);
    if (d !== edge.d) {
      edge.line.setAttribute("d", d);
      edge.hit.setAttribute("d", d);
      edge.d = d;
    }
    edge.line.setAttribute("stroke-width", round(state.leaves ? Math.max(LEAVING, edge.width) : edge.width));
    // Redraw all optional elements; an edge has at most two or three.
    while (edge.el.childNodes.length > 2) edge.el.lastChild.remove();
    if (toA) edge.el.append(headAt(from, first, head));
    if (toB) edge.el.append(headAt(to, last, head));
    if (atA === "circle") edge.el.append(circleAt(from, first));
    if (atB === "circle") edge.el.append(circleAt(to, last));
    for (const [k, [end_, next]] of [[from, first], [to, last]].entries()) {
      const r = 3.5 + edge.width / 3, behind = [toA, toB][k] ? head : 0, [cx, cy] = along(end_, next, behind + r);
      if (state.aware?.[k]) edge.el.append(svg("circle", { class: "aware", cx, cy, r }));
    }
    const note = [SIGNS[edge.diff], DIFFERENCES[state.change]?.[0], SIGNS[edge.verdict], inWords(TURNS[state.turn]?.[0]), headed === "conflict" && "!", edge.determined && edge.here && "=", edge.untested && inWords("untested"),
      edge.here && edge.opacity < NEARLY_SURE && edge.opacity.toFixed(2), state.leaves && this.next.size <= 3 && inWords("next")].filter(Boolean).join(" ");
    const icon = state.mark === "forbidden" ? svg("path", { class: "cross", d: crossAt([0, 0]) })
      : edge.required && edge.here ? svg("path", { class: "lock", d: ICONS.lock }) : null;
    edge.notes = [];
    if (icon || note) this.addNote(edge, noteSpots(edge.path.points), icon, note);
    if (edge.doubt === state.mark) this.addNote(edge, doubtSpots(...(toA ? [from, first] : [to, last]), head), null, "?", "doubt-note");
    this.placeNotesSoon();
  },

  // Add a label to an edge at its first position; `placeEdgeNotes` moves it where it covers nothing.
  addNote(edge, spots, icon, text, kind) {
    const el = svg("g", { transform: `translate(${xy(spots[0])})` }, ...(icon ? [icon] : []));
    if (text) el.append(noteAt([0, 0], text, !!icon));
    if (kind) el.lastChild.classList.add(kind);
    const letter = NOTE_LETTER * (this.graph.present ? LARGER_NOTES : 1);
    edge.notes.push({ el, spots, width: text.length * letter + (icon ? 28 : 2) });
    edge.el.append(el);
  },

  placeNotesSoon() {
    if (!this.exporting) this.notesFrame ??= requestAnimationFrame(() => this.placeEdgeNotes());
  },

  // Move the labels of all edges of the step off other edges, boxes and labels.
  placeEdgeNotes() {
    this.notesFrame = null;
    const drawn = this.edges.filter((edge) => edge.shown && edge.path && edge.el), notes = [];
    drawn.forEach((edge, line) => { for (const note of edge.notes ?? []) notes.push({ ...note, line }); });
    if (!notes.length) return;
    const boxes = [...this.nodes.values()].filter((node) => !node.away).map((node) => boxOf(node));
    const found = placeNotes(notes, boxes, drawn.map((edge) => edge.path.points));
    notes.forEach(({ el }, k) => el.setAttribute("transform", `translate(${xy(found[k])})`));
  },

  // A change of the route changes the drawn line too.
  reroute(edge) {
    edge.path = routeAround(edge.na, edge.nb, this.nodes.size > MAX_ROUTED ? [] : this.nodes.values(), edge.lane);
    edge.dirty = false;
    edge.looks = null;
  },

  // Return the edges whose route a moved node changes: its own edges, those routed around it, and those it now blocks.
  edgesNear(node) {
    return this.edges.filter(({ na, nb, path }) => na === node || nb === node || (path && (path.around.includes(node) || touches(path, node))));
  },

  redraw(edges) {
    for (const edge of edges) {
      edge.dirty = true;
      if (edge.shown) this.shape(edge);
    }
    this.canvasVersion++;
    this.placeBadges();
    this.drawEdgeCanvasSoon();
    this.drawPair();
    this.drawBoxes(true);
    this.labelSoon();
  },

  // Outline the nodes that the step works on, and dim the others.
  drawBoxes(again = false) {
    const boxes = (this.graph.boxes ?? []).filter((b) => b.from <= this.step && this.step < b.to);
    const shown = JSON.stringify(boxes);
    if (shown === this.boxesShown && !again) return;
    this.boxesShown = shown;
    const inside = new Set(boxes.flatMap((b) => b.nodes));
    for (const node of this.nodes.values()) node.el.classList.toggle("outside", boxes.length > 0 && !inside.has(node.id));
    this.boxLayer.replaceChildren(...boxes.flatMap((box) => {
      const around = hullOf(box.nodes.map((id) => this.nodes.get(id)).filter(Boolean));
      if (!around.length) return [];
      const d = `M${around.map(xy).join("L")}Z`, low = Math.max(...around.map(([, y]) => y));
      const [left, right] = [Math.min, Math.max].map((end) => end(...around.filter(([, y]) => y > low - 1).map(([x]) => x)));
      const name = svg("text", { class: "note", x: round((left + right) / 2), y: round(low + 14) });
      name.textContent = box.label;
      return [svg("g", { class: "box" }, svg("path", { class: "fill", d }), svg("path", { class: "rim", d }), name)];
    }));
  },
};
