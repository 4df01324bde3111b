"""Tests of the browser's note about a lost session, including invalid notes."""

from __future__ import annotations

import json

import pytest

from pages.session import lost_session
from tests.pages.driving import go, learn_now, open_app, press, small_table, sound, title, upload


@pytest.mark.parametrize(
    "note",
    [
        "",
        "null",
        "[]",
        "{}",
        "{",
        "3",
        '{"table": "a"}',
        '{"table": "a", "sample": "b", "runs": "many"}',
        "<script>",
        '{"table": "a", "sample": "b", "runs": 1e999}',
        "[" * 100_000,
    ],  # fmt: skip
)
def test_a_note_that_is_none_is_passed_over(note):
    """An invalid note from the browser is ignored, because the browser is not trusted."""
    assert lost_session._parsed(note) is None


def note(at) -> str:
    """Return the note that the browser stores."""
    return next(one for one in at.text_input if one.key == lost_session.NOTE).value


def test_the_browser_notes_what_a_lost_session_would_lose():
    """A new session restores the first sample but neither an upload nor its runs, so only these are noted."""
    at = open_app("data")
    assert note(at) == ""
    upload(at, small_table(), "mine.csv")
    assert json.loads(note(at)) == {"table": "mine.csv", "sample": "", "runs": 0}
    learn_now(at)
    assert json.loads(note(go(at, "learn")))["runs"] == 1


def test_what_came_out_of_an_experiment_is_lost_too():
    """Results of an experiment are noted even with a restorable sample; an experiment without results is not."""
    at = open_app("experiments")
    for pieces, expected in ((None, ""), ({"a piece": None}, "lmm_gamma")):
        at.session_state[lost_session.EXPERIMENT] = ("lmm_gamma", pieces, "")
        actual = note(at.run() if pieces is None else go(at, "learn"))
        assert (json.loads(actual)["experiment"] if actual else "") == expected


@pytest.mark.parametrize(
    ("runs", "experiment", "expected"),
    [
        (0, "", "table <b>."),
        (1, "", "table <b> and 1 run."),
        (0, "lmm", "table <b> and results of lmm."),
        (2, "lmm", "table <b>, 2 runs and results of lmm."),
    ],
)
def test_what_was_lost_is_listed(runs, experiment, expected, monkeypatch):
    was = {"table": "<b>", "sample": "", "runs": runs, "experiment": experiment}
    monkeypatch.setattr(lost_session, "_parsed", lambda _note: was)
    assert expected in open_app().warning[0].value.replace("\\", "")


@pytest.mark.parametrize(("key", "page", "sample"), [("sample", "Learn a graph", "wine"), ("go_on", None, "child")])
def test_nothing_runs_until_the_reader_goes_on(key, page, sample, monkeypatch):
    """The page shows the message instead of its content; one click restores a sample."""
    monkeypatch.setattr(
        lost_session, "_parsed", lambda _note: {"table": "<b>Wine</b>", "sample": "wine", "runs": 2, "experiment": ""}
    )
    at = sound(open_app())
    assert title(at) == "The session was lost"
    assert "runs" not in at.session_state
    assert "<b>" not in at.warning[0].value
    assert "2 runs" in at.warning[0].value
    press(at, f"lost_{key}")
    at._page_hash = ""
    assert at.session_state["sample_key"] == sample
    assert title(at) != "The session was lost"
    assert page is None or title(at) == page
