"""Tests with a table as a hospital exports it: one click per fix, one click to undo it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pages.session import state
from tests.pages.driving import (
    apply_fixes,
    edit,
    errors,
    go,
    learn_now,
    markup,
    open_app,
    plain,
    press,
    small_table,
    sound,
    upload,
)

CASES = Path(__file__).parents[1] / "learners" / "data" / "cases"

RNG = np.random.default_rng(3)
HEADER = "case;sex;age;temperature;admitted;cost;share;q1;q2;q3;score"


def hospital(n: int = 120, name: str = "admitted") -> bytes:
    """Return a CSV file with decimal commas, k.A., dates, currency, percent, spellings, and a score with its items."""
    rows = [HEADER.replace("admitted", name)]
    for k in range(n):
        day = np.datetime64("2021-03-05") + int(RNG.integers(0, 700))
        answers = RNG.integers(0, 5, 3)
        cost = f"{RNG.gamma(2, 900):,.2f}".translate(str.maketrans(",.", ".,"))
        rows.append(
            ";".join([
                f"P{k}", str(RNG.choice(["male", "Male ", "female", "FEMALE"])),
                "k.A." if k % 30 == 0 else str(RNG.integers(18, 90)), f"{RNG.normal(37, 0.7):.1f}".replace(".", ","),
                day.item().strftime("%d.%m.%Y"), f"{cost} €", f"{RNG.uniform(0, 100):.1f} %".replace(".", ","),
                *map(str, answers), str(answers.sum()),
            ])
        )  # fmt: skip
    return "\r\n".join(rows).encode("cp1252")


def plan(at):
    """Return the plan of the table in use."""
    return at.session_state["source"].plan


def fixes(at) -> dict[str, str]:
    """Return the labels of the suggested fixes, and the keys of their buttons."""
    return {plain(one.label): one.key for one in at.button if one.key and one.key.startswith("data_fix")}


def undo_of(label: str) -> str:
    """Return the label of the button that undoes a fix."""
    return f"Undo “{label[0].lower()}{label[1:]}”"


FIXES = {
    "Read 'age' as numbers, with 'k.A.' missing": lambda p: p.column("age").missing == ("", "k.A."),
    "Read both columns as numbers": lambda p: p.column("cost").kind == p.column("share").kind == "continuous",
    "Read 'cost' alone as numbers": lambda p: p.column("cost").kind != p.column("share").kind,
    "Convert 'admitted' to days since the first date": lambda p: p.column("admitted").treatment.part == "days",
    "Split 'admitted' into year, month and weekday": (lambda p: "admitted (month)" in [c.name for c in p.columns]),
    "Merge the spellings of each level": lambda p: p.column("sex").treatment.how == "spelling",
    "Leave out 'score'": lambda p: p.column("score").kind == "ignore",
}


@pytest.mark.deep
@pytest.mark.parametrize("label", FIXES)
def test_each_finding_is_one_click_and_undone_with_one(label):
    """Undo restores the complete previous plan."""
    at = sound(upload(open_app("data"), hospital(), "ward.csv"))
    before = plan(at)
    sound(press(at, fixes(at)[label]))
    assert FIXES[label](plan(at))
    assert label not in fixes(at)
    assert [plain(one.label) for one in at.button if one.key == "data_undo"] == [undo_of(label)]
    sound(press(at, "data_undo"))
    assert plan(at) == before
    assert label in fixes(at)
    assert "data_undo" not in [one.key for one in at.button]


def test_all_findings_taken_the_table_can_be_learnt_from():
    """Fixes lead click by click to a graph; each is reported with its counts and can be undone."""
    at = upload(open_app("data"), hospital(), "ward.csv")
    for label in FIXES:
        if label in fixes(at):
            press(at, fixes(at)[label])
    apply_fixes(sound(at))
    text = plain(" ".join(markup(at)))
    assert "cells of column 'sex' were changed to the most frequent spelling" in text
    assert "120 cells of column 'cost' were read as numbers with a decimal comma" in text
    assert "are missing, and stay empty" in text
    steps = len(at.session_state["source"].steps)
    sound(learn_now(at))
    go(at, "data")
    for _ in range(steps):
        press(at, "data_undo")
    assert all(column.treatment is None for column in plan(sound(at)).columns)


@pytest.mark.deep
def test_a_closer_look_chooses_how_cells_are_read():
    """Editing a column changes how its cells are read, and can restore the original."""
    at = upload(open_app("data"), hospital(), "ward.csv")
    names = [c.name for c in plan(at).columns]

    def reading():
        return next(one for one in at.selectbox if one.label == "Reading")

    next(one for one in at.selectbox if one.label == "Column").set_value(names.index("admitted")).run()
    assert reading().options[0] == "as they are"
    reading().select_index(1).run()
    assert plan(sound(at)).column("admitted").treatment.order == "dmy"
    reading().select_index(0).run()
    assert plan(sound(at)).column("admitted").treatment is None


@pytest.mark.deep
def test_hostile_names_are_shown_as_they_are():
    """Markup in a name is shown as text in finding, fix, undo and derived columns."""
    name = "<b>`day`</b> [x](http://a)"
    at = upload(open_app("data"), hospital(name=name), "ward.csv")
    press(sound(at), next(key for label, key in fixes(at).items() if label.startswith("Split ")))
    assert f"{name} (month)" in [c.name for c in plan(sound(at)).columns]
    assert not errors(at) or "one kind" in errors(at)[0]


def whys(at) -> dict[str, str]:
    """Return the reason for each column's type."""
    editor = next(one for one in at.data_editor if one.key.startswith("data_variables"))
    return dict(editor.value[["variable", "why"]].to_numpy())


