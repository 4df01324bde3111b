"""Crossings of the layered layout, compared with Graphviz."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.io.samples import load_network
from learners.networks.random_networks import random_dag
from viz.layout.crossings import NEAR, edges_over_nodes, spread_rows, straight_crossings
from viz.layout.positions import layout

# Crossings of the curves that dot 2.43.0 draws: of bundled networks, and of `random_dag(p, degree, seed)` as CPDAG.
NETWORKS = {
    "alarm": 8,
    "asia": 0,
    "barley": 65,
    "child": 3,
    "gauss30": 36,
    "hailfinder": 6,
    "hepar2": 291,
    "insurance": 22,
    "mildew": 6,
    "water": 91,
    "win95pts": 94,
}
RANDOM = {(20, 2.5, 0): 3, (40, 2.5, 1): 55, (60, 2.5, 2): 18, (100, 2.0, 3): 161, (30, 3.0, 4): 35, (80, 2.0, 5): 31}


def crossings(graph: PDAG, xy: np.ndarray) -> int:
    """Count the pairs of straight edges that cross, by definition."""

    def side(i: int, j: int, k: int) -> float:
        (ax, ay), (bx, by) = xy[j] - xy[i], xy[k] - xy[i]
        return ax * by - ay * bx

    return sum(
        len({a, b, c, d}) == 4 and side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        for (a, b), (c, d) in combinations(graph.edges(), 2)
    )


@pytest.mark.parametrize("name", ["child", "gauss30"])
def test_crossings_are_counted(name: str) -> None:
    graph = load_network(name).dag
    xy = layout(graph)
    assert straight_crossings(xy, graph.edges()) == crossings(graph, xy)


def test_edges_over_nodes_are_counted() -> None:
    """An edge is over a node if the node's row lies between its ends and their distance in that row is below `NEAR`."""
    rng = np.random.default_rng(3)
    xy = np.column_stack([rng.uniform(0, 5, 30), rng.integers(0, 5, 30)])
    edges = random_dag(30, 3.0, 1).edges()
    found = 0
    for i, j in edges:
        for k in range(30):
            if min(xy[i, 1], xy[j, 1]) < xy[k, 1] < max(xy[i, 1], xy[j, 1]):
                share = (xy[k, 1] - xy[i, 1]) / (xy[j, 1] - xy[i, 1])
                found += abs(xy[i, 0] + share * (xy[j, 0] - xy[i, 0]) - xy[k, 0]) < NEAR
    assert edges_over_nodes(xy, edges) == found > 0


@pytest.mark.gate_cases(6)
@pytest.mark.parametrize("name", NETWORKS)
def test_few_edges_cross(name: str) -> None:
    """Straight edges cross at most 1.1 times as often as in Graphviz."""
    graph = load_network(name).dag
    assert straight_crossings(layout(graph), graph.edges()) <= 1.1 * NETWORKS[name]


def test_few_edges_of_random_graphs_cross() -> None:
    """The sum of crossings over random graphs is at most 1.1 times that of Graphviz; single graphs may have more."""
    graphs = [cpdag(random_dag(*arguments)) for arguments in RANDOM]
    assert sum(straight_crossings(layout(graph), graph.edges()) for graph in graphs) <= 1.1 * sum(RANDOM.values())


def test_spreading_rows_keeps_rows_and_distances() -> None:
    """Nodes move sideways only, never within one node width of another, and the number of crossings falls."""
    graph = cpdag(random_dag(40, 2.5, 1))
    rng = np.random.default_rng(0)
    xy = np.column_stack([rng.permutation(40) % 8, np.arange(40) // 8]).astype(float)
    for row in range(5):
        xy[xy[:, 1] == row, 0] = rng.permutation(8)
    found = spread_rows(xy, graph.edges())
    assert (found[:, 1] == xy[:, 1]).all()
    for row in range(5):
        assert np.diff(np.sort(found[xy[:, 1] == row, 0])).min() >= 1 - 1e-9
    assert crossings(graph, found) < crossings(graph, xy)
