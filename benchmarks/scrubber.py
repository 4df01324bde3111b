"""Duration of a slider step in the browser, while a user drags the slider or jumps between steps."""

from __future__ import annotations

import numpy as np

from .browser import GRAPH, open_page, serve
from .machine import ROOT
from .problem import Answer, Run

DEMO = ROOT / "tests" / "browser" / "apps" / "graph_demo.py"
POSITIONS = 200  # number of slider steps, as in a drag of some seconds
REST_MS = 2500  # delay in which the remaining edges are drawn and the page settles

# Each step starts with a frame. The message is delivered once that frame is styled, laid out and passed on for
# painting; unless the browser is late, the next frame starts when the previous one is on screen.
STEPS = """async (root, [positions, jumps]) => {
  const slider = root.querySelector('input[type=range]'), frame = () => new Promise(requestAnimationFrame);
  let random = 1, last = await frame();
  const draw = () => (random = (random * 16807) % 2147483647) / 2147483647;
  const taken = [];
  for (let k = 0; k <= positions; k++) {
    const begin = performance.now(), channel = new MessageChannel();
    const handed = new Promise((resolve) => (channel.port1.onmessage = () => resolve(performance.now() - begin)));
    slider.value = Math.round(slider.max * (jumps ? draw() : k / positions));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    channel.port2.postMessage(null);
    const script = +root.dataset.lastMs, main = await handed, now = await frame();
    taken.push([now - last, main, script]);
    last = now;
  }
  return { taken, last: +slider.max };
}"""


def step(*, graph: str, jumps: bool = False) -> Run:
    """Return the 95th percentile of the time from a step to the next frame, on one of the demo's graphs."""

    def run() -> Answer:
        with serve(DEMO) as address, open_page() as page:
            page.goto(f"{address}/?graph={graph}")
            root = page.locator(GRAPH).first
            root.wait_for()
            page.wait_for_timeout(REST_MS)
            frames = root.evaluate(STEPS, [POSITIONS, jumps])
        painted, main, script = np.array(frames["taken"][1:]).T
        note = f"median {np.median(painted):.1f} ms, worst {painted.max():.1f} ms; until handed over p95 "
        note += (
            f"{np.percentile(main, 95):.1f} ms, script alone {np.percentile(script, 95):.1f} ms; {frames['last']} steps"
        )
        return Answer(seconds=float(np.percentile(painted, 95)) / 1000, note=note)

    return run
