"""Tests of the steps of a layered drawing against slow references."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import isotonic_regression, linprog

from learners.graphs.layered_rows import (
    OVER_COST,
    Neighbours,
    placed_rows,
    position_costs,
    row_crossings,
    searched_orders,
    searched_parts,
    shortest_layers,
    sifted,
)
from tests import naive_rows

Lists = list[list[int]]


def drawn(seed: int) -> tuple[Lists, Lists, Lists]:
    """Draw rows in random order, with edges between neighbouring rows; return rows, neighbours above, and below."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 7, size=4)
    nodes = np.split(rng.permutation(sizes.sum()), np.cumsum(sizes)[:-1])
    above: Lists = [[] for _ in range(sizes.sum())]
    below: Lists = [[] for _ in range(sizes.sum())]
    for upper, lower in zip(nodes, nodes[1:], strict=False):
        for i in upper.tolist():
            for j in lower.tolist():
                if rng.random() < 0.4:
                    below[i].append(j)
                    above[j].append(i)
    return [row.tolist() for row in nodes], above, below


@pytest.mark.parametrize("seed", range(20))
def test_crossings_between_rows_are_counted(seed: int) -> None:
    rows, _, below = drawn(seed)
    assert row_crossings(rows, Neighbours(below)) == naive_rows.crossings(rows, below)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("rounds", "widest"), [(1, 80), (10, 80), (10, 4)])
def test_sifting_moves_single_nodes(seed: int, rounds: int, widest: int) -> None:
    """Ties keep the leftmost of the best positions; rows that are too wide stay, and no crossing is added."""
    rows, above, below = drawn(seed)
    found = sifted(rows, Neighbours(above), Neighbours(below), rounds=rounds, widest=widest)
    assert found == naive_rows.sifted(rows, above, below, rounds=rounds, widest=widest)
    assert naive_rows.crossings(found, below) <= naive_rows.crossings(rows, below)


@pytest.mark.parametrize("search", [searched_orders, searched_parts])
@pytest.mark.parametrize("seed", range(10))
def test_random_changes_of_an_order_never_add_crossings(seed: int, search: Callable[..., Lists]) -> None:
    """The search keeps the nodes of each row, is deterministic, and more tries add no crossing."""
    rows, above, below = drawn(seed)
    fewest = naive_rows.crossings(rows, below)
    for tries in (0, 8, 64):
        found, again = (
            search(
                rows,
                Neighbours(above),
                Neighbours(below),
                np.random.default_rng(0),
                tries=tries,
                rounds=10,
                widest=80,
            )
            for _ in range(2)
        )
        assert found == again
        assert [sorted(row) for row in found] == [sorted(row) for row in rows]
        crossings = naive_rows.crossings(found, below)
        assert crossings <= fewest
        fewest = crossings


def test_the_cost_of_a_position_is_a_sum_of_three_parts() -> None:
    """Node 4 below node 0; an edge 1 - 2 between the rows, and node 3 on a line from node 0."""
    x, y = np.array([0.0, -2.0, 2.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0, 1.0, 2.0])
    others = np.array([[1, 3], [3, 2]])
    costs = position_costs(x, y, 4, 2.0, np.array([-6.0, 0.0, 2.0]), np.array([0]), others)
    # From -6 the line passes left of node 1; from 0 it crosses 1 - 3; from 2 it passes over node 3.
    length = 0.02 * np.hypot([6.0, 0.0, 2.0], 2.0)
    np.testing.assert_allclose(costs, [0.0, 1.0, OVER_COST] + length, rtol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_weighted_layers_solve_the_linear_program(seed: int) -> None:
    """Each edge spans at least one layer, and the weighted sum of spans is that of SciPy's solver."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 60))
    parents = [(int(rng.integers(j)), j) for j in range(1, p)]  # so that the graph is connected
    more = np.argwhere(np.triu(rng.random((p, p)) < 2 / p, 1)).tolist()
    edges = rng.permutation(p)[np.array(sorted({*parents, *map(tuple, more)}))]
    weights = np.exp(rng.normal(size=len(edges)))
    layer = shortest_layers(p, edges, weights)
    spans = layer[edges[:, 1]] - layer[edges[:, 0]]
    rows = np.zeros((len(edges), p))
    rows[np.arange(len(edges)), edges[:, 0]], rows[np.arange(len(edges)), edges[:, 1]] = 1, -1
    found = linprog(-weights @ rows, A_ub=rows, b_ub=-np.ones(len(edges)), bounds=(0, p))
    assert layer.min() == 0
    assert spans.min() >= 1
    assert weights @ spans == pytest.approx(found.fun)


@pytest.mark.parametrize("sweeps", [0, 1, 2, 7])
@pytest.mark.parametrize("seed", range(5))
def test_rows_are_placed_by_isotonic_regression(seed: int, sweeps: int) -> None:
    """Each sweep moves a row as near to the means of the neighbours as order and spaces allow, in squared distance."""
    rows, above, below = drawn(seed)
    rng = np.random.default_rng(seed)
    near = [a + b for a, b in zip(above, below, strict=True)]
    joined, spaces = Neighbours(near), rng.choice([0.5, 1.0], size=len(near))
    pulls = rng.choice([1.0, 8.0], size=len(joined.ends))
    of_node = np.split(pulls, joined.begin[1:-1])
    offsets = [np.cumsum([0.0, *((spaces[i] + spaces[j]) / 2 for i, j in pairwise(row))]) for row in rows]
    x = np.empty(len(near))
    for row, offset in zip(rows, offsets, strict=True):
        x[row] = offset - offset[-1] / 2
    for sweep in range(sweeps):
        for row, offset in list(zip(rows, offsets, strict=True))[:: 1 if sweep % 2 == 0 else -1]:
            wish = [np.average(x[near[i]], weights=of_node[i]) if near[i] else x[i] for i in row]
            weights = [of_node[i].sum() if near[i] else 0.1 for i in row]
            x[row] = isotonic_regression(wish - offset, weights=weights).x + offset
    assert placed_rows(rows, spaces, joined, pulls, sweeps) == pytest.approx(x)
