// The elements around the graph, and their event listeners.

import { button, html, itemOf, svg } from "./elements.js";
import { inWords } from "./translation.js";

export const Frame = {
  build(parent) {
    this.root = html("div", { class: "graph-view" });
    this.root.view = this;
    this.svg = svg("svg", { tabindex: 0, role: "group" });
    this.view = this.svg.appendChild(svg("g"));
    this.clusterLayer = this.view.appendChild(svg("g"));
    this.pair = this.view.appendChild(svg("path", { class: "pair" }));
    [this.boxLayer, this.edgeLayer, this.nodeLayer] = [0, 1, 2].map(() => this.view.appendChild(svg("g")));
    this.probes = this.view.appendChild(svg("g", { class: "probes" }));
    this.tip = html("div", { class: "tip", hidden: "" });
    this.legend = html("details", { class: "legend" });
    this.hint = html("div", { class: "tip hint", hidden: "", "aria-hidden": "true" }, inWords("To zoom, click the graph or hold Ctrl, then scroll"));
    this.tools = html("div", { class: "tools" },
      button("+", "Zoom in", () => this.zoomBy(1.25)), button("−", "Zoom out", () => this.zoomBy(0.8)),
      button("Fit graph", "Show the whole graph", () => this.fit()), this.fullButton(),
      this.backButton = button("Reset layout", "Move all variables back to their original positions", () => this.resetPositions()),
      this.truthButton = button("Show true graph", "Compare with the true graph", () => this.toggleTruth()),
      button("Save SVG", "Download the graph as shown (SVG)", () => this.saveSvg()),
      button("Save PNG", "Download the graph as shown (PNG)", () => this.savePng()));
    this.remarks = html("div", { class: "remarks" }, ...["truth", "neighbourhood", "blanket"].map((name) => html("p", { class: name, hidden: "" })));
    const [leaving, notes] = this.buildNotes();
    this.toolbar = html("div", { class: "toolbar" }, this.buildFinder(), this.tools);
    this.stage = html("div", { class: "stage" }, this.buildEdgeCanvas(), this.svg, this.buildMinimap(), this.toolbar, leaving, this.legend, this.remarks, this.tip, this.hint, this.buildPens());

    this.curve = svg("svg", { class: "curve", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.phases = html("div", { class: "phases", "aria-hidden": "true" });
    this.scale = html("div", { class: "scale", "aria-hidden": "true" });
    this.points = html("div", { class: "points", role: "img" });
    this.line = html("div", { class: "threshold", role: "slider", tabindex: 0, "aria-orientation": "vertical" });
    this.slider = html("input", { type: "range", min: 0, step: 1, "aria-label": inWords("Step") });
    this.playButton = button("Play", "Play or pause", () => this.play(!this.timer), "play");
    this.pinButton = button("Pin step", "Pin or unpin this step", () => this.pin(), "pin");
    this.choiceButton = button("Final graph", "Go to the final graph", () => this.jump(this.steps.choice),
      "choice");
    this.picker = html("select", { title: inWords("Curve above the slider") });
    this.pickerLabel = html("label", {}, `${inWords("Curve")} `, this.picker);
    this.onlyCurve = html("span", { class: "only-curve" });
    this.readouts = html("span", { class: "readouts" });
    this.sentence = html("p", { class: "sentence" });
    this.live = html("div", { class: "unseen", "aria-live": "polite" });
    const whatIf = this.buildWhatIf();
    this.scrubber = html("div", { class: "scrubber" },
      this.track = html("div", { class: "track" }, this.phases, this.bands, this.curve, this.scale, this.slider, this.line, this.points),
      html("div", { class: "controls" },
        button("Previous change", "Go to the previous change", () => this.jumpToEvent(-1), "back"), this.playButton,
        button("Next change", "Go to the next change", () => this.jumpToEvent(1), "next"), this.choiceButton,
        this.pinButton, ...whatIf, this.pickerLabel, this.onlyCurve, this.readouts),
      this.sentence, this.buildMap());
    // The slider comes first in the tab order, before all edges; the style sheet draws it below.
    this.root.append(this.scrubber, this.stage, notes, this.live);
    parent.appendChild(this.root);
  },

  listen(parent) {
    this.slider.addEventListener("input", () => this.go(+this.slider.value));
    this.slider.addEventListener("change", () => this.report());
    this.picker.addEventListener("change", () => this.drawCurve());
    this.line.addEventListener("pointerdown", (e) => this.onLine(e));
    this.line.addEventListener("pointermove", (e) => this.holding && this.onLine(e));
    for (const end of ["pointerup", "pointercancel"]) this.line.addEventListener(end, () => this.onLineUp());
    this.line.addEventListener("keydown", (e) => this.onLineKey(e));
    this.root.addEventListener("keydown", (e) => this.onKey(e));
    this.root.addEventListener("focusout", (e) => this.onFocusOut(e));
    this.listenToGestures();
    this.svg.addEventListener("pointerdown", (e) => this.onDown(e));
    this.svg.addEventListener("pointermove", (e) => this.onMove(e));
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, (e) => this.onUp(e));
    this.svg.addEventListener("click", (e) => this.dragged || this.activate(this.under(e), e.shiftKey));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("focusin", (e) => this.point(itemOf(e.target)));
    this.svg.addEventListener("focusout", () => this.point(null));
    this.resizes = new ResizeObserver(() => this.onResize());
    this.resizes.observe(this.svg);
    this.watchSize(parent);
  },

  showTheme() {
    const probe = getComputedStyle(this.root).backgroundColor.match(/[\d.]+/g).map(Number);
    const light = 0.299 * probe[0] + 0.587 * probe[1] + 0.114 * probe[2];
    this.root.dataset.theme = light < 128 ? "dark" : "light";
  },
};
