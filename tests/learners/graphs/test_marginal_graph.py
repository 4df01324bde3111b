"""Tests of the graph over fewer variables, which exists only if the dropped variables affect no kept variable."""

from itertools import combinations

import numpy as np
import pytest

from learners import PDAG
from learners.graphs.marginal_graph import blocking_variables, marginal_graph
from tests.naive import all_dags, d_separated

COLLIDER = PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])


@pytest.mark.parametrize(
    ("kept", "way"),
    [((0, 1, 2), []), ((0, 1), []), ((1, 0), []), ((0, 1, 3), [2]), ((2, 3), [0, 1]), ((0, 1, 2, 3), [])],
)
def test_what_points_at_others_is_in_the_way(kept, way):
    """A child can be dropped, and then its parent; a common cause or a mediator cannot be dropped."""
    assert blocking_variables(COLLIDER, kept) == way
    assert (marginal_graph(COLLIDER, kept) is None) == bool(way)


def test_what_never_varies_goes_whatever_it_points_at():
    """A constant can be dropped whatever its edges, since nothing depends on it."""
    assert marginal_graph(COLLIDER, (0, 1, 3), constant=[2]) == PDAG.empty(3)


def test_an_open_edge_is_in_the_way():
    """In a class with undirected edges, only variables without neighbours can be dropped."""
    graph = PDAG.from_edges(3, undirected=[(0, 1)])
    assert blocking_variables(graph, (0,)) == [1]
    assert marginal_graph(graph, (1, 0)) == PDAG.from_edges(2, undirected=[(0, 1)])


def test_the_part_separates_as_the_whole_does_in_all_small_graphs():
    """The marginal graph has the same d-separations for all 543 DAGs of four variables and all subsets."""
    for dag in map(PDAG, all_dags(4)):
        for kept in [kept for size in (2, 3) for kept in combinations(range(4), size)]:
            part = marginal_graph(dag, kept)
            if part is None:
                continue
            for x, y in combinations(range(len(kept)), 2):
                rest = [k for k in range(len(kept)) if k not in (x, y)]
                for cond in [c for size in range(len(rest) + 1) for c in combinations(rest, size)]:
                    whole = d_separated(dag.amat, kept[x], kept[y], [kept[c] for c in cond])
                    assert d_separated(part.amat, x, y, list(cond)) == whole, (dag, kept, np.array(kept)[[x, y]])
