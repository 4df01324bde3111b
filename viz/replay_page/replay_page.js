// The page of a replay: the graph component, matrix and tables at its step, and the explanation of the selected pair.

import { button, download, html } from "../graph_view/elements.js";
import mount from "../graph_view/graph_view.js";
import { clean } from "../graph_view/numbers.js";
import { pairKey } from "../graph_view/spans.js";
import { presenceText } from "./edge_rows.js";
import { Explaining } from "./explaining.js";
import { Host, hostPort } from "./host.js";
import { Matrix } from "./matrix.js";
import { opener } from "./packs.js";
import { Tables } from "./tables.js";

const PICTURES = ["Graph", "Matrix", "Table"];
const THEMES = ["auto", "light", "dark"]; // "auto" follows the system

class ReplayPage {
  constructor(main, page, open) {
    const view = page.first, { graph } = page.views[view];
    Object.assign(this, { main, page, open, view, graph, shown: "Graph", step: 0, steps: [], pair: null, request: {}, requests: 0 });
    this.build();
    this.show(view);
  }

  build() {
    const { page } = this, group = (label, items) => html("div", { class: "choices", role: "group", "aria-label": label }, ...items);
    this.views = page.views.map(({ label }, k) => button(label, `Slider: ${label}`, () => this.show(k)));
    this.pictures = PICTURES.map((name) => button(name, `Show the ${name.toLowerCase()}`, () => this.picture(name)));
    this.theme = button("Theme: auto", "Change the theme", () => this.nextTheme());
    this.parent = html("div", { class: "graph" });
    this.main.replaceChildren(
      html("header", {}, html("div", {}, html("h1", {}, clean(page.title)), html("p", { class: "lead" }, page.lead)),
        html("div", { class: "bar" }, group("Picture", this.pictures), ...(this.views.length > 1 ? [group("Slider", this.views)] : []), this.theme)),
      html("div", { class: "room" }, html("div", { class: "picture" }, this.parent, this.buildMatrix(), this.buildTables()), this.buildPanel()),
      this.buildFooter());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    window.addEventListener("resize", () => this.matrixSoon());
    this.press(this.pictures, "Graph");
    this.explain();
  }

  buildFooter() {
    const { page } = this, list = (items) => html("ul", {}, ...items.map((text) => html("li", {}, clean(text))));
    const fold = (title, ...parts) => html("details", {}, html("summary", {}, title), ...parts);
    const facts = html("dl", {}, ...page.facts.flatMap(([name, value]) => [html("dt", {}, clean(name)), html("dd", {}, clean(value))]));
    const save = (label, name, type, text) => button(label, label, async () => download(new Blob([await text()], { type }), name));
    return html("footer", {}, ...(page.caveat ? [html("p", {}, page.caveat)] : []),
      ...(page.warnings.length ? [fold(`Warnings (${page.warnings.length})`, list(page.warnings))] : []),
      ...(page.recipe ? [fold("Recipe", html("p", {}, "Edgewise repeats this run from its recipe and the table."),
        save("Save recipe", "recipe.json", "application/json", async () => page.recipe), html("pre", { tabindex: 0 }, page.recipe))] : []),
      ...(page.has_data ? [fold("Data", html("p", {}, "This file includes the rows of the run."),
        save("Save data (CSV)", "data.csv", "text/csv", async () => (await this.open("data")).csv))] : []),
      fold("About this file", html("p", {}, "This file needs no server and sends no request."), facts,
        ...(page.omitted.length ? [html("h3", {}, "Not in this file"), list(page.omitted)] : [])));
  }

  // Show one of the sliders; each keeps its step.
  show(k) {
    this.graph = this.page.views[k].graph;
    this.edges = new Map(this.graph.edges.map((edge) => [pairKey(edge.a, edge.b), edge]));
    this.press(this.views, this.page.views[k].label);
    delete this.request.step;
    this.view = k;
    if (this.steps[k] != null) this.request.step = { id: ++this.requests, value: this.steps[k] };
    this.update();
    this.watch ??= this.watchSteps();
    this.onStep();
  }

  update() {
    const data = { graph: this.graph, key: "replay", session: "file", height: null, request: this.request, places: { at: [], heard: "" }, drawn: 0 };
    mount({ data, parentElement: this.parent, setStateValue: (_, { selected }) => this.onSelected(selected) });
  }

  watchSteps() {
    const observer = new MutationObserver(() => this.onStep());
    observer.observe(this.parent.querySelector(".graph-view"), { attributeFilter: ["data-step"] });
    return observer;
  }

  onStep() {
    this.step = this.steps[this.view] = +(this.parent.querySelector(".graph-view").dataset.step ?? 0);
    this.showPresence();
    this.matrixSoon();
    this.tableSoon();
    this.reportToHost();
  }

  onSelected(selected) {
    if (JSON.stringify(selected) !== JSON.stringify(this.selected)) this.showSelected(selected);
    this.selected = selected;
    this.reportToHost();
  }

  selectInGraph(chosen) {
    this.selected = chosen;
    this.request.selected = { id: ++this.requests, value: chosen ?? [] };
    this.update();
    this.reportToHost();
  }

  edgeOf(pair) {
    return this.edges.get(pairKey(...pair));
  }

  presenceOf(pair) {
    return presenceText(this.edgeOf(pair), this.graph.steps, this.step);
  }

  // Show graph, matrix or table; the slider stays.
  picture(name) {
    this.shown = name;
    this.press(this.pictures, name);
    this.parent.classList.toggle("slider-only", name !== "Graph");
    this.main.querySelector(".matrix").hidden = name !== "Matrix";
    this.main.querySelector(".tables").hidden = name !== "Table";
    this.matrixSoon();
    if (name === "Table") this.fillTable();
  }

  press(buttons, label) {
    for (const one of buttons) one.setAttribute("aria-pressed", one.textContent === label);
  }

  nextTheme() {
    this.setTheme(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % THEMES.length]);
  }

  setTheme(name) {
    document.documentElement.dataset.theme = name;
    this.theme.textContent = `Theme: ${name}`;
    this.recolour();
  }

  recolour() {
    this.update();
    this.matrixSoon();
  }
}

Object.assign(ReplayPage.prototype, Explaining, Host, Matrix, Tables);

export async function openReplay(main) {
  const port = hostPort(window); // asked for before the page is ready
  const open = opener((name) => document.getElementById(`pack-${name}`).textContent);
  main.page = new ReplayPage(main, await open("page"), open);
  main.dataset.ready = "1";
  port.then((one) => main.page.connect(one));
}

if (globalThis.document) openReplay(document.getElementById("replay"));
