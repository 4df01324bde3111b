// Bayesian network with a bar for each level, or a density curve, in each variable. Clicking a level or dragging a value
// sets evidence; Python returns new probabilities, which are painted into the existing elements, so focus and drag stay.

import { noteSpots, placeNotes } from "../graph_view/notes.js";
import { boxOf, dataOf, routeAround } from "../graph_view/routing.js";

const SIGN_WIDTH = 14; // width of "=" in pixels
const HEAD_LENGTH = 9; // length of an arrowhead in pixels
const GAP = 16, WIDE = 160, HEAD = 26, ROW = 19, MAX_ROWS = 9, CURVE = 74, BETWEEN = 40, PAUSE = 90, EDGE = 28; // EDGE: margins and scrollbar
const SVG = "http://www.w3.org/2000/svg";

function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function drawn(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

function highOf(node) {
  return HEAD + (node.states.length ? ROW * Math.min(node.states.length, MAX_ROWS) + 6 : CURVE);
}

// Place the layers of the layout one below the other, wrapped into as many rows as needed. A layer of one row keeps its
// horizontal positions without overlaps; longer layers are spread evenly.
function placed(nodes, room) {
  const layers = new Map();
  for (const node of nodes) {
    const key = Math.round(node.y * 1000);
    layers.set(key, [...(layers.get(key) ?? []), node]);
  }
  const width = Math.max(room, WIDE), most = Math.max(1, Math.floor((width + GAP) / (WIDE + GAP)));
  const boxes = new Map();
  let top = 4;
  for (const [, layer] of [...layers].sort(([a], [b]) => a - b)) {
    layer.sort((a, b) => a.x - b.x);
    const n = Math.ceil(layer.length / Math.ceil(layer.length / most));
    for (let begin = 0; begin < layer.length; begin += n) {
      const row = layer.slice(begin, begin + n);
      let left = 0;
      row.forEach((node, k) => {
        const wanted = n < layer.length && n > 1 ? k / (n - 1) : node.x, last = width + GAP - (row.length - k) * (WIDE + GAP);
        left = Math.max(left, Math.min(wanted * (width - WIDE), last));
        boxes.set(node.id, { left, top, high: highOf(node) });
        left += WIDE + GAP;
      });
      top += Math.max(...row.map(highOf)) + BETWEEN;
    }
  }
  return { boxes, width, height: top - BETWEEN + 8 };
}

function curveOf(node, high) {
  if (!(node.sd > 0)) return "";
  const points = [];
  for (let k = 0; k <= 48; k++) {
    const at = node.low + ((node.high - node.low) * k) / 48, z = (at - node.mean) / node.sd;
    points.push(`${((WIDE - 16) * k) / 48} ${high - (high - 3) * Math.exp(-0.5 * z * z)}`);
  }
  return `M0 ${high}L${points.join("L")}L${WIDE - 16} ${high}Z`;
}

// The interval of a mean, as a line at the foot of the curve.
function whiskerOf(node, high) {
  const [from, to] = node.limits[0].map((at) => ((WIDE - 16) * (at - node.low)) / (node.high - node.low));
  return `M${from} ${high - 1.5}L${Math.max(to, from + 1)} ${high - 1.5}`;
}

class QueryView {
  constructor(parent) {
    this.root = make("div", { class: "query-view" });
    parent.append(this.root);
  }

  update({ data, setTriggerValue }) {
    this.interval = data.interval;
    this.say = (id, value) => setTriggerValue("said", [id, value, Date.now()]);
    const shape = JSON.stringify([data.nodes.map((n) => [n.id, n.name, n.label, n.states, n.x, n.y]), data.edges]);
    const room = (this.root.clientWidth || 600) - EDGE;
    if (shape !== this.shape || room !== this.room) this.build(data, room);
    [this.shape, this.room] = [shape, room];
    for (const node of data.nodes) this.paint(node);
  }

  build({ nodes, edges }, room) {
    const { boxes, width, height } = placed(nodes, room), lines = drawn("svg", { width, height, "aria-hidden": "true" });
    this.cards = new Map();
    const plane = make("div", { class: "plane", style: `width:${width}px;height:${height}px` }, lines);
    const cards = new Map([...boxes].map(([id, { left, top, high }]) =>
      [id, { px: left + WIDE / 2, py: top + high / 2, w: WIDE, h: high, square: true }]));
    const paths = edges.map(([a, b], k) => routeAround(cards.get(a), cards.get(b), cards.values(), k));
    const equal = edges.flatMap(([, , determined], k) => (determined ? [{ line: k, width: SIGN_WIDTH, spots: noteSpots(paths[k].points) }] : []));
    const places = placeNotes(equal, [...cards.values()].map((card) => boxOf(card)), paths.map(({ points }) => points));
    paths.forEach((path, k) => {
      const at = equal.findIndex(({ line }) => line === k);
      lines.append(...(at < 0 ? this.arrow(path, edges[k][3]) : this.equality(path, places[at])));
    });
    for (const node of nodes) plane.append(this.card(node, boxes.get(node.id)));
    this.root.replaceChildren(plane);
  }

  // An arrow; its head is hollow if the direction is open or doubtful.
  arrow(path, unsure) {
    const [x, y] = path.to, [fromX, fromY] = path.last, turn = Math.atan2(y - fromY, x - fromX);
    const head = drawn("path", { class: unsure ? "head unsure" : "head", d: "M0 0L-9 -4L-9 4Z", transform: `translate(${x} ${y}) rotate(${(turn * 180) / Math.PI})` });
    const end = [x - HEAD_LENGTH * Math.cos(turn), y - HEAD_LENGTH * Math.sin(turn)];
    return [drawn("path", { class: "line", d: dataOf(path, path.from, end) }), head];
  }

  // A line without an arrowhead: one variable determines the other.
  equality(path, [x, y]) {
    const sign = drawn("text", { class: "equals", x, y: y + 5 });
    sign.textContent = "=";
    return [drawn("path", { class: "line equal", d: dataOf(path, path.from, path.to) }), sign];
  }

  card(node, { left, top, high }) {
    const head = make("div", { class: "name", title: node.unit ? `${node.name}, ${node.unit}` : node.name }), parts = [];
    head.textContent = node.label;
    const card = make("div", { class: "card", role: "group", "aria-label": node.name, "data-node": node.id,
      style: `left:${left}px;top:${top}px;width:${WIDE}px;height:${high}px` }, head);
    const body = make("div", { class: "body" });
    if (node.states.length) {
      node.states.forEach((state, k) => {
        const bar = make("span", { class: "bar" }), ghost = make("span", { class: "ghost" }), whisker = make("span", { class: "whisker" });
        const word = make("span", { class: "word", title: state }), share = make("span", { class: "share" });
        word.textContent = node.words[k];
        const button = make("button", { type: "button", class: "state" }, bar, ghost, whisker, word, share);
        button.addEventListener("click", () => this.say(node.id, this.cards.get(node.id).known === k ? null : k));
        parts.push({ button, bar, ghost, whisker, share });
        body.append(button);
      });
    } else parts.push(this.number(node, body));
    card.append(body);
    this.cards.set(node.id, { card, parts, known: null });
    return card;
  }

  number(node, body) {
    const picture = drawn("svg", { width: WIDE - 16, height: 30, "aria-hidden": "true" });
    const ghost = drawn("path", { class: "ghost" }), curve = drawn("path", { class: "curve" }), whisker = drawn("path", { class: "whisker" });
    picture.append(curve, ghost, whisker);
    const slider = make("input", { type: "range", "aria-label": `Value of ${node.name}`, step: "any" });
    const words = make("button", { type: "button", class: "moments" });
    slider.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.say(node.id, Number(slider.value)), PAUSE);
    });
    words.addEventListener("click", () => this.say(node.id, null));
    body.append(picture, slider, words);
    return { curve, ghost, whisker, slider, words };
  }

  paint(node) {
    const own = this.cards.get(node.id);
    own.known = node.known;
    own.card.classList.toggle("known", node.known != null);
    own.card.classList.toggle("likely", node.likely);
    own.card.classList.toggle("done", node.done);
    own.card.setAttribute("aria-label", node.done ? `${node.name}, intervention` : node.name);
    if (!node.states.length) return this.paintNumber(node, own.parts[0]);
    own.parts.forEach(({ button, bar, ghost, whisker, share }, k) => {
      const chance = node.chances[k], [low, high] = node.limits[k] ?? [0, 0], sure = node.sure[k] ? `, ${this.interval} ${node.sure[k]}` : "";
      whisker.style.display = sure ? "" : "none";
      [whisker.style.left, whisker.style.width] = [`${100 * low}%`, `${100 * (high - low)}%`];
      button.title = `${node.states[k]}: ${node.texts[k]}${sure}`;
      bar.style.width = `${100 * chance}%`;
      ghost.style.display = node.reference ? "" : "none";
      ghost.style.left = `${100 * (node.reference?.[k] ?? 0)}%`;
      share.textContent = node.texts[k];
      button.setAttribute("aria-pressed", String(node.known === k));
      button.setAttribute("aria-label", `${node.name} is ${node.states[k]}, ${node.texts[k]}${sure}`);
    });
  }

  paintNumber(node, { curve, ghost, whisker, slider, words }) {
    const known = node.known != null, sure = !known && node.sure[0] ? `, ${this.interval} ${node.sure[0]}` : "";
    whisker.setAttribute("d", sure ? whiskerOf(node, 30) : "");
    words.title = `${node.texts[0]}${sure}`;
    curve.setAttribute("d", known ? "" : curveOf(node, 30));
    ghost.setAttribute("d", node.reference ? curveOf({ ...node, mean: node.reference[0], sd: node.reference[1] }, 30) : "");
    [slider.min, slider.max] = [node.low, node.high];
    if (slider.getRootNode().activeElement !== slider || !known) slider.value = known ? node.known : node.mean;
    words.textContent = node.texts[0];
    slider.setAttribute("aria-valuetext", `${node.texts[0]}${sure}`);
    words.disabled = !known;
  }
}

const views = new WeakMap();

export default function (component) {
  const parent = component.parentElement;
  if (!views.has(parent)) views.set(parent, new QueryView(parent));
  views.get(parent).update(component);
}
