"""Tests of the recommended learner on the Learn page, and of trying the best three on the table."""

from __future__ import annotations

import pytest

from learners import recommend
from learners.choosing import suited_test
from learners.registry import LEARNERS
from pages.blocks import parameter_widgets
from tests.pages.driving import finish_run, go, open_app, plain, press, small_table, sound, upload
from tests.polling import PATIENCE_SECONDS
from viz.text import as_sentence


def small():
    """Open the app with a small table of three columns in use."""
    return go(upload(open_app("data"), small_table()), "learn")


def bold(at):
    """Return the paragraphs as plain text."""
    return [plain(one.value).replace("*", "") for one in at.markdown]


def test_one_learner_is_recommended_for_each_goal_and_chosen_with_one_click():
    """The page shows the library's answer in its own words."""
    at = small()
    data = at.session_state["source"].dataset
    for goal in ("probabilities", "ranking", "graph"):
        at = sound(at.selectbox(key="learn_goal").set_value(goal).run())
        found = recommend(data, goal)
        shown = next(text for text in at.markdown if text.value.startswith("**Recommended:** "))
        assert LEARNERS[found.learner].label in shown.value
        assert (found.second is not None) == (goal == "graph") == ("Close second: " in shown.value)
        assert plain(shown.help) == found.sentence
    press(at, "learn_take")
    assert at.session_state["learner"] == found.learner
    assert at.button(key=f"learn_choose_{found.learner}").icon == ":material/check_circle:"
    assert "learn_take" not in [one.key for one in sound(at).button]


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("goal", ["graph", "ranking", "probabilities"])
def test_the_open_form_is_that_of_the_recommended_learner_until_another_is_chosen(goal):
    at = go(upload(open_app("data", learner=None), small_table()), "learn")
    at = sound(at.selectbox(key="learn_goal").set_value(goal).run())
    key = recommend(at.session_state["source"].dataset, goal).learner
    assert any(text.startswith(f"{LEARNERS[key].label}, {LEARNERS[key].family}") for text in bold(at))
    assert at.button(key=f"learn_choose_{key}").icon == ":material/check_circle:"
    at = press(at, "learn_choose_hc")
    at = sound(go(go(at, "data"), "learn"))
    assert any(text.startswith("Hill climbing, score-based") for text in bold(at))


def test_the_address_chooses_a_learner():
    at = open_app(learner=None)
    at.query_params["learner"] = "tabu"
    assert any(text.startswith("Tabu search, ") for text in bold(sound(go(at, "learn"))))
    at = press(at, "learn_choose_rai")
    assert at.query_params["learner"] == "rai"


def test_learners_are_searched_and_those_that_the_table_rules_out_say_why():
    at = go(press(open_app(), "start_sample_gauss30"), "learn")
    for key, learner in LEARNERS.items():
        refusal = learner.refusal(at.session_state["source"].dataset)
        button = at.button(key=f"learn_choose_{key}")
        assert not (refusal is None and button.disabled)
        assert refusal is None or plain(button.help).startswith(as_sentence(refusal))
    at = sound(at.text_input(key="learn_search").set_value("order mcmc").run())
    assert "learn_choose_order_mcmc" in [one.key for one in at.button]
    assert "learn_choose_hc" not in [one.key for one in at.button]
    at = sound(at.text_input(key="learn_search").set_value("qwertz").run())
    assert "No learner matches this search." in [one.value for one in at.caption]


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
    assert any(": exact probabilities" in one.value for one in at.info)
    press(at, "learn_exact")
    assert at.session_state["learner"] == "exact_posterior"
    sound(at)


def test_learn_with_defaults_runs_the_recommended_learner():
    """The button of the Data page runs the learner that the Learn page recommends."""
    at = upload(open_app("data"), small_table())
    found = recommend(at.session_state["source"].dataset)
    at = sound(finish_run(press(at, "data_learn_now")))
    assert at.session_state["runs"][-1].result.method == found.learner
    at = sound(go(at, "learn"))
    shown = next(text for text in at.markdown if text.value.startswith("**Recommended:** "))
    assert LEARNERS[found.learner].label in shown.value


def test_every_condition_of_a_parameter_has_words():
    """Each condition is a label and a value, also for learners with one score parameter per column type."""
    for learner in LEARNERS.values():
        for parameter in learner.parameters:
            if parameter.only_if:
                assert ": " in parameter_widgets._condition(parameter, learner)


def test_tests_are_compared_on_permuted_columns_on_demand(monkeypatch):
    """The page shows the library's reason and a row for each test; a learner without a choice of tests offers none."""
    monkeypatch.setattr(suited_test, "TESTS", {"categorical": suited_test.TESTS["categorical"][:3]})
    monkeypatch.setattr("pages.blocks.learn.suited_test.QUICK_SECONDS", PATIENCE_SECONDS)
    at = press(small(), "learn_choose_pc")
    at = press(at, "learn_compare_tests")
    of, found, _ = at.session_state["suited_test"]
    assert of == at.session_state["source"].dataset.fingerprint
    assert any(plain(text.value) == str(found.reason) for text in at.markdown)
    table = next(one.value for one in at.dataframe if "test" in one.value.columns)
    assert table["test"].tolist() == [one.label for one in found.tests]
    at = press(at, "learn_choose_hc")
    assert "learn_compare_tests" not in [one.key for one in sound(at).button]
