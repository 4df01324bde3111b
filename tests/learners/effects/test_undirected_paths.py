"""Tests of paths through pairs without a direction: no effect is read off them."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

from learners import PDAG, cpdag
from learners.effects.paths import separation
from learners.effects.undirected_paths import lacks_direction, path_without_direction


def random_dag(rng: np.random.Generator, p: int = 6) -> PDAG:
    order = rng.permutation(p)
    upper = np.triu(rng.random((p, p)) < 0.4, 1)
    amat = np.zeros((p, p), dtype=bool)
    amat[np.ix_(order, order)] = upper
    return PDAG(amat)


def causal_paths(graph: PDAG, x: int, y: int, pairs: set[frozenset[int]]) -> list[tuple[int, ...]]:
    """Return all paths of a DAG along arrows, or along pairs without a direction, at least one of them."""
    inner = [k for k in range(graph.p) if k not in (x, y)]
    paths = ((x, *middle, y) for n in range(len(inner) + 1) for middle in permutations(inner, n))
    return [
        path
        for path in paths
        if all(graph.amat[a, b] or (graph.amat[b, a] and frozenset((a, b)) in pairs) for a, b in pairwise(path))
        and any(frozenset(step) in pairs for step in pairwise(path))
    ]


@pytest.mark.parametrize("seed", range(20))
def test_a_path_is_found_if_and_only_if_one_leads_through_a_pair_without_a_direction(seed):
    rng = np.random.default_rng(seed)
    graph = random_dag(rng)
    edges = graph.edges()
    pairs = {frozenset(edge) for edge in edges if rng.random() < 0.3}
    for x, y in permutations(range(graph.p), 2):
        found, expected = path_without_direction(graph, x, y, pairs), causal_paths(graph, x, y, pairs)
        assert bool(found) == bool(expected)
        if found:
            assert found in expected
            assert len(found) == min(map(len, expected))


@pytest.mark.parametrize("seed", range(20))
def test_no_causal_path_of_a_member_of_the_class_is_missed(seed):
    """A causal path through such a pair in the DAG is found in its CPDAG, too."""
    rng = np.random.default_rng(100 + seed)
    dag = random_dag(rng)
    graph, pairs = cpdag(dag), {frozenset(edge) for edge in dag.edges() if rng.random() < 0.4}
    for x, y in permutations(range(dag.p), 2):
        through = [path for path in separation(dag, x, y).paths if path.causal and lacks_direction(path.nodes, pairs)]
        assert not through or path_without_direction(graph, x, y, pairs)


def test_a_graph_without_such_pairs_has_no_such_path():
    chain = PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
    assert path_without_direction(chain, 0, 2, []) == ()
    assert path_without_direction(chain, 0, 2, [(0, 2)]) == ()  # not adjacent
    assert path_without_direction(chain, 0, 1, [(0, 1)]) == (0, 1)
