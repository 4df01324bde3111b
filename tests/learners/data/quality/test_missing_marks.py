"""Tests that a missing-value mark found in one column applies to the whole file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from learners.data.plan.plan import default_plan
from learners.data.quality.extent import extent
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import Table, read_table

CASES = Path(__file__).parents[1] / "cases"
ROWS = 300


def table_of(tmp_path: Path, **columns: np.ndarray) -> Table:
    path = tmp_path / "table.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return read_table(path)


def cells(seed: int, levels: str | None = None) -> np.ndarray:
    """Return random cells: integers, or the given letters."""
    rng = np.random.default_rng(seed)
    return (rng.integers(18, 90, ROWS) if levels is None else rng.choice(list(levels), ROWS)).astype("<U8")


def test_a_star_is_missing_in_both_columns():
    """A star among numbers is missing by default; a suggested fix also makes it missing among words."""
    table = read_table(CASES / "r20_star_missing.csv")
    plan = default_plan(table)
    assert (plan.column("x").kind, plan.column("x").missing) == ("continuous", ("", "*"))
    fix = next(f for f in check_health(table, plan) if f.code == "possible_missing").fixes[0]
    assert "*" in fix.plan.column("cat").missing
    done, _, sentences = with_proposals(table, plan)
    assert "*" in done.column("cat").missing
    assert "20 cells in 20 rows become missing" in sentences[0]


def test_an_unknown_mark_beside_numbers_is_offered_in_all_columns(tmp_path):
    """The mark "xx" occurs among numbers in one column, so it also means missing among words."""
    age, arm = cells(1), cells(2, "ab")
    age[::20], arm[:9] = "xx", "xx"
    table = table_of(tmp_path, age=age, arm=arm, sex=cells(3, "fm"))
    fixes = [f.fixes[0] for f in check_health(table, default_plan(table)) if f.code == "possible_missing"]
    (fix,) = fixes
    assert {"xx"} <= set(fix.plan.column("age").missing) & set(fix.plan.column("arm").missing)
    assert fix.plan.column("age").kind == "continuous"
    touched = extent(table, default_plan(table), fix.plan)
    assert (touched.n_missing, touched.n_rows) == (15 + 9, int(((age == "xx") | (arm == "xx")).sum()))


@pytest.mark.parametrize("shares", [(0.04,), (0.1,), (0.3,), (0.04, 0.03), (0.2, 0.2)])
@pytest.mark.parametrize("others", [cells(1), cells(1, "01234")], ids=["numbers", "digits"])
def test_letters_between_signs_mean_missing_among_numbers(tmp_path, others, shares):
    """Marks such as *nc* and [nd], which no list has, are missing among numbers, however many cells have them."""
    column, rows, marks = others.copy(), np.random.default_rng(8).permutation(ROWS), ("*nc*", "[nd]")[: len(shares)]
    for text, share in zip(marks, shares, strict=True):
        column[rows[: int(share * ROWS)]], rows = text, rows[int(share * ROWS) :]
    plan, _, _ = with_proposals(table := table_of(tmp_path, x=column, sex=cells(3, "fm")), default_plan(table))
    assert set(marks) <= set(plan.column("x").missing)
    assert plan.column("x").kind == default_plan(table_of(tmp_path, x=others, sex=cells(3, "fm"))).column("x").kind


@pytest.mark.parametrize(("others", "text"), [
    ("01234", "many"), ("01234", "5+"), ("01234", "'no'"), ("abc", "[x]"), ("abc", "(other)"), ("01234", "<LOD")
])  # fmt: skip
def test_words_among_digits_and_framed_words_among_words_are_levels(tmp_path, others, text):
    column = cells(1, others)
    column[:12] = text
    table = table_of(tmp_path, x=column, sex=cells(3, "fm"))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert text not in plan.column("x").missing


def test_a_frequent_mark_among_words_is_a_fix_of_its_own(tmp_path):
    """A mark in 20 % of the rows may be a value, so only a second fix makes it missing in all columns."""
    age, arm = cells(1), cells(2, "ab")
    age[::20], arm[::5] = "xx", "xx"
    table = table_of(tmp_path, age=age, arm=arm, sex=cells(3, "fm"))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert plan.column("age").kind == "continuous"
    assert "xx" not in plan.column("arm").missing
    fixes = next(f for f in check_health(table, default_plan(table)) if f.code == "possible_missing").fixes
    assert fixes[-1].label == "treat 'xx' as missing in 'age', also 'xx' in 'arm'"
    assert "xx" in fixes[-1].plan.column("arm").missing


@pytest.mark.parametrize("code", ["-9", "-99", "99", "999"])
def test_a_code_of_one_column_is_a_code_of_the_others(tmp_path, code):
    """A code in a column of 0 and 1 is found because it lies far outside the range of another column."""
    score, smokes = cells(1, "12345"), cells(2, "01")
    score[:12], smokes[5:25] = code, code
    table = table_of(tmp_path, score=score, smokes=smokes, temperature=np.linspace(-1500, 1500, ROWS).round(1))
    found = next(f for f in check_health(table, default_plan(table)) if f.code == "codes")
    assert set(found.columns) == {"score", "smokes"}
    assert code in found.fixes[0].plan.column("smokes").missing


def test_a_number_within_the_range_is_no_code(tmp_path):
    score, weight = cells(1, "12345"), np.arange(700, 700 + ROWS).astype(str)
    score[:12] = "999"
    table = table_of(tmp_path, score=score, weight=np.random.default_rng(4).permutation([*weight[1:], "999"]))
    found = next(f for f in check_health(table, default_plan(table)) if f.code == "codes")
    assert found.columns == ("score",)


def test_rows_are_counted_once():
    """The finding on the clinic's table reports 368 cells and counts each row with several marks once."""
    table = read_table(CASES / "clinic2.csv")
    found = next(f for f in check_health(table, default_plan(table)) if f.code == "possible_missing")
    assert "368 cells in 277 rows" in found.reason


