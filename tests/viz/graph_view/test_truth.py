"""Comparison with the true graph: the counts of the component equal the measures at each step."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from learners.evaluation import metrics
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.networks.random_networks import random_dag
from tests.tiers import family
from tests.viz.test_kinds import CASES, learnt
from viz.compare.overlay import with_truth
from viz.kinds import graph_at, kind_of

TALLIES = """(data) => import('./spans.js').then((spans) => Array.from({ length: data.steps.count }, (_, step) => {
    const tally = { right: 0, extra: 0, missing: 0, turned: 0 }, blind = m.isBlind(data.steps, step);
    for (const edge of data.edges) {
        const verdict = m.verdictOf(edge, spans.stateAt(edge, step, data.steps.count - 1), step, blind);
        if (verdict) tally[verdict]++;
    }
    return { ...tally, blind };
}))"""


@cache
def truth_over(p: int) -> PDAG:
    return cpdag(random_dag(p, 2.0, seed=4))


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_counts_equal_the_measures(run: Callable[[str, str], object], key: str, kind: str) -> None:
    """Extra, missing and turned edges add up to the SHD, or to the errors of the skeleton."""
    result = learnt(key, kind)
    truth = truth_over(len(result.names))
    places = np.random.default_rng(0).random((len(result.names), 2))
    data = with_truth(kind_of(result).timeline(result, places, truth=truth), truth)
    text = run("truth", f"({TALLIES})({json.dumps(data)})")
    assert len(text) == data["steps"]["count"]
    for step, tally in enumerate(text, data["steps"]["offset"]):
        graph = graph_at(result, step)
        joined = metrics.skeleton_confusion(graph, truth)
        assert (tally["extra"], tally["missing"]) == (joined.fp, joined.fn)
        assert tally["right"] + tally["turned"] == joined.tp
        if not tally["blind"]:
            distance = metrics.shd(kind_of(result).comparable(result, step, graph), truth)
            assert tally["extra"] + tally["missing"] + tally["turned"] == distance
