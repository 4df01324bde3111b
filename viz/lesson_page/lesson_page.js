// The page of a lesson: texts, graphs, runs with their sliders, and exercises that check themselves.

import { html } from "../graph_view/elements.js";
import mount from "../graph_view/graph_view.js";
import { pairKey } from "../graph_view/spans.js";
import { opener } from "../replay_page/packs.js";
import { answerControls } from "./answer_controls.js";
import { elementsOf, filled } from "./marked_text.js";
import { moveTo } from "./move_to.js";

const GRAPH_HEIGHT = 380, SMALL_GRAPH_HEIGHT = 300, COMPARED_HEIGHT = 240, RUN_HEIGHT = 560, SMALL_RUN_HEIGHT = 440; // pixels
const MAX_SMALL = 5, MAX_SMALL_RUN = 10; // maximum number of nodes of a small graph, and of a small run

class LessonPage {
  constructor(main, page) {
    Object.assign(this, { main, page, graphs: 0, shown: 0 });
    document.documentElement.lang = page.language;
    this.sections = page.steps.map((step) => html("section", {}, ...step.map((k) => this.block(page.blocks[k]))));
    this.more = html("div", { class: "more" });
    main.replaceChildren(html("h1", {}, page.title), html("p", { class: "quiet" }, `${page.time} · ${page.words["not stored"]}`), this.more);
    this.open(1);
  }

  // Show the first steps, and the buttons that show the next one or all; pictures are drawn once they are shown.
  // After a click, the first new step gets the focus and comes into view.
  open(n, clicked = false) {
    const { words } = this.page, first = this.sections[this.shown];
    for (const section of this.sections.slice(this.shown, n)) {
      this.more.before(section);
      for (const slot of section.querySelectorAll(".graph")) slot.draw?.();
    }
    this.shown = n;
    const next = (label, opened) => {
      const b = html("button", { type: "button" }, label);
      b.addEventListener("click", () => this.open(opened, true));
      return b;
    };
    const total = this.sections.length;
    this.more.replaceChildren(...(n < total
      ? [next(filled(words.continue, { k: n + 1, n: total }), n + 1), next(words.whole, total)] : []));
    if (clicked) moveTo(first);
  }

  block(block) {
    if (block.kind === "text") return html("div", {}, ...elementsOf(block.tree));
    if (block.kind === "graph") {
      const height = block.compared ? COMPARED_HEIGHT : block.graph.nodes.length > MAX_SMALL ? GRAPH_HEIGHT : SMALL_GRAPH_HEIGHT;
      return html("div", {}, this.graph(block.graph, height), ...block.tables.map(table));
    }
    if (block.kind === "run") return this.run(block);
    if (block.kind === "numbers") return this.numbers(block);
    if (block.kind === "fault") return html("p", { class: "wrong", role: "alert" }, block.text);
    return answerControls(block, this.page.words, (...given) => this.graph(...given));
  }

  // Return a place for a graph; `onReport` gets what the user selects or clicks. Its `show` draws another graph.
  graph(graph, height, onReport = () => {}) {
    const slot = html("div", { class: "graph" }), key = `lesson ${++this.graphs}`;
    let now = graph, drawn = 0;
    slot.draw = () => {
      if (!slot.isConnected) return;
      const data = { graph: now, key, session: "file", height, request: {}, places: { at: [], heard: "" }, drawn,
        language: this.page.language, words: this.page.graph_words };
      mount({ data, parentElement: slot, setStateValue: (_, value) => {
        const strokes = (value.strokes ?? []).filter((stroke) => stroke.id > drawn);
        drawn = Math.max(drawn, ...strokes.map((stroke) => stroke.id));
        onReport({ ...value, strokes });
      } });
    };
    slot.show = (other) => {
      now = other;
      slot.draw();
    };
    return slot;
  }

  run({ setting, pictures }) {
    const why = html("div", { class: "why", "aria-live": "polite" }), caption = html("p", { class: "quiet" });
    let at = 0;
    const slot = this.graph(pictures[0].graph, pictures[0].graph.nodes.length > MAX_SMALL_RUN ? RUN_HEIGHT : SMALL_RUN_HEIGHT, ({ selected }) => {
      const found = Array.isArray(selected) && pictures[at].texts.find(([a, b]) => pairKey(a, b) === pairKey(...selected));
      why.replaceChildren(...(found ? found[2].map((text, k) => html("p", k ? {} : { class: "claim" }, text)) : []));
    });
    const show = (k) => {
      at = k;
      caption.textContent = `${pictures[k].caption} ${this.page.words.click}`;
      why.replaceChildren();
      slot.show({ ...pictures[k].graph, run: `${k}` });
    };
    show(0);
    if (pictures.length < 2) return html("div", {}, slot, caption, why);
    const value = html("output", {}, pictures[0].label);
    const slider = html("input", { type: "range", min: 0, max: pictures.length - 1, value: 0, "aria-label": setting });
    slider.addEventListener("input", () => {
      value.textContent = pictures[+slider.value].label;
      slider.setAttribute("aria-valuetext", value.textContent);
      show(+slider.value);
    });
    return html("div", {}, html("label", { class: "value" }, `${setting} `, slider, value), slot, caption, why);
  }

  // Sliders of strengths, with the table and the bars that follow them.
  numbers({ graph, sliders, states }) {
    const slot = this.graph(graph, GRAPH_HEIGHT), numbers = html("div", { "aria-live": "polite" });
    const inputs = sliders.map(({ label, values, begin }) => html("input", { type: "range", min: 0, max: values.length - 1, value: begin, "aria-label": label }));
    const shown = sliders.map(() => html("output", {}));
    const show = () => {
      const state = states[inputs.map((input) => input.value).join(",")];
      inputs.forEach((input, k) => {
        const value = sliders[k].values[+input.value];
        shown[k].textContent = `${value < 0 ? "\u2212" : "+"}${Math.abs(value).toFixed(2)}`;
        input.setAttribute("aria-valuetext", shown[k].textContent);
      });
      slot.show({ ...graph, edges: graph.edges.map((edge, k) => ({ ...edge, strength: state.edges[k][0], strength_text: state.edges[k][1] })) });
      const parts = state.summary.split("**").map((text, k) => (k % 2 ? html("strong", {}, text) : text));
      numbers.replaceChildren(table([state.heads, state.rows]), html("p", {}, ...parts), ...state.bars.map(bars));
    };
    for (const input of inputs) input.addEventListener("input", show);
    show();
    return html("div", {}, ...inputs.map((input, k) => html("label", { class: "value" }, `${sliders[k].label} `, input, shown[k])), slot, numbers);
  }
}

function bars([name, sides]) {
  return html("div", { class: "bars" }, html("p", { class: "asked" }, name), ...sides.map(([label, share, text]) => {
    const bar = html("span", { class: "bar" });
    bar.style.width = `${100 * share}%`;
    return html("div", { class: "side" }, html("span", {}, label), html("span", {}, text), bar);
  }));
}

function table([heads, rows]) {
  return html("div", { class: "wide" }, html("table", {}, html("thead", {}, html("tr", {}, ...heads.map((text) => html("th", {}, text)))),
    html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map((text) => html("td", {}, text)))))));
}

export async function openLesson(main) {
  const open = opener((name) => document.getElementById(`pack-${name}`).textContent);
  main.page = new LessonPage(main, await open("page"));
  main.dataset.ready = "1";
}

if (globalThis.document) openLesson(document.getElementById("lesson"));