@pytest.mark.deep
def test_why_follows_what_was_changed():
    """Cells newly marked as missing no longer count against a numeric type; a type set by the user is named as such."""
    at = upload(open_app("data"), hospital(), "ward.csv")
    assert "4 of 120 cells are not numeric" in whys(at)["age"]
    press(at, fixes(at)["Read 'age' as numbers, with 'k.A.' missing"])
    assert whys(sound(at))["age"].startswith("numbers, ")
    assert whys(at)["age"].endswith("; 'k.A.' (4 times) taken as missing")
    edit(at, "data_variables", rows={list(whys(at)).index("q1"): {"use as": "continuous"}})
    assert whys(sound(at))["q1"] == "set to continuous; only 5 different whole numbers"


@pytest.mark.deep
def test_a_date_that_suggested_fixes_leave_out_says_so():
    """The clinic's discharge is admission plus stay, so the fixes leave it out; the page counts its variables."""
    at = upload(open_app("data"), (CASES / "clinic2.csv").read_bytes())
    at = sound(press(at, "data_fix_all"))
    assert whys(at)["Discharged"].startswith("left out by a suggested fix: column 'Discharged' is the sum of")
    assert whys(at)["Admitted"].startswith("read as ")
    assert any(" 20 variables from 15 of 17 columns" in caption.value for caption in at.caption)


def captions(at) -> str:
    """Return all captions."""
    return plain(" ".join(one.value for one in at.caption))


@pytest.mark.deep
def test_runs_of_another_table_say_so_on_every_page():
    """Inspect, Learn and Compare name both tables, and link to learning from the current one."""
    at = upload(open_app("data"), small_table(), "mine.csv")
    sentence = "This run used Child (simulated); the table in use is mine.csv."
    assert sentence in warnings(go(at, "inspect"))
    assert sentence in captions(go(at, "learn"))
    learn_now(at)
    assert sentence not in warnings(go(at, "inspect"))
    both = go(at, "compare").multiselect(key="compare_moments")
    assert f"Run 1: {sentence}" in warnings(both.set_value(both.options).run())
    press(at, "compare_learn_from_this")
    assert at.title[0].value == "Learn a graph"


