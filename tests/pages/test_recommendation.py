"""Tests of the recommended learner on the Learn page, and of trying the best three on the table."""

from __future__ import annotations

import pytest

from learners import recommend
from learners.registry import LEARNERS
from pages.blocks import parameter_widgets
from tests.pages.driving import finish_run, go, open_app, plain, press, small_table, sound, upload


def small():
    """Open the app with a small table of three columns in use."""
    return go(upload(open_app("data"), small_table()), "learn")


def told(at):
    return [plain(one.value) for one in at.markdown]


def test_one_learner_is_recommended_for_each_goal_and_chosen_with_one_click():
    """The page shows the library's answer in its own words."""
    at = small()
    data = at.session_state["source"].dataset
    for goal in ("probabilities", "ranking", "graph"):
        at = sound(at.selectbox(key="learn_goal").set_value(goal).run())
        found = recommend(data, goal)
        shown = next(text for text in at.markdown if text.value.startswith("**Recommended:** "))
        assert LEARNERS[found.learner].label in shown.value
        assert plain(shown.help) == found.sentence
    press(at, "learn_take")
    assert at.session_state["learner"] == found.learner
    assert ":material/check_circle: chosen" in told(sound(at))


@pytest.mark.deep
def test_the_best_three_are_tried_with_one_click_and_compared():
    """Held-out scores, resamples and agreement are shown; the graphs become runs of the session, side by side."""
    at = press(small(), "learn_try")
    if at.session_state["trial_job"]:
        at.session_state["trial_job"].wait(120)
        at.run()
    of, found, _ = at.session_state["trial"]
    best = [one.key for one in recommend(of.dataset).choices[:3]]
    assert [one.key for one in found.tried] == best
    assert all(len(one.resamples) == 20 for one in found.tried)
    table = next(one.value for one in at.dataframe if "stability" in one.value)
    assert table["learner"].tolist() == [LEARNERS[key].label for key in best]
    before = len(at.session_state["runs"])
    press(at, "learn_show_tried")
    assert len(at.session_state["runs"]) == before + 3
    sound(at)


def test_a_try_can_be_cancelled(monkeypatch):
    """The page shows the completed part, or that there is none."""
    monkeypatch.setattr("pages.blocks.learn.recommendation.QUICK_SECONDS", 0.0)
    at = press(small(), "learn_try")
    if job := at.session_state["trial_job"]:
        job.cancel()
        job.wait(60)
        at.run()
    _, found, reason = at.session_state["trial"]
    assert found is not None or "cancelled" in reason or not reason
    sound(at)


def test_exact_sums_are_offered_where_they_fit():
    """For few columns, the form of order MCMC offers exact sums instead."""
    at = press(small(), "learn_choose_order_mcmc")
    assert any("gives these probabilities exactly" in one.value for one in at.info)
    press(at, "learn_exact")
    assert at.session_state["learner"] == "exact_posterior"
    sound(at)


def test_learn_with_defaults_runs_the_recommended_learner():
    """The Data page and the Learn page name one learner."""
    at = upload(open_app("data"), small_table())
    found = recommend(at.session_state["source"].dataset)
    at = sound(finish_run(press(at, "data_learn_now")))
    assert at.session_state["runs"][-1].result.method == found.learner
    at = sound(go(at, "learn"))
    shown = next(text for text in at.markdown if text.value.startswith("**Recommended:** "))
    assert LEARNERS[found.learner].label in shown.value


def test_every_condition_of_a_parameter_has_words():
    """A learner may have a score for each column type; the condition names the one with that choice."""
    for learner in LEARNERS.values():
        for parameter in learner.parameters:
            if parameter.only_if:
                assert ": " in parameter_widgets._condition(parameter, learner)
