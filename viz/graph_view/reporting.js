// Report state to Python, and announcements to screen readers.

// Return the initial state: the former one in the same session, otherwise only its zoom and coordinates.
export function restoreState(before, session) {
  if (before.session === session) return before;
  return { pins: [], moved: new Map(), moves: "", seen: 0, zoom: before.zoom, ids: before.ids, world: before.world };
}

export const Reporting = {
  report() {
    clearTimeout(this.later);
    this.later = null;
    const { run, step, selected = null, pins, moved, moves, seen, line, asked, base, presented } = this.kept;
    const value = { run, step, selected, pins, positions: [...moved].map(([id, at]) => [id, ...at]), moves, seen };
    if (line != null) value.threshold = line;
    if (base != null) value.reference = base;
    if (asked) value.asked = asked;
    if (this.kept.strokes?.length) value.strokes = this.kept.strokes;
    if (presented) value.presented = presented;
    const text = JSON.stringify(value);
    if (text !== this.lastReport) this.setStateValue("view", value);
    this.lastReport = text;
  },

  // Report repeated keys and quick clicks after a pause, or as soon as the focus leaves the graph, because its next
  // output must match the step on screen, and the page may remove the graph.
  reportSoon() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.report(), 250);
  },

  onFocusOut({ relatedTarget }) {
    if (this.later && !this.root.contains(relatedTarget)) this.report();
  },

  announce(text) {
    clearTimeout(this.speak);
    this.speak = setTimeout(() => (this.live.textContent = text), 300);
  },
};
