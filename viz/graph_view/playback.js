// Change the step by keyboard, by buttons and by playback.

import { itemOf, setIcon } from "./elements.js";

const PLAY_MS = 90, PLAY_TICKS = 200, CALM_MS = 900; // default pause, maximum number of ticks, longest pause
const PLAY_ALL_MS = 8000; // minimum duration of a playback, so that the sentences of few steps can be read

export const Playback = {
  onKey(e) {
    const at = e.composedPath()[0], step = this.step;
    if (!this.graph || this.nudge(e) || this.onPenKey(e)) return;
    if (e.ctrlKey || e.metaKey || e.altKey || at.matches("select, input[type=search]")) return;
    const moves = { ArrowRight: step + 1, ArrowUp: step + 1, ArrowLeft: step - 1, ArrowDown: step - 1,
      Home: 0, End: this.last };
    if (e.key in moves) this.jump(moves[e.key]);
    else if (e.key === "PageDown" || e.key === "PageUp") this.jumpToEvent(e.key === "PageDown" ? 1 : -1);
    else if (e.key === "Escape") this.full ? this.toggleFull(false) : this.activate(null);
    else if (e.key === "f" || e.key === "F") this.toggleFull();
    else if (at.matches("button, summary")) return;
    else if (e.key === " ") this.play(!this.timer);
    else if (e.key === "Enter" && itemOf(at)) {
      this.activate(itemOf(at), e.shiftKey);
      this.point(null); // hide the tooltip, because the panel shows more and the tooltip would cover the graph
    }
    else return;
    e.preventDefault();
    e.stopPropagation();
  },

  jump(step) {
    this.play(false, true);
    this.go(step);
    this.announce(this.sentence.textContent);
    this.reportSoon();
  },

  jumpToEvent(way) {
    const ahead = this.stops.filter((s) => (s - this.step) * way > 0);
    this.jump(ahead.length ? (way > 0 ? Math.min(...ahead) : Math.max(...ahead)) : way > 0 ? this.last : 0);
  },

  pin() {
    const pins = this.kept.pins, at = pins.indexOf(this.step);
    this.kept.pins = at < 0 ? [...pins, this.step] : pins.filter((s) => s !== this.step);
    this.drawCurve();
    this.say();
    this.report();
  },

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
  },
};