@pytest.mark.deep
def test_runs_before_a_change_of_the_table_say_so():
    """The same table under another plan counts as another table."""
    at = learn_now(upload(open_app("data"), small_table(), "mine.csv"))
    edit(go(at, "data"), "data_variables", rows={0: {"use as": "ignore"}})
    assert "This run used mine.csv before it was changed" in warnings(go(at, "inspect"))
    press(go(at, "data"), "data_undo")
    assert warnings(go(at, "inspect")) == ""


def warnings(at) -> str:
    """Return the warnings on screen."""
    return plain(" ".join(one.value for one in sound(at).warning))


def simulated(network: str, n: int, seed: int):
    """Simulate a table from a published network."""
    at = open_app("data")
    at = at.segmented_control(key="data_way").set_value("Simulate").run()
    at.selectbox(key="sim_network").set_value(network)
    at.number_input(key="sim_n_published").set_value(n)
    at.number_input(key="sim_seed_published").set_value(seed)
    return next(one for one in at.button if one.label == "Simulate rows").click().run()


def test_the_truth_outlives_columns_that_never_vary():
    """Constants and isolated variables are removed from the truth too, and results are still compared with it."""
    at = simulated("asia", 40, 1)
    apply_fixes(sound(at))
    here = at.session_state["source"]
    assert here.dataset.p < 8
    assert here.truth_over(here.dataset.names) is not None
    learn_now(at)
    assert at.session_state["runs"][-1].truth is not None


@pytest.mark.deep
def test_a_truth_that_is_gone_says_why_and_comes_back():
    """Excluding a cause removes the truth, with a message on Data and Inspect; Undo restores it."""
    at = simulated("asia", 400, 1)
    names = [c.name for c in plan(at).columns]
    edit(at, "data_variables", rows={names.index("smoke"): {"use as": "ignore"}})
    why = "Results are not compared with the true graph, in which column 'smoke' affects other variables"
    assert why in warnings(at)
    learn_now(at)
    assert why in plain(" ".join(one.value for one in go(at, "inspect").info))
    press(go(at, "data"), "data_undo")
    assert why not in warnings(at)


def test_half_filled_rows_of_knowledge_are_named_and_do_not_count():
    """Incomplete rows are named at the row and in the title of the expander; Run stays enabled."""
    at = go(upload(open_app("data"), small_table(), "mine.csv"), "learn")
    added = [{"from": "a", "to": "b", "rule": "required"}, {"from": "a", "rule": "forbidden"}, {}]
    edit(at, "learn_known_edges", added=added)
    assert "Row 2 is ignored until it has 'to'." in warnings(at)
    assert any("1 edge, 1 row unfinished" in plain(one.label) for one in at.expander)
    learn_now(at)
    assert at.session_state["runs"][-1].knowledge.forbidden == ()


@pytest.mark.deep
def test_the_run_that_makes_room_is_announced_and_can_be_kept(monkeypatch):
    """The replaced run is announced before and after; a pinned run stays, and another is replaced."""
    monkeypatch.setattr(state, "MAX_RUNS", 3)
    at = upload(open_app("data"), small_table(), "mine.csv")
    for _ in range(2):
        learn_now(at)
    first, second = (run.label for run in at.session_state["runs"][:2])
    assert f"The next run replaces {first}" in captions(go(at, "learn"))
    at.toggle(key="learn_keep_1").set_value(True).run()
    assert f"The next run replaces {second}" in captions(sound(at))
    learn_now(at)
    assert [run.number for run in at.session_state["runs"]] == [1, 3, 4]
    assert f"The newest run replaced {second}" in plain(go(at, "learn").info[0].value)
    press(at, "learn_remove_3")
    assert [run.number for run in at.session_state["runs"]] == [1, 4]
    assert at.session_state["current"] == 1
    assert "takes the place" not in captions(at)
