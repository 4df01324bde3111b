"""What a replay file shows at each step, in any browser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learners.results.result import LearnResult
from viz.kinds import graph_at, timeline
from viz.text import count

# Go to each step by the slider and return the edges on screen, their number, and the sentence.
STEPS = """root => { const { view } = root, slider = root.querySelector("input[type=range]"), found = [];
    for (let step = 0; step <= +slider.max; step++) {
        slider.value = step;
        slider.dispatchEvent(new Event("input"));
        const here = view.edges.filter((edge) => edge.here).map(({ a, b }) => [a, b]);
        found.push([here, +root.dataset.edges, root.querySelector(".sentence").textContent]);
    }
    return found; }"""


def assert_steps_of(result: LearnResult, found: Sequence[tuple[list[list[int]], int, str]]) -> None:
    """Check that what `STEPS` returned is the run: edges, number of edges, and sentence of each step."""
    steps = timeline(result, np.zeros((len(result.names), 2)))["steps"]
    assert len(found) == steps["count"]
    for step, (edges, n, sentence) in enumerate(found):
        graph = graph_at(result, step + steps["offset"])
        adjacent = np.argwhere(np.triu(graph.skeleton)).tolist()
        assert {tuple(pair) for pair in edges} == {tuple(pair) for pair in adjacent}
        assert n == graph.n_edges
        assert steps["text"][step] in sentence
        assert count(n, "edge") in sentence.split(" · ")
