// The scrubbable graph. Streamlit calls the default export again on every rerun with the same parent element, so one
// GraphView lives per parent and `update` brings it up to date. Values go to Python only after something a user did.

const SVG = "http://www.w3.org/2000/svg";
const GHOST_STEPS = 10; // how long a removed edge stays as a ghost; the last step, the finished graph, has none
const HALO = 22, BAR = 46; // room kept by "fit": around the graph, and on top for the buttons, in pixels
const CROWD = 1000; // edges at once beyond which smooth lines are too slow to paint
const LEAVING = 3; // pixels: least width of an edge that is next to go
const DRAG_AFTER = 3; // pixels before a press becomes a drag
const NEARLY_SURE = 0.995; // from here on an edge has no number: it would read 1.00
const PILL_NODES = 60; // up to here the label stands inside its node, beyond it below a dot
const DOT_WITH_LETTER = 1.6; // how much larger a dot is that holds a letter
const SCALE_ENDS = [0.08, 0.92]; // shares of the curve's height
const LINE_STEP = 0.01, LINE_LEAP = 0.1; // the threshold's line by keyboard: shares of the curve's height
const PROBABILITY_MARKS = [1e-6, 1e-4, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999, 0.999999];
const LOG_P_MARKS = [-1, -2, -3, -5, -10, -20, -50, -100, -200, -500];
const PLAY_MS = 90, PLAY_TICKS = 200, CALM_MS = 900; // play: pace, most ticks, slowest pace, also if motion is unwelcome
const PLAY_ALL_MS = 8000; // few steps take this long together, so that their sentences can be read

const WORDS = {
  undirected: "undirected: either way fits", forward: "directed", backward: "directed",
  conflict: "conflicting evidence on the direction",
  both: "in A and B", only_a: "only in A", only_b: "only in B", direction_differs: "direction differs",
};
const POINTS = { star: "chosen", "hollow star": "chosen, though no DAG fits", hollow: "no DAG fits" };
const SIGNS = { both: "", only_a: "+", only_b: "−", direction_differs: "↔" };
const ICONS = {
  back: "M11 3L5 8l6 5zM3 3h1.6v10H3z", next: "M5 3l6 5-6 5zM11.4 3H13v10h-1.6z", play: "M4.5 2.5l8.5 5.5-8.5 5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z", pin: "M6 2h4l-.6 5 2.6 2v1.2H8.7L8 15l-.7-4.8H4V9l2.6-2z",
  choice: "M7.3 1h1.4v2.1a5 5 0 0 1 4.2 4.2H15v1.4h-2.1a5 5 0 0 1-4.2 4.2V15H7.3v-2.1a5 5 0 0 1-4.2-4.2H1V7.3h2.1a5 "
    + "5 0 0 1 4.2-4.2zM8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  lock: "M-4-1h1.2v-2.2a2.8 2.8 0 0 1 5.6 0V-1H4v6h-8zm2.8 0h2.4v-2.2a1.2 1.2 0 0 0-2.4 0z",
};

const views = new WeakMap(); // parent element -> GraphView
const remembered = new Map(); // key of the component -> what to keep if it is mounted anew

export default function ({ data, parentElement, setStateValue }) {
  let view = views.get(parentElement);
  if (!view) views.set(parentElement, (view = new GraphView(parentElement)));
  view.update(data, setStateValue);
  return () => view.stop();
}

class GraphView {
  constructor(parent) {
    this.nodes = new Map();
    this.edges = [];
    this.kept = { pins: [], moved: new Map(), seen: 0 };
    this.step = -1;
    this.next = new Set();
    this.idle = { cancel() {} };
    this.build(parent);
    this.listen();
  }

  // ---------------------------------------------------------------- the frame around the picture

  build(parent) {
    this.root = html("div", { class: "graph-view" });
    this.svg = svg("svg", { tabindex: 0, role: "group" });
    this.view = this.svg.appendChild(svg("g"));
    this.pair = this.view.appendChild(svg("path", { class: "pair" }));
    [this.boxLayer, this.edgeLayer, this.nodeLayer] = [0, 1, 2].map(() => this.view.appendChild(svg("g")));
    this.tip = html("div", { class: "tip", hidden: "" });
    this.legend = html("details", { class: "legend" });
    const tools = html("div", { class: "tools" },
      button("+", "zoom in", () => this.zoomBy(1.25)), button("−", "zoom out", () => this.zoomBy(0.8)),
      button("fit", "show the whole graph", () => this.fit()),
      button("SVG", "download the graph as shown as SVG", () => this.saveSvg()),
      button("PNG", "download the graph as shown as PNG", () => this.savePng()));
    this.stage = html("div", { class: "stage" }, this.svg, tools, this.legend, this.tip);

    this.curve = svg("svg", { class: "curve", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.phases = html("div", { class: "phases", "aria-hidden": "true" });
    this.scale = html("div", { class: "scale", "aria-hidden": "true" });
    this.points = html("div", { class: "points", role: "img" });
    this.line = html("div", { class: "threshold", role: "slider", tabindex: 0, "aria-orientation": "vertical" });
    this.slider = html("input", { type: "range", min: 0, step: 1, "aria-label": "step" });
    this.playButton = button("Play", "play, or pause", () => this.play(!this.timer), "play");
    this.pinButton = button("Pin", "pin this step, or take the pin away", () => this.pin(), "pin");
    this.choiceButton = button("Final graph", "go to the graph that was chosen", () => this.jump(this.steps.choice),
      "choice");
    this.picker = html("select", { title: "what the curve above the slider shows" });
    this.pickerLabel = html("label", {}, "Curve ", this.picker);
    this.readouts = html("span", { class: "readouts" });
    this.sentence = html("p", { class: "sentence" });
    this.live = html("div", { class: "unseen", "aria-live": "polite" });
    this.scrubber = html("div", { class: "scrubber" },
      this.track = html("div", { class: "track" }, this.phases, this.curve, this.scale, this.slider, this.line, this.points),
      html("div", { class: "controls" },
        button("Previous change", "go back to the last landmark", () => this.event(-1), "back"), this.playButton,
        button("Next change", "go on to the next landmark", () => this.event(1), "next"), this.choiceButton,
        this.pinButton, this.pickerLabel, this.readouts),
      this.sentence);
    // First in the order of tabbing, or the slider would come after every edge; the style sheet draws it below.
    this.root.append(this.scrubber, this.stage, this.live);
    parent.appendChild(this.root);
  }

  listen() {
    this.slider.addEventListener("input", () => this.go(+this.slider.value));
    this.slider.addEventListener("change", () => this.report());
    this.picker.addEventListener("change", () => this.drawCurve());
    this.line.addEventListener("pointerdown", (e) => this.onLine(e));
    this.line.addEventListener("pointermove", (e) => this.holding && this.onLine(e));
    for (const end of ["pointerup", "pointercancel"]) this.line.addEventListener(end, () => this.onLineUp());
    this.line.addEventListener("keydown", (e) => this.onLineKey(e));
    this.root.addEventListener("keydown", (e) => this.onKey(e));
    this.svg.addEventListener("wheel", (e) => this.onWheel(e), { passive: false });
    this.svg.addEventListener("pointerdown", (e) => this.onDown(e));
    this.svg.addEventListener("pointermove", (e) => this.onMove(e));
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, (e) => this.onUp(e));
    this.svg.addEventListener("click", (e) => this.dragged || this.activate(this.under(e), e.shiftKey));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("focusin", (e) => this.point(itemOf(e.target)));
    this.svg.addEventListener("focusout", () => this.point(null));
    this.resizes = new ResizeObserver(() => this.onResize());
    this.resizes.observe(this.svg);
  }

  stop() {
    this.play(false, true);
    this.resizes.disconnect();
    this.idle.cancel();
  }

  // ---------------------------------------------------------------- data from Python

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.key = data.key;
    this.svg.style.height = `${data.height}px`;
    this.showTheme();
    const before = remembered.get(data.key);
    if (before && before !== this.kept && !this.graph) this.kept = takeOver(before, data.session);
    this.kept.session = data.session;
    remembered.set(data.key, this.kept);
    const text = JSON.stringify(data.graph);
    if (text !== this.graphText) {
      this.graphText = text;
      this.pending = data.graph;
    }
    this.wish = data.wish;
    this.settle();
  }

