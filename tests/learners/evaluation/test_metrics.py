"""Tests of distances between graphs against definitions written out pair by pair."""

from itertools import combinations
from math import isnan

import numpy as np
import pytest

from learners.common.errors import ParameterError
from learners.evaluation.comparison import subgraph
from learners.evaluation.metrics import jaccard, shd, skeleton_confusion
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from tests import naive

RNG = np.random.default_rng(9110)
PAIRS = [[PDAG(naive.random_pdag(RNG, 2 + s % 5, density)) for density in (0.6, 0.5)] for s in range(200)]
TRUTH = PDAG.from_edges(5, directed=[(0, 2), (1, 2), (2, 3)], undirected=[(3, 4)])


def marks(pdag):
    """Return the mark of every adjacent pair i < j."""
    every = {pair: pdag.mark(*pair) for pair in combinations(range(pdag.p), 2)}
    return {pair: mark for pair, mark in every.items() if mark != "none"}


@pytest.mark.parametrize(
    ("edges", "distance", "index"),
    [
        ({"directed": [(0, 2), (1, 2), (2, 3)], "undirected": [(3, 4)]}, 0, 1.0),
        ({"directed": [(0, 2), (1, 2)], "undirected": [(3, 4)]}, 1, 3 / 4),
        ({"directed": [(0, 2), (1, 2), (2, 3), (0, 4)], "undirected": [(3, 4)]}, 1, 4 / 5),
        ({"directed": [(0, 2), (1, 2), (3, 2)], "undirected": [(3, 4)]}, 1, 3 / 5),
        ({"directed": [(0, 2), (1, 2), (2, 3), (3, 4)]}, 1, 3 / 5),
        ({}, 4, 0.0),
    ],
    ids=["same", "missing", "extra", "reversed", "line-became-arrow", "empty"],
)
def test_shd_and_jaccard_count_each_wrong_pair_once(edges, distance, index):
    """A missing, extra, reversed or differently marked edge costs one in SHD; only identical edges are shared."""
    learnt = PDAG.from_edges(5, **edges)
    assert shd(learnt, TRUTH) == shd(TRUTH, learnt) == distance
    assert jaccard(learnt, TRUTH) == jaccard(TRUTH, learnt) == pytest.approx(index, abs=1e-15)


def test_shd_and_jaccard_agree_with_pairwise_counting():
    """SHD and Jaccard index of random graphs of every kind equal counts pair by pair."""
    for a, b in PAIRS:
        in_a, in_b = marks(a), marks(b)
        common = sum(in_b.get(pair) == mark for pair, mark in in_a.items())
        union = len(in_a) + len(in_b) - common
        assert shd(a, b) == sum(in_a.get(pair) != in_b.get(pair) for pair in in_a | in_b)
        assert jaccard(a, b) == (common / union if union else 1.0)


def test_shd_is_true_edges_less_common_plus_invented_pairs():
    """SHD = |E| - TP + FP, as in the tables of Huang and Zhou.

    FP counts the pairs that are adjacent only in the learnt graph.
    """
    for a, b in PAIRS:
        common = sum(marks(b).get(pair) == mark for pair, mark in marks(a).items())
        assert shd(a, b) == b.n_edges - common + skeleton_confusion(a, b).fp


def test_jaccard_of_two_empty_graphs_is_one():
    assert jaccard(PDAG.empty(3), PDAG.empty(3)) == 1.0
    assert shd(PDAG.empty(3), PDAG.empty(3)) == 0


def test_skeleton_confusion_ignores_marks():
    """The skeleton has three true positives and one false positive, whatever the direction of the edges."""
    learnt = PDAG.from_edges(5, directed=[(2, 0), (2, 1), (0, 1)], undirected=[(3, 4)])
    result = skeleton_confusion(learnt, TRUTH)
    assert (result.tp, result.fp, result.fn) == (3, 1, 1)
    assert (result.precision, result.recall, result.f1) == (0.75, 0.75, 0.75)


def test_confusions_swap_with_their_arguments_and_agree_with_themselves():
    """Swapping the graphs swaps false positives with false negatives; a graph matches itself."""
    for a, b in PAIRS:
        there, back = skeleton_confusion(a, b), skeleton_confusion(b, a)
        assert (there.tp, there.fp, there.fn) == (back.tp, back.fn, back.fp)
        assert there.precision == back.recall or isnan(there.precision)
        assert skeleton_confusion(a, a)[1:3] == (0, 0)


def test_ratios_without_a_denominator_are_nan():
    """Precision is NaN without learnt edges, recall without true edges, and F1 without both."""
    nothing_learnt = skeleton_confusion(PDAG.empty(5), TRUTH)
    assert isnan(nothing_learnt.precision)
    assert (nothing_learnt.recall, nothing_learnt.f1) == (0.0, 0.0)
    nothing_true = skeleton_confusion(TRUTH, PDAG.empty(5))
    assert isnan(nothing_true.recall)
    assert (nothing_true.precision, nothing_true.f1) == (0.0, 0.0)
    assert isnan(skeleton_confusion(PDAG.empty(2), PDAG.empty(2)).f1)


@pytest.mark.parametrize("measure", [shd, jaccard, skeleton_confusion], ids=lambda m: m.__name__)
def test_metrics_refuse_graphs_of_different_size(measure):
    with pytest.raises(ParameterError, match="same nodes, got 3 and 4"):
        measure(PDAG.empty(3), PDAG.empty(4))


def test_a_pag_is_compared_with_the_pag_of_the_other_graph():
    """The PAG of the true graph has no errors, as first or second argument; a wrong edge end counts once."""
    truth = PDAG.from_edges(4, directed=[(0, 2), (1, 2), (2, 3)])
    pag = PAG.from_ends(4, [(0, "o->", 2), (1, "o->", 2), (2, "->", 3)])
    assert shd(pag, truth) == shd(truth, pag) == shd(pag, pag) == 0
    assert jaccard(pag, truth) == 1.0
    wrong = PAG.from_ends(4, [(0, "->", 2), (1, "o->", 2), (2, "->", 3)])
    assert shd(wrong, truth) == 1
    assert jaccard(wrong, truth) == 0.5
    assert subgraph(pag, "abcd", "cda") == PAG.from_ends(3, [(2, "o->", 0), (0, "->", 1)])
