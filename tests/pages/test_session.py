"""Tests of a session: its initial state, its saved state, and its isolation from other sessions."""

from __future__ import annotations

import pytest

from learners.io.samples import SAMPLES
from learners.registry import LEARNERS
from pages.session import shared_link, state
from tests.pages.driving import (
    PAGES,
    apply_fixes,
    errors,
    figure,
    finish_run,
    go,
    learn_now,
    markup,
    open_app,
    plain,
    press,
    small_table,
    sound,
    table,
    title,
    unfold,
    upload,
)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(page):
    """Every page opens for a new visitor, with the result of the first sample."""
    at = sound(open_app(page))
    assert not at.error


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_without_data_and_without_a_run(page, monkeypatch):
    """Without data or a run, as in a restored session that has neither, each page explains the next action."""
    monkeypatch.setattr(shared_link, "restore_session", lambda: True)
    at = sound(open_app(page))
    assert at.session_state["runs"] == []
    text = " ".join(markup(at))
    if page in ("start", "inspect"):
        assert "There is no run yet" in text
        assert [link.label for link in at.get("page_link")][0] == "Open Learn"
    if page == "learn":
        assert errors(at) == ["There is no table yet."]
        assert at.get("page_link")[0].label == "Open the Data page"
    assert text.count("none yet") == 2  # the sidebar: no data, no run


def test_first_visit_shows_a_finished_result():
    """Without a click, a sample is in use and its result is on screen with its truth."""
    at = open_app()
    run = at.session_state["runs"][0]
    assert run.result.complete
    assert run.truth is not None
    assert run.result.graph.n_edges > 0


@pytest.mark.gate_cases(2)
@pytest.mark.parametrize("key", SAMPLES)
def test_link_may_name_a_sample(key):
    """The address can open any bundled sample."""
    at = sound(open_app(sample=key))
    assert at.session_state["source"].title == SAMPLES[key].title


def test_link_with_an_unknown_sample_falls_back():
    """The first sample opens if the address names no sample."""
    at = sound(open_app(sample="<script>"))
    assert at.session_state["source"].title == SAMPLES[state.FIRST_SAMPLE].title


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("key", SAMPLES)
def test_sample_goes_all_the_way(key):
    """Start, Data, the required fixes, Learn, Run and Inspect show no error, and a result in the end."""
    at = sound(press(open_app(), f"start_sample_{key}"))
    assert title(at) == "Learn a graph"
    sound(learn_now(apply_fixes(sound(go(at, "data")))))
    run = at.session_state["runs"][-1]
    assert run.result.complete
    assert run.dataset.fingerprint == at.session_state["source"].dataset.fingerprint
    assert SAMPLES[key].title in run.title
    assert (run.truth is not None) == SAMPLES[key].truth
    assert figure(at, "edge")
    assert figure(at, "test")


def test_two_sessions_share_nothing_of_their_own():
    """Uploads, runs and choices of one visitor are not on the other's screen."""
    one, two = open_app("data"), open_app("data")
    upload(one, small_table(("secret_a", "secret_b", "secret_c")), "secret.csv")
    learn_now(one)
    for page in PAGES:
        assert "secret" not in plain(" ".join(markup(sound(go(two, page)))))
    assert len(two.session_state["runs"]) == 1
    assert "secret" not in plain(" ".join(markup(open_app("inspect"))))
    assert one.session_state["source"].title == "secret.csv"
    assert one.session_state["runs"][0].data is not two.session_state["runs"][0].data


@pytest.mark.deep
def test_cancelling_one_sessions_run_does_not_affect_others(slow_runs):
    """Cancelling the run of one session leaves the run of another session complete."""
    one, two = open_app("learn"), open_app("learn")
    press(one, "learn_run")
    press(two, "learn_run")
    press(one, "learn_cancel")
    finish_run(one)
    assert two.session_state["job"].running
    slow_runs()
    finish_run(two)
    assert not one.session_state["runs"][-1].result.complete
    assert two.session_state["runs"][-1].result.complete


@pytest.mark.deep
def test_visit_to_other_pages_changes_nothing():
    """After visits to all pages, data, runs, the selected pair, the view and the settings are unchanged."""
    at = learn_now(upload(open_app("data"), small_table()))
    unfold(at).selectbox(key="why_x").set_value(0).run()
    at.selectbox(key="why_y").set_value(2).run()
    at.segmented_control(key="inspect_view").set_value("Table").run()
    go(at, "learn")
    at.number_input(key="learn_pc_alpha").set_value(0.01).run()
    for page in PAGES:
        sound(go(at, page))
    assert at.session_state["source"].title == "mine.csv"
    assert at.session_state["pair"] == ("a", "c")
    assert go(at, "learn").number_input(key="learn_pc_alpha").value == 0.01
    go(at, "inspect")
    assert (at.selectbox(key="why_x").value, at.selectbox(key="why_y").value) == (0, 2)
    assert at.segmented_control(key="inspect_view").value == "Table"
    assert any("is in the graph" in text or "no edge" in text for text in map(plain, markup(at)))


def test_positions_are_shared_by_all_runs_on_the_same_data():
    """No node moves when another run is shown."""
    at = open_app("inspect")
    before = {k: v.copy() for k, v in at.session_state["places"].items() for v in [v["layered"]]}
    go(at, "learn")
    at.number_input(key="learn_pc_alpha").set_value(0.001).run()
    learn_now(at)
    after = {k: v["layered"] for k, v in at.session_state["places"].items()}
    assert after.keys() == before.keys()
    assert all((after[k] == before[k]).all() for k in before)


@pytest.mark.deep
def test_only_the_latest_runs_are_kept(monkeypatch):
    """New runs replace the oldest, and the newest is on screen."""
    monkeypatch.setattr(state, "MAX_RUNS", 3)
    at = upload(open_app("data"), small_table())
    for _ in range(4):
        learn_now(at)
    assert [run.number for run in at.session_state["runs"]] == [3, 4, 5]
    assert at.session_state["current"] == 2
    sound(go(at, "learn"))


def test_sidebar_shows_data_and_run():
    """The sidebar shows title, size and type of the data, and the run on screen; it marks a table with blockers."""
    at = learn_now(upload(open_app("data"), small_table()))
    texts = [plain(one.value) for one in at.sidebar.markdown]
    assert "**mine.csv**" in texts
    assert "80 rows, 3 variables, categorical" in texts
    assert any(text.startswith(f"2. {LEARNERS['pc'].label} on mine.csv (alpha 0.05") for text in texts)
    upload(go(at, "data"), table([[k % 2] for k in range(40)], ["a"]), "narrow.csv")
    assert "Fix the problems on the Data page." in [one.value for one in at.sidebar.markdown]


def test_sidebar_shows_a_current_run_on_other_pages(slow_runs):
    """One line is shown during the run; after it, the line disappears and the result is listed."""
    at = press(open_app("learn"), "learn_run")
    go(at, "learn_more")
    assert any("A run is in progress" in one.value for one in at.sidebar.info)
    slow_runs()
    finish_run(at)
    assert not at.sidebar.info
    assert len(at.session_state["runs"]) == 2
