"""Tests of the steps between two levels of PC: edges to test, and ranking and recording of their results."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from learners.kernels.ci.level_results import (
    KEPT,
    NOT_REACHED,
    SEPARATED,
    UNTESTED,
    fill_ranked,
    record_level,
    weakest_first,
)
from learners.kernels.ci.results import empty_results
from learners.kernels.graphs.adjacency import open_edges

LOGS = st.sampled_from([0.0, -0.0, -1e-300, -0.5, np.nextafter(-0.5, 0), -2.0, -1e5, -np.inf])
RANKED = st.lists(st.tuples(st.one_of(LOGS, st.floats(-1e6, 0.0)), st.integers(0, 3)), max_size=60)


@settings(max_examples=60, deadline=None)
@given(RANKED)
def test_weakest_first_sorts_by_part_then_falling_p_and_keeps_ties(rows):
    """Rows are sorted as by Python's stable sort, for p of any magnitude; 0 and -0 are equal."""
    log_p = np.array([value for value, _ in rows])
    part = np.array([which for _, which in rows], dtype=np.uint8)
    order, end = weakest_first(log_p, part, 4)
    assert order.tolist() == sorted(range(len(rows)), key=lambda t: (part[t], -log_p[t]))
    assert end.tolist() == [int((part <= which).sum()) for which in range(4)]


def test_open_edges_have_an_end_with_enough_other_neighbours():
    """In a path 0 - 1 - 2 and an edge 3 - 4, only the path has sets of one member; closed pairs are left out."""
    adjacency = np.zeros((5, 5), dtype=bool)
    for x, y in [(0, 1), (1, 2), (3, 4)]:
        adjacency[x, y] = adjacency[y, x] = True
    closed = np.zeros((5, 5), dtype=bool)
    assert open_edges(adjacency, closed, 0).tolist() == [[0, 1], [1, 2], [3, 4]]
    assert open_edges(adjacency, closed, 1).tolist() == [[0, 1], [1, 2]]
    assert open_edges(adjacency, closed, 2).tolist() == []
    closed[0, 1] = closed[1, 0] = True
    assert open_edges(adjacency, closed, 1).tolist() == [[1, 2]]


def test_absorb_keeps_the_largest_p_and_records_each_decision():
    """Each edge in the range is recorded as separated, untested, kept or not reached.

    A smaller p does not replace a larger one.
    """
    edges = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]])
    outcome = empty_results(5, 1)
    outcome.log_p[:] = [-1.0, 0.0, -9.0, -np.inf, -1.0]
    outcome.n_tests[:] = [3, 1, 2, 0, 4]
    outcome.tested[1] = False
    outcome.cond[:, 0] = [2, 3, 1, 0, 1]
    adjacency, separated = ~np.eye(4, dtype=bool), np.zeros((4, 4), dtype=bool)
    log_phi, members = np.full((4, 4), np.nan), np.full((4, 4, 2), -1, dtype=np.int32)
    log_phi[0, 3] = log_phi[3, 0] = -5.0
    fate = np.full(5, 9, dtype=np.uint8)
    record_level(edges, outcome, 0, 4, -3.0, adjacency, separated, log_phi, members, fate)
    assert fate.tolist() == [SEPARATED, UNTESTED, KEPT, NOT_REACHED, 9]
    assert np.argwhere(separated).tolist() == [[0, 1], [0, 2], [1, 0], [2, 0]]
    assert np.array_equal(adjacency, ~separated & ~np.eye(4, dtype=bool))
    assert (log_phi[0, 1], log_phi[2, 0], log_phi[3, 0]) == (-1.0, 0.0, -5.0)
    assert np.isnan(log_phi[1, 2])
    assert members[1, 0].tolist() == [2, -1]
    assert members[0, 3].tolist() == [-1, -1]


def test_gather_writes_the_rows_in_their_order():
    """The results are written in the given order, in all columns, but only at the requested positions."""
    rng = np.random.default_rng(0)
    edges, order = rng.integers(0, 9, (6, 2)), rng.permutation(6)
    outcome, ranked = empty_results(6, 2, rows_vary=True), empty_results(6, 2, rows_vary=True)
    for column in outcome:
        column[...] = rng.integers(0, 2, column.shape)
    pairs = np.full_like(edges, -7)
    fill_ranked(edges, outcome, order, 2, 6, pairs, ranked)
    assert np.array_equal(pairs[2:], edges[order[2:]])
    assert (pairs[:2] == -7).all()
    for column, untouched, source in zip(ranked, empty_results(6, 2, rows_vary=True), outcome, strict=True):
        assert np.array_equal(column[2:], source[order[2:]])
        assert np.array_equal(column[:2], untouched[:2], equal_nan=column.dtype.kind == "f")


def test_absorb_keeps_sets_ascending():
    """Sets are stored in ascending order, and unused positions are reset to -1."""
    outcome = empty_results(2, 3)
    outcome.log_p[:], outcome.n_tests[:] = -1.0, 1
    outcome.cond[:] = [[4, 2, 3], [3, 2, -1]]
    pairs = np.zeros((2, 5, 5), dtype=bool)
    log_phi, members = np.full((5, 5), np.nan), np.full((5, 5, 4), 4, dtype=np.int32)
    record_level(np.array([[0, 1], [1, 4]]), outcome, 0, 2, -3.0, *pairs, log_phi, members, np.zeros(2, dtype=np.uint8))
    assert members[0, 1].tolist() == members[1, 0].tolist() == [2, 3, 4, -1]
    assert members[1, 4].tolist() == members[4, 1].tolist() == [2, 3, -1, -1]