  // A component in a hidden tab has no size yet; it is drawn as soon as it has one.
  settle() {
    if (!this.svg.clientWidth) return;
    if (this.pending) this.load(this.pending);
    this.pending = null;
    this.adopt(this.wish);
  }

  // Python's wishes are numbered, so that each is followed once and later drags and clicks stand.
  adopt({ step, selected }) {
    const seen = this.kept.seen;
    if (step?.id > seen) this.go(step.value);
    if (selected?.id > seen) this.select(selected.value.length === 0 ? null : selected.value);
    this.kept.seen = Math.max(seen, step?.id ?? 0, selected?.id ?? 0);
  }

  load(graph) {
    const kept = this.kept;
    const sameRun = kept.run === (graph.run ?? "");
    const ids = JSON.stringify(graph.nodes.map((n) => n.id));
    this.graph = graph;
    this.steps = graph.steps;
    this.last = this.steps.count - 1;
    this.step = -1;
    if (!sameRun) [kept.pins, kept.line] = [[], null];
    kept.run = graph.run ?? "";
    this.chosen = null;
    if (![].concat(kept.selected ?? []).every((id) => graph.nodes.some((n) => n.id === id))) kept.selected = null;
    this.loadNodes(graph.nodes);
    this.loadEdges(graph.edges);
    this.boxesShown = null;
    this.loadScrubber();
    const start = sameRun && kept.step != null ? kept.step : this.steps.choice ?? this.last;
    this.go(start);
    this.select(kept.selected ?? null);
    if (kept.ids === ids && kept.zoom) this.setZoom(kept.zoom);
    else this.fit();
    kept.ids = ids;
    this.prepare();
    this.root.dataset.ready = "1";
  }

  loadNodes(given) {
    const moved = this.kept.moved, before = this.nodes;
    const pills = given.length <= PILL_NODES, groups = this.graph.groups ?? [];
    const font = given.length <= 12 ? 15 : given.length <= 25 ? 13.5 : pills ? 12 : given.length <= 120 ? 10 : 8;
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = `${font}px ${getComputedStyle(this.root).fontFamily}`;
    this.nodes = new Map(given.map((n) => {
      const name = clean(n.label), text = shorten(name, pills ? 20 : 14), wide = brush.measureText(text).width;
      const dot = n.group == null ? font : DOT_WITH_LETTER * font;
      const size = pills ? [wide + 1.3 * font, 1.8 * font] : [dot, dot];
      return [n.id, { ...n, group: groups[n.group], name, text, w: size[0], h: size[1], room: pills ? size[0] : wide,
        above: pills ? 0.9 * font : font / 2, below: pills ? 0.9 * font : 1.9 * font, edges: [] }];
    }));
    this.kept.world ??= this.chooseWorld([...this.nodes.values()]);
    const [width, height] = this.kept.world;
    this.nodeLayer.replaceChildren();
    for (const node of this.nodes.values()) {
      // A place that changed in the data wins over an earlier drag, unless it is the echo of that very drag.
      const drag = moved.get(node.id), old = before.get(node.id);
      if (drag && old && (old.x !== node.x || old.y !== node.y) && !drag.told.includes(`${node.x},${node.y}`)) {
        moved.delete(node.id);
      }
      const [x, y] = moved.get(node.id)?.at ?? [node.x, node.y];
      node.px = x * width;
      node.py = y * height;
      node.fixed = moved.has(node.id);
    }
    if (pills) pushApart([...this.nodes.values()]);
    for (const node of this.nodes.values()) this.drawNode(node, pills, font);
    this.svg.setAttribute("aria-label", `graph of ${given.length} variables; arrow keys step, page keys jump between `
      + "events, space plays, tab visits edges and variables, enter selects, escape clears");
  }

  // The picture's own coordinates: as wide as the page gives, wider where labels of a row would touch; a few close
  // pairs are let off, or they would make everybody's letters small.
  chooseWorld(nodes) {
    const n = Math.sqrt(nodes.length), height = Math.min(this.svg.clientHeight, 100 * (n + 2));
    const width = Math.min(this.svg.clientWidth, 260 * n + 60), needed = [];
    nodes.forEach((a, k) => nodes.slice(0, k).forEach((b) => {
      const dx = Math.abs(a.x - b.x), beside = Math.abs(a.y - b.y) * height < a.h;
      if (dx > 0 && beside) needed.push(((a.room + b.room) / 2 + 14) / dx);
    }));
    needed.sort((x, y) => y - x);
    const [most, few] = nodes.length <= PILL_NODES ? [2.2, 1.3] : [1.4, 1];
    const wider = Math.max(1, Math.min(most, (needed[3] ?? 0) / width), Math.min(few, (needed[0] ?? 0) / width));
    return [wider * width, wider * height];
  }

  drawNode(node, pills, font) {
    const label = svg("text", { "font-size": font, y: pills ? 0.34 * font : node.h / 2 + 1.1 * font });
    label.textContent = node.text;
    const shape = { x: -node.w / 2, y: -node.h / 2, width: node.w, height: node.h, rx: node.h / 2 };
    const box = svg("rect", shape), title = svg("title"), group = node.group;
    const said = group ? `${node.name}, ${clean(group.name)}` : node.name;
    title.textContent = said;
    node.el = svg("g", { class: pills ? "node" : "node dot", tabindex: 0, role: "button", "data-node": node.id }, title, box);
    if (group && pills) node.el.append(svg("rect", { ...shape, class: "tint", style: `fill:${group.colour}` }));
    node.el.append(label);
    if (group) {
      const r = pills ? 0.62 * font : node.h / 2, [x, y] = pills ? [-node.w / 2, -0.1 * r - node.h / 2] : [0, 0];
      node.el.append(badge(group, r, x, y));
    }
    node.el.setAttribute("aria-label", `variable ${said}`);
    node.el.item = { node };
    this.placeNode(node);
    this.nodeLayer.appendChild(node.el);
  }

  placeNode(node) {
    node.el.setAttribute("transform", `translate(${round(node.px)} ${round(node.py)})`);
  }

