"""Tests of what-if: a parameter of the run on screen is swept, and the slider moves through its values."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest

from learners import learn
from learners.evaluation.held_out_likelihood import held_out_log_likelihood
from learners.graphs.equivalence_class import each_dag
from pages.blocks.inspect import replay_export, what_if
from pages.session import sweep_axes, sweeps
from tests.pages.driving import finish_run, go, open_app, plain, press, sound
from tests.viz.replay_page.opening import ReplayFile
from tests.viz.test_kinds import drawn

PARAMETER = "what_if_1"


def open_strip(name: str = "edge_penalty", **query: str):
    """Open Inspect with the first run and all values of a parameter."""
    at = go(open_app(**query), "inspect")
    at.selectbox(key=PARAMETER).select(name).run()
    assert at.session_state["sweep"].job.wait(60)
    return at.run()


def test_the_parameters_of_the_run_are_offered_and_none_is_swept_before_one_is_chosen():
    at = open_app("inspect")
    box = at.selectbox(key=PARAMETER)
    assert box.value is None
    assert "Penalty per edge" in box.options
    assert "sweep" not in at.session_state


@pytest.mark.deep
def test_every_value_is_there_and_is_that_of_a_run_by_itself():
    at = open_strip()
    strip = at.session_state["sweep"]
    run = at.session_state["runs"][0]
    assert None not in strip.graphs
    for value, graph in zip(strip.axis.values, strip.graphs, strict=True):
        params = {**run.result.params, "edge_penalty": value}
        assert graph == learn(run.result.method, run.dataset, **params).graph
    assert strip.graphs[strip.base] == run.result.graph
    assert [curve.name for curve in strip.curves()] == ["edges", "score", "shd", "held_out"]


@pytest.mark.deep
def test_graphs_that_predict_held_out_rows_have_not_seen_them():
    strip = open_strip().session_state["sweep"]
    train, aside = strip.parts
    assert train.n_rows + aside.n_rows == strip.run.dataset.n_rows
    params = dict(strip.run.result.params) | {"edge_penalty": strip.axis.values[-1]}
    graph = learn(strip.run.result.method, train, **params).graph
    assert strip.aside[-1] == pytest.approx(held_out_log_likelihood(graph, train, aside), rel=1e-12)


def test_the_step_on_screen_is_explained_at_its_value():
    at = open_strip()
    strip = at.session_state["sweep"]
    other = len(strip.graphs) - 1
    at.session_state["step"], at.session_state["why_asked"] = other, True
    gone = next(iter({*strip.graphs[strip.base].edges()} - {*strip.graphs[other].edges()}))
    at.session_state["pair"] = tuple(strip.run.result.names[k] for k in gone)
    at.run()
    assert not at.exception
    assert any(
        "At a different value" in caption.value and "Penalty per edge" in caption.value for caption in at.caption
    )
    assert strip.pages[other]


@pytest.mark.deep
@pytest.mark.parametrize("name", ["edge_penalty", "data columns"])
def test_the_values_are_in_the_replay_file(name, monkeypatch):
    """An open sweep is a second slider of the exported replay, with its graphs and the reasons of differences."""
    at = open_strip(name)
    strip, run = at.session_state["sweep"], at.session_state["runs"][0]
    monkeypatch.setattr("pages.session.sweeps.current", lambda _run: strip)
    places = np.zeros((run.dataset.p, 2))
    [(*_, make)] = replay_export.files(run, places, rare=False, include_data=False)
    packs = ReplayFile(make()).packs
    shown, texts = packs["page"]["views"][-1], strip.axis.texts
    assert shown["label"] == f"What if: {strip.axis.label}"
    assert shown["graph"]["steps"]["ticks"] == list(texts)
    for step, graph in enumerate(strip.graphs):
        assert np.array_equal(drawn(shown["graph"], step).skeleton, graph.skeleton)
    last = len(packs["page"]["views"]) - 1
    explained = {tuple(key) for *key, _ in packs["reasons-en"]}
    known = {k for k in strip.results if strip.results[k][0].names == run.result.names}
    assert {(view, step) for view, step, *_ in explained} == {
        (last, k) for k in known if strip.graphs[k] != run.result.graph
    }


@pytest.mark.deep
def test_other_data_are_walked_like_values():
    """The slider moves through runs without one column each; their explanations say that the column is not used."""
    at = open_strip("data columns")
    sound(at)
    strip = at.session_state["sweep"]
    run = strip.run
    assert strip.axis.texts[1:] == tuple(f"without {name}" for name in run.result.names)
    assert "score" not in [curve.name for curve in strip.curves()]  # tables with different columns have no best score
    kept = [k for k in range(run.dataset.p) if k != 3]
    alone = learn(run.result.method, run.dataset.select(kept), **run.result.params).graph
    assert (strip.graphs[4].amat[np.ix_(kept, kept)] == alone.amat).all()
    at.session_state["step"], at.session_state["why_asked"] = 4, True
    at.session_state["pair"] = tuple(run.result.names[k] for k in (3, 5))
    sound(at.run())
    assert any("not used here" in one.value for one in at.markdown)
    size = sum(1 for _ in each_dag(strip.graphs[4]))  # the number below the graph is that of the graph on screen
    counted = [one.value for one in at.caption if one.value.endswith("DAGs fit equally well.")]
    assert counted == [f"{size:,} DAGs fit equally well."]
    at.session_state["pair"] = tuple(run.result.names[k] for k in (4, 5))
    sound(at.run())


def test_groups_of_rows_are_left_out_of_the_column_that_is_chosen():
    at = open_strip("data groups")
    box = at.selectbox(key="what_if_column_1_data groups")
    box.select(box.options[1]).run()
    sound(at)
    strip = at.session_state["sweep"]
    assert strip.axis.label == f"Without a group of {box.options[1]}"


@pytest.mark.deep
def test_what_changed_is_led_back_to_its_first_cause():
    at = open_strip()
    strip = at.session_state["sweep"]
    at.session_state["step"] = len(strip.graphs) - 1
    sound(at.run())
    at.toggle(key="what_changed").set_value(True).run()
    sound(at)
    actual = [plain(one.value) for one in at.markdown]
    assert sum("The first difference between the two runs" in one for one in actual) == 1


@pytest.mark.deep
def test_two_parameters_at_once_and_a_square_that_becomes_the_run(monkeypatch):
    monkeypatch.setattr(sweep_axes, "MAX_VALUES_OF_TWO", 2)
    at = open_strip(sample="asia")
    at.selectbox(key="heat_second_1_edge_penalty").select("max_parents").run()
    heat = at.session_state["heat"]
    assert heat.strip.job.wait(120)
    sound(at.run())
    run, other = heat.strip.run, 1
    a, b = heat.first.values[0], heat.second.values[1]
    alone = learn(run.result.method, run.dataset, **{**run.result.params, "edge_penalty": a, "max_parents": b})
    assert heat.strip.graphs[other] == alone.graph
    at.selectbox(key=f"heat_a_1_{heat.strip.base}").select_index(0).run()
    at.selectbox(key=f"heat_b_1_{heat.strip.base}").select_index(1).run()
    sound(press(at, "heat_go"))
    (now,) = at.session_state["runs"]
    assert now.number == run.number
    assert now.result.graph == alone.graph
    assert (now.result.params["edge_penalty"], now.result.params["max_parents"]) == (a, b)
    sound(press(at, "live_undo"))
    assert at.session_state["runs"] == [run]


@pytest.mark.deep
def test_what_comes_while_the_page_is_drawn_is_drawn_too(monkeypatch):
    """Values that arrive after the drawing, but before the page checks for more, are drawn too."""
    draw, drawn, held = what_if.strip_view, [], Event()
    fill = sweeps._fill

    def held_back(strip, tick, running):
        held.wait(60)
        fill(strip, tick, running)

    def draw_and_wait(axis, graphs, *shown, **more):
        picture = draw(axis, graphs, *shown, **more)
        drawn.append(sum(graph is not None for graph in graphs))
        held.set()
        assert at.session_state["sweep"].job.wait(60)
        return picture

    monkeypatch.setattr(sweeps, "_fill", held_back)
    monkeypatch.setattr(what_if, "strip_view", draw_and_wait)
    at = open_app("inspect")
    sound(at.selectbox(key=PARAMETER).select("edge_penalty").run())
    assert drawn == [1, len(at.session_state["sweep"].graphs)]


@pytest.mark.deep
def test_the_strip_is_drawn_once_while_held_out_scores_arrive(monkeypatch):
    """The page is drawn once with all graphs, although a likelihood arrives during each drawing."""
    draw, drawn, held = what_if.strip_view, [], Event()

    def learn_and_wait(strip, tick, running):
        sweeps._learn(strip, tick, running)
        strip.learned.set()
        held.wait(120)

    def draw_while_one_comes(axis, graphs, *shown, **more):
        drawn.append(sum(graph is not None for graph in graphs))
        at.session_state["sweep"].aside[len(drawn)] = 0.0
        return draw(axis, graphs, *shown, **more)

    for name in ("SOON", "MAX_PAUSE"):
        monkeypatch.setattr(sweeps, name, 60.0)
    monkeypatch.setattr(sweeps, "_fill", learn_and_wait)
    monkeypatch.setattr(what_if, "strip_view", draw_while_one_comes)
    at = open_app("inspect")
    sound(at.selectbox(key=PARAMETER).select("edge_penalty").run())
    strip = at.session_state["sweep"]
    assert drawn == [len(strip.graphs)]
    assert not strip.is_due()
    strip.due = 0.0
    assert strip.is_due()
    held.set()


def test_back_to_the_run_ends_what_is_under_way(monkeypatch):
    held = []

    def slowly(_strip, tick, _running):
        held.append(tick)
        while tick("values", 0, 1):
            pass

    monkeypatch.setattr(sweeps, "_fill", slowly)
    at = open_app("inspect")
    at.selectbox(key=PARAMETER).select("edge_penalty").run()
    job = at.session_state["sweep"].job
    assert job.running
    press(at, "what_if_leave")
    assert "sweep" not in at.session_state
    assert job.wait(5)
    assert not at.exception
    assert at.selectbox(key=PARAMETER).value is None


def test_missing_values_after_a_cancel_are_reported(monkeypatch):
    monkeypatch.setattr(sweeps, "_fill", lambda *_: None)
    at = open_strip()
    assert any("Hatched values are missing" in caption.value for caption in at.caption), [c.value for c in at.caption]
    assert not at.exception


@pytest.mark.deep
@pytest.mark.parametrize("page", ["start", "compare"])
def test_another_page_shows_the_run_again(page):
    at = open_strip()
    at = go(at, page)
    assert not at.exception
    at = go(at, "inspect")
    assert not at.exception


@pytest.mark.deep
def test_another_run_closes_the_strip():
    at = open_strip()
    finish_run(press(go(at, "learn"), "learn_run"))
    at = go(at, "inspect")
    assert not at.exception
    assert "sweep" not in at.session_state
    at.selectbox(key="inspect_run").select_index(0).run()
    assert not at.exception
    assert at.selectbox(key=PARAMETER).value is None
