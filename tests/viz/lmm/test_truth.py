"""Curves of an LMM run compared with the true graph."""

from __future__ import annotations

import numpy as np
import pytest

from learners.evaluation.curves import partial_auroc, roc
from learners.evaluation.metrics import shd
from learners.families.lmm.step_graphs import step_graphs
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from tests.lmm_runs import learnt, network
from viz.lmm import truth


def true_graph() -> PDAG:
    return cpdag(network().dag)


def test_roc_shows_the_ranking_and_the_graph_on_screen():
    """The curve belongs to the ranked pairs, and its area is reported; a perfect graph is at the top left."""
    figure, text = truth.roc_figure(learnt(), true_graph(), true_graph())
    expected = roc(learnt().extra.pairs, true_graph())
    assert np.array_equal(figure.data[0].x, expected.fpr)
    assert np.array_equal(figure.data[0].y, expected.tpr)
    assert f"{partial_auroc(expected, 0.035):.3f}" in text
    assert (figure.data[-1].x, figure.data[-1].y) == ((0.0,), (1.0,))


@pytest.mark.parametrize("what", ["tpr", "shd"])
def test_curve_of_the_elimination_ends_without_edges_and_marks_the_graph_on_screen(what):
    """The curve runs from the densest graph to the empty one; a mark shows the graph on screen."""
    result, true = learnt(), true_graph()
    figure, text = truth.retrieval_figure(result, step_graphs(result, 60.0), true, result.graph, what)
    curve, mark = figure.data[0], figure.data[-1]
    assert curve.x[0] == pytest.approx(len(result.extra.pairs) / true.n_edges)
    assert (curve.x[-1], curve.y[-1]) == (0.0, 0.0 if what == "tpr" else 1.0)
    assert mark.x[0] == pytest.approx(result.graph.n_edges / true.n_edges)
    if what == "shd":
        assert mark.y[0] == pytest.approx(shd(result.graph, true) / true.n_edges)
    assert f"{mark.y[0]:.3g}" in text