  loadEdges(given) {
    this.edgeLayer.replaceChildren();
    this.next.clear();
    this.present = 0;
    this.pairs = new Map();
    const changes = [];
    this.edges = given.map((e, index) => {
      const edge = { ...e, na: this.nodes.get(e.a), nb: this.nodes.get(e.b), state: "", width: 2, dirty: true };
      if (e.strength != null) edge.width = 1 + 4 * e.strength;
      if (this.nodes.size > PILL_NODES) edge.width *= 0.6;
      edge.na.edges.push(edge);
      edge.nb.edges.push(edge);
      this.pairs.set(pairKey(e.a, e.b), edge);
      e.spans.forEach(([from, to], k) => {
        changes.push([from, index], [to, index]);
        if (e.spans[k + 1]?.[0] !== to) changes.push([to - 1, index], [Math.min(to + GHOST_STEPS, this.last), index]);
      });
      return edge;
    });
    changes.sort((x, y) => x[0] - y[0]);
    this.changeSteps = Int32Array.from(changes, (c) => c[0]);
    this.changeEdges = Int32Array.from(changes, (c) => c[1]);
    this.loadLegend(given);
  }

  // ---------------------------------------------------------------- one step

  go(step, byLine = false) {
    const begin = performance.now();
    step = Math.max(0, Math.min(this.last, Math.round(step)));
    const before = this.step;
    this.step = this.kept.step = step;
    if (this.steps.threshold?.follows && !byLine) this.kept.line = null;
    for (const edge of this.touched(before, step)) this.paint(edge);
    this.edgeLayer.classList.toggle("crowded", this.present > CROWD);
    this.drawPair();
    this.drawBoxes();
    this.slider.value = step;
    this.cursor?.setAttribute("transform", `translate(${step} 0)`);
    this.say();
    if (this.steps.threshold?.follows) this.drawLine();
    this.root.dataset.step = step;
    this.root.dataset.edges = this.present;
    this.root.dataset.lastMs = round(performance.now() - begin);
  }

  // Only edges with a change between the two steps can look different.
  touched(from, to) {
    if (from < 0) return this.edges;
    const begin = upper(this.changeSteps, Math.min(from, to)), end = upper(this.changeSteps, Math.max(from, to));
    if (end - begin > this.edges.length) return this.edges;
    return new Set(Array.from(this.changeEdges.subarray(begin, end), (k) => this.edges[k]));
  }

  stateAt(edge, step) {
    let gone = -Infinity;
    for (let k = 0; k < edge.spans.length; k++) {
      const [from, to, mark, awareA, awareB] = edge.spans[k];
      if (step < from) break;
      if (step < to) {
        const leaves = step + 1 === to && to <= this.last && edge.spans[k + 1]?.[0] !== to;
        return { mark, leaves, aware: [awareA, awareB] };
      }
      gone = to;
    }
    if (edge.forbidden) return { mark: "forbidden", away: true };
    return { mark: step - gone < GHOST_STEPS && step < this.last ? "ghost" : "", away: true };
  }

  paint(edge) {
    const state = this.stateAt(edge, this.step);
    const classes = state.mark && ["edge mark", state.mark, state.leaves && "leaves", edge.diff,
      state.aware?.[0] && "a-aware", state.aware?.[1] && "b-aware", edge === this.chosen && "selected"]
      .filter(Boolean).join(" ");
    if (classes === edge.state) return;
    const was = edge.state;
    edge.state = classes;
    this.present += !state.away - !!edge.here;
    edge.here = !state.away;
    this.next[state.leaves ? "add" : "delete"](edge);
    if (!classes) return was && this.hide(edge);
    if (!edge.el) this.createEdge(edge);
    edge.el.setAttribute("class", classes);
    // Most edges come and go looking the same; then the class is all there is to do.
    const looks = `${state.mark} ${state.leaves} ${state.aware}`;
    if (looks === edge.looks && !edge.dirty) return;
    edge.looks = looks;
    edge.el.setAttribute("aria-label", this.describe(edge, state));
    this.shape(edge, state);
  }

  hide(edge) {
    // A focused edge that leaves hands the focus on, or the arrow keys would stop working.
    if (edge.el.getRootNode().activeElement === edge.el) this.svg.focus({ preventScroll: true });
    edge.el.setAttribute("class", "away");
  }

  createEdge(edge) {
    edge.hit = svg("path", { class: "hit" });
    edge.line = svg("path", { class: "line", "stroke-width": round(edge.width) });
    edge.el = svg("g", { tabindex: 0, role: "button", "data-a": edge.a, "data-b": edge.b }, edge.hit, edge.line);
    if (edge.opacity != null) edge.el.style.setProperty("--sure", Math.max(0.25, edge.opacity));
    edge.el.item = { edge };
    edge.el.setAttribute("class", "away");
    this.edgeLayer.appendChild(edge.el);
  }

  // Edges not yet seen are made while the browser is idle, so that the first long drag is as quick as the next.
  prepare() {
    const rest = this.edges.filter((edge) => !edge.el);
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
  }

  describe(edge, state = this.stateAt(edge, this.step)) {
    const a = edge.na.name, b = edge.nb.name, away = !state.mark || state.away;
    const pair = { forward: `${a} → ${b}`, backward: `${b} → ${a}` }[state.mark] ?? `${a} — ${b}`;
    const more = [away ? "not in the graph at this step" : WORDS[state.mark], edge.diff && WORDS[edge.diff],
      state.leaves && "next to go", edge.untested && "never tested", edge.required && "required", edge.forbidden && "forbidden",
      edge.opacity != null && (edge.opacity_text ?? `probability ${edge.opacity.toFixed(2)}`), state.aware?.some((k) => k != null) && awareness(a, b, state.aware),
      edge.strength_text];
    return [pair, ...more].filter(Boolean).map(clean).join(", ");
  }

