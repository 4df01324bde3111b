"""Strip of a sweep: it shows the graphs value by value and sends only differences."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from learners import LEARNERS, PDAG, learn, load_sample, sweep
from learners.explaining.support import directed_graph
from learners.sweeping import Curve, Judge, longest_plateau, plateaus
from viz.kinds import timeline
from viz.sweeping.strip import (
    Axis,
    changes_between,
    criteria_sentences,
    left_out_sentences,
    progress_sentence,
    strip_view,
    value_text,
)
from viz.weak_evidence import doubtful

ALPHA = next(one for one in LEARNERS["pc"].parameters if one.name == "alpha")
VALUES = tuple(np.geomspace(1e-5, 0.2, 12).tolist())


@pytest.fixture(scope="module")
def drawn():
    loaded = load_sample("asia")
    graphs = [one.graph for one in sweep("pc", loaded.dataset, "alpha", VALUES).results]
    curves = Judge(loaded.dataset, loaded.truth).curves(graphs)
    places = np.random.default_rng(0).random((8, 2))
    return graphs, curves, strip_view(Axis.of_parameter(ALPHA, VALUES), graphs, 3, loaded.dataset.names, places, curves)


def graph_of(data: dict, step: int, p: int) -> PDAG:
    """Return the graph that the picture draws at a step."""
    directed, undirected = [], []
    for edge in data["edges"]:
        for begin, end, mark in edge["spans"]:
            if begin <= step < end:
                pair = (edge["a"], edge["b"])
                {"forward": directed, "backward": directed, "undirected": undirected}[mark].append(
                    pair[::-1] if mark == "backward" else pair
                )
    return PDAG.from_edges(p, directed=directed, undirected=undirected)


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("key", ["pc", "ges", "brai", "cimap", "lmm"])
def test_heads_of_the_run_are_as_hollow_in_a_sweep_as_in_its_own_picture(key):
    """Moving to another value of a parameter makes no direction look surer than the run itself says it is."""
    loaded = load_sample("asia")
    result = learn(key, loaded.dataset)
    places = np.random.default_rng(0).random((loaded.dataset.p, 2))
    graph = directed_graph(result)
    data = strip_view(
        Axis.of_texts("rows", "Rows", ("all", "none")), [graph, None], 0, result.names, places, reference=result
    )
    marks = [
        {
            frozenset((edge["a"], edge["b"])): (edge["doubt"], str(edge["doubt_text"]))
            for edge in edges
            if "doubt" in edge
        }
        for edges in (data["edges"], timeline(result, places)["edges"])
    ]
    assert marks[0] == marks[1]
    assert len(marks[0]) == sum(doubtful(result, *arrow) for arrow in result.directions)


def test_every_step_draws_the_graph_of_its_value(drawn):
    graphs, _, data = drawn
    assert data["steps"]["count"] == len(graphs)
    for step, graph in enumerate(graphs):
        assert graph_of(data, step, 8) == graph


def test_spans_rise_and_touch_only_where_the_mark_changes(drawn):
    for edge in drawn[2]["edges"]:
        for (_, end, mark), (begin, _, after) in zip(edge["spans"], edge["spans"][1:], strict=False):
            assert end < begin or (end == begin and mark != after)


def test_the_most_robust_edges_come_first(drawn):
    lives = [sum(end - begin for begin, end, _ in edge["spans"]) for edge in drawn[2]["edges"]]
    assert lives == sorted(lives, reverse=True)


def test_bands_and_jumps_are_those_of_the_graphs(drawn):
    graphs, curves, data = drawn
    what_if, bands = data["steps"]["what_if"], plateaus(graphs)
    assert what_if["base"] == data["steps"]["choice"] == 3
    assert what_if["bands"] == [[band.first, band.last + 1] for band in bands]
    assert what_if["missing"] == []
    steps = {jump["label"]: jump["step"] for jump in what_if["jumps"]}
    score = next(curve for curve in curves if curve.name == "score")
    assert steps == {
        "Longest plateau": longest_plateau(bands[1:-1], VALUES).middle,
        "Best score": int(np.nanargmax(score.values)),
    }


def test_curves_have_gaps_where_nothing_is_known(drawn):
    _, curves, data = drawn
    for curve, series in zip(curves, data["steps"]["series"], strict=True):
        for value, shown in zip(curve.values.tolist(), series["values"], strict=True):
            assert shown is None if math.isnan(value) else shown == pytest.approx(value, rel=1e-5)


def test_values_that_are_missing_are_reported_and_draw_nothing():
    graphs = [None, PDAG.from_edges(2, undirected=[(0, 1)]), None]
    data = strip_view(Axis.of_parameter(ALPHA, (0.1, 0.2, 0.3)), graphs, 1, ("a", "b"), np.zeros((2, 2)))
    assert data["steps"]["what_if"]["missing"] == [[0, 1], [2, 3]]
    assert [edge["spans"] for edge in data["edges"]] == [[[1, 2, "undirected"]]]
    assert progress_sentence(graphs) == "1 of 3 runs done"


def test_edges_of_a_column_that_a_table_lacks_are_no_change():
    """A column takes its edges with it; only changes among the other variables are counted and named."""
    chain, rest = PDAG.from_edges(3, directed=[(0, 1), (2, 1)]), PDAG.from_edges(3, undirected=[(0, 2)])
    axis = Axis.of_texts("columns", "Columns", ("all", "without b"), (None, 1))
    found = changes_between(axis, [chain, rest], 0, 1)
    assert (found.more, found.fewer) == (((0, 2),), ())
    assert [one for one in left_out_sentences(("a", "b", "c"), "b", found, 5) if "a — c" in one]
    data = strip_view(axis, [chain, rest], 0, ("a", "b", "c"), np.zeros((3, 2)))
    assert data["steps"]["what_if"]["left_out"] == [-1, 1]


@pytest.mark.compiled
def test_sixty_alphas_of_alarm_are_sent_in_less_than_a_megabyte():
    loaded = load_sample("alarm")
    values = tuple(np.geomspace(1e-6, 0.5, 60).tolist())
    graphs = [one.graph for one in sweep("pc", loaded.dataset, "alpha", values).results]
    curves = Judge(loaded.dataset, loaded.truth).curves(graphs)
    data = strip_view(Axis.of_parameter(ALPHA, values), graphs, 0, loaded.dataset.names, np.zeros((37, 2)), curves)
    assert len(json.dumps(data)) < 200_000


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.05, "0.05"), (1e-06, "1e-6"), (3, "3"), (None, "no limit"), (True, "on"), (False, "off")],
)
def test_values_as_the_form_shows_them(value, text):
    assert value_text(ALPHA, value) == text


def test_a_value_found_by_itself_is_called_automatic():
    least = next(one for one in LEARNERS["mmhc"].parameters if one.name == "polish_gain")
    assert value_text(least, None) == "automatic"


def test_choices_by_their_names():
    for parameter in LEARNERS["pc"].parameters:
        for choice in parameter.choices:
            assert value_text(parameter, choice) == parameter.word(choice)


def test_criteria_that_disagree_are_named():
    """The sentence names the values that two criteria choose, and their difference with its standard error."""
    axis = Axis("alpha", "alpha", (0.01, 0.05), ("0.01", "0.05"))
    graphs = [PDAG.empty(2), PDAG.from_edges(2, undirected=[(0, 1)])]
    score = Curve("score", "", np.array([-3.0, -2.0]), "max")
    tied = Curve("held_out", "", np.array([-3.0, -2.96]), "max", np.array([0.05, 0.0]))
    assert criteria_sentences(axis, graphs, (score, tied)) == [
        "BIC chooses 0.05, held-out rows 0.01.",
        "Held-out rows do not distinguish 0.05 from 0.01: 0.04 ± 0.05 nats a row in favour of 0.05.",
    ]
    clear = Curve("held_out", "", np.array([-3.0, -2.9]), "max", np.array([0.05, 0.0]))
    same = "BIC and held-out rows choose the same graph, at 0.05."
    assert criteria_sentences(axis, graphs, (score, clear)) == [same]
    assert criteria_sentences(axis, graphs, (score,)) == []
    sparse = Curve("score", "", np.array([-2.0, -3.0]), "max")
    assert criteria_sentences(axis, graphs, (sparse, clear)) == [
        "BIC chooses 0.01, held-out rows 0.05.",
        "Held-out rows favour 0.05 over 0.01 by 0.1 ± 0.05 nats a row.",
    ]
    equal = Curve("held_out", "", np.array([-2.0, -2.0]), "max", np.array([0.0, 0.0]))
    assert criteria_sentences(axis, graphs, (score, equal))[1:] == [
        "On held-out rows, 0.01 and 0.05 predict equally well."
    ]


def test_a_plateau_at_an_end_of_the_values_is_not_offered():
    """The widest band without a change may end only because the sweep does; the widest one within is offered."""
    arrow, line = PDAG.from_edges(2, directed=[(0, 1)]), PDAG.from_edges(2, undirected=[(0, 1)])
    graphs = [PDAG.empty(2)] * 4 + [line] * 2 + [arrow] * 3
    axis = Axis("alpha", "alpha", tuple(range(9)), tuple(map(str, range(9))))
    view = strip_view(axis, graphs, 0, ("a", "b"), np.zeros((2, 2)))
    assert [jump["step"] for jump in view["steps"]["what_if"]["jumps"]] == [4]
    two_bands = Axis("alpha", "alpha", axis.values[:6], axis.texts[:6])
    assert strip_view(two_bands, graphs[:6], 0, ("a", "b"), np.zeros((2, 2)))["steps"]["what_if"]["jumps"] == []
