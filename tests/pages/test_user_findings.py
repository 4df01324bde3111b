"""Regression tests for problems that users found in the app."""

from __future__ import annotations

import pytest

from learners.registry import LEARNERS
from tests.pages.driving import edit, errors, go, learn_now, open_app, plain, press, small_table, sound, table, upload


def sidebar(at) -> str:
    """Return the text of the sidebar."""
    return " ".join(plain(one.value) for one in at.sidebar.markdown)


def headings(at) -> list[str]:
    """Return the second-level headings on screen."""
    return [plain(one.value) for one in at.subheader]


def labels(at, kind: str) -> list[str]:
    """Return the labels of all widgets of a type."""
    return [one.label for one in at.get(kind)]


def test_sidebar_names_a_table_as_soon_as_it_is_uploaded():
    """The sidebar does not need another click to show the name."""
    at = sound(upload(open_app("data"), small_table(), "mine.csv"))
    assert "mine.csv" in sidebar(at)


def test_refused_file_says_which_table_is_still_in_use():
    """The heading below the error names the table in use, not the refused file."""
    at = upload(open_app("data"), small_table(), "good.csv")
    assert headings(at)[0] == "In use: good.csv"
    wide = table([range(1_100)], [f"c{k}" for k in range(1_100)])
    at = sound(upload(at, wide, "wide.csv"))
    assert headings(at)[0] == "Still in use: good.csv"
    assert "Read the first 1,000 columns only" in errors(at)[0]
    assert "max_columns" not in errors(at)[0]
    assert "Maximum columns" in labels(at, "number_input")


def test_policy_for_missing_cells_is_asked_only_where_some_are_missing():
    """A complete table shows no question about missing cells."""
    at = upload(open_app("data"), small_table())
    assert "Missing cells" not in labels(at, "selectbox")
    rows = [["yes", "no", "no"], ["no", "", "yes"], ["no", "yes", "yes"]] * 20
    at = upload(at, table(rows), "gaps.csv")
    assert "Missing cells" in labels(at, "selectbox")


def test_simulated_table_is_in_use_at_once_without_how_it_was_read():
    """A simulated table shows no import options, and its columns can be edited."""
    at = open_app("data")
    at = at.segmented_control(key="data_way").set_value("Simulate").run()
    submit = next(one for one in at.button if one.label == "Simulate rows")
    at = sound(submit.click().run())
    assert "network" in sidebar(at)
    assert not any("column separator" in one.value for one in at.markdown)
    assert at.session_state["source"].dataset is not None


def test_what_is_known_stands_in_the_label_and_in_the_title_of_the_run():
    """The knowledge in a closed expander stays visible."""
    at = go(upload(open_app("data"), small_table()), "learn")
    at = edit(at, "learn_known_tiers", rows={0: {"tier": 0}, 1: {"tier": 1}})
    assert any("2 tiers" in one.label for one in at.expander)
    at = sound(learn_now(at))
    assert at.session_state["runs"][-1].title.endswith("background knowledge: 2 tiers)")


@pytest.mark.parametrize("family", ["constraint-based", "score-based"])
def test_estimate_promises_no_more_than_it_knows(family):
    """The estimate is a lower bound on the tests where the learner has tests, and only a rough time."""
    at = open_app("learn")
    key = next((k for k, one in LEARNERS.items() if one.family == family), None)
    if key is None:
        pytest.fail(f"no learner of the family {family}")
    if at.session_state["learner"] != key:
        at = press(at, f"learn_choose_{key}")
    actual = next(one.value for one in at.caption if " variables · " in one.value)
    assert ("at least 190 tests" in actual) == (family == "constraint-based")


def test_graph_in_words_names_variables_without_edges():
    """The text lists every variable."""
    rows = [["ab"[k % 2], "ab"[k % 2], "ab"[k // 2 % 2]] for k in range(80)]
    at = go(learn_now(upload(open_app("data"), table(rows, ("u", "v", "w")))), "inspect")
    assert any("No edges: w." in one.value for one in sound(at).text)