  // What is being worked on: a dashed line around its nodes, and the others faint.
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
  }

  // ---------------------------------------------------------------- geometry

  shape(edge, state = this.stateAt(edge, this.step)) {
    if (edge.dirty) this.reroute(edge);
    const { from, to, bend, mid } = edge.path;
    const toA = ["backward", "conflict"].includes(state.mark), toB = ["forward", "conflict"].includes(state.mark);
    const head = 7 + 1.3 * edge.width;
    const begin = toA ? along(from, bend, head - 1) : from, end = toB ? along(to, bend, head - 1) : to;
    const d = lineOf(begin, bend, end, edge.path.bow);
    if (d !== edge.d) {
      edge.line.setAttribute("d", d);
      edge.hit.setAttribute("d", d);
      edge.d = d;
    }
    edge.line.setAttribute("stroke-width", round(state.leaves ? Math.max(LEAVING, edge.width) : edge.width));
    // Everything that only some edges have is drawn afresh: two or three elements at most.
    while (edge.el.childNodes.length > 2) edge.el.lastChild.remove();
    if (toA) edge.el.append(headAt(from, bend, head));
    if (toB) edge.el.append(headAt(to, bend, head));
    for (const [k, end_] of [from, to].entries()) {
      const r = 3.5 + edge.width / 3, [cx, cy] = along(end_, bend, r);
      if (state.aware?.[k]) edge.el.append(svg("circle", { class: "aware", cx, cy, r }));
    }
    if (state.mark === "forbidden") edge.el.append(svg("path", { class: "cross", d: crossAt(mid) }));
    if (edge.required && edge.here) {
      edge.el.append(svg("path", { class: "lock", d: ICONS.lock, transform: `translate(${xy(mid)})` }));
    }
    const note = [edge.diff && SIGNS[edge.diff], state.mark === "conflict" && "!", edge.untested && "?", edge.here && edge.opacity < NEARLY_SURE
      && edge.opacity.toFixed(2), state.leaves && this.next.size <= 3 && "next to go"].filter(Boolean).join(" ");
    if (note) edge.el.append(noteAt(mid, note, edge.required));
  }

  // A gentle bow around the nodes that the straight line would cross.
  route({ na: a, nb: b }) {
    const dx = b.px - a.px, dy = b.py - a.py, length = Math.hypot(dx, dy) || 1;
    const nx = -dy / length, ny = dx / length;
    let left = 0, right = 0;
    for (const c of this.nodes.values()) {
      if (c === a || c === b) continue;
      const cx = c.px - a.px, cy = c.py - a.py, t = (cx * dx + cy * dy) / length ** 2;
      if (t <= 0.04 || t >= 0.96) continue;
      const side = cx * nx + cy * ny, room = (Math.abs(nx) * c.w + Math.abs(ny) * c.h) / 2 + 6;
      if (Math.abs(side) >= room) continue;
      const lever = Math.max(0.18, 2 * t * (1 - t));
      left = Math.max(left, (room + side) / lever);
      right = Math.max(right, (room - side) / lever);
    }
    const bow = Math.max(-0.35 * length, Math.min(0.35 * length, left <= right ? left : -right));
    const bend = [(a.px + b.px) / 2 + nx * bow, (a.py + b.py) / 2 + ny * bow];
    const from = border(a, bend), to = border(b, bend);
    return { from, to, bend, bow, mid: [0, 1].map((k) => (from[k] + 2 * bend[k] + to[k]) / 4) };
  }

  reroute(edge) {
    edge.path = this.route(edge);
    edge.dirty = false;
  }

  redraw(edges) {
    for (const edge of edges) {
      edge.dirty = true;
      if (edge.state) this.shape(edge);
    }
    this.drawPair();
    this.drawBoxes(true);
  }

  // ---------------------------------------------------------------- zoom, pan, drag

  setZoom([k, x, y], byUser = true) {
    this.zoom = [k, x, y];
    this.kept.zoom = byUser ? this.zoom : null;
    this.view.setAttribute("transform", `translate(${round(x)} ${round(y)}) scale(${Math.round(k * 1e4) / 1e4})`);
  }

  fitted() {
    const all = [...this.nodes.values()], { clientWidth: width, clientHeight: height } = this.svg;
    if (!all.length) return [1, 0, 0];
    const wide = (n) => Math.max(n.room, n.w) / 2;
    const x0 = Math.min(...all.map((n) => n.px - wide(n))), x1 = Math.max(...all.map((n) => n.px + wide(n)));
    const y0 = Math.min(...all.map((n) => n.py - n.above)), y1 = Math.max(...all.map((n) => n.py + n.below));
    const k = Math.min((width - 2 * HALO) / (x1 - x0), (height - HALO - BAR) / (y1 - y0), 1.35);
    return [k, (width - k * (x0 + x1)) / 2, (height + BAR - HALO - k * (y0 + y1)) / 2];
  }

  fit() {
    this.setZoom(this.fitted(), false);
  }

  zoomBy(factor, x = this.svg.clientWidth / 2, y = this.svg.clientHeight / 2) {
    const [k, tx, ty] = this.zoom, to = Math.max(0.8 * this.fitted()[0], Math.min(8, k * factor));
    this.setZoom([to, x - (x - tx) * (to / k), y - (y - ty) * (to / k)]);
    return to !== k;
  }

  onWheel(e) {
    const box = this.svg.getBoundingClientRect();
    // At the far end the wheel scrolls the page again.
    const speed = e.deltaMode ? 0.05 : 0.0015;
    if (this.zoomBy(Math.exp(-e.deltaY * speed), e.clientX - box.left, e.clientY - box.top)) e.preventDefault();
  }

  onDown(e) {
    this.dragged = false;
    if (e.button === 0) this.press = { x: e.clientX, y: e.clientY, zoom: this.zoom, node: itemOf(e.target)?.node };
  }

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
    if (!press.node) return this.setZoom([this.zoom[0], press.zoom[1] + dx, press.zoom[2] + dy]);
    press.node.px = press.start[0] + dx / this.zoom[0];
    press.node.py = press.start[1] + dy / this.zoom[0];
    this.placeNode(press.node);
    this.redraw(press.node.edges);
  }

  onUp() {
    const node = this.dragged && this.press?.node;
    this.press = null;
    if (!node) return;
    const [width, height] = this.kept.world, at = [node.px / width, node.py / height].map((v) => +v.toFixed(4));
    const told = this.kept.moved.get(node.id)?.told ?? [];
    this.kept.moved.set(node.id, { at, told: [...told, at.join()] });
    [node.px, node.py] = [at[0] * width, at[1] * height];
    this.placeNode(node);
    this.redraw(this.edges);
    this.report();
  }

  onResize() {
    if (!this.graph || this.pending) this.settle();
    else if (!this.kept.zoom) this.fit();
  }

  // ---------------------------------------------------------------- selection

  activate(item, shift = false) {
    const last = this.kept.selected;
    let chosen = null;
    if (item?.edge) chosen = [item.edge.a, item.edge.b];
    else if (item?.node) {
      const id = item.node.id, first = Array.isArray(last) ? (shift ? last[0] : null) : last;
      // A second node makes a pair; the same node again clears.
      if (first == null) chosen = id;
      else if (first !== id) chosen = [first, id];
    }
    this.select(chosen);
    this.announce(chosen == null ? "selection cleared" : `selected: ${this.describeSelection()}`);
    this.report();
  }

  select(wanted) {
    const ids = wanted == null ? [] : [].concat(wanted);
    const known = ids.length > 0 && ids.every((id) => this.nodes.has(id));
    this.kept.selected = known ? wanted : null;
    for (const node of this.nodes.values()) node.el.classList.toggle("selected", known && ids.includes(node.id));
    const before = this.chosen;
    this.chosen = known && ids.length === 2 ? this.pairs.get(pairKey(...ids)) : null;
    for (const edge of new Set([before, this.chosen])) if (edge && this.edges.includes(edge)) this.paint(edge);
    this.drawPair();
  }

  describeSelection() {
    const ids = [].concat(this.kept.selected), [a, b] = ids.map((id) => this.nodes.get(id).name);
    return ids.length === 1 ? a : this.chosen ? this.describe(this.chosen) : `${a} and ${b}, not joined`;
  }

  // A selected pair without an edge at this step is shown as a thin dotted line.
  drawPair() {
    const ids = this.kept.selected;
    const absent = Array.isArray(ids) && !this.chosen?.here;
    if (!absent) return this.pair.removeAttribute("d");
    const [na, nb] = ids.map((id) => this.nodes.get(id)), { from, to, bend, bow } = this.route({ na, nb });
    this.pair.setAttribute("d", lineOf(from, bend, to, bow));
  }

  // Hit lines overlap where edges cross; the edge whose line is nearest to the pointer is meant.
  under(e) {
    const item = itemOf(e.target), box = this.svg.getBoundingClientRect(), [k, tx, ty] = this.zoom;
    if (!item?.edge) return item;
    const x = (e.clientX - box.left - tx) / k, y = (e.clientY - box.top - ty) / k;
    const hits = this.root.getRootNode().elementsFromPoint(e.clientX, e.clientY).map((hit) => itemOf(hit)?.edge);
    let best = item.edge, least = Infinity;
    for (const edge of new Set(hits.filter(Boolean))) {
      const distance = distanceTo(edge.path, x, y);
      if (distance < least) [best, least] = [edge, distance];
    }
    return { edge: best };
  }

  point(item, e) {
    this.hovered?.el.classList.remove("hover");
    this.hovered = e && item?.edge;
    this.hovered?.el.classList.add("hover");
    this.tip.hidden = !item?.edge || !!this.press;
    if (this.tip.hidden) return;
    this.tip.textContent = this.describe(item.edge);
    const box = this.svg.getBoundingClientRect(), [k, tx, ty] = this.zoom, mid = item.edge.path.mid;
    const x = e ? e.clientX - box.left : mid[0] * k + tx, y = e ? e.clientY - box.top : mid[1] * k + ty;
    this.tip.style.left = `${Math.max(4, Math.min(x + 12, box.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${Math.max(4, Math.min(y + 14, box.height - this.tip.offsetHeight - 4))}px`;
  }

  // ---------------------------------------------------------------- the scrubber

  loadScrubber() {
    const { series = [], curve = 0, phases = [], choice } = this.steps, last = Math.max(1, this.last);
    this.scrubber.hidden = this.steps.count < 2;
    this.slider.max = this.last;
    this.choiceButton.hidden = choice == null;
    setIcon(this.choiceButton, "choice", this.steps.choice_label ?? "Final graph");
    this.pinButton.hidden = !this.graph.allow_pins;
    this.pickerLabel.hidden = series.length < 2;
    this.picker.replaceChildren(...series.map((s, k) => html("option", { value: k }, s.label)));
    this.picker.value = curve;
    // Where not all names have room, the longest stages keep theirs.
    const lengths = phases.map((p, k) => (phases[k + 1]?.from ?? this.last + 1) - p.from), taken = [];
    const named = phases.map((_, k) => k).sort((a, b) => lengths[b] - lengths[a]).flatMap((k) => {
      const { label, from } = phases[k], at = Math.min(1, from / last), room = (7 * label.length) / (this.svg.clientWidth - 16);
      const flip = at + room > 1, begin = at - flip * room;
      if (begin < 0 || taken.some(([from, to]) => begin < to && from < begin + room)) return [];
      taken.push([begin, begin + room]);
      return html("span", { class: flip ? "flip" : "", style: `left:${100 * at}%` }, label);
    });
    this.phases.replaceChildren(...named);
    this.stops = this.steps.events ?? [...new Set(this.changeSteps)].filter((s) => s <= this.last);
    this.track.classList.toggle("tall", !!this.steps.threshold || series.some((s) => s.marks));
    this.drawCurve();
  }

  drawCurve() {
    const { series = [], phases = [], choice } = this.steps, shown = series[+this.picker.value];
    const last = Math.max(1, this.last), rule = (x, c) => svg("path", { class: c, d: `M${x} 0V1` });
    this.curve.setAttribute("viewBox", `0 0 ${last} 1`);
    const parts = phases.slice(1).map((p) => rule(p.from, "phase"));
    const scale = shown && scaleOf(shown);
    if (shown) parts.push(svg("path", { class: "values", d: curveOf(shown, scale) }));
    this.scale.replaceChildren(...(scale?.marks ?? []).map((v) => {
      const mark = html("span", { style: `top:${100 * scale.at(v)}%` });
      mark.textContent = told(shown, v);
      return mark;
    }));
    this.scale.classList.toggle("right", !!shown?.log_p); // that curve falls, from the left
    this.drawPoints(shown, scale);
    if (choice != null) parts.push(rule(choice, "choice"));
    parts.push(...this.kept.pins.map((s) => rule(s, "pinned")));
    this.cursor = rule(0, "cursor");
    this.cursor.setAttribute("transform", `translate(${Math.max(0, this.step)} 0)`);
    this.curve.replaceChildren(...parts, this.cursor);
    this.drawLine();
  }

  // Points on the curve, to click; what they say is also read out as one sentence.
  drawPoints(shown, scale) {
    const points = (shown?.marks ?? []).flatMap((mark, step) => (mark && shown.values[step] != null ? [{ mark, step }] : []));
    const named = (step) => `step ${number(step + (this.steps.offset ?? 0))}`;
    this.points.hidden = !points.length;
    this.points.replaceChildren(...points.map(({ mark, step }) => {
      const left = (100 * step) / Math.max(1, this.last), top = 100 * scale.at(shown.values[step]);
      const title = [named(step), this.steps.text?.[step]].filter(Boolean).map(clean).join(": ");
      const point = html("span", { class: `point ${mark}`, style: `left:${left}%;top:${top}%`, title });
      point.append(pointOf(mark));
      point.addEventListener("click", () => this.jump(step));
      return point;
    }));
    const said = Object.entries(POINTS).flatMap(([mark, words]) => {
      const own = points.filter((p) => p.mark === mark).map((p) => named(p.step));
      return own.length ? `${words}: ${own.join(", ")}` : [];
    });
    this.points.setAttribute("aria-label", [`${shown?.label} of ${points.length} steps`, ...said].join("; "));
  }

  // ---------------------------------------------------------------- a threshold, as a line across the curve

  // Where the user left it, else where it belongs.
  lineValue() {
    const { threshold, series, choice } = this.steps;
    if (!threshold?.follows || this.kept.line != null || this.step === choice) return this.kept.line ?? threshold?.value;
    if (threshold.falling && this.step <= threshold.first) return threshold.high;
    return series[threshold.series].values[this.step + 1] ?? (threshold.falling ? threshold.low : threshold.high);
  }

  drawLine() {
    const { threshold, series } = this.steps, value = this.lineValue();
    this.line.hidden = !threshold || +this.picker.value !== threshold.series;
    if (this.line.hidden) return;
    const place = scaleOf(series[threshold.series]).at(value ?? threshold.low);
    this.line.style.setProperty("--place", place);
    const shown = series[threshold.series], offset = this.steps.offset ?? 0;
    const stop = threshold.follows && this.kept.line == null ? this.step : value == null || this.stopOf(value);
    const stops = value == null ? "not set" : `${told(shown, value)}, stops at step ${number(stop + offset)}`;
    const attributes = { "aria-label": threshold.name, "aria-valuemin": threshold.low, "aria-valuemax": threshold.high,
      "aria-valuenow": value ?? threshold.low, "aria-valuetext": stops, title: `${threshold.name}: drag me` };
    for (const [k, v] of Object.entries(attributes)) this.line.setAttribute(k, v);
    this.line.dataset.label = `${threshold.label} ${value == null ? "–" : told(shown, value)}`;
  }

  // The first step after which the next value exceeds the line, or of falling ones the first that does not.
  stopOf(value) {
    const { first, last, series, falling = false } = this.steps.threshold, values = this.steps.series[series].values;
    let step = first;
    while (step < last && values[step + 1] > value === falling) step++;
    return step;
  }

  moveLine(place) {
    const { series, low, high } = this.steps.threshold, shown = this.steps.series[series], [top, bottom] = SCALE_ENDS;
    // The scale of probabilities leaves out what is nearest to 0 and to 1: its ends stand for all of that.
    if (place >= bottom || place <= top) return this.setLine(place <= top ? high : low);
    const value = scaleOf(shown).back(place);
    this.setLine(shown.log_p ? +value.toFixed(3) : rounded(value));
  }

  setLine(value) {
    const { low, high } = this.steps.threshold;
    this.kept.line = Math.max(low, Math.min(high, value));
    this.play(false, true);
    this.go(this.stopOf(this.kept.line), true);
    this.drawLine();
  }

  onLine(e) {
    const box = this.curve.getBoundingClientRect(), own = this.line.getBoundingClientRect();
    if (e.type === "pointermove") return this.moveLine((e.clientY - this.grip - box.top) / box.height);
    this.holding = true;
    this.grip = e.clientY - (own.top + own.bottom) / 2;
    this.line.setPointerCapture(e.pointerId);
  }

  onLineUp() {
    if (this.holding) this.announce(this.sentence.textContent);
    this.holding = false;
    this.report();
  }

  onLineKey(e) {
    const { threshold, series } = this.steps, scale = scaleOf(series[threshold.series]);
    const at = scale.at(this.lineValue() ?? threshold.low);
    const to = { ArrowUp: at - LINE_STEP, ArrowRight: at - LINE_STEP, ArrowDown: at + LINE_STEP, ArrowLeft: at + LINE_STEP,
      PageUp: at - LINE_LEAP, PageDown: at + LINE_LEAP };
    const ends = { Home: threshold.low, End: threshold.high };
    if (!(e.key in to || e.key in ends) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key in ends) this.setLine(ends[e.key]);
    else this.moveLine(to[e.key]);
    this.reportSoon();
    e.preventDefault();
    e.stopPropagation();
  }

  say() {
    const { text, ticks, axis_label: axis, series = [], phases = [], offset = 0 } = this.steps, step = this.step;
    const leaving = [...this.next].slice(0, 3).map((e) => `${shorten(e.na.name, 24)} — ${shorten(e.nb.name, 24)}`);
    if (this.next.size > 3) leaving.push("…");
    const phase = phases.findLast((p) => p.from <= step && step > 0)?.label;
    const line = [`step ${number(step + offset)} of ${number(this.last + offset)}`, phase, ticks && `${axis} ${ticks[step]}`, text?.[step],
      `${number(this.present)} ${this.present === 1 ? "edge" : "edges"}`,
      leaving.length && `next to go: ${leaving.join(", ")}`].filter(Boolean).map(clean).join(" · ");
    this.sentence.textContent = this.sentence.title = line;
    this.slider.setAttribute("aria-valuetext", line);
    this.readouts.textContent = series.filter((s) => s.label !== "edges" && s.values[step] != null)
      .map((s) => `${s.label} ${told(s, s.values[step])}`).join("  ·  ");
    this.pinButton.setAttribute("aria-pressed", this.kept.pins.includes(step));
  }

  jump(step) {
    this.play(false, true);
    this.go(step);
    this.announce(this.sentence.textContent);
    this.reportSoon();
  }

  event(way) {
    const ahead = this.stops.filter((s) => (s - this.step) * way > 0);
    this.jump(ahead.length ? (way > 0 ? Math.min(...ahead) : Math.max(...ahead)) : way > 0 ? this.last : 0);
  }

  pin() {
    const pins = this.kept.pins, at = pins.indexOf(this.step);
    this.kept.pins = at < 0 ? [...pins, this.step] : pins.filter((s) => s !== this.step);
    this.drawCurve();
    this.say();
    this.report();
  }

  play(on, quiet = false) {
    clearInterval(this.timer);
    const was = this.timer;
    this.timer = null;
    if (on) {
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      const stride = Math.ceil(this.steps.count / PLAY_TICKS);
      if (this.step >= this.last) this.go(0);
      this.timer = setInterval(() => {
        const later = this.stops.filter((s) => s > this.step);
        this.go(calm ? (later.length ? Math.min(...later) : this.last) : this.step + stride);
        if (this.step >= this.last) this.play(false);
      }, calm ? CALM_MS : Math.min(CALM_MS, Math.max(PLAY_MS, PLAY_ALL_MS / this.steps.count)));
    } else if (was && !quiet) {
      this.announce(this.sentence.textContent);
      this.report();
    }
    setIcon(this.playButton, on ? "pause" : "play", on ? "Pause" : "Play");
  }

  onKey(e) {
    const at = e.composedPath()[0], step = this.step;
    if (e.ctrlKey || e.metaKey || e.altKey || at === this.picker || !this.graph) return;
    const moves = { ArrowRight: step + 1, ArrowUp: step + 1, ArrowLeft: step - 1, ArrowDown: step - 1,
      Home: 0, End: this.last };
    if (e.key in moves) this.jump(moves[e.key]);
    else if (e.key === "PageDown" || e.key === "PageUp") this.event(e.key === "PageDown" ? 1 : -1);
    else if (e.key === "Escape") this.activate(null);
    else if (at.matches("button, summary")) return;
    else if (e.key === " ") this.play(!this.timer);
    else if (e.key === "Enter" && itemOf(at)) this.activate(itemOf(at), e.shiftKey);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // ---------------------------------------------------------------- back to Python, and to screen readers

  report() {
    clearTimeout(this.later);
    const { run, step, selected = null, pins, moved, seen, line } = this.kept;
    const value = { run, step, selected, pins, positions: [...moved].map(([id, m]) => [id, ...m.at]), seen };
    if (line != null) value.threshold = line;
    const text = JSON.stringify(value);
    if (text !== this.told) this.setStateValue("view", value);
    this.told = text;
  }

  // Held keys and quick clicks are told once they pause.
  reportSoon() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.report(), 250);
  }

  announce(text) {
    clearTimeout(this.speak);
    this.speak = setTimeout(() => (this.live.textContent = text), 300);
  }

  // ---------------------------------------------------------------- legend and theme

  loadLegend(edges) {
    const points = new Set((this.steps.series ?? []).flatMap((s) => s.marks ?? []));
    const some = (test) => edges.some(test), mark = (m) => some((e) => e.spans.some((s) => s[2] === m));
    const leaves = some((e) => e.spans.some((s) => s[1] < this.steps.count));
    const rows = [
      [mark("forward") || mark("backward"), "forward", this.graph.directed
        ?? "directed: same way in every equivalent graph"],
      [mark("undirected"), "undirected", "undirected: either way fits equally well"],
      [mark("conflict"), "conflict", "evidence for both directions"],
      [some((e) => e.spans.some((s) => s[3] || s[4])), "undirected b-aware", "dot: this end conditions on the other"],
      [leaves, "undirected leaves", "next to go"], [leaves, "ghost", "just removed"],
      [some((e) => e.required), "undirected required", "required"], [some((e) => e.forbidden), "forbidden", "forbidden"],
      [some((e) => e.untested), "undirected untested", "?: never tested, for want of power"],
      ...["both", "only_a", "only_b", "direction_differs"].map((d) => [some((e) => e.diff === d), `undirected ${d}`,
        WORDS[d]]),
    ].filter((row) => row[0]);
    const notes = [some((e) => e.strength != null) && "wider: stronger",
      some((e) => e.opacity != null) && "fainter: less probable"].filter(Boolean);
    const groups = this.graph.groups ?? [];
    const boxed = (this.graph.boxes ?? []).length && html("div", {}, sample("box"), "the group being refined");
    this.legend.replaceChildren(html("summary", {}, "Legend"), ...(boxed ? [boxed] : []),
      ...groups.map((g) => html("div", {}, badgeSample(g), clean(g.name))),
      ...Object.entries(POINTS).filter(([m]) => points.has(m)).map(([m, words]) => html("div", {},
        html("span", { class: `gap point ${m}` }, pointOf(m)), `curve: ${words}`)),
      ...rows.map(([, classes, words]) => html("div", {}, sample(classes), words)),
      ...notes.map((words) => html("div", {}, html("span", { class: "gap" }), words)));
    this.legend.hidden = !rows.length && !groups.length;
  }

  showTheme() {
    const probe = getComputedStyle(this.root).backgroundColor.match(/[\d.]+/g).map(Number);
    const light = 0.299 * probe[0] + 0.587 * probe[1] + 0.114 * probe[2];
    this.root.dataset.theme = light < 128 ? "dark" : "light";
  }

  // ---------------------------------------------------------------- the picture as a file

  picture() {
    const { clientWidth: width, clientHeight: height } = this.svg, copy = inlined(this.svg);
    for (const [k, v] of Object.entries({ xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` })) {
      copy.setAttribute(k, v);
    }
    copy.prepend(svg("rect", { width, height, fill: getComputedStyle(this.root).backgroundColor }));
    return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  }

  saveSvg() {
    download(this.picture(), `${this.graph.file_name ?? "graph"}.svg`);
  }

  async savePng() {
    const { clientWidth: width, clientHeight: height } = this.svg, url = URL.createObjectURL(this.picture());
    const image = new Image(), canvas = document.createElement("canvas");
    image.src = url;
    await image.decode();
    [canvas.width, canvas.height] = [2 * width, 2 * height];
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    URL.revokeObjectURL(url);
    canvas.toBlob((blob) => download(blob, `${this.graph.file_name ?? "graph"}.png`));
  }
}

// ------------------------------------------------------------------ elements

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
function html(tag, attributes = {}, ...children) {
  return make(document.createElement(tag), attributes, children);
}
function svg(tag, attributes = {}, ...children) {
  return make(document.createElementNS(SVG, tag), attributes, children);
}
function button(text, name, action, icon) {
  const b = html("button", { type: "button", title: name, "aria-label": name });
  b.addEventListener("click", action);
  if (icon) setIcon(b, icon, text);
  else b.textContent = text;
  return b;
}
function setIcon(b, icon, text) {
  b.replaceChildren(svg("svg", { class: "icon", viewBox: "0 0 16 16" }, svg("path", { d: ICONS[icon] })), text);
}
function itemOf(element) {
  return element.closest?.(".edge, .node")?.item;
}
// A star, a dot or a circle.
function pointOf(mark) {
  const d = mark.includes("star") ? "M8 .8l2.2 4.7 5.1.6-3.8 3.5 1 5.1L8 12.2l-4.5 2.5 1-5.1L.7 6.1l5.1-.6z"
    : "M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z";
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d }));
}
function headAt(tip, from, size) {
  const back = along(tip, from, size), w = size * 0.42, dx = (tip[1] - back[1]) / size, dy = (back[0] - tip[0]) / size;
  const d = `M${xy(tip)}L${xy([back[0] + dx * w, back[1] + dy * w])}L${xy([back[0] - dx * w, back[1] - dy * w])}Z`;
  return svg("path", { class: "head", d });
}
function crossAt([x, y]) {
  return `M${round(x - 5)} ${round(y - 5)}l10 10m0-10l-10 10`;
}
function noteAt([x, y], text, beside) {
  const note = svg("text", { class: "note", x: round(x + (beside ? 14 : 0)), y: round(y + 4) });
  note.textContent = text;
  return note;
}
// The letter of a group: colour is never alone.
function badge(group, r, x, y) {
  const letter = svg("text", { class: "letter", "font-size": round((group.mark.length > 1 ? 1.05 : 1.4) * r), y: round(0.48 * r),
    style: `fill:${group.ink}` });
  letter.textContent = group.mark;
  const plate = svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: group.shape === "square" ? 0.3 * r : r,
    style: `fill:${group.colour}` });
  return svg("g", { class: "badge", transform: `translate(${round(x)} ${round(y)})` }, plate, letter);
}
function badgeSample(group) {
  return svg("svg", { class: "sample", width: 40, height: 18, "aria-hidden": "true" }, badge(group, 8, 20, 9));
}
function sample(classes) {
  const g = svg("g", { class: `mark ${classes}` }, svg("path", { class: "line", d: "M3 8H37", "stroke-width": 2 }));
  if (/forward|conflict/.test(classes)) g.append(headAt([38, 8], [0, 8], 9));
  if (/conflict/.test(classes)) g.append(headAt([2, 8], [40, 8], 9));
  if (/b-aware/.test(classes)) g.append(svg("circle", { class: "aware", cx: 36, cy: 8, r: 3.5 }));
  if (/forbidden/.test(classes)) g.append(svg("path", { class: "cross", d: crossAt([20, 8]) }));
  if (/required/.test(classes)) g.append(svg("path", { class: "lock", d: ICONS.lock, transform: "translate(20 8)" }));
  const sign = SIGNS[classes.split(" ")[1]];
  if (sign) g.append(noteAt([20, 8], sign));
  return svg("svg", { class: "sample", width: 40, height: 16, "aria-hidden": "true" }, g);
}

// A copy that looks the same without the page's style sheet; what is not shown is left out.
function inlined(original) {
  const style = getComputedStyle(original);
  if (style.display === "none" || (original.matches(".hit") && style.stroke === "none")) return null;
  const copy = document.createElementNS(SVG, original.localName);
  for (const { name, value } of original.attributes) if (!/^(class|tabindex|role|style|data-.*)$/.test(name)) {
    copy.setAttribute(name, value);
  }
  for (const name of ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
    "stroke-linejoin", "opacity", "paint-order", "font-family", "font-size", "font-weight", "text-anchor"]) {
    copy.style.setProperty(name, style.getPropertyValue(name));
  }
  // Elsewhere the page's font may be missing; the label must still fit its node.
  if (original.matches(".node text")) {
    copy.setAttribute("textLength", round(original.getComputedTextLength()));
    copy.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  for (const child of original.childNodes) {
    const twin = child.nodeType === Node.TEXT_NODE ? child.cloneNode() : inlined(child);
    if (twin) copy.append(twin);
  }
  return copy;
}
// Safari has no idle callbacks; there a short pause must do.
function whenIdle(work) {
  if (!window.requestIdleCallback) {
    const timer = setTimeout(() => work({ timeRemaining: () => 0 }), 20);
    return { cancel: () => clearTimeout(timer) };
  }
  const ticket = requestIdleCallback(work);
  return { cancel: () => cancelIdleCallback(ticket) };
}
function download(blob, name) {
  const url = URL.createObjectURL(blob);
  html("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// ------------------------------------------------------------------ small sums

function round(v) {
  return Math.round(v * 100) / 100;
}
function xy([x, y]) {
  return `${round(x)} ${round(y)}`;
}
function lineOf(from, bend, to, bow) {
  return bow ? `M${xy(from)}Q${xy(bend)} ${xy(to)}` : `M${xy(from)}L${xy(to)}`;
}
function awareness(a, b, [knowsA, knowsB]) {
  return knowsA && knowsB ? "both ends aware" : knowsA ? `${a} aware of ${b}` : knowsB ? `${b} aware of ${a}` : "";
}
function along([x, y], [toX, toY], distance) {
  const length = Math.hypot(toX - x, toY - y) || 1;
  return [x + ((toX - x) * distance) / length, y + ((toY - y) * distance) / length];
}
// Labels that overlap are moved the shorter way, sideways or up and down, until none do; what the user placed stays.
function pushApart(nodes) {
  for (let sweep = 0, moved = true; moved && sweep < 80; sweep++) {
    moved = false;
    nodes.forEach((a, k) => nodes.slice(0, k).forEach((b) => {
      const dx = a.px - b.px, dy = a.py - b.py;
      const wide = (a.w + b.w) / 2 + 8 - Math.abs(dx), high = (a.h + b.h) / 2 + 6 - Math.abs(dy);
      const loose = !a.fixed + !b.fixed;
      if (wide < 0.5 || high < 0.5 || !loose) return;
      moved = true;
      const [axis, way] = wide < high ? ["px", wide * (dx < 0 ? -1 : 1)] : ["py", high * (dy < 0 ? -1 : 1)];
      if (!a.fixed) a[axis] += way / loose;
      if (!b.fixed) b[axis] -= way / loose;
    }));
  }
}
// The corners of the least polygon around the boxes of some nodes, with room to spare (Andrew's monotone chain).
function hullOf(nodes) {
  const room = 9, corners = nodes.flatMap(({ px, py, w, h }) => [-1, 1].flatMap((a) => [-1, 1].map((b) =>
    [px + a * (w / 2 + room), py + b * (h / 2 + room)])));
  corners.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (points) => {
    const kept = [];
    for (const c of points) {
      while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), c) <= 0) kept.pop();
      kept.push(c);
    }
    return kept.slice(0, -1);
  };
  return corners.length ? [...half(corners), ...half([...corners].reverse())] : [];
}
// Where the line from the node's middle to `to` leaves its box with round ends.
function border({ px, py, w, h }, [x, y]) {
  const dx = x - px, dy = y - py, r = h / 2, flat = w / 2 - r, length = Math.hypot(dx, dy) || 1;
  const t = Math.abs(dy) < 1e-9 ? Infinity : r / Math.abs(dy);
  if (Math.abs(dx) * t <= flat) return [px + dx * t, py + dy * t];
  const c = Math.sign(dx) * flat, ux = dx / length, uy = dy / length, p = c * ux;
  const s = p + Math.sqrt(Math.max(0, p * p - c * c + r * r));
  return [px + ux * s, py + uy * s];
}
function distanceTo({ from, to, bend }, x, y) {
  let least = Infinity;
  for (let t = 0; t <= 1; t += 0.02) {
    const a = (1 - t) ** 2, b = 2 * t * (1 - t), c = t * t;
    least = Math.min(least, Math.hypot(a * from[0] + b * bend[0] + c * to[0] - x, a * from[1] + b * bend[1] + c * to[1] - y));
  }
  return least;
}
function pairKey(a, b) {
  return JSON.stringify(a < b ? [a, b] : [b, a]);
}
// First place in the sorted `values` with a value above `limit`.
function upper(values, limit) {
  let low = 0, high = values.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (values[mid] <= limit) low = mid + 1;
    else high = mid;
  }
  return low;
}
// How far down a value lies, as a share of the curve's height, and back again.
function scaleOf({ values, log, probability, log_p }) {
  const [stretch, relax] = probability ? [(v) => Math.log(v / (1 - v)), (s) => 1 / (1 + Math.exp(-s))]
    : log_p ? [(v) => -Math.log(1 - v), (s) => 1 - Math.exp(-s)] : [log ? Math.log10 : (v) => v, (s) => s];
  const known = values.filter((v) => v != null && !(log && v <= 0));
  let low = known.reduce((x, y) => Math.min(x, y), Infinity), high = known.reduce((x, y) => Math.max(x, y), -Infinity);
  // A probability's scale reaches from 0.01 to 0.99 at least, and never to 0 or 1, which lie infinitely far away.
  const [least, most] = [PROBABILITY_MARKS[0], PROBABILITY_MARKS.at(-1)];
  if (probability) [low, high] = [Math.max(least, Math.min(low, 0.01)), Math.min(most, Math.max(high, 0.99))];
  if (log_p) low = 1.2 * low; // room for a line below the smallest
  const bottom = stretch(low), room = stretch(high) - bottom || 1;
  const [top, end] = SCALE_ENDS, span = end - top;
  const at = (v) => end - (span * (stretch(Math.max(low, Math.min(high, v))) - bottom)) / room;
  const back = (y) => relax(bottom + (room * (end - Math.max(top, Math.min(end, y)))) / span);
  const inside = (marks) => marks.filter((v) => v >= low && v <= high);
  const marks = probability ? spread([0.5, ...inside(PROBABILITY_MARKS)], at) : log_p ? spread(inside(LOG_P_MARKS), at) : null;
  return { at, back, marks };
}
// As many of the marks, the first of them first, as stand clear of each other.
function spread(marks, at) {
  const kept = [];
  for (const v of marks) if (kept.every((w) => Math.abs(at(v) - at(w)) > 0.17)) kept.push(v);
  return kept;
}
function curveOf({ values, log, probability }, { at }) {
  let pen = "M";
  return values.map((v, k) => {
    const gap = v == null || (log && v <= 0);
    // Between two probabilities that are known the curve goes straight on.
    if (gap && probability) return "";
    if (gap) return (pen = "M"), "";
    const next = values[k + 1], lone = pen === "M" && (next == null || (log && next <= 0)) && !probability ? "h0" : "";
    const point = `${pen}${k} ${at(v).toFixed(4)}${lone}`;
    pen = "L";
    return point;
  }).join("");
}
// Three digits of what a value is, or of what it lacks to 1.
function rounded(v) {
  return v < 0.5 ? +v.toPrecision(3) : 1 - +(1 - v).toPrecision(3);
}
// A value as its series means it.
function told(series, v) {
  return series.probability ? probability(v) : series.log_p ? powerOfTen(v) : number(v);
}
function powerOfTen(v) {
  if (v > -4) return small(10 ** v);
  const exponent = Math.floor(v), digits = (10 ** (v - exponent)).toFixed(1);
  return (digits === "10.0" ? `1e${exponent + 1}` : `${digits}e${exponent}`).replace(".0e", "e");
}
function probability(v) {
  if (v > 0.999) return v === 1 ? "1" : `1\u00a0−\u00a0${small(1 - v)}`;
  return small(v);
}
function small(v) {
  return v < 1e-4 ? v.toExponential(1).replace(".0e", "e") : String(+v.toPrecision(3));
}
function number(v) {
  if (Number.isInteger(v)) return v.toLocaleString("en");
  if (Math.abs(v) >= 1e3) return v.toLocaleString("en", { maximumFractionDigits: 1 });
  return Math.abs(v) < 1e-3 ? v.toExponential(2) : String(+v.toPrecision(4));
}
// Control characters would break a saved SVG, which is XML.
function clean(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]+/g, " ");
}
function shorten(text, longest) {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join("")}…`;
}
// Zoom outlives a fresh start of the page's script; the rest only a remount within the same one.
function takeOver(before, session) {
  if (before.session === session) return before;
  return { pins: [], moved: new Map(), seen: 0, zoom: before.zoom, ids: before.ids, world: before.world };
}
