// The slider with its curve, its phases and its sentence.

import { html, setIcon, svg } from "./elements.js";
import { pointOf, POINTS } from "./marks.js";
import { clean, number, shorten, formatValue } from "./numbers.js";
import { curveOf, scaleOf } from "./scale.js";
import { inWords } from "./translation.js";

const LETTER = 7.2; // average width of a letter of the sentence, in pixels
const OTHER_WORDS = 55; // number of letters besides a step's own text: step number, phase, number of edges
const MAX_LINES = 6;
const MAX_READ = 500; // maximum number of steps of which the values are read to find the longest

export const Scrubber = {
  loadScrubber() {
    const { series = [], curve = 0, choice } = this.steps;
    this.scrubber.hidden = this.steps.count < 2;
    this.slider.max = this.last;
    this.choiceButton.hidden = choice == null;
    setIcon(this.choiceButton, "choice", this.steps.choice_label ?? "Final graph");
    this.pinButton.hidden = !this.graph.allow_pins;
    this.pickerLabel.hidden = series.length < 2;
    this.onlyCurve.textContent = series.length === 1 ? `${inWords("Curve")}: ${series[0].label}` : "";
    this.picker.replaceChildren(...series.map((s, k) => html("option", { value: k }, s.label)));
    this.picker.value = curve;
    this.longestReadouts = this.longestText();
    this.namePhases();
    this.stops = this.steps.events ?? [...new Set(this.changeSteps)].filter((s) => s <= this.last);
    this.track.classList.toggle("tall", !!this.steps.threshold || series.some((s) => s.marks));
    this.drawCurve();
  },

  // Name the longest phases first, and the others while the width of the slider allows.
  namePhases() {
    const { phases = [] } = this.steps, last = Math.max(1, this.last);
    const lengths = phases.map((p, k) => (phases[k + 1]?.from ?? this.last + 1) - p.from), taken = [];
    const named = phases.map((_, k) => k).sort((a, b) => lengths[b] - lengths[a]).flatMap((k) => {
      const { label, from } = phases[k], at = Math.min(1, from / last), room = (7 * label.length) / (this.svg.clientWidth - 16);
      const flip = at + room > 1, begin = at - flip * room;
      if (begin < 0 || taken.some(([from, to]) => begin < to && from < begin + room)) return [];
      taken.push([begin, begin + room]);
      return html("span", { class: flip ? "flip" : "", style: `left:${100 * at}%` }, label);
    });
    this.phases.replaceChildren(...named);
  },

  // Reserve as many lines as the longest sentence of the run needs on a narrow page.
  reserveLines(letters = OTHER_WORDS + (this.steps.text ?? []).reduce((most, text) => Math.max(most, text.length), 0)) {
    this.letters = letters;
    const lines = Math.ceil((letters * LETTER) / Math.max(1, this.root.clientWidth));
    this.root.style.setProperty("--lines", Math.max(2, Math.min(MAX_LINES, lines)));
  },

  drawCurve() {
    const { series = [], phases = [], choice } = this.steps, shown = series[+this.picker.value];
    const last = Math.max(1, this.last), rule = (x, c) => svg("path", { class: c, d: `M${x} 0V1` });
    this.curve.setAttribute("viewBox", `0 0 ${last} 1`);
    const parts = phases.slice(1).map((p) => rule(p.from, "phase"));
    const scale = shown && scaleOf(shown);
    if (shown) parts.push(svg("path", { class: "values", d: curveOf(shown, scale) }));
    this.scale.replaceChildren(...(scale?.marks ?? []).map((v) => {
      const mark = html("span", { style: `top:${100 * scale.at(v)}%` });
      mark.textContent = formatValue(shown, v);
      return mark;
    }));
    this.scale.classList.toggle("right", !!shown?.log_p); // the curve is high on the left, so the scale is on the right
    this.drawPoints(shown, scale);
    if (choice != null) parts.push(rule(choice, "choice"));
    parts.push(...this.kept.pins.map((s) => rule(s, "pinned")), ...(this.base == null ? [] : [rule(this.base, "pinned")]));
    this.cursor = rule(0, "cursor");
    this.cursor.setAttribute("transform", `translate(${Math.max(0, this.step)} 0)`);
    this.curve.replaceChildren(...parts, this.cursor);
    this.drawLine();
  },

  // Draw clickable points on the curve; screen readers announce them as one sentence.
  drawPoints(shown, scale) {
    const points = (shown?.marks ?? []).flatMap((mark, step) => (mark && shown.values[step] != null ? [{ mark, step }] : []));
    const named = (step) => inWords("step {k}", { k: number(step + (this.steps.offset ?? 0)) });
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
      return own.length ? `${inWords(words)}: ${own.join(", ")}` : [];
    });
    this.points.setAttribute("aria-label", [inWords("{curve} of {n} steps", { curve: shown?.label ?? "", n: number(points.length) }), ...said].join("; "));
  },

  // Return the values of all curves at a step.
  readoutsAt(step) {
    return (this.steps.series ?? []).filter((s) => s.label !== inWords("edges") && s.values[step] != null)
      .map((s) => `${s.label} ${formatValue(s, s.values[step])}`).join("  ·  ");
  },

  // Return the longest text of these values; of a long run, only some steps are read.
  longestText() {
    const stride = Math.ceil(this.steps.count / MAX_READ);
    const texts = Array.from({ length: Math.ceil(this.steps.count / stride) }, (_, k) => this.readoutsAt(k * stride));
    return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
  },

  say() {
    const { text, ticks, axis_label: axis, phases = [], offset = 0 } = this.steps, step = this.step;
    const leaving = [...this.next].slice(0, 3).map((e) => `${shorten(e.na.name, 40)} — ${shorten(e.nb.name, 40)}`);
    if (this.next.size > 3) leaving.push("…");
    const phase = phases.findLast((p) => p.from <= step && step > 0)?.label;
    const at = inWords("step {k} of {n}", { k: number(step + offset), n: number(this.last + offset) });
    const { choice, choice_label: other } = this.steps; // with a label of its own, the choice is no final graph
    const ends = !ticks && !other && step === (choice ?? this.last);
    const line = [ends ? inWords("{step} (final graph)", { step: at }) : at, phase && inWords("phase: {phase}", { phase }),
      ticks && [axis, ticks[step]].filter(Boolean).join(" "), text?.[step], this.changeText(),
      inWords(this.present === 1 ? "{n} edge" : "{n} edges", { n: number(this.present) }),
      leaving.length && inWords("next removal: {edges}", { edges: leaving.join(", ") })].filter(Boolean).map(clean).join(" · ");
    this.sentence.textContent = this.sentence.title = line;
    if (line.length > this.letters) {
      this.reserveLines(line.length);
      this.fitHeight();
    }
    this.slider.setAttribute("aria-valuetext", line);
    this.readouts.textContent = this.readoutsAt(step);
    this.pinButton.setAttribute("aria-pressed", this.kept.pins.includes(step));
  },
};
