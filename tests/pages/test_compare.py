"""Tests of Compare: several learners in one click, pinned moments, other variables, the description of each run."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from learners import causes, learn, load_sample, recommend
from learners.common.errors import DataError
from pages.blocks.compare import report
from pages.blocks.compare.pair_reasons import differences
from pages.session.jobs import runner
from tests.pages.driving import finish_run, go, learn_now, open_app, plain, press, small_table, sound, upload
from viz.report.side_by_side import ComparedRuns, html_comparison


def words(at):
    return " ".join(plain(one.value) for one in (*at.caption, *at.markdown, *at.info))


def finish_all(at):
    """Wait for every requested run."""
    while at.session_state["job"] is not None:
        at = finish_run(at)
    return at


@pytest.fixture
def two_runs():
    """Open Compare after PC and hill climbing on the first sample, with held-out rows."""
    at = open_app("compare")
    assert "A comparison needs two graphs" in words(at)
    at.multiselect(key="compare_learners").set_value(["pc", "hc"]).run()
    at.slider(key="compare_aside").set_value(20).run()
    return sound(finish_all(press(at, "compare_run")))


def table(at, column):
    """Return the table on screen with this column."""
    return next(one.value for one in at.dataframe if column in one.value.columns)


def test_learners_run_one_after_the_other_and_are_compared(two_runs):
    """Both learners run on four fifths of the rows, and their graphs are selected for the picture."""
    runs = two_runs.session_state["runs"]
    assert [run.result.method for run in runs] == ["ges", "pc", "hc"]
    assert {run.dataset.n for run in runs[1:]} == {4_000}
    assert {run.aside.n for run in runs[1:]} == {1_000}
    assert [label.split(".")[0] for label in two_runs.session_state["compare_moments"]] == ["2", "3"]


def test_measures_use_the_truth_and_held_out_rows(two_runs):
    """The table shows distances from the known truth, scores on training and held-out rows, time and effort."""
    numbers = table(two_runs, "SHD").set_index("graph")
    assert list(numbers.index) == ["A", "B"]
    for column in ("precision", "recall", "distance from perfect", "BIC", "held-out BIC", "held-out BDeu", "seconds"):
        assert numbers[column].notna().all(), column
    assert numbers.loc["B", "held-out BIC"] > numbers.loc["A", "held-out BIC"] - 5
    edges = table(two_runs, "verdict")
    assert {"A", "B", "truth", "graphs with it"} <= set(edges.columns)


def test_a_graph_of_another_table_is_not_chosen_by_itself():
    """Only graphs of the current table are selected by default, and a graph that the user removed stays out."""
    at = upload(open_app("data"), small_table())
    at = sound(go(learn_now(at), "compare"))
    assert [label.split(".")[0] for label in at.session_state["compare_moments"]] == ["2"]
    assert "There is no other graph of these variables" in words(at)
    at = sound(go(learn_now(go(at, "learn")), "compare"))
    assert [label.split(".")[0] for label in at.session_state["compare_moments"]] == ["2", "3"]
    labels = at.session_state["compare_moments"]
    at = sound(at.multiselect(key="compare_moments").set_value(labels[:1]).run())
    assert "Choose at least two" in words(at)
    assert at.session_state["compare_moments"] == labels[:1]


def test_a_pinned_moment_can_be_compared():
    """The graph on screen is pinned, and can be compared with the run's result."""
    at = press(open_app("inspect"), "inspect_pin")
    assert len(at.session_state["pins"]) == 1
    at = sound(go(at, "compare"))
    assert "pin 1 of run 1" in words(at)
    edges = table(at, "verdict")
    assert set(edges["verdict"]) == {"equal"}


def test_runs_on_other_variables_are_compared_where_they_overlap():
    """Only the shared variables are compared, and the page lists them."""
    at = learn_now(upload(open_app("data"), small_table(("Age", "b", "Sick"))))
    assert "The comparison covers the 2 variables that all graphs share" in words(sound(go(at, "compare")))


def test_runs_without_a_shared_variable_cannot_be_compared():
    """A message replaces the empty picture."""
    at = learn_now(upload(open_app("data"), small_table(("x", "y", "z"))))
    both = go(at, "compare").multiselect(key="compare_moments")
    at = sound(both.set_value(both.options).run())
    assert any("share fewer than two variables" in one.value for one in at.warning)


def test_a_learner_that_cannot_run_does_not_stop_the_others(monkeypatch):
    """The error message is shown, and the next learner runs."""
    real = runner.learn

    def failing(key, *args, **kwargs):
        if key == "pc":
            raise DataError("no rows are left")
        return real(key, *args, **kwargs)

    at = open_app("compare")
    monkeypatch.setattr(runner, "learn", failing)
    at.multiselect(key="compare_learners").set_value(["pc", "hc"]).run()
    at = finish_all(press(at, "compare_run"))
    assert any("no rows are left" in plain(one.value).lower() for one in at.error)
    assert at.session_state["runs"][-1].result.method == "hc"


def test_the_reason_of_a_difference_names_each_run_with_its_own_setting():
    """The reason names both alphas of two runs of PC if the p-value of the pair lies between them."""
    data = load_sample("asia").dataset
    results = [learn("pc", data, alpha=alpha) for alpha in (1e-6, 0.2)]
    pair = next(pair for pair, chain in causes(*results).items() if len(chain) == 1)
    first, second = (SimpleNamespace(run=SimpleNamespace(result=result)) for result in results)
    ((label, reason),) = differences({"A": first, "B": second}, tuple(data.names[k] for k in pair))
    assert label == "Why A and B differ"
    assert "1e-6 (A)" in reason
    assert "0.2 (B)" in reason


def test_the_comparison_is_a_report_with_what_is_on_screen(two_runs, monkeypatch):
    made: list[ComparedRuns] = []
    monkeypatch.setattr(report, "ComparedRuns", lambda **fields: made.append(ComparedRuns(**fields)) or made[-1])
    runs = two_runs.session_state["runs"][1:]
    two_runs.session_state["pair"] = runs[0].result.names[:2]
    sound(two_runs.run())
    page = html_comparison(made[-1])
    assert [one.result for one in made[-1].subjects.values()] == [run.result for run in runs]
    assert made[-1].numbers.equals(table(two_runs, "SHD").set_index("graph", drop=True).rename_axis(None))
    assert all(fields in words(two_runs) for _, fields in made[-1].reasons)
    assert page.count("<svg") == 2


def test_the_learners_that_learn_recommends_are_chosen_for_each_table():
    """Compare selects the learners at the top of the list on Learn; another table has others."""
    at = open_app("compare")
    for data in (None, small_table(n=120)):
        if data is not None:
            at = sound(go(upload(go(at, "data"), data, "other.csv"), "compare"))
        best = runner.best_learners(recommend(at.session_state["source"].dataset))
        assert at.multiselect(key="compare_learners").value == best
        at = sound(go(at, "learn"))
        listed = [one.key for one in at.button if (one.key or "").startswith("learn_best_")]
        assert [key.removeprefix("learn_best_") for key in listed[: len(best)]] == best
        at = sound(go(at, "compare"))
