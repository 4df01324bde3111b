"""Start: a finished result, call-outs that can be put away, and ways on."""

from __future__ import annotations

import pytest

from learners import learn, load_network, sample
from learners.graphs.cpdag import cpdag
from pages.session import state
from tests.pages.driving import go, learn_now, open_app, press, small_table, sound, title, upload


def notes(at):
    """The call-outs on screen, by the number of their buttons."""
    return [one.key for one in at.button if one.label == "Dismiss"]


def test_callout_once_put_away_stays_away():
    """Across reruns and visits to other pages; the others stay."""
    at = open_app()
    assert len(notes(at)) == 3
    gone = at.main.markdown[2].value
    press(at, notes(at)[0])
    assert len(notes(at)) == 2
    at.run()
    go(go(at, "data"), "start")
    assert len(notes(at)) == 2
    press(at, notes(at)[0])
    press(at, notes(at)[0])
    assert notes(sound(at)) == []
    assert gone not in [one.value for one in at.main.markdown]


def test_callouts_of_a_new_run_are_shown():
    """What was put away was about another run."""
    at = open_app()
    press(at, notes(at)[0])
    learn_now(at)
    assert len(notes(go(at, "start"))) == 3


def test_callouts_put_away_in_one_session_are_there_in_another():
    """The first sample's result is shared, what a user does with it is not."""
    one, two = open_app(), open_app()
    press(one, notes(one)[0])
    assert len(notes(two.run())) == 3


def test_start_leads_to_the_upload():
    """One click to bring a table."""
    assert title(press(open_app(), "start_upload")) == "Data"


def test_start_shows_the_run_on_screen():
    """After a run of one's own that one, by name."""
    at = go(learn_now(upload(open_app("data"), small_table())), "start")
    assert any("mine\\.csv" in one.value for one in at.main.markdown)


def test_first_graph_is_right_and_warns_of_nothing():
    """Its distance from the truth is 0, no arrow is doubtful, and its own level 'None' is no finding."""
    at = open_app()
    run = at.session_state["runs"][0]
    assert run.truth == run.result.graph
    assert not any(told.support.is_doubtful for told in run.result.directions.values())
    assert [one for one in at.session_state["source"].findings if one.severity != "note"] == []


@pytest.mark.parametrize("seed", [7_301, 7_302, 7_303])
def test_first_learner_is_right_on_fresh_rows(seed):
    """Not on the bundled rows alone."""
    network = load_network(state.FIRST_SAMPLE)
    data = sample(network, 5_000, seed=seed)
    assert learn(state.FIRST_LEARNER, data).graph == cpdag(network.dag)
