"""Probabilities on screen: edges by their number, matrices, tables, bars."""

from __future__ import annotations

import numpy as np
import pytest

from learners import learn, load_sample
from learners.algorithms.probable_edges import of_frequencies, of_posterior
from viz.brai import figures, tables
from viz.brai.features import ARROW, BLANKET, EDGE, features_of, pair_shares, values_of
from viz.brai.timeline import probable_timeline
from viz.text import format_probability

LOADED = load_sample("asia")
FEW = LOADED.dataset.take(range(150))
PLACES = np.linspace(0, 1, 16).reshape(8, 2)


@pytest.fixture(scope="module")
def run():
    return learn("brai", FEW)


def drawn_at(data, step):
    return {(e["a"], e["b"]) for e in data["edges"] if e["spans"][0][0] <= step < e["spans"][0][1]}


def stop_of(steps, value):
    """Where the picture's line leads, as its script says."""
    values, step = steps["series"][0]["values"], steps["threshold"]["first"]
    while step < steps["threshold"]["last"] and not values[step + 1] > value:
        step += 1
    return step


def test_line_leads_to_the_edges_with_at_least_its_probability(run):
    """Also where it lies exactly at one of them; opacity is the probability."""
    posterior = run.extra.posterior(20)
    edges = of_posterior(posterior)
    data = probable_timeline(run, edges, PLACES, truth=LOADED.truth)
    steps = data["steps"]
    assert steps["count"] == len(edges) == len(steps["text"])
    for value in [*edges.levels.tolist(), 0.0, 0.1, 0.5, 0.77]:
        at_least = {tuple(pair) for pair in np.argwhere(np.triu(posterior.adjacent >= value - 1e-12, 1)).tolist()}
        at_least &= {tuple(pair) for pair in np.argwhere(posterior.adjacent > 0).tolist()}
        assert drawn_at(data, stop_of(steps, value)) == at_least
    for edge in data["edges"]:
        assert edge["opacity"] == pytest.approx(posterior.adjacent[edge["a"], edge["b"]])
    assert stop_of(steps, steps["threshold"]["value"]) == steps["choice"]
    assert len(steps["series"][2]["values"]) == steps["count"]


def test_bootstrap_is_dragged_by_its_shares():
    """The line begins at the share of the run, where its own graph is drawn."""
    result = learn("bootstrap", FEW, base="rai", n_resamples=10)
    data = probable_timeline(result, of_frequencies(result.extra, result.graph, 0.5), PLACES)
    steps = data["steps"]
    assert drawn_at(data, steps["choice"]) == {tuple(sorted(edge)) for edge in result.graph.edges()}
    assert stop_of(steps, 0.5) == steps["choice"]
    assert steps["series"][0]["label"] == "share that leaves"


def test_matrix_shows_and_offers_what_is_possible(run):
    """A cell to click for each pair above 0, whose hover tells the number."""
    posterior = run.extra.posterior()
    for feature in features_of(posterior).values():
        values = values_of(feature, posterior)
        figure, alt = figures.feature_matrix(feature, values, run.names)
        heat, targets = figure.data
        assert np.array_equal(np.nan_to_num(np.array(heat.z, dtype=float)), values)
        assert sorted(targets.customdata) == sorted(np.flatnonzero(values > 0).tolist())
        assert all("P = " in words for words in targets.text)
        assert alt.startswith("Matrix of P(")


def test_tables_are_sorted_and_keep_direction(run):
    """Symmetric features have one row a pair, arrows one a direction."""
    posterior = run.extra.posterior()
    for feature, pairs in ((EDGE, np.triu(posterior.adjacent)), (ARROW, posterior.directed)):
        table = tables.feature_table(feature, values_of(feature, posterior), run.names, None)
        assert len(table) == (pairs > 0).sum()
        assert table["P"].is_monotonic_decreasing
        assert (table["P"].to_numpy() == values_of(feature, posterior)[table["i"], table["j"]]).all()
    triples = tables.v_structure_table(posterior.v_structures, run.names, set())
    assert len(triples) == len(posterior.v_structures)
    told = tables.feature_table(BLANKET, posterior.blanket, run.names, posterior.blanket)
    assert (told["exactly"] == told["in truth"]).all()


def test_bar_shares_out_all_of_the_probability(run):
    """Kinds sum to 1, for a posterior and for resamples, which also know open edges."""
    posterior, frequencies = run.extra.posterior(), learn("bootstrap", FEW, base="rai", n_resamples=5).extra
    for evidence, kinds in ((posterior, ["->", "<-", "none"]), (frequencies, ["->", "<-", "-", "none"])):
        for i, j in ((0, 1), (2, 4), (7, 6)):
            shares = pair_shares(evidence, i, j)
            assert list(shares) == kinds
            assert sum(shares.values()) == pytest.approx(1.0)
            figure, alt = figures.pair_bar(shares, "a", "b")
            assert sum(bar.x[0] for bar in figure.data) == pytest.approx(1.0)
            assert "no edge" in alt


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0, "0"), (1.0, "1"), (1 + 1e-16, "1"), (0.25, "0.25"), (3e-9, "3e-9"), (1 - 2e-7, "1 − 2e-7")],
)
def test_probabilities_near_both_ends_can_be_read(value, words):
    """What lacks to 1 is told where it is little."""
    assert format_probability(value).replace("\u00a0", " ") == words


def test_counts_at_the_cap_are_said_to_be_more():
    """A plus in the chart, words in the text."""
    figure, alt = figures.classes_figure((100, 200), (500, 12), 500)
    assert list(figure.data[0].text) == ["500+", "12"]
    assert "100 rows: 500 or more, 200 rows: 12" in alt
