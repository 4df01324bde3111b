"""Tests that changes of the run on screen are applied at once and in place, undone and redone."""

from __future__ import annotations

import pytest

from learners import learn
from learners.graphs.knowledge import Knowledge
from pages.session import background_knowledge, revisions
from tests.pages.driving import AppTest, errors, finish_run, go, open_app, press, sound


@pytest.fixture
def at() -> AppTest:
    """Open Inspect with a quick run of PC on asia."""
    at = go(open_app(sample="asia"), "learn")
    at.session_state["learner"] = "pc"
    return sound(go(finish_run(press(at.run(), "learn_run")), "inspect"))


def run_of(at: AppTest):
    return at.session_state["runs"][at.session_state["current"]]


def set_alpha(at: AppTest, value: float) -> AppTest:
    (box,) = (one for one in at.number_input if one.key.startswith("live") and one.key.endswith("_pc_alpha"))
    return sound(box.set_value(value).run())


def test_a_change_in_the_form_is_done_at_once_and_undone_and_done_again(at):
    first, n_runs = run_of(at), len(at.session_state["runs"])
    assert "live_undo" not in {one.key for one in at.button}
    set_alpha(at, 0.3)
    changed = run_of(at)
    assert len(at.session_state["runs"]) == n_runs
    assert changed.number == first.number
    assert changed.result.graph == learn("pc", first.dataset, **{**first.result.params, "alpha": 0.3}).graph
    assert "0.3" in changed.title
    set_alpha(at, 0.001)
    assert run_of(at).result.params["alpha"] == 0.001
    sound(press(at, "live_undo"))
    assert run_of(at) is changed
    sound(press(at, "live_undo"))
    assert run_of(at) is first
    assert at.button(key="live_undo").disabled
    sound(press(at, "live_redo"))
    assert run_of(at) is changed
    (box,) = (one for one in at.number_input if one.key.startswith("live") and one.key.endswith("_pc_alpha"))
    assert box.value == 0.3
    set_alpha(at, 0.02)
    assert at.button(key="live_redo").disabled


def test_the_difference_is_drawn_against_the_run_before(at):
    set_alpha(at, 0.3)
    run = run_of(at)
    assert at.session_state["temporary_mode"] == (run.number, "changes")
    one = at.session_state["histories"][run.number]
    assert one.labels == ["the original run", "Significance level 0.3"]
    assert [each.result.params["alpha"] for each in one.states][1] == 0.3


def test_what_is_said_of_an_edge_is_done_at_once_and_taken_back_by_undo(at):
    first = run_of(at)
    names = first.result.names
    i, j = first.result.graph.edges()[0]
    at.session_state["pair"] = (names[i], names[j])
    sound(at.run())
    sound(press(at, "know_apart"))
    now = run_of(at)
    assert now.number == first.number
    assert now.knowledge == Knowledge(forbidden=((names[i], names[j]), (names[j], names[i])))
    assert not now.result.graph.skeleton[i, j]
    sound(press(at, "live_undo"))
    assert run_of(at) is first
    assert not any(one.key == "know_back" for one in at.button)


def test_a_setting_that_cannot_be_is_refused_and_the_run_stays(at, monkeypatch):
    first = run_of(at)
    monkeypatch.setattr(revisions, "MAX_SECONDS", 0.0)
    monkeypatch.setattr(revisions.ownership, "begin", lambda _work: Never())
    set_alpha(at, 0.3)
    assert run_of(at) is first
    assert any("takes too long" in one for one in errors(at))
    (box,) = (one for one in at.number_input if one.key.startswith("live") and one.key.endswith("_pc_alpha"))
    assert box.value == first.result.params["alpha"]


class Never:
    """A job that does not end."""

    def wait(self, _seconds: float) -> bool:
        return False

    def cancel(self) -> None:
        """Return at once."""


def test_a_slow_run_has_no_live_form(at, monkeypatch):
    monkeypatch.setattr(revisions, "LIVE_SECONDS", 0.0)
    sound(at.run())
    assert not [one for one in at.number_input if one.key.startswith("live")]


def test_knowledge_is_restored_with_its_tiers(monkeypatch):
    kept: dict = {}
    monkeypatch.setattr(background_knowledge.st, "session_state", kept)
    then = Knowledge(required=(("a", "b"),), tiers={"a": 0, "b": 1})
    background_knowledge.restore(("a", "b", "c"), then)
    assert background_knowledge.knowledge(("a", "b", "c")) == then
    background_knowledge.restore(("a", "b", "c"), Knowledge())
    assert background_knowledge.knowledge(("a", "b", "c")) == Knowledge()


def test_a_change_of_an_outcome_is_one_change():
    """All arrows out of a variable make it an outcome; other changes are still listed."""
    names = ("a", "b", "c")
    nothing, outcome = Knowledge(), Knowledge(forbidden=(("c", "a"), ("c", "b"), ("a", "b")))
    assert revisions.knowledge_changed(nothing, outcome, names) == "c as outcome, a → b forbidden"
    assert revisions.knowledge_changed(outcome, nothing, names) == "c no longer an outcome, a → b no longer forbidden"
    one = Knowledge(forbidden=(("c", "a"),))
    assert revisions.knowledge_changed(nothing, one, names) == "c → a forbidden"
    assert revisions.knowledge_changed(one, outcome, names) == "c as outcome, a → b forbidden"
    assert revisions.knowledge_changed(nothing, Knowledge(forbidden=(("a", "b"),)), ("a", "b")) == "a → b forbidden"
