// The scrubbable graph. Streamlit calls the default export again on every rerun with the same parent element, so one
// GraphView lives per parent and `update` brings it up to date. Values go to Python only after something a user did.
// Most of its methods come from the modules beside this one, each with what it is about.

import { Around } from "./around.js";
import { Blanket } from "./blanket.js";
import { Clusters } from "./clusters.js";
import { Crowd } from "./crowd.js";
import { Drawing } from "./drawing.js";
import { Edges } from "./edges.js";
import { Finder } from "./finder.js";
import { Frame } from "./frame.js";
import { round } from "./geometry.js";
import { Hands } from "./hands.js";
import { Labels } from "./labels.js";
import { Legend } from "./legend.js";
import { Menu } from "./menu.js";
import { Minimap } from "./minimap.js";
import { Moves } from "./moves.js";
import { Nodes } from "./nodes.js";
import { Picture } from "./picture.js";
import { Presenting } from "./presenting.js";
import { Room } from "./room.js";
import { Scrubber } from "./scrubber.js";
import { Selection } from "./selection.js";
import { SurvivalMap } from "./survival_map.js";
import { takeOver, Telling } from "./telling.js";
import { Threshold } from "./threshold.js";
import { Truth } from "./truth.js";
import { WhatIf } from "./what_if.js";
import { World } from "./world.js";
import { Zoom } from "./zoom.js";

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
    this.leaveRoom();
    this.leavePresenting();
    this.idle.cancel();
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.key = data.key;
    this.given = data.height;
    this.takeRoom();
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
    this.adoptStrokes(data.drawn);
    this.adoptPlaces(data.places);
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
    const kept = this.kept, focusAgain = this.holdFocus();
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
    this.loadPresenting();
    this.loadFinder();
    this.loadPens();
    this.makeRoomToSay();
    this.loadNodes(graph.nodes);
    this.loadWhatIf();
    this.loadEdges(graph.edges);
    this.boxesShown = null;
    this.loadScrubber();
    this.loadClusters();
    const start = sameRun && kept.step != null ? kept.step : this.steps.choice ?? this.last;
    this.go(start);
    this.select(kept.selected ?? null);
    this.keepAround();
    if ((kept.ids === ids || graph.draws) && kept.zoom) this.setZoom(kept.zoom);
    else this.fit();
    kept.ids = ids;
    this.prepare();
    focusAgain();
    this.root.dataset.ready = "1";
  }

  go(step, byLine = false) {
    const begin = performance.now();
    step = Math.max(0, Math.min(this.last, Math.round(step)));
    const before = this.step;
    this.step = this.kept.step = step;
    if (this.steps.threshold?.follows && !byLine) this.kept.line = null;
    if (this.kept.around) this.keepAround();
    this.gather();
    const all = this.entersBlind(before, step) || this.entersMissing(before, step);
    for (const edge of all ? this.edges : this.touched(before, step)) this.paint(edge);
    this.sayTruth();
    if (this.lines?.size || this.blanketWords) this.lightBlanket();
    this.settleCrowd();
    this.drawPair();
    this.drawBoxes();
    this.slider.value = step;
    this.cursor?.setAttribute("transform", `translate(${step} 0)`);
    this.say();
    this.drawSurvival();
    if (this.steps.threshold?.follows) this.drawLine();
    this.spotlight();
    this.root.dataset.step = step;
    this.root.dataset.edges = this.present;
    this.root.dataset.lastMs = round(performance.now() - begin);
  }
}

Object.assign(GraphView.prototype, Frame, Nodes, Edges, Zoom, Hands, Menu, Blanket, Truth, Selection, Threshold,
  Scrubber, Legend, Picture, Presenting, Telling, Moves, Room, Crowd, Around, Finder, Labels, Minimap, Clusters, World,
  WhatIf, SurvivalMap, Drawing);
