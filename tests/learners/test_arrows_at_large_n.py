"""Tests that arrows learned from many rows with strong dependence are true."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from learners import LEARNERS, PAG, PDAG, Dataset, cpdag, learn
from learners.graphs.graph import topological_order
from learners.graphs.mag import pag_without_hidden

ROWS = 50_000
# The DAG has colliders with a common parent, chains after them, an undirectable pair, and a parent with a parent.
DAGS = (
    PDAG.from_edges(8, directed=[(0, 2), (1, 2), (1, 4), (3, 4), (4, 5), (2, 5), (6, 7)]),
    PDAG.from_edges(6, directed=[(0, 3), (1, 3), (2, 4), (3, 4), (4, 5)]),
    PDAG.from_edges(7, directed=[(0, 2), (1, 2), (2, 3), (2, 4), (5, 4), (6, 5)]),
)
NO_ARROWS = ("mmpc", "hpc", "hpc_target", "aracne")  # learners of skeletons only
ENDS_EARLY = ("hc", "sca")  # a single climb stops at shielded colliders, so arrows are few but right
MIN_SHARE = 0.7  # minimum share of the true arrows; posteriors leave uncertain edges undirected


def levels(dag: PDAG, seed: int) -> Dataset:
    """Return binary data: P(child = 1) rises from 0.15 to 0.9 with the share of its parents that are 1."""
    rng, codes = np.random.default_rng(seed), np.zeros((dag.p, ROWS), dtype=np.uint8)
    for j in topological_order(dag):
        parents = list(dag.parents(j))
        codes[j] = rng.random(ROWS) < (0.15 + 0.75 * codes[parents].mean(axis=0) if parents else 0.5)
    return Dataset.from_codes(codes, [2] * dag.p, [f"v{j}" for j in range(dag.p)])


def numbers(dag: PDAG, seed: int) -> Dataset:
    """Return continuous data: each node is the sum of its parents, plus noise."""
    rng, values = np.random.default_rng(seed), np.zeros((ROWS, dag.p))
    for j in topological_order(dag):
        values[:, j] = values[:, list(dag.parents(j))].sum(axis=1) + rng.standard_normal(ROWS)
    return Dataset.from_values(values, [f"v{j}" for j in range(dag.p)])


@cache
def samples(kind: str) -> list[tuple[PDAG, Dataset]]:
    return [(dag, (levels if kind == "categorical" else numbers)(dag, seed)) for seed, dag in enumerate(DAGS, 1)]


def settings(key: str, kind: str) -> dict[str, float]:
    """Return settings with an alpha at which no edge is found by chance, if the learner has an alpha."""
    names = {one.name for one in LEARNERS[key].parameters_for(kind)}
    return {name: value for name, value in (("alpha", 1e-4), ("n_resamples", 5)) if name in names}


@pytest.mark.gate_cases(10)
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (key, kind)
        for kind in ("categorical", "continuous")
        for key, one in LEARNERS.items()
        if kind in one.kinds and key not in NO_ARROWS
    ],
)
def test_arrows_are_the_true_ones(key, kind):
    """No arrow is wrong, and most arrows of the true CPDAGs are found."""
    n_right = n_true = 0
    for dag, data in samples(kind):
        graph, truth = learn(key, data, **settings(key, kind)).graph, cpdag(dag)
        truth = pag_without_hidden(truth) if isinstance(graph, PAG) else truth
        found, true = set(graph.directed_edges()), set(truth.directed_edges())
        assert found <= true
        n_right, n_true = n_right + len(found), n_true + len(true)
    assert n_right >= (1 if key in ENDS_EARLY else MIN_SHARE * n_true)
