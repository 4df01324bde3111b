"""Tests of recipe, report and notebook, and of a recipe that is followed on a table."""

from __future__ import annotations

import json

import pytest
import streamlit
from nbformat import reads, validate

from learners.explaining.explanation import explanation
from learners.recipes.recipe import read_recipe
from tests.pages.driving import (
    edit,
    errors,
    finish_run,
    go,
    learn_now,
    open_app,
    plain,
    press,
    small_table,
    sound,
    table,
    unfold,
    upload,
)


@pytest.fixture
def made(monkeypatch):
    """Return a function that makes the file behind a download button, by the button's key."""
    known = {}
    real = streamlit.download_button

    def noting(label, data, name, mime=None, **options):
        known[options["key"]] = data
        return real(label, data, name, mime, **options)

    monkeypatch.setattr(streamlit, "download_button", noting)
    return lambda key: known[key]() if callable(known[key]) else known[key]


def linked_table(n=80):
    """Return three columns, of which the first two are nearly equal."""
    return table([["xy"[k % 2], "uv"[(k % 2) ^ (k % 9 == 0)], "st"[k // 2 % 2]] for k in range(n)])


def run_of(at):
    """Return the run on screen."""
    return at.session_state["runs"][at.session_state["current"]]


def open_recipe(at, text, name="recipe.json"):
    """Upload a recipe on the Data page."""
    data = text if isinstance(text, bytes) else text.encode()
    return sound(at.file_uploader(key="data_recipe_in").set_value((name, data, "application/json")).run())


def followed(at):
    """Run the recipe, open Inspect after the result, and return its sentence about the recipe."""
    at = go(finish_run(sound(press(at, "data_recipe_run"))), "inspect")
    boxes = [*sound(at).caption, *at.warning]
    return next(plain(one.value) for one in boxes if "followed a recipe" in one.value)


def test_a_recipe_is_followed_beside_its_table(made):
    """A second user with the same file and no changed settings gets the same result."""
    at = upload(open_app("data"), small_table(), "mine.csv")
    at = edit(at, "data_variables", rows={2: {"use as": "ignore"}})
    at = go(learn_now(at), "inspect")
    text = made("download_recipe_json")
    assert read_recipe(text.encode()).table.name == "mine.csv"
    other = open_recipe(upload(open_app("data"), small_table(), "yours.csv"), text)
    actual = followed(other)
    assert "This run followed a recipe. The result is the same: " in actual
    assert run_of(other).result.names == ("a", "b")
    assert made("download_recipe_json") == text.replace("mine.csv", "yours.csv")
    assert "settings of the recipe" in plain(go(other, "data").button(key="data_undo").label)


@pytest.mark.deep
def test_what_differs_is_said_on_the_page(made):
    """Another table gives another result, and the page names which of the two differs."""
    go(learn_now(upload(open_app("data"), linked_table())), "inspect")
    text = made("download_recipe_json")
    other = open_recipe(upload(open_app("data"), linked_table(60)), text)
    actual = followed(other)
    assert "The result differs: the graph is the same, of 1 edge, but not all strengths are." in actual
    assert "The table differs: 80 rows and 3 columns then, 60 rows and 3 columns now." in actual


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text[:-9], "A recipe must be JSON"),
        (lambda _: b"\xff\xfe\x00", "A recipe must be JSON in UTF-8"),
        (lambda text: text.replace('"pc"', '"<b>pc</b>"'), "Unknown learner '<b>pc</b>'"),
        (
            lambda text: text.replace('"alpha"', '"knowledge"'),
            "Unknown entry 'knowledge' in the parameters of the recipe",
        ),
    ],
    ids=["cut", "binary", "learner", "parameter"],
)
def test_what_is_no_recipe_is_refused_in_a_sentence(change, sentence, made):
    """An invalid recipe shows an error and starts no run."""
    at = go(learn_now(upload(open_app("data"), small_table())), "inspect")
    at = open_recipe(go(at, "data"), change(made("download_recipe_json")))
    assert any(sentence in one for one in errors(at))
    assert len(at.session_state["runs"]) == 2


@pytest.mark.deep
def test_a_recipe_that_does_not_fit_changes_nothing(made):
    """A recipe for other columns and one with parameters out of range are refused."""
    go(learn_now(upload(open_app("data"), small_table())), "inspect")
    text = made("download_recipe_json")
    other = open_recipe(upload(open_app("data"), small_table(("x", "b", "c"))), text)
    plan = other.session_state["source"].plan
    other = sound(press(other, "data_recipe_run"))
    assert any("The plan uses column 'a', which the table lacks" in one for one in errors(other))
    assert other.session_state["source"].plan == plan
    wrong = json.loads(text)
    wrong["parameters"]["alpha"] = 7
    other = open_recipe(upload(open_app("data"), small_table()), json.dumps(wrong), "wrong.json")
    other = go(finish_run(sound(press(other, "data_recipe_run"))), "learn")
    assert any("Alpha must be in (0, 1), got 7" in one for one in errors(other))


@pytest.mark.deep
def test_a_report_holds_what_was_chosen(made):
    """The report contains the selected explanations, the table's notes and the run's title; a click removes one."""
    rows = [["xy"[k % 2], "", "uv"[(k % 2) ^ (k % 5 == 0)]] for k in range(90)]
    at = unfold(go(learn_now(upload(open_app("data"), table(rows))), "inspect"))
    at.selectbox(key="why_x").set_value(0).run()
    at = sound(at.selectbox(key="why_y").set_value(1).run())
    run = run_of(at)
    headline = explanation(run.result, (0, 1), run.dataset).headline
    key = f"why_included_{run.number}_0_1"
    assert headline not in made("download_report_html")
    at = sound(at.toggle(key=key).set_value(True).run())
    for what in ("download_report_html", "download_report_md"):
        assert headline in plain(made(what))
    assert "ignored" in made("download_report_html")
    at = sound(at.toggle(key=key).set_value(False).run())
    assert headline not in made("download_report_html")


def test_a_notebook_is_valid(made):
    """Notebooks of a sample, of an upload and of simulated rows are valid."""
    at = open_app("inspect")
    sound(at)
    validate(reads(made("download_ipynb"), as_version=4))
