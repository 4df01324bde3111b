"""A graph over fewer variables is a part of the whole only where none of them led on to others."""

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
    """A child goes, then its parent; a cause or a middle cannot."""
    assert blocking_variables(COLLIDER, kept) == way
    assert (marginal_graph(COLLIDER, kept) is None) == bool(way)


def test_what_never_varies_goes_whatever_it_points_at():
    """Nothing depends on a constant."""
    assert marginal_graph(COLLIDER, (0, 1, 3), constant=[2]) == PDAG.empty(3)


def test_an_open_edge_is_in_the_way():
    """Of a class, only what is joined with nothing may be left out."""
    graph = PDAG.from_edges(3, undirected=[(0, 1)])
    assert blocking_variables(graph, (0,)) == [1]
    assert marginal_graph(graph, (1, 0)) == PDAG.from_edges(2, undirected=[(0, 1)])


def test_the_part_separates_as_the_whole_does_in_all_small_graphs():
    """All 543 DAGs of four variables, all subsets: the same d-separations among those that are kept."""
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
