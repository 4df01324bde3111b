"""Tests of curves against the truth: cases counted by hand, and properties on random graphs."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import PDAG, DSeparation, ParameterError, hc, mmpc, pc
from learners.evaluation.curves import (
    Roc,
    partial_auroc,
    retrieval,
    retrieval_of_graphs,
    retrieval_of_trace,
    roc,
    roc_of_graphs,
)
from learners.evaluation.metrics import shd, skeleton_confusion
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import skeleton_graph
from learners.io.samples import load_sample
from learners.scores import BIC
from tests import naive

# Five nodes have 10 pairs, of which 2 are edges. The ranking lists a true, a false, a false and a true edge.
TRUTH = PDAG.from_edges(5, directed=[(0, 1), (2, 3)])
RANKED = np.array([[1, 0], [0, 2], [4, 3], [2, 3]])


def marked(*pairs: tuple[int, int]) -> PDAG:
    return PDAG.from_edges(5, undirected=pairs)


def test_roc_of_a_ranking_counts_pair_by_pair():
    """FPR divides by the 8 absent pairs, TPR by the 2 edges; the order within a pair does not matter."""
    curve = roc(RANKED, TRUTH)
    assert curve.fpr.tolist() == [0, 0, 1 / 8, 2 / 8, 2 / 8]
    assert curve.tpr.tolist() == [0, 1 / 2, 1 / 2, 1 / 2, 1]


@pytest.mark.parametrize(
    ("fpr", "tpr"), [(0, 0.5), (1 / 16, 0.5), (1 / 8, 0.5), (0.2, 0.5), (0.25, 1), (0.9, 1)], ids=str
)
def test_roc_is_read_between_its_corners(fpr, tpr):
    """The TPR at a vertical segment is its upper end; beyond the last corner the TPR stays constant."""
    assert roc(RANKED, TRUTH).at(fpr) == tpr


def test_roc_of_graphs_joins_the_corners_by_lines():
    """The graphs may come in any order: they are sorted by FPR, and the origin is added."""
    curve = roc_of_graphs([marked((0, 1), (0, 2), (2, 3)), marked(), marked((0, 2), (1, 2), (0, 1), (2, 3))], TRUTH)
    assert curve.fpr.tolist() == [0, 0, 1 / 8, 2 / 8]
    assert curve.tpr.tolist() == [0, 0, 1, 1]
    assert curve.at(1 / 16) == 0.5
    assert partial_auroc(curve, 1 / 8) == pytest.approx(0.5)
    assert partial_auroc(curve, 1 / 4) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("max_fpr", "area"), [(0.1, 0.5), (0.25, 0.5), (0.5, 0.75), (0.75, (0.125 + 0.5) / 0.75)], ids=str
)
def test_partial_auroc_is_divided_by_the_most_it_can_be(max_fpr, area):
    """The curve has TPR 1/2 up to FPR 1/4 and 1 beyond; it is extended past the end of the ranking."""
    assert partial_auroc(roc(RANKED, TRUTH), max_fpr) == pytest.approx(area, abs=1e-15)


def test_partial_auroc_is_one_for_a_perfect_ranking_and_zero_for_a_useless_one():
    wrong = [pair for pair in combinations(range(5), 2) if not TRUTH.skeleton[pair]]
    assert partial_auroc(roc(np.array([(0, 1), (2, 3), *wrong]), TRUTH)) == 1
    assert partial_auroc(roc(np.array([*wrong, (0, 1), (2, 3)]), TRUTH), 0.9) == 0
    assert partial_auroc(roc(np.empty((0, 2), int), TRUTH)) == 0


@pytest.mark.deep
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 0.99))
def test_partial_auroc_agrees_with_a_fine_sum(seed, max_fpr):
    """The partial AUROC equals the mean TPR over a fine grid of false positive rates."""
    rng = np.random.default_rng(seed)
    truth = PDAG(naive.random_dag(rng, 7, 12))
    pairs = rng.permutation(list(combinations(range(7), 2)))[: rng.integers(0, 22)]
    if truth.n_edges in (0, 21):
        return
    curve = roc(pairs, truth)
    grid = (np.arange(4_000) + 0.5) / 4_000 * max_fpr
    assert partial_auroc(curve, max_fpr) == pytest.approx(np.mean([curve.at(x) for x in grid]), abs=0.02)
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    if len(pairs) == 21:
        assert curve.fpr[-1] == curve.tpr[-1] == 1
    counted = skeleton_confusion(PDAG.from_edges(7, undirected=pairs.tolist()), truth)
    assert curve.tpr[-1] == pytest.approx(counted.tp / truth.n_edges)
    assert curve.fpr[-1] == pytest.approx(counted.fp / (21 - truth.n_edges))


def test_retrieval_of_a_ranking_is_divided_by_the_true_edges():
    """After each pair, the true positives and the distance are divided by the 2 true edges."""
    curve = retrieval(RANKED, TRUTH)
    assert curve.retrieved.tolist() == [0, 0.5, 1, 1.5, 2]
    assert curve.tpr.tolist() == [0, 0.5, 0.5, 0.5, 1]
    assert curve.shd.tolist() == [1, 0.5, 1, 1.5, 1]
    assert curve.tpr_at(1.75) == 0.75
    assert math.isnan(curve.tpr_at(2.1))


def test_retrieval_counts_a_wrong_direction_twice_but_its_distance_once():
    """A reversed edge counts as false and as missing, but adds 1 to the distance (appendix C).

    Of 3 true edges one is right and one reversed; FN = 1 - TPR, FP = retrieved - TPR.
    """
    truth = PDAG.from_edges(5, directed=[(0, 1), (2, 1)], undirected=[(3, 4)])
    curve = retrieval_of_graphs([PDAG.from_edges(5, directed=[(0, 1), (1, 2)]), truth], truth)
    assert curve.retrieved * 3 == pytest.approx([2, 3])
    assert curve.tpr * 3 == pytest.approx([1, 3])
    assert curve.shd * 3 == pytest.approx([2, 0])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_retrieval_of_a_ranking_is_that_of_its_skeletons(seed):
    """The retrieval of a ranking equals the retrieval of the graphs of its first edges."""
    rng = np.random.default_rng(seed)
    truth = PDAG(naive.random_dag(rng, 6, 10))
    pairs = rng.permutation(list(combinations(range(6), 2)))[: rng.integers(0, 16)].tolist()
    graphs = [PDAG.from_edges(6, undirected=pairs[:k]) for k in range(len(pairs) + 1)]
    fast, slow = (
        retrieval(np.array(pairs, int).reshape(-1, 2), truth),
        retrieval_of_graphs(graphs, skeleton_graph(truth)),
    )
    for name in ("retrieved", "tpr", "shd"):
        np.testing.assert_array_equal(getattr(fast, name), getattr(slow, name))
    if truth.n_edges:
        assert slow.shd[-1] == pytest.approx(shd(graphs[-1], skeleton_graph(truth)) / truth.n_edges)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("run", [pc, mmpc], ids=["pc", "mmpc"])
def test_retrieval_of_a_trace_is_that_of_its_graphs(run, seed):
    """The retrieval of a trace equals that of its graphs after each removal, addition and orientation."""
    dag = PDAG(naive.random_dag(np.random.default_rng(seed), 8, 14))
    trace, truth = run(DSeparation(dag)).trace, cpdag(PDAG(naive.random_dag(np.random.default_rng(seed + 50), 8, 14)))
    check_trace(trace, truth)


def test_retrieval_of_a_search_is_that_of_its_graphs():
    """The retrieval of a search equals that of its graphs, including reversals and edges undirected in the end."""
    check_trace(
        hc(BIC(load_sample("asia").dataset)).trace, cpdag(PDAG(naive.random_dag(np.random.default_rng(3), 8, 9)))
    )


def check_trace(trace, truth):
    graphs = [trace.graph_at(step) for step in range(len(trace.changes) + 1)]
    fast, slow = retrieval_of_trace(trace, truth), retrieval_of_graphs(graphs, truth)
    assert len(fast.tpr) == len(graphs) > 1
    for name in ("retrieved", "tpr", "shd"):
        np.testing.assert_array_equal(getattr(fast, name), getattr(slow, name))


def test_curves_without_anything_to_find_are_not_numbers():
    """TPR is NaN without true edges, and FPR is NaN without absent pairs."""
    assert np.isnan(roc(RANKED, PDAG.empty(5)).tpr).all()
    assert np.isnan(roc(RANKED, PDAG.complete(5)).fpr).all()
    assert np.isnan(retrieval(RANKED, PDAG.empty(5)).tpr).all()


@pytest.mark.parametrize(
    ("ranked", "message"),
    [
        ([[0, 5]], r"pairs of different nodes of 0 \.\. 4, got others"),
        ([[1, 1]], "pairs of different nodes"),
        ([[0, 1], [1, 0]], "each pair once, got one again"),
    ],
    ids=["outside", "loop", "twice"],
)
def test_rankings_are_checked(ranked, message):
    for curve in (roc, retrieval):
        with pytest.raises(ParameterError, match="^a ranking must hold " + message):
            curve(np.array(ranked), TRUTH)


@pytest.mark.parametrize(
    "curve",
    [
        lambda other: roc_of_graphs([other], TRUTH),
        lambda other: retrieval_of_graphs([other], TRUTH),
        lambda other: retrieval_of_trace(pc(DSeparation(other)).trace, TRUTH),
    ],
    ids=["roc", "graphs", "trace"],
)
def test_curves_need_the_same_nodes(curve):
    with pytest.raises(ParameterError, match="^both graphs must have the same nodes, got 4 and 5 of them"):
        curve(PDAG.empty(4))


@pytest.mark.parametrize("max_fpr", [0, 1, -0.1, math.nan])
def test_partial_auroc_refuses_a_range_outside_the_unit_interval(max_fpr):
    """A value of `max_fpr` outside the unit interval is refused by its name."""
    with pytest.raises(ParameterError, match="^max_fpr must be in"):
        partial_auroc(Roc(np.zeros(1), np.zeros(1)), max_fpr)


def test_curves_are_read_only():
    for array in (roc(RANKED, TRUTH).tpr, retrieval(RANKED, TRUTH).shd):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
