// Back to Python, and to screen readers.

// Zoom outlives a fresh start of the page's script; the rest only a remount within the same one.
export function takeOver(before, session) {
  if (before.session === session) return before;
  return { pins: [], moved: new Map(), moves: "", seen: 0, zoom: before.zoom, ids: before.ids, world: before.world };
}

export const Telling = {
  report() {
    clearTimeout(this.later);
    this.later = null;
    const { run, step, selected = null, pins, moved, moves, seen, line, asked, base, presented } = this.kept;
    const value = { run, step, selected, pins, positions: [...moved].map(([id, at]) => [id, ...at]), moves, seen };
    if (line != null) value.threshold = line;
    if (base != null) value.held = base;
    if (asked) value.asked = asked;
    if (this.kept.strokes?.length) value.strokes = this.kept.strokes;
    if (presented) value.presented = presented;
    const text = JSON.stringify(value);
    if (text !== this.told) this.setStateValue("view", value);
    this.told = text;
  },

  // Held keys and quick clicks are told once they pause, or as soon as something else on the page is turned to: what
  // that draws is to be of the step on screen, and may take the graph away.
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
