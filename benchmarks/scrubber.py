"""How long a step of the scrubber takes in the browser, while somebody drags its slider from end to end."""

from __future__ import annotations

import numpy as np

from .browser import GRAPH, open_page, serve
from .machine import ROOT
from .problem import Answer, Run

DEMO = ROOT / "tests" / "browser" / "apps" / "graph_demo.py"
POSITIONS = 200  # that the slider goes through: those of a drag of some seconds

# Each step starts with a frame; the message is delivered once that frame is styled, laid out and painted.
DRAG = """async (root, positions) => {
  const slider = root.querySelector('input[type=range]');
  const step = (k) => new Promise((resolve) => requestAnimationFrame(() => {
    const begin = performance.now(), channel = new MessageChannel();
    channel.port1.onmessage = () => resolve([performance.now() - begin, +root.dataset.lastMs]);
    slider.value = Math.round(slider.max * k / positions);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    channel.port2.postMessage(null);
  }));
  const taken = [];
  for (let k = 0; k <= positions; k++) taken.push(await step(k));
  return { taken, last: +slider.max };
}"""


def step(*, graph: str) -> Run:
    """95th percentile of a step until its frame is painted, on one of the demo's graphs."""

    def run() -> Answer:
        with serve(DEMO) as address, open_page() as page:
            page.goto(f"{address}/?graph={graph}")
            root = page.locator(GRAPH).first
            root.wait_for()
            page.wait_for_timeout(500)  # the page around it comes to rest
            told = root.evaluate(DRAG, POSITIONS)
        frame, script = np.array(told["taken"][1:]).T
        note = f"median {np.median(frame):.1f} ms, worst {frame.max():.1f} ms; script alone p95 "
        note += f"{np.percentile(script, 95):.1f} ms; {told['last']} steps"
        return Answer(seconds=float(np.percentile(frame, 95)) / 1000, note=note)

    return run
