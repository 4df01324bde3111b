"""Tests of constraints on an edge: the Learn page, refused contradictions, and the repeated run."""

from __future__ import annotations

import pytest

from learners.graphs.knowledge import Knowledge
from pages.session import revisions
from tests.pages.driving import AppTest, errors, finish_run, go, open_app, plain, press, sound


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Open Inspect on the first directed edge of asia, with runs counted as too slow for an immediate repeat."""
    monkeypatch.setattr(revisions, "LIVE_SECONDS", 0.0)
    at = go(open_app(sample="asia"), "inspect")
    i, j = run_of(at).result.graph.directed_edges()[0]
    names = run_of(at).result.names
    at.session_state["pair"] = (names[i], names[j])
    return sound(at.run())


def run_of(at: AppTest):
    return at.session_state["runs"][at.session_state["current"]]


def buttons(at: AppTest) -> set[str]:
    return {one.key for one in at.button}


def test_a_forbidden_edge_is_gone_from_the_next_run(at: AppTest) -> None:
    """A forbidden edge is shown at the edge and on the Learn page, and is absent after one click repeats the run."""
    run = run_of(at)
    a, b = at.session_state["pair"]
    assert "know_run" not in buttons(at)
    sound(press(at, "know_apart"))
    assert f"Constraint: {a} → {b} is forbidden, {b} → {a} is forbidden." in {plain(one.value) for one in at.markdown}
    sound(finish_run(press(at, "know_run")))
    again = run_of(at)
    assert again.number == run.number + 1
    assert (again.result.method, again.result.params) == (run.result.method, run.result.params)
    assert again.knowledge == Knowledge(forbidden=((a, b), (b, a)))
    i, j = (run.result.names.index(name) for name in (a, b))
    assert not again.result.graph.skeleton[i, j]
    editor = next(one for one in go(at, "learn").data_editor if one.key.startswith("learn_known_edges"))
    assert editor.value.to_numpy().tolist() == [[a, b, "forbidden"], [b, a, "forbidden"]]


def test_a_contradiction_is_refused_in_a_sentence(at: AppTest) -> None:
    """The second of two contradictory constraints is refused; after the first is removed it is accepted."""
    a, b = at.session_state["pair"]
    sound(press(at, "know_along"))
    sound(press(at, "know_not_along"))
    assert errors(at) == [f"Not added: edge '{a}' -> '{b}' is both required and forbidden; keep one of the two."]
    sound(press(at, "know_against"))
    assert "must not form a cycle" in errors(at)[0]
    sound(press(at, "know_back"))
    assert "know_run" not in buttons(at)
    sound(press(at, "know_not_along"))
    assert errors(at) == []
    assert "know_run" in buttons(at)
