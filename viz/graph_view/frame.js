// The frame around the picture: its elements, and who listens to them.

import { button, html, itemOf, svg } from "./elements.js";

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
    this.hint = html("div", { class: "tip hint", hidden: "", "aria-hidden": "true" }, "Click the graph, or hold Ctrl, to zoom with the wheel");
    const tools = html("div", { class: "tools" },
      button("+", "zoom in", () => this.zoomBy(1.25)), button("−", "zoom out", () => this.zoomBy(0.8)),
      button("fit", "show the whole graph", () => this.fit()), this.fullButton(),
      this.backButton = button("Put nodes back", "move all variables back to where they were drawn first", () => this.putBack()),
      this.truthButton = button("Truth", "show what is right and wrong", () => this.toggleTruth()),
      button("SVG", "download the graph as shown as SVG", () => this.saveSvg()),
      button("PNG", "download the graph as shown as PNG", () => this.savePng()));
    this.remarks = html("div", { class: "remarks" }, ...["truth", "around", "blanket"].map((name) => html("p", { class: name, hidden: "" })));
    const [leaving, notes] = this.buildNotes();
    this.stage = html("div", { class: "stage" }, this.buildCrowd(), this.svg, this.buildMinimap(), this.buildFinder(), tools, leaving, this.legend, this.remarks, this.tip, this.hint, this.buildPens());

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
    const whatIf = this.buildWhatIf();
    this.scrubber = html("div", { class: "scrubber" },
      this.track = html("div", { class: "track" }, this.phases, this.bands, this.curve, this.scale, this.slider, this.line, this.points),
      html("div", { class: "controls" },
        button("Previous change", "go back to the last landmark", () => this.event(-1), "back"), this.playButton,
        button("Next change", "go on to the next landmark", () => this.event(1), "next"), this.choiceButton,
        this.pinButton, ...whatIf, this.pickerLabel, this.readouts),
      this.sentence, this.buildMap());
    // First in the order of tabbing, or the slider would come after every edge; the style sheet draws it below.
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
    this.listenToHands();
    this.svg.addEventListener("pointerdown", (e) => this.onDown(e));
    this.svg.addEventListener("pointermove", (e) => this.onMove(e));
    for (const end of ["pointerup", "pointercancel"]) this.svg.addEventListener(end, (e) => this.onUp(e));
    this.svg.addEventListener("click", (e) => this.dragged || this.activate(this.under(e), e.shiftKey));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("focusin", (e) => this.point(itemOf(e.target)));
    this.svg.addEventListener("focusout", () => this.point(null));
    this.resizes = new ResizeObserver(() => this.onResize());
    this.resizes.observe(this.svg);
    this.watchRoom(parent);
  },

  showTheme() {
    const probe = getComputedStyle(this.root).backgroundColor.match(/[\d.]+/g).map(Number);
    const light = 0.299 * probe[0] + 0.587 * probe[1] + 0.114 * probe[2];
    this.root.dataset.theme = light < 128 ? "dark" : "light";
  },
};
