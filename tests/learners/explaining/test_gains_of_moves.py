"""What a search over orders says about a step without a gain: the gain of the whole move of the variable."""

from __future__ import annotations

import numpy as np
import pytest

from learners import explanation, learn, random_gaussian_network, sample

ADDED = "This was one step of a move that raised the score by"


@pytest.mark.parametrize("seed", range(3))
def test_a_step_without_a_gain_names_the_gain_of_its_move(seed):
    """Its clause follows listed steps without a gain inside a move that gained, and no other step."""
    data = sample(random_gaussian_network(10, 22, seed), 200, seed)
    result = learn("boss", data, restarts=3)
    placed, trace, seen = result.extra.placements, result.trace, 0
    for x, y in zip(*np.triu_indices(data.p, 1), strict=True):
        sentences = " ".join(explanation(result, (data.names[x], data.names[y])).written())
        expected = []
        for change, position in enumerate(trace.changes.tolist()):
            event = trace[position]
            if {event.i, event.j} == {x, y} and event.statistic <= 1e-6:
                inside = (placed.begins <= change) & (change < placed.ends) & (placed.ends - placed.begins > 1)
                expected += placed.gains[inside & (placed.gains > 1e-6)].tolist()
        said = sentences.count(ADDED)
        assert said <= len(expected)
        assert bool(said) <= bool(expected)
        seen += said
    assert seen
