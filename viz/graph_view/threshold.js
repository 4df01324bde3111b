// Threshold: a line across the curve that selects a step.

import { number, rounded, formatValue } from "./numbers.js";
import { SCALE_ENDS, scaleOf } from "./scale.js";
import { inWords } from "./translation.js";

const LINE_STEP = 0.01, LINE_LEAP = 0.1; // keyboard increments of the line, as shares of the curve's height

// Return the value of the line: the one that the user set, otherwise that of the step.
export function lineValue({ threshold, series, choice }, step, left) {
  if (!threshold?.follows || left != null || step === choice) return left ?? threshold?.value;
  if (threshold.falling && step <= threshold.first) return threshold.high;
  return series[threshold.series].values[step + 1] ?? (threshold.falling ? threshold.low : threshold.high);
}

// Return the first step whose next value exceeds the line, or, for falling values, does not exceed it.
export function stepAtThreshold({ first, last, falling = false }, values, value) {
  let step = first;
  while (step < last && values[step + 1] > value === falling) step++;
  return step;
}

// Return the value at a vertical position. The ends of the scale mean the smallest and the largest value, because
// a log-odds scale omits values near 0 and 1.
export function valueAt(place, { low, high }, shown) {
  const [top, bottom] = SCALE_ENDS;
  if (place >= bottom || place <= top) return place <= top ? high : low;
  const value = scaleOf(shown).back(place);
  return shown.log_p ? +value.toFixed(3) : rounded(value);
}

export const Threshold = {
  drawLine() {
    const { threshold, series } = this.steps, value = lineValue(this.steps, this.step, this.kept.line);
    this.line.hidden = !threshold || +this.picker.value !== threshold.series;
    if (this.line.hidden) return;
    const place = scaleOf(series[threshold.series]).at(value ?? threshold.low);
    this.line.style.setProperty("--place", place);
    const shown = series[threshold.series], offset = this.steps.offset ?? 0;
    const stop = threshold.follows && this.kept.line == null ? this.step : value == null
      || stepAtThreshold(threshold, shown.values, value);
    const stops = value == null ? inWords("not set") : inWords("{value}, stops at step {k}", { value: formatValue(shown, value), k: number(stop + offset) });
    const attributes = { "aria-label": threshold.name, "aria-valuemin": threshold.low, "aria-valuemax": threshold.high,
      "aria-valuenow": value ?? threshold.low, "aria-valuetext": stops, title: inWords("{name}: drag to change", { name: threshold.name }) };
    for (const [k, v] of Object.entries(attributes)) this.line.setAttribute(k, v);
    this.line.dataset.label = `${threshold.label} ${value == null ? "–" : formatValue(shown, value)}`;
  },

  moveLine(place) {
    const { threshold, series } = this.steps;
    this.setLine(valueAt(place, threshold, series[threshold.series]));
  },

  setLine(value) {
    const { threshold, series } = this.steps, { low, high } = threshold;
    this.kept.line = Math.max(low, Math.min(high, value));
    this.play(false, true);
    this.go(stepAtThreshold(threshold, series[threshold.series].values, this.kept.line), true);
    this.drawLine();
  },

  onLine(e) {
    const box = this.curve.getBoundingClientRect(), own = this.line.getBoundingClientRect();
    if (e.type === "pointermove") return this.moveLine((e.clientY - this.grip - box.top) / box.height);
    this.holding = true;
    this.grip = e.clientY - (own.top + own.bottom) / 2;
    this.line.setPointerCapture(e.pointerId);
  },

  onLineUp() {
    if (this.holding) this.announce(this.sentence.textContent);
    this.holding = false;
    this.report();
  },

  onLineKey(e) {
    const { threshold, series } = this.steps, scale = scaleOf(series[threshold.series]);
    const at = scale.at(lineValue(this.steps, this.step, this.kept.line) ?? threshold.low);
    const to = { ArrowUp: at - LINE_STEP, ArrowRight: at - LINE_STEP, ArrowDown: at + LINE_STEP, ArrowLeft: at + LINE_STEP,
      PageUp: at - LINE_LEAP, PageDown: at + LINE_LEAP };
    const ends = { Home: threshold.low, End: threshold.high };
    if (!(e.key in to || e.key in ends) || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key in ends) this.setLine(ends[e.key]);
    else this.moveLine(to[e.key]);
    this.reportSoon();
    e.preventDefault();
    e.stopPropagation();
  },
};
