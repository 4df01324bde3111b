// The page around this file, such as a notebook: if it asks, it can follow and set the slider and the selection.

import { pairKey } from "../graph_view/spans.js";

const CONNECT = "edgewise-replay"; // the first message of the host; its port carries all others
const PAUSE = 60; // milliseconds between two reports, while a slider moves

// Return the port of the host, as soon as it sends one; a page without a frame never gets one.
export function hostPort(page) {
  return new Promise((resolve) => {
    if (page.parent === page) return;
    page.addEventListener("message", ({ source, data, ports }) => {
      if (source === page.parent && data === CONNECT && ports.length) resolve(ports[0]);
    });
  });
}

// Return the selection as a list of positions: of no, one or two variables.
export function selectedNodes(selected) {
  return selected == null ? [] : [].concat(selected);
}

// Return the step if the slider has it, else the nearest one.
export function stepWithin(step, { count }) {
  return Math.max(0, Math.min(Math.round(step), count - 1));
}

export const Host = {
  // Follow a host and report to it, also if another one connects later.
  connect(port) {
    this.host = port;
    port.onmessage = ({ data }) => this.follow(data);
    this.reportToHost();
  },

  // Show the slider, the step, the selection and the theme that the host asks for; each may be missing.
  follow({ view, step, selected, theme }) {
    if (theme && theme !== document.documentElement.dataset.theme) this.setTheme(theme);
    const at = this.page.views[view] ? view : this.view;
    if (step != null) this.steps[at] = stepWithin(step, this.page.views[at].graph.steps);
    if (at !== this.view || (step != null && this.steps[at] !== this.step)) this.show(at);
    if (selected && !sameSelection(selected, selectedNodes(this.selected))) {
      const chosen = selected.length < 2 ? selected[0] ?? null : selected.slice(0, 2);
      this.selectInGraph(chosen);
      this.showSelected(chosen);
    }
    this.reportToHost();
  },

  reportToHost() {
    if (!this.host || this.reporting) return;
    this.reporting = setTimeout(() => {
      this.reporting = null;
      this.host.postMessage({ view: this.view, step: this.step, selected: selectedNodes(this.selected) });
    }, PAUSE);
  },
};

function sameSelection(one, other) {
  return one.length === other.length && (one.length < 2 ? one[0] === other[0] : pairKey(...one) === pairKey(...other));
}