@pytest.mark.parametrize(("others", "code", "finding"), [
    (range(2), "666", "codes"), (range(1, 6), "77", "codes"), (range(11), "98", "codes"), (range(1, 3), "99", "codes"),
    (range(300), "12345", "possible_codes"), (range(4), "20", "possible_codes"), (range(1, 6), "-1", "possible_codes"),
    (range(100), "150", None), (range(18, 90), "88", None), ((1, 10, 100), "1000", None), (range(-3, 4), "-9", None),
])  # fmt: skip
def test_codes_are_found_by_what_they_do(tmp_path, others, code, finding):
    """A number that occurs often, far from all others, is a code if digits repeat; else the user is asked."""
    rng = np.random.default_rng(66)
    column = rng.choice(list(others), ROWS).astype("<U8")
    column[rng.permutation(ROWS)[:24]] = code
    table = table_of(tmp_path, x=column, sex=cells(3, "fm"), arm=cells(4, "ab"))
    plan = default_plan(table)
    found = {f.code: f for f in check_health(table, plan) if f.code in ("codes", "possible_codes")}
    assert list(found) == ([finding] if finding else [])
    assert all(code in one.fixes[0].plan.column("x").missing for one in found.values())
    assert (code in with_proposals(table, plan)[0].column("x").missing) == (finding == "codes")


def test_codes_with_leading_zeros_are_levels(tmp_path):
    """Postal codes are no numbers; short numbers, such as 08, are."""
    rng = np.random.default_rng(67)
    codes = np.array([f"{k:05}" for k in np.resize(np.arange(40), ROWS) * 997 + 67])
    minutes = np.array([f"{k:02}" for k in rng.integers(0, 60, ROWS)])
    table = table_of(tmp_path, plz=rng.permutation(codes), minute=minutes)
    assert [guess.kind for guess in table.guess.columns] == ["categorical", "continuous"]
    assert table.guess.of("plz").reason == "codes with leading zeros, 40 different"
    keys = np.array([f"{k:06}" for k in rng.permutation(9 * ROWS)[:ROWS]])
    assert table_of(tmp_path, key=keys, sex=cells(3, "fm")).guess.of("key").kind == "ignore"


def test_a_single_cell_very_far_away_is_a_code_and_natural_numbers_are_none(tmp_path):
    """666 in one row of yes and no is a code; 0 beside logarithms and the population of a city are values."""
    rng = np.random.default_rng(68)
    answer, log, people = rng.integers(0, 2, ROWS), rng.uniform(3, 4, ROWS).round(3), rng.integers(1, 9_000, ROWS)
    answer[7], log[:20], people[:20] = 666, 0, 3_400_000
    table = table_of(tmp_path, answer=answer, log=log, people=people)
    found = [f for f in check_health(table, default_plan(table)) if f.code in ("codes", "possible_codes")]
    assert [(f.code, f.columns) for f in found] == [("codes", ("answer",))]
