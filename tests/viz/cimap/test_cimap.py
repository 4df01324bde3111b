"""Views of CImap: draggable thresholds, the line of false discoveries, power, and turns."""

from __future__ import annotations

import math

import numpy as np
import pytest

from learners import learn, load_sample
from learners.common.false_discovery import log_threshold
from learners.families.cimap.cuts import cuts_of
from learners.results.phases import Phase, Stage
from tests.viz.annotations import annotations_outside
from viz.cimap import figures, tables
from viz.cimap.timeline import cut_timeline
from viz.kinds import timeline
from viz.tables import edge_rows

LOADED = load_sample("asia")
PLACES = np.linspace(0, 1, 16).reshape(8, 2)


@pytest.mark.parametrize("preset", ["P-1", "MI2", "PN1"])
def test_each_step_draws_the_pairs_that_the_threshold_keeps(preset):
    """Step k of the slider is the skeleton without k pairs, and the threshold line leads to it."""
    result = learn("cimap", LOADED.dataset, preset=preset)
    cuts = cuts_of(result.extra, result.graph.skeleton)
    data = cut_timeline(result, cuts, PLACES, truth=LOADED.truth)
    steps = data["steps"]
    assert steps["count"] == len(cuts) + 1 == len(steps["text"])
    assert steps["choice"] == cuts.choice
    for step in range(steps["count"]):
        drawn = {(e["a"], e["b"]) for e in data["edges"] if e["spans"][0][0] <= step < e["spans"][0][1]}
        assert len(drawn) == cuts.graph(step, 8).n_edges == steps["series"][1]["values"][step]
        wrong = np.triu(cuts.graph(step, 8).skeleton != LOADED.truth.skeleton).sum()
        assert steps["series"][2]["values"][step] == wrong
    line, values = steps["threshold"], steps["series"][0]["values"]
    assert all(line["low"] <= value <= line["high"] for value in values[1:])


def test_family_is_cut_where_it_crosses_the_line():
    """The p-values up to the last one on or below the line are rejected, and the text counts them."""
    log_p = np.log([0.001, 0.2, 0.008, 0.03, 0.02])
    figure, alt = figures.family_figure(log_p, 0.05, "bh")
    rejected, others, line = figure.data
    assert len(rejected.x) == int((log_p <= log_threshold(log_p, 0.05, "bh")).sum()) == 4
    assert len(others.x) == 1
    assert 10 ** line.y[-1] == pytest.approx(0.05)
    assert "4 rejected" in alt
    assert set(rejected.marker.symbol) == {"circle"}
    tiny, _ = figures.family_figure(np.append(log_p, -1000.0), 0.05, "bh")  # a p below the axis is drawn at its end
    assert tiny.data[0].marker.symbol[0] == "triangle-down"
    assert tiny.data[0].y[0] == pytest.approx(math.log10(0.05 / 6) - 3)
    assert tiny.data[0].customdata[0] == "5.08e-435"
    _, nothing = figures.family_figure(np.log([0.9, 0.8]), 0.05, "by")
    assert "0 rejected, none" in nothing


def test_power_curve_crosses_what_is_asked_for_at_the_bound():
    """The power is at least 0.95 exactly up to the bound on the degrees of freedom."""
    result = learn("cimap", LOADED.dataset, preset="P-2")
    figure, alt = figures.power_figure(result.extra)
    dof, power = np.array(figure.data[0].x), np.array(figure.data[0].y)
    bound = result.extra.bound
    assert f"{bound:,}" in alt
    assert power[dof <= bound].min() >= 0.95 > power[dof > bound].max()


@pytest.mark.parametrize("cut", [1e-6, 0.5, 10, 200])
def test_label_of_the_cut_is_beside_its_line(cut):
    """The axis spans the information of the pairs and the cut, no more, whatever the cut."""
    figure, alt = figures.information_figure(np.array([0.2, 3.0, 30.0, 250.0]), cut, "least information")
    assert annotations_outside(figure) == []
    (label,), (line,) = figure.layout.annotations, figure.layout.shapes
    assert 10**label.y == pytest.approx(line.y0) == line.y1
    assert f"at or above {label.text}" in alt


def test_turns_are_reported_in_their_order():
    """The weakest node comes first, and the number of removed edges is that of the trace."""
    result = learn("cimap", LOADED.dataset)
    level = result.extra.levels[0]
    table = tables.turns_table(level, result.names, result.extra.information)
    assert table["σ of it"].is_monotonic_increasing
    fell = (table["what"] == "removed").sum()
    assert tables.fallen_by_node(level).sum() == fell
    events = [e for e in result.trace if e.phase == Phase(Stage.LEVEL, size=1) and e.action.name == "REMOVE"]
    assert fell == len(events)
    figure, alt = figures.visits_figure(level, result.names, tables.fallen_by_node(level))
    assert list(figure.data[0].y) == sorted(figure.data[0].y)
    assert f"{fell:,} edge" in alt


def test_edges_tell_their_information_with_limits():
    """In the picture and in the table, the value lies between its confidence limits."""
    result = learn("cimap", LOADED.dataset)
    table = edge_rows(result).table()
    value = table["mutual information in mbit"]
    assert ((table["95% from"] <= value) & (value <= table["to at most"])).all()
    assert all("(95% interval: " in edge["strength_text"] for edge in timeline(result, PLACES)["edges"])


def test_edges_that_no_test_asked_about_are_marked():
    """Only untested edges carry the mark."""
    data = load_sample("child").dataset.take(range(300))
    result = learn("cimap", data, preset="P-2", effect=0.15)
    marked = {(e["a"], e["b"]) for e in timeline(result, np.zeros((20, 2)))["edges"] if e["untested"]}
    assert marked
    assert all(result.extra.untested[pair] for pair in marked)
    assert not math.isnan(result.extra.information[next(iter(marked))])
