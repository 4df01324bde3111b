"""Tests of the tables of a session: the list in the sidebar, decisions that come back, and the table of an old run."""

from __future__ import annotations

import pytest

from pages.session.tables import MAX_TABLES
from tests.pages.driving import go, learn_now, open_app, plain, press, small_table, sound, table, upload
from tests.pages.test_variables import clinic


def messy(n=80):
    """Return a table with a fix to accept: a word for a missing value."""
    rows = [["ab"[k % 2], "unknown" if k % 9 == 0 else "cd"[k // 2 % 2], "ef"[k // 4 % 2]] for k in range(n)]
    return table(rows, ("x", "y", "z"))


def fixed():
    """Upload the messy table, and accept its fix."""
    at = upload(open_app("data"), messy(), "messy.csv")
    (fix,) = [one for one in at.button if plain(one.label).startswith("Treat 'unknown' as missing")]
    return sound(fix.click().run())


def of_sidebar(at, prefix):
    return [one for one in at.sidebar.button if (one.key or "").startswith(prefix)]


def named(at, prefix):
    """Return the labels of the buttons in the sidebar."""
    return [plain(one.label).strip("*") for one in of_sidebar(at, prefix)]


def use(at, name):
    """Click a table in the sidebar."""
    button = next(one for one in of_sidebar(at, "sidebar_table_") if name in plain(one.label))
    return sound(button.click().run())


def test_a_table_that_is_uploaded_again_brings_its_decisions_back():
    at = fixed()
    plan = at.session_state["source"].plan
    at = upload(at, small_table(), "other.csv")
    assert at.session_state["source"].steps == ()
    at = sound(upload(at, messy(), "again.csv"))
    here = at.session_state["source"]
    assert (here.title, here.plan) == ("again.csv", plan)
    assert any("1 earlier change applied again" in one.value for one in at.caption)
    at = sound(press(at, "data_reset"))
    assert at.session_state["source"].plan != plan
    at = sound(press(at, "data_undo"))
    assert at.session_state["source"].plan == plan


def test_changes_applied_again_are_counted_as_undo_counts_them():
    """The fixes of *Apply all suggested fixes* count one by one, beside the button and on it."""
    at = sound(press(upload(open_app("data"), clinic()), "data_fix_all"))
    n = int(plain(at.button(key="data_undo").label).split()[1])
    assert n > 1
    at = sound(upload(upload(at, small_table(), "other.csv"), clinic()))
    assert plain(at.button(key="data_undo").label) == f"Undo {n} fixes"
    assert any(f"{n} earlier changes applied again" in one.value for one in at.caption)


def test_another_table_with_the_same_name_starts_with_fresh_settings():
    at = fixed()
    at = sound(upload(at, messy(81), "messy.csv"))
    assert at.session_state["source"].steps == ()
    assert not any("applied again" in one.value for one in at.caption)


def test_the_sidebar_lists_tables_with_their_runs_and_opens_both_with_one_click():
    at = learn_now(fixed())
    at = learn_now(upload(go(at, "data"), small_table(), "other.csv"))
    assert named(at, "sidebar_table_") == ["Child (simulated)", "messy.csv"]
    runs = [label.split(".")[0] for label in named(at, "sidebar_run_")]
    assert runs == ["1", "2"]  # one of Child and one of messy.csv; the third run is on screen
    plan = at.session_state["runs"][1].source.plan
    at = use(at, "messy.csv")
    assert at.session_state["source"].title == "messy.csv"
    assert at.session_state["source"].plan == plan
    at = sound(at.sidebar.button(key="sidebar_run_1").click().run())
    assert at.session_state["runs"][at.session_state["current"]].number == 1
    assert "3" in [label.split(".")[0] for label in named(at, "sidebar_run_")]


@pytest.mark.deep
def test_an_old_run_offers_to_use_its_own_table():
    at = learn_now(fixed())
    at = upload(go(at, "data"), small_table(), "other.csv")
    at = sound(go(at, "inspect"))
    label = plain(at.button(key="inspect_use_its_table").label)
    assert label == "Use messy.csv"
    at = sound(press(at, "inspect_use_its_table"))
    assert at.session_state["source"].title == "messy.csv"
    assert "inspect_use_its_table" not in [one.key for one in at.button]


@pytest.mark.deep
def test_an_old_run_brings_back_the_settings_that_it_had():
    at = learn_now(fixed())
    before = at.session_state["source"].plan
    at = sound(press(go(at, "data"), "data_undo"))
    now = at.session_state["source"].plan
    at = sound(press(go(at, "inspect"), "inspect_use_its_table"))
    assert at.session_state["source"].plan == before
    at = sound(press(go(at, "data"), "data_undo"))
    assert at.session_state["source"].plan == now


@pytest.mark.deep
def test_a_session_keeps_few_tables_and_forgets_no_decision_and_no_run_first():
    """Tables without decisions and runs are forgotten first, the oldest first."""
    at = learn_now(upload(open_app("data"), small_table(n=79), "learned.csv"))
    at = sound(upload(go(at, "data"), messy(), "messy.csv"))
    (fix,) = [one for one in at.button if plain(one.label).startswith("Treat 'unknown' as missing")]
    at = sound(fix.click().run())
    plan = at.session_state["source"].plan
    for k in range(MAX_TABLES + 2):
        at = upload(at, small_table(n=80 + k), f"{k}.csv")
    listed = named(at, "sidebar_table_")
    assert len(listed) == MAX_TABLES - 1
    assert {"learned.csv", "messy.csv"} < set(listed)
    numbered = [name for name in listed if name[0].isdigit()]
    assert numbered == [f"{k}.csv" for k in range(MAX_TABLES + 1)][-len(numbered) :]
    at = sound(upload(at, messy(), "again.csv"))
    assert at.session_state["source"].plan == plan


def test_two_sessions_never_see_each_others_tables():
    fixed()
    other = sound(upload(open_app("data"), messy(), "mine.csv"))
    assert other.session_state["source"].steps == ()
    assert "messy.csv" not in " ".join(named(other, "sidebar_table_"))
