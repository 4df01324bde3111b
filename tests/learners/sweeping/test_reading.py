"""Tests of summaries of the graphs of a sweep against direct computations."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from learners import PDAG, GaussianBIC, ParameterError, load_sample, sweep
from learners.data.resampling import held_out
from learners.evaluation.categorical_likelihood import predictive_log_likelihood
from learners.evaluation.comparison import fit
from learners.evaluation.held_out_likelihood import HeldOutRows, held_out_log_likelihood
from learners.evaluation.metrics import shd
from learners.graphs.consistent_extension import consistent_extension
from learners.sweeping import (
    Judge,
    Plateau,
    changes,
    held_out_curve,
    held_out_likelihoods,
    longest_plateau,
    plateaus,
    survival,
)
from learners.sweeping.curves import sparsest_position
from learners.sweeping.plateaus import places
from learners.sweeping.survival import ABSENT, BACKWARD, FORWARD, MISSING, OPEN
from tests.learners.test_registry import sample

EMPTY = PDAG.empty(3)
OPEN_EDGE = PDAG.from_edges(3, undirected=[(0, 1)])
ARROW = PDAG.from_edges(3, directed=[(0, 1)])
TURNED = PDAG.from_edges(3, directed=[(1, 0)], undirected=[(1, 2)])


@pytest.mark.parametrize(
    ("before", "after", "more", "fewer", "turned", "sentence"),
    [
        (EMPTY, EMPTY, (), (), (), "nothing changed"),
        (EMPTY, ARROW, ((0, 1),), (), (), "1 edge added"),
        (TURNED, EMPTY, (), ((0, 1), (1, 2)), (), "2 edges removed"),
        (ARROW, TURNED, ((1, 2),), (), ((0, 1),), "1 edge added, 1 reversed"),
        (OPEN_EDGE, ARROW, (), (), ((0, 1),), "1 edge newly directed"),
        (TURNED, OPEN_EDGE, (), ((1, 2),), ((0, 1),), "1 edge removed, 1 no longer directed"),
    ],
)
def test_changes_count_edges_by_what_happened_to_them(before, after, more, fewer, turned, sentence):
    found = changes(before, after)
    assert (found.more, found.fewer, found.turned) == (more, fewer, turned)
    assert found.sentence == sentence
    assert len(found) == len(more) + len(fewer) + len(turned) == sum(found.numbers.values())


def test_changes_between_graphs_of_other_sizes_are_refused():
    with pytest.raises(ParameterError, match="same nodes"):
        changes(EMPTY, PDAG.empty(4))


def test_survival_lists_every_mark_and_robust_edges_first():
    found = survival([EMPTY, ARROW, TURNED, None, OPEN_EDGE])
    assert found.pairs.tolist() == [[0, 1], [1, 2]]
    assert found.marks.tolist() == [
        [ABSENT, FORWARD, BACKWARD, MISSING, OPEN],
        [ABSENT, ABSENT, OPEN, MISSING, ABSENT],
    ]
    assert found.shares.tolist() == [3 / 4, 1 / 4]


def test_survival_of_nothing_is_empty():
    assert survival([None, None]).marks.shape == (0, 2)
    assert survival([EMPTY]).shares.shape == (0,)


def test_bands_end_where_the_graph_changes_or_is_missing():
    bands = plateaus([EMPTY, EMPTY, ARROW, None, ARROW, EMPTY])
    assert bands == (Plateau(0, 1), Plateau(2, 2), Plateau(4, 4), Plateau(5, 5))
    assert [len(band) for band in bands] == [2, 1, 1, 1]


@pytest.mark.parametrize(
    ("values", "first", "last"),
    [
        ([0.001, 0.01, 0.1, 0.11, 0.12], 0, 1),  # values are spaced by ratios
        ([1, 2, 10, 11, 12], 2, 4),  # values are spaced by differences
        (["a", "b", "c", "d", "e"], 2, 4),  # values without a scale are spaced by position
        ([1, 2, 3, 4, None], 2, 4),
    ],
)
def test_the_longest_plateau_is_measured_on_the_scale_of_the_values(values, first, last):
    bands = (Plateau(0, 1), Plateau(2, 4))
    assert longest_plateau(bands, values) == Plateau(first, last)


def test_no_band_no_longest():
    assert longest_plateau((), [1, 2]) is None


def test_places_of_alphas_are_their_logarithms():
    assert places([1e-5, 1e-3, 0.1]) == [math.log(value) for value in (1e-5, 1e-3, 0.1)]
    assert places([0.1, 0.2]) == [0.1, 0.2]
    assert places([0.2, 0.1]) == [0.0, 1.0]


def test_curves_are_those_of_each_graph():
    loaded = load_sample("asia")
    graphs = [one.graph for one in sweep("pc", loaded.dataset, "alpha", [1e-6, 0.01, 0.3]).results]
    actual = {curve.name: curve for curve in Judge(loaded.dataset, loaded.truth).curves([*graphs, None])}
    assert actual["edges"].values[:3].tolist() == [graph.n_edges for graph in graphs]
    assert actual["shd"].values[:3].tolist() == [shd(graph, loaded.truth) for graph in graphs]
    expected = [fit(graph, loaded.dataset).get("BIC", np.nan) for graph in graphs]
    assert actual["score"].values[:3] == pytest.approx(expected, nan_ok=True)
    assert all(math.isnan(curve.values[3]) for curve in actual.values())
    assert actual["edges"].best_position() is None
    assert actual["shd"].best_position() == int(np.argmin(actual["shd"].values[:3]))


def test_without_a_truth_there_is_no_distance_from_it():
    assert [curve.name for curve in Judge(load_sample("asia").dataset).curves([None])] == ["edges", "score"]


def test_held_out_rows_are_predicted_by_graphs_of_the_others():
    train, aside = held_out(load_sample("asia").dataset, 0.2, 0)
    results = sweep("pc", train, "alpha", [1e-6, 0.05]).results
    actual = dict(held_out_likelihoods(enumerate(results), HeldOutRows(train, aside)))
    curve = held_out_curve([actual[0], actual[1], None])
    for result, value in zip(results, curve.values.tolist(), strict=False):
        dag = consistent_extension(result.graph).dag
        assert value == pytest.approx(predictive_log_likelihood(dag, train, aside) / aside.n, rel=1e-12)
    assert math.isnan(curve.values[2])
    assert curve.best_position() == int(np.argmax(curve.values[:2]))


@pytest.mark.parametrize("kind", ["continuous", "mixed"])
def test_rows_with_missing_cells_are_predicted_for_all_column_types(kind):
    """Held-out rows of any type with missing cells are predicted; sharing terms between graphs changes no value."""
    train, aside = held_out(sample(kind, p=4, n=120), 0.2, 0)
    graphs = [PDAG.empty(4), PDAG.from_edges(4, directed=[(0, 1), (1, 2)]), PDAG.from_edges(4, undirected=[(0, 1)])]
    rows = HeldOutRows(train, aside)
    values = [rows.log_likelihood(graph) for graph in graphs]
    assert values == [held_out_log_likelihood(graph, train, aside) for graph in graphs]
    assert len(set(values)) == 3


def test_score_of_many_numbers_is_the_bic_that_the_curve_names():
    """The score in the curve is plain BIC, although learners extend it for many variables."""
    data = load_sample("gauss30").dataset
    dag = PDAG.from_edges(data.p, directed=[(0, 1), (1, 2)])
    assert Judge(data).score(dag) == pytest.approx(GaussianBIC(data).network(dag) / data.n, rel=1e-12)
    assert Judge(data).score(dag) != pytest.approx(GaussianBIC(data, extended=True).network(dag) / data.n, rel=1e-6)


def test_the_sparsest_graph_within_one_standard_error_is_chosen():
    """The sparsest graph within one standard error of the mean paired difference is chosen, and no worse one."""
    train, aside = held_out(load_sample("asia").dataset, 0.2, 0)
    rows, truth = HeldOutRows(train, aside), load_sample("asia").truth
    extra = PDAG.from_edges(
        8, directed=[*truth.directed_edges(), (0, 3)] if (0, 3) not in truth.directed_edges() else []
    )
    values = [rows.log_likelihood(graph) for graph in (truth, extra, PDAG.empty(8))]
    curve = held_out_curve([*values, None])
    best = curve.best_position()
    assert best in (0, 1)
    other = 1 - best
    difference = values[best].rows * len(values[best].rows) - values[other].rows * len(values[best].rows)
    assert curve.errors[other] == pytest.approx(np.std(difference, ddof=1) / np.sqrt(len(difference)))
    assert curve.errors[best] == 0.0
    assert math.isnan(curve.errors[3])
    edges = [truth.n_edges, extra.n_edges, 0, math.nan]
    tied = values[best] - values[other] <= curve.errors[other]
    assert sparsest_position(curve, edges) == (0 if tied else best)
    again = pickle.loads(pickle.dumps(values[0]))
    assert (again, again.rows.tolist()) == (values[0], values[0].rows.tolist())
