"""What if: a parameter of the run on screen is swept, and the graph walks its values."""

from __future__ import annotations

import pytest

from learners import learn
from pages.session import sweeping
from tests.pages.driving import finish_run, go, open_app, press

PARAMETER = "what_if_1"


def open_strip(name: str = "penalty"):
    """Inspect with the first run, all values of a parameter there."""
    at = go(open_app(), "inspect")
    at.selectbox(key=PARAMETER).select(name).run()
    assert at.session_state["sweep"].job.wait(60)
    return at.run()


def test_the_parameters_of_the_run_are_offered_and_none_is_swept_before_one_is_chosen():
    at = go(open_app(), "inspect")
    box = at.selectbox(key=PARAMETER)
    assert box.value is None
    assert "Penalty of BIC" in box.options
    assert "sweep" not in at.session_state


def test_every_value_is_there_and_is_that_of_a_run_by_itself():
    at = open_strip()
    strip = at.session_state["sweep"]
    run = at.session_state["runs"][0]
    assert None not in strip.graphs
    for value, graph in zip(strip.values, strip.graphs, strict=True):
        params = {**run.result.params, "penalty": value}
        assert graph == learn(run.result.method, run.dataset, **params).graph
    assert strip.graphs[strip.base] == run.result.graph
    assert [curve.name for curve in strip.curves()] == ["edges", "score", "shd", "held_out"]


def test_graphs_that_foretell_rows_kept_aside_have_not_seen_them():
    strip = open_strip().session_state["sweep"]
    train, aside = strip.parts
    assert train.n_rows + aside.n_rows == strip.run.dataset.n_rows
    params = dict(strip.run.result.params) | {"penalty": strip.values[-1]}
    assert strip.aside[-1] == learn(strip.run.result.method, train, **params).graph


def test_the_step_on_screen_is_explained_at_its_value():
    at = open_strip()
    strip = at.session_state["sweep"]
    other = len(strip.values) - 1
    at.session_state["step"], at.session_state["why_asked"] = other, True
    gone = next(iter({*strip.graphs[strip.base].edges()} - {*strip.graphs[other].edges()}))
    at.session_state["pair"] = tuple(strip.run.result.names[k] for k in gone)
    at.run()
    assert not at.exception
    assert any("At another value" in caption.value and "Penalty of BIC" in caption.value for caption in at.caption)
    assert strip.pages[other]


def test_back_to_the_run_ends_what_is_under_way(monkeypatch):
    held = []

    def slowly(_strip, tick):
        held.append(tick)
        while tick("values", 0, 1):
            pass

    monkeypatch.setattr(sweeping, "_fill", slowly)
    at = go(open_app(), "inspect")
    at.selectbox(key=PARAMETER).select("penalty").run()
    job = at.session_state["sweep"].job
    assert job.running
    press(at, "what_if_leave")
    assert "sweep" not in at.session_state
    assert job.wait(5)
    assert not at.exception
    assert at.selectbox(key=PARAMETER).value is None


def test_missing_values_after_a_cancel_are_told(monkeypatch):
    monkeypatch.setattr(sweeping, "_fill", lambda _strip, _tick: None)
    at = open_strip()
    assert any("Hatched values are missing" in caption.value for caption in at.caption), [c.value for c in at.caption]
    assert not at.exception


@pytest.mark.parametrize("page", ["start", "compare"])
def test_another_page_shows_the_run_again(page):
    at = open_strip()
    at = go(at, page)
    assert not at.exception
    at = go(at, "inspect")
    assert not at.exception


def test_another_run_closes_the_strip():
    at = open_strip()
    finish_run(press(go(at, "learn"), "learn_run"))
    at = go(at, "inspect")
    assert not at.exception
    assert "sweep" not in at.session_state
    at.selectbox(key="inspect_run").select_index(0).run()
    assert not at.exception
    assert at.selectbox(key=PARAMETER).value is None
