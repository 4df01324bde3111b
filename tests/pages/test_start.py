"""Tests of Start: a finished result, dismissible callouts, and links to the next page."""

from __future__ import annotations

import pytest

from learners import learn, load_network, sample
from learners.graphs.cpdag import cpdag
from pages.session import state
from tests.pages.driving import go, learn_now, open_app, press, small_table, sound, title, upload


def notes(at):
    """Return the callouts on screen, by the number of their buttons."""
    return [one.key for one in at.button if one.label == "Dismiss remark"]


def test_callout_once_put_away_stays_away():
    """A dismissed callout stays hidden across reruns and page changes; the others stay."""
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
    """A callout that was dismissed in one run does not hide the callouts of another."""
    at = open_app()
    press(at, notes(at)[0])
    learn_now(at)
    assert len(notes(go(at, "start"))) == 3


def test_callouts_put_away_in_one_session_are_there_in_another():
    """The first sample's result is shared between sessions, the user's choices are not."""
    one, two = open_app(), open_app()
    press(one, notes(one)[0])
    assert len(notes(two.run())) == 3


def test_start_leads_to_the_upload():
    """One click leads to the upload."""
    assert title(press(open_app(), "start_upload")) == "Data"


def test_start_shows_the_run_on_screen():
    """After a run of the user, Start shows that run by name."""
    at = go(learn_now(upload(open_app("data"), small_table())), "start")
    assert any("mine\\.csv" in one.value for one in at.main.markdown)


def test_first_graph_is_right_and_warns_of_nothing():
    """The first graph has SHD 0 and no doubtful arrow, and the level 'None' causes no finding."""
    at = open_app()
    run = at.session_state["runs"][0]
    assert run.truth == run.result.graph
    assert not any(direction.support.is_doubtful for direction in run.result.directions.values())
    assert [one for one in at.session_state["source"].findings if one.severity != "note"] == []


@pytest.mark.parametrize("seed", [7_301, 7_302, 7_303])
def test_first_learner_is_right_on_fresh_rows(seed):
    """The learner finds the true CPDAG on newly sampled rows, not only on the bundled ones."""
    network = load_network(state.FIRST_SAMPLE)
    data = sample(network, 5_000, seed=seed)
    assert learn(state.FIRST_LEARNER, data).graph == cpdag(network.dag)
