"""Tests of the variables table, suggested fixes, stored plans, and tables adapted to one learner."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from learners import default_plan, prepare, read_plan, read_table, write_plan
from learners.choosing.adaptation import adapted
from learners.data.plan.column_roles import SURVEY, USES, WEIGHTS
from learners.registry import LEARNERS
from pages.session.state import for_one_run
from tests.limited import limit
from tests.pages.driving import edit, errors, figure, finish_run, go, open_app, plain, press, sound, title, upload
from viz.translation.sentences import catalog


def clinic(n: int = 300) -> bytes:
    """Return a CSV file with semicolons, decimal commas, dates, patient IDs, and three codes for missing values."""
    rng = np.random.default_rng(0)
    lines = ["Patient;Aufnahme;Geschlecht;Alter;Station;CRP;Komplikation"]
    for k in range(n):
        crp = np.exp(rng.normal(1, 1))
        cells = [
            "mf"[rng.integers(2)],
            f"{rng.normal(60, 12):.1f}".replace(".", ","),
            "ABC"[rng.integers(3)],
            f"{crp:.2f}".replace(".", ","),
            ("ja", "nein")[int(rng.random() < 1 / (1 + crp / 2))],
        ]
        cells = [("k.A.", "", "-")[rng.integers(3)] if rng.random() < 0.12 else cell for cell in cells]
        lines.append(";".join([f"P{k:04d}", f"{1 + k % 28:02d}.{1 + k % 12:02d}.2023", *cells]))
    return "\n".join(lines).encode()


def shown(at):
    """Return the table of variables."""
    return next(one for one in at.data_editor if one.key and one.key.startswith("data_variables")).value


def test_a_range_of_rows_is_chosen_and_undone():
    at = sound(upload(open_app("data"), clinic()))
    (rows,) = [one for one in at.slider if one.key.startswith("data_rows")]
    assert rows.value == (1, 300)
    at = sound(rows.set_value((101, 250)).run())
    assert at.session_state["source"].dataset.n_rows == 150
    assert at.session_state["source"].steps[-1][0] == "rows 101 to 250"
    at = sound(press(at, "data_undo"))
    assert at.session_state["source"].plan.rows is None


@pytest.mark.deep
def test_a_messy_table_is_a_graph_two_clicks_after_the_upload():
    """Two clicks apply all fixes and learn; the page and the result describe the data in use."""
    at = sound(upload(open_app("data"), clinic()))
    at = sound(press(at, "data_fix_all"))
    here = at.session_state["source"]
    kinds = dict(zip(here.dataset.names, here.dataset.kinds, strict=True))
    assert kinds == {
        "Aufnahme": "continuous",
        "Geschlecht": "categorical",
        "Alter": "continuous",
        "Station": "categorical",
        "CRP": "continuous",
        "Komplikation": "categorical",
    }
    # Many rows have "-" beside "ja" and "nein", so it may be a value, and the user is asked.
    assert {level for own in here.dataset.levels for level in own} == {"m", "f", "A", "B", "C", "ja", "nein", "-"}
    assert "doubtful_missing" in [finding.code for finding in here.findings]
    cells = sum(int(here.dataset.is_there(j).sum()) for j in range(6))
    line = f"A run uses 300 rows and 6 of 7 columns; {1800 - cells} of 1,800 cells are missing. Left out: '"
    assert any(line in one.value for one in at.caption)
    at = sound(finish_run(press(at, "data_learn_now")))
    assert at.session_state["page"] == "inspect"
    assert figure(at, "row") == "300"
    result = at.session_state["runs"][-1].result
    assert (result.use.columns_of, result.use.cells) == (7, cells)
    pair = result.names.index("CRP"), result.names.index("Komplikation")
    assert pair[1] in result.graph.adjacent(pair[0])


@pytest.mark.parametrize(
    ("cell", "codes", "offered"),
    [
        (lambda k: ["xyz"[k % 3], ["male", "Male", "female"][k // 2 % 3], "k.A." if k < 3 else "uv"[k % 2]],
         {"spellings", "possible_missing"}, True),
        (lambda k: ["xyz"[k % 3], "pqr"[k % 3], "uvw"[2 if k < 3 else k % 2]], {"duplicate", "small_counts"}, False),
    ],
    ids=["two that lose nothing", "two that need a decision"],
)  # fmt: skip
def test_all_fixes_are_offered_at_once_if_two_need_no_decision(cell, codes, offered):
    text = "a,b,c\n" + "".join(",".join(cell(k)) + "\n" for k in range(60))
    at = sound(upload(open_app("data"), text.encode()))
    assert codes <= {one.code for one in at.session_state["source"].findings}
    assert ("data_fix_all" in [one.key for one in at.button]) == offered


def test_one_click_takes_all_proposals_back():
    """Undo restores the previous table completely."""
    at = upload(open_app("data"), clinic())
    before = at.session_state["source"].plan
    at = press(press(at, "data_fix_all"), "data_undo")
    assert at.session_state["source"].plan == before


def test_each_column_is_shown_as_what_it_becomes():
    """Each column shows its distribution, its use, and its share of missing cells."""
    at = press(upload(open_app("data"), clinic()), "data_fix_all")
    frame = shown(at).set_index("variable")
    assert frame.at["CRP", "use as"] == "normal scores"
    assert frame.at["Patient", "use as"] == "ignore"
    assert len(frame.at["Patient", "shape"]) == 0
    assert len(frame.at["Station", "shape"]) == 3
    assert 0.05 < frame.at["Alter", "missing"] < 0.25


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("use", [use for use in USES if use not in (WEIGHTS, SURVEY)])
def test_many_columns_are_changed_at_once(use):
    """Two selected columns are changed by one button."""
    text = "a,b,c\n" + "".join(f"{k % 13},{k * k % 17},{'xy'[k % 2]}\n" for k in range(90))
    at = upload(open_app("data"), text.encode())
    at = sound(edit(at, "data_variables", rows={0: {"pick": True}, 1: {"pick": True}}))
    assert "Use 2 columns as" in [one.value for one in at.markdown]
    at = sound(press(at, f"data_many_{use.replace(' ', '_')}"))
    assert shown(at)["use as"].tolist() == [use, use, "categorical"]
    assert not shown(at)["pick"].any()


def test_a_column_can_weigh_the_rows():
    """A weight column is no variable, and changing its use removes the weights."""
    text = "a,b,n\n" + "".join(f"{'xy'[k % 2]},{'uv'[k % 3 // 2]},{1 + k % 3}\n" for k in range(60))
    at = sound(edit(upload(open_app("data"), text.encode()), "data_variables", rows={2: {"use as": "row weights"}}))
    dataset = at.session_state["source"].dataset
    assert (dataset.names, dataset.n, dataset.n_rows) == (("a", "b"), 120, 60)
    at = edit(at, "data_variables", rows={2: {"use as": "categorical"}})
    assert at.session_state["source"].dataset.weights is None


def test_survey_weights_say_what_the_rows_are_worth():
    """The page shows the effective sample size; a learner of whole rows is offered the table without weights."""
    rng = np.random.default_rng(0)
    rows = zip(rng.integers(0, 2, 80), rng.integers(0, 3, 80), rng.uniform(0.2, 3.0, 80).round(2), strict=True)
    text = "a,b,w\n" + "".join(f"{'xy'[a]},{'uvt'[b]},{w}\n" for a, b, w in rows)
    at = sound(edit(upload(open_app("data"), text.encode()), "data_variables", rows={2: {"use as": "row weights"}}))
    here = at.session_state["source"]
    sentence = f"weighed to a sample size of {here.dataset.n}."
    assert here.dataset.n < here.dataset.n_rows == 80
    assert any("A run uses 80 rows and 2 of 3 columns" in one.value and sentence in one.value for one in at.caption)
    counting = replace(LEARNERS["cimap"], kinds=("categorical",))
    made = adapted(counting, here.table, here.plan)
    assert made.note == "for this run only, the row weights of column 'w' are ignored"
    assert prepare(here.table, made.plan).dataset.n == 80
    assert adapted(LEARNERS["pc"], here.table, here.plan) is None


def test_a_table_that_stays_unusable_is_not_prepared_for_a_learner():
    """The app offers no adapted table if a column would be constant after the rows with missing cells are removed."""
    cells = [("xy"[k % 2], "" if k % 3 else "uv"[k % 2], "pq"[k % 3 > 0]) for k in range(90)]
    at = upload(open_app("data"), ("a,b,c\n" + "".join(",".join(row) + "\n" for row in cells)).encode())
    here = at.session_state["source"]
    assert adapted(LEARNERS["cimap"], here.table, here.plan) is not None
    assert for_one_run(here, LEARNERS["cimap"]) is None


def give_plan(at, text):
    """Upload a plan on the page."""
    return at.file_uploader(key="data_plan_in").set_value(("plan.json", text.encode(), "application/json")).run()


def test_a_stored_plan_is_used_again():
    """A stored plan applies to the next table; a plan that does not fit shows its reason and changes nothing."""
    at = press(upload(open_app("data"), clinic()), "data_fix_all")
    plan = at.session_state["source"].plan
    again = sound(give_plan(upload(open_app("data"), clinic()), write_plan(plan)))
    assert again.session_state["source"].plan == plan
    refused = sound(give_plan(upload(open_app("data"), b"a,b\n1,2\n2,2\n1,3\n"), write_plan(plan)))
    assert errors(refused)[-1].startswith("The plan uses columns 'Aufnahme', 'Geschlecht'")
    assert refused.session_state["source"].steps == ()


def test_the_plan_to_take_home_is_that_on_screen():
    """The library reads the plan and makes the same data set."""
    at = press(upload(open_app("data"), clinic()), "data_fix_all")
    here = at.session_state["source"]
    assert read_plan(write_plan(here.plan).encode()) == here.plan
    assert default_plan(read_table(clinic())) != here.plan


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize(("key", "expected"), [("lmm", "are left out"), ("brai", "are cut into bins")])
def test_a_learner_of_one_column_type_gets_a_table_converted_for_it(key, expected, monkeypatch):
    """The cost of the adaptation is shown before and after; the table in use stays unchanged."""
    limit(monkeypatch, key, "continuous" if key == "lmm" else "categorical")
    at = go(press(open_app("start"), "start_sample_penguins"), "learn")
    before = at.session_state["source"]
    at = sound(press(at, f"learn_choose_{key}"))
    sentence = plain(next(one.value for one in at.info if "for this run only" in one.value.lower()))
    assert expected in sentence
    assert "are dropped because of missing values" in sentence
    at = sound(finish_run(press(at, "learn_run")))
    run = at.session_state["runs"][-1]
    assert at.session_state["source"] == before
    assert run.dataset.kind == LEARNERS[key].kinds[0]
    assert run.dataset.complete
    (prepared,) = [one for one in run.result.warnings if one.code == "prepared"]
    assert prepared in sentence[0].lower() + sentence[1:]
    german = prepared.written(catalog("de"))
    assert german.startswith("nur für diesen Lauf: Spalten ")
    assert "von 344 Zeilen entfallen wegen fehlender Werte" in german
    assert title(at) != "Data"
    assert not [one for one in at.warning if "before it was changed" in one.value]
