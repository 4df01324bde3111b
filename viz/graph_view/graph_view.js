// The graph component with its step slider. Streamlit calls the default export on every rerun with the same parent
// element: each parent has one GraphView, and `update` refreshes it. Only user actions send values to Python. The other
// modules of this folder contribute most of the methods, one topic each.

import { Neighbourhood } from "./neighbourhood.js";
import { Blanket } from "./blanket.js";
import { Clusters } from "./clusters.js";
import { EdgeCanvas } from "./edge_canvas.js";
import { Drawing } from "./drawing.js";
import { Edges } from "./edges.js";
import { Finder } from "./finder.js";
import { Frame } from "./frame.js";
import { round } from "./geometry.js";
import { Gestures } from "./gestures.js";
import { Labels } from "./labels.js";
import { Legend } from "./legend.js";
import { Menu } from "./menu.js";
import { Minimap } from "./minimap.js";
import { Playback } from "./playback.js";
import { Nodes } from "./nodes.js";
import { Export } from "./export.js";
import { Presenter } from "./presenter.js";
import { Sizing } from "./sizing.js";
import { Scrubber } from "./scrubber.js";
import { Selection } from "./selection.js";
import { SurvivalMap } from "./survival_map.js";
import { restoreState, Reporting } from "./reporting.js";
import { Threshold } from "./threshold.js";
import { useTranslations } from "./translation.js";
import { Truth } from "./truth.js";
import { WhatIf } from "./what_if.js";
import { World } from "./world.js";
import { Zoom } from "./zoom.js";

const views = new WeakMap(); // parent element -> GraphView
const remembered = new Map(); // component key -> state that survives a remount

export default function mount({ data, parentElement, setStateValue }) {
  const language = data.language ?? "en";
  let view = views.get(parentElement);
  useTranslations(data.words);
  if (view && view.language !== language) {
    view.stop();
    view.root.remove();
    view = null;
  }
  if (!view) views.set(parentElement, (view = new GraphView(parentElement)));
  view.language = language;
  view.update(data, setStateValue);
  return () => view.stop();
}

class GraphView {
  constructor(parent) {
    this.nodes = new Map();
    this.edges = [];
    this.kept = { pins: [], moved: new Map(), moves: "", seen: 0 };
    this.step = -1;
    this.next = new Set();
    this.idle = { cancel() {} };
    this.build(parent);
    this.listen(parent);
  }

  stop() {
    this.play(false, true);
    this.resizes.disconnect();
    this.stopWatchingSize();
    this.leavePresenter();
    this.idle.cancel();
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.key = data.key;
    this.given = data.height;
    this.fitHeight();
    this.showTheme();
    const before = remembered.get(data.key);
    if (before && before !== this.kept && !this.graph) this.kept = restoreState(before, data.session);
    this.kept.session = data.session;
    remembered.set(data.key, this.kept);
    const text = JSON.stringify(data.graph);
    if (text !== this.graphText) {
      this.graphText = text;
      this.pending = data.graph;
    }
    this.request = data.request;
    this.acknowledgeStrokes(data.drawn);
    this.applyPositions(data.places);
    this.settle();
  }

  // Draw pending data once the component has a size; in a hidden tab it has none yet.
  settle() {
    if (!this.svg.clientWidth) return;
    if (this.pending) this.load(this.pending);
    this.pending = null;
    this.applyRequests(this.request);
  }

  // Follow Python's requests. They are numbered: each is followed once, and later drags and clicks win.
  applyRequests({ step, selected }) {
    const seen = this.kept.seen;
    if (step?.id > seen) this.go(step.value);
    if (selected?.id > seen) this.select(selected.value.length === 0 ? null : selected.value);
    this.kept.seen = Math.max(seen, step?.id ?? 0, selected?.id ?? 0);
  }

  load(graph) {
    const kept = this.kept, focusAgain = this.saveFocus();
    const sameRun = kept.run === (graph.run ?? "");
    const ids = JSON.stringify(graph.nodes.map((n) => n.id));
    this.graph = graph;
    this.steps = graph.steps;
    this.last = this.steps.count - 1;
    this.step = -1;
    if (!sameRun) [kept.pins, kept.line, kept.base] = [[], null, null];
    kept.run = graph.run ?? "";
    this.chosen = this.lines = null;
    if (![].concat(kept.selected ?? []).every((id) => graph.nodes.some((n) => n.id === id))) kept.selected = null;
    this.loadPresenter();
    this.loadFinder();
    this.loadPens();
    this.reserveLines();
    this.loadNodes(graph.nodes);
    this.loadWhatIf();
    this.loadEdges(graph.edges);
    this.boxesShown = null;
    this.loadScrubber();
    this.loadClusters();
    const start = sameRun && kept.step != null ? kept.step : this.steps.begin ?? this.steps.choice ?? this.last;
    this.go(start);
    this.select(kept.selected ?? null);
    this.updateNeighbourhood();
    if ((kept.ids === ids || graph.draws) && kept.zoom) this.setZoom(kept.zoom);
    else this.fit();
    kept.ids = ids;
    this.prepare();
    focusAgain();
    this.root.dataset.ready = "1";
    this.fitHeight();
  }

  go(step, byLine = false) {
    const begin = performance.now();
    step = Math.max(0, Math.min(this.last, Math.round(step)));
    const before = this.step;
    this.step = this.kept.step = step;
    if (this.steps.threshold?.follows && !byLine) this.kept.line = null;
    if (this.kept.neighbourhood) this.updateNeighbourhood();
    this.chooseRenderer();
    const all = this.entersBlind(before, step) || this.entersMissing(before, step);
    for (const edge of all ? this.edges : this.touched(before, step)) this.paint(edge);
    this.showTruth();
    this.showStops();
    if (this.lines?.size || this.blanketText) this.showBlanket();
    this.settleEdgeCanvas();
    this.drawPair();
    this.drawBoxes();
    this.slider.value = step;
    this.cursor?.setAttribute("transform", `translate(${step} 0)`);
    this.say();
    this.drawSurvival();
    if (this.steps.threshold?.follows) this.drawLine();
    this.highlightStep();
    this.updateLegend();
    this.root.dataset.step = step;
    this.root.dataset.edges = this.present;
    this.root.dataset.lastMs = round(performance.now() - begin);
  }
}

Object.assign(GraphView.prototype, Frame, Nodes, Edges, Zoom, Gestures, Menu, Blanket, Truth, Selection, Threshold,
  Scrubber, Legend, Export, Presenter, Reporting, Playback, Sizing, EdgeCanvas, Neighbourhood, Finder, Labels, Minimap, Clusters, World,
  WhatIf, SurvivalMap, Drawing);
