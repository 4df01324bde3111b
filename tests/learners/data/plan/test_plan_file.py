"""Tests of plan files: a plan survives a round trip, and an invalid file gives a clear error message."""

import json

import pytest

from learners import default_plan, prepare, read_plan, read_table, write_plan
from learners.common.errors import DataError, LearnersError
from learners.data.plan.binning import Binning
from learners.data.plan.plan_file import fitted

CSV = b"id,age,dose,ward,n\n" + b"".join(b"p%d,%d,%f,w%d,%d\n" % (k, 20 + k, 1.5**k, k % 3, k % 4) for k in range(40))


def changed():
    """Return a table, and a plan with one changed setting of each kind."""
    table = read_table(CSV)
    plan = default_plan(table).change("age", kind="categorical", binning=Binning("cuts", cuts=(30, 40.5)), tier=1)
    plan = plan.change("dose", normal_scores=True, missing=("", "1.5")).change("ward", min_level_count=5)
    return table, plan.with_policy("mode").with_weights("n").with_rows(2, 39)


def test_a_plan_comes_back():
    """Every setting survives; default settings are not stored."""
    table, plan = changed()
    text = write_plan(plan)
    assert read_plan(text.encode()) == plan
    stored = json.loads(write_plan(default_plan(table)))
    assert stored["columns"][2] == {"name": "dose", "kind": "continuous"}


def test_a_plan_is_read_from_a_path(tmp_path):
    """A plan file can be given by its path, as on the command line."""
    path = tmp_path / "plan.json"
    path.write_text(write_plan(changed()[1]), encoding="utf-8")
    assert read_plan(path) == changed()[1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda text: text[:-20], "a plan must be JSON, line"),
        (lambda text: "[" * 100_000, "a plan must be JSON"),  # noqa: ARG005
        (lambda text: "[]", "must say 'edgewise_plan': 1"),  # noqa: ARG005
        (lambda text: text.replace('"edgewise_plan": 1', '"edgewise_plan": 2'), "must say 'edgewise_plan': 1"),
        (lambda text: text.replace('"tier": 1', '"tier": NaN'), "finite numbers, found NaN"),
        (lambda text: text.replace('"tier": 1', '"tier": "x"'), "tier must be a whole number"),
        (lambda text: text.replace('"tier": 1', '"teir": 1'), "unknown setting 'teir'"),
        (lambda text: text.replace('"tier": 1', '"kind": "ignore"'), "found 'kind' again"),
        (lambda text: text.replace('"ward"', '"age"'), "each column once, found 'age' again"),
        (
            lambda text: text.replace('"normal_scores": true', '"normal_scores": 1'),
            "normal_scores must be true or false",
        ),
        (lambda text: text.replace('"weights": "n"', '"weights": "m"'), "unknown column 'm'"),
        (lambda text: text.replace('"weights": "n"', '"code": "x"'), "got 'code' too"),
        (
            lambda text: text.replace('"ward",', '"ward", "treatment": {},'),
            "must have 'how' of each treatment, found no",
        ),
        (lambda text: text.replace('"bins": 3', '"bins": 2147483647'), "bins must be at most 1,000, got 2147483647"),
    ],
)
def test_a_file_that_is_no_plan_is_refused(change, sentence):
    """An invalid plan file is refused with one sentence that gives the reason."""
    with pytest.raises(LearnersError, match=sentence):
        read_plan(change(write_plan(changed()[1])).encode())


def test_a_plan_is_fitted_to_the_next_table():
    """Used columns must exist; new columns are ignored with a note; ignored columns may be absent."""
    _, plan = changed()
    newer = read_table(CSV.replace(b"id,age", b"nr,age"))
    here, notes = fitted(plan, newer)
    assert notes == ("the plan says nothing of column 'nr', which is left out",)
    assert prepare(newer, here.with_weights("")).dataset.names == ("age", "dose", "ward", "n")
    with pytest.raises(DataError, match="the plan uses column 'ward', which the table lacks"):
        fitted(plan, read_table(CSV.replace(b",ward", b",station")))
    with pytest.raises(DataError, match="the plan uses column 'n', which the table lacks"):
        fitted(plan, read_table(CSV.replace(b",n\n", b",m\n", 1)))
