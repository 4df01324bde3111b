"""Texts among numbers and numbers that mean "no answer" are found, said, and mended with one fix."""

import numpy as np
import pytest

from learners.data.health import check_health
from learners.data.prepare import default_plan, prepare
from learners.data.tables import read_table

RNG = np.random.default_rng(7)
AGES = [str(age) for age in RNG.integers(18, 90, 60)]
INCOMES = [f"{income:.1f}" for income in RNG.normal(2000, 500, 60)]


def findings_of(code, **columns):
    """The findings with this code for a table of these columns, and the table."""
    rows = zip(*columns.values(), strict=True)
    text = "\n".join(["\t".join(columns), *("\t".join(row) for row in rows)])
    table = read_table(text.encode(), separator="\t")
    plan = default_plan(table)
    return [finding for finding in check_health(table, plan) if finding.code == code], table


def with_texts(texts, *odd):
    """The column with its first cells replaced."""
    return [*odd, *texts[len(odd) :]]


def test_marks_among_numbers_are_missing_in_all_columns_at_once():
    """One mark makes a column of numbers a text; one click reads all such columns as numbers."""
    ages, incomes = with_texts(AGES, "k.A.", "k.A."), with_texts(INCOMES, "?", "unknown")
    (finding,), table = findings_of("nearly_numbers", age=ages, income=incomes)
    assert finding.columns == ("age", "income")
    assert "'k.A.' and '?' and 'unknown'" in finding.reason.replace(", ", " and ")
    plan = finding.fixes[0].plan
    assert {column.kind for column in plan.columns} == {"continuous"}
    assert prepare(table, plan.with_policy("drop")).dataset.n == 58


@pytest.mark.parametrize("texts", [["a", "b", "c", "d", "e", "f"], ["1x"] * 30], ids=["many texts", "half are texts"])
def test_a_column_of_texts_is_left_in_peace(texts):
    """Many different texts, or too large a share of them, are levels."""
    assert findings_of("nearly_numbers", age=with_texts(AGES, *texts), other=INCOMES)[0] == []


def test_grades_with_a_text_stay_levels():
    """Few different numbers are levels anyway."""
    grades = with_texts([str(k % 5) for k in range(60)], "absent")
    assert findings_of("nearly_numbers", grade=grades, other=INCOMES)[0] == []


@pytest.mark.parametrize(
    ("column", "code"),
    [(AGES, "-9"), (AGES, "-99"), (AGES, "999"), (INCOMES, "9999"), (INCOMES, "-999.0")],
    ids=["-9", "-99", "999", "9999", "-999.0"],
)
def test_codes_far_from_all_numbers_are_found(column, code):
    """Taking them as missing leaves the other numbers."""
    (finding,), table = findings_of("codes", x=with_texts(column, code, code), y=AGES)
    assert finding.columns == ("x",)
    assert repr(code) in finding.reason
    assert prepare(table, finding.fixes[0].plan.with_policy("drop")).dataset.n == 58


def test_a_number_among_its_like_is_no_code():
    """99 beside 18 to 90, and -9 beside other negative numbers, may be values."""
    temperatures = [str(t) for t in RNG.integers(-20, 30, 60)]
    assert findings_of("codes", x=with_texts(AGES, "99"), y=with_texts(temperatures, "-9"))[0] == []
