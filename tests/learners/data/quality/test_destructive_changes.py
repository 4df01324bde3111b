"""Tests that suggested fixes destroy no column and no level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from learners.data.plan.preparation import default_plan, prepare
from learners.data.quality.destructive_changes import MAX_LOST_SHARE, loses
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import Table, read_table

ROWS = 400
ODD = ("-", "None", "none", "?", ".", "NA", "k.A.", "unknown", "--", "136A", "*", "-9", "999")


def table_of(tmp_path, **columns: Sequence[object]) -> Table:
    """Return the table of a CSV file with these columns."""
    path = tmp_path / "table.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return read_table(path)


def drawn(levels: Sequence[str], seed: int, shares: Sequence[float] | None = None) -> np.ndarray:
    """Return random cells drawn from the levels."""
    return np.random.default_rng(seed).choice(list(levels), ROWS, p=shares)


ANSWERS = {
    "a test that is + or -": (("+", "-"), (0.44, 0.56)),
    "the control arm": (("drug A", "drug B", "None"), None),
    "an amount in words": (("none", "some", "a lot"), None),
    "a ticked box": (("x", "."), None),
    "continents": (("AF", "AS", "EU", "NA", "OC", "SA"), None),
    "a frequent word": (("yes", "no", "unknown"), (0.6, 0.3, 0.1)),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_stays_a_level(tmp_path, name):
    """No suggested fix turns a real answer into a missing value; the user decides."""
    levels, shares = ANSWERS[name]
    table = table_of(
        tmp_path, answer=drawn(levels, 1, shares), age=drawn(["31", "42", "57", "NA"], 2), sex=drawn("fm", 3)
    )
    plan, _, _ = with_proposals(table, default_plan(table))
    dataset = prepare(table, plan).dataset
    assert set(dataset.levels[dataset.place[dataset.index("answer")]]) == set(levels)


def test_words_beside_numbers_are_still_suggested_as_missing(tmp_path):
    """A rare word for "no answer", or any word among numbers, can become missing without loss."""
    ages = np.random.default_rng(4).integers(18, 90, ROWS).astype(str)
    ages[::9] = "k.A."
    city = drawn(["Ulm", "Jena", "Bonn"], 5)
    city[:4] = "k.A."
    table = table_of(tmp_path, age=ages, city=city, sex=drawn("fm", 6))
    plan, _, done = with_proposals(table, default_plan(table))
    assert plan.column("age").kind == "continuous"
    assert "k.A." in plan.column("city").missing
    assert len(done) >= 1


def test_a_label_with_a_letter_keeps_its_column(tmp_path):
    """A column with the code 136A among codes such as 136 stays categorical."""
    families = np.repeat(np.arange(100, 200), 4).astype(str)
    families[144:148] = "136A"
    table = table_of(tmp_path, family=families, sex=drawn("fm", 7), arm=drawn("ab", 8))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert "136A" not in plan.column("family").missing


def random_table(tmp_path, seed: int) -> Table:
    """Return a table of words and numbers in which any share of the cells are odd texts."""
    rng, columns = np.random.default_rng(seed), {}
    for k in range(6):
        levels = [f"level {t}" for t in range(rng.integers(1, 6))] if rng.random() < 0.5 else ["1", "2", "3", "4", "5"]
        cells = rng.choice(list(levels), ROWS).astype(object)
        for text in rng.choice(ODD, rng.integers(0, 3), replace=False):
            cells[rng.random(ROWS) < rng.choice([0.01, 0.1, 0.5])] = text
        columns[f"c{k}"] = cells
    return table_of(tmp_path, **columns)


def check_that_nothing_is_lost(table: Table) -> None:
    """Check that all suggested fixes together keep each column that varies and each frequent level of words."""
    before = default_plan(table)
    after, _, _ = with_proposals(table, before)
    blocked = {name for f in check_health(table, before) if f.severity == "blocker" for name in f.columns}
    for column in before.columns:
        if column.kind != "categorical" or column.name in blocked:
            continue
        changed = after.column(column.name)
        cells = column.cells(table)
        levels = {
            text: int(count)
            for text, count in zip(cells.texts.to_pylist(), cells.counts.tolist(), strict=True)
            if text.strip() and text not in column.missing
        }
        left = {text for text in levels if text not in changed.missing}
        if len(levels) > 1:
            assert changed.kind != "ignore", column.name
            assert len(left) > 1, column.name
        if not all(text.lstrip("-").isdigit() for text in left):
            total = sum(levels.values())
            assert all(levels[text] <= MAX_LOST_SHARE * total for text in set(levels) - left), column.name


@pytest.mark.parametrize("seed", range(12))
def test_suggestions_never_destroy(tmp_path, seed):
    check_that_nothing_is_lost(random_table(tmp_path, seed))


@pytest.mark.deep
@pytest.mark.compiled
def test_suggestions_never_destroy_on_many_tables(tmp_path):
    for seed in range(100, 1_100):
        check_that_nothing_is_lost(random_table(tmp_path, seed))


def test_rare_numbers_are_not_merged_by_a_suggestion(tmp_path):
    """No suggested fix merges rare numbers, because the merged level would have half of the rows."""
    codes = np.random.default_rng(9).integers(10_000, 10_300, ROWS).astype(str)
    table = table_of(tmp_path, code=[f"{code}/{code[::-1]}" for code in codes], sex=drawn("fm", 7), arm=drawn("ab", 8))
    before = default_plan(table).change("code", kind="categorical")
    after, _, _ = with_proposals(table, before)
    assert after.column("code").min_level_count == 0
    numbers = before.change("sex", kind="categorical").change("code", kind="categorical", min_level_count=5)
    assert loses(table, before, numbers)


def test_a_fix_of_several_columns_spares_those_that_it_would_destroy(tmp_path):
    """One fix reads both columns as numbers; only the one without a frequent word is changed."""
    age, visit = drawn([str(k) for k in range(18, 80)], 1), drawn([str(k) for k in range(60)], 2)
    age[:4], visit[:40] = "absent", "never"
    table = table_of(tmp_path, age=age, visit=visit, sex=drawn("fm", 3))
    plan, left, done = with_proposals(table, default_plan(table))
    assert (plan.column("age").kind, plan.column("visit").kind) == ("continuous", "categorical")
    assert "never" not in plan.column("visit").missing
    assert any("except in 'visit', where levels would be lost" in sentence for sentence in done)
    assert ("visit",) in [finding.columns for finding in left if finding.code == "nearly_numbers"]


def test_ticked_boxes_become_yes_and_no_before_any_is_left_out(tmp_path):
    """A box that is ticked or empty varies; a word with a few empty cells is constant, and is left out."""
    country = np.full(ROWS, "Chad", dtype=object)
    country[:3] = ""
    table = table_of(tmp_path, consent=drawn(["x", ""], 1), country=country, sex=drawn("fm", 2), arm=drawn("ab", 3))
    plan, _, _ = with_proposals(table, default_plan(table))
    dataset = prepare(table, plan).dataset
    assert dataset.names == ("consent", "sex", "arm")
    assert dataset.levels[0] == ("no", "yes")


def test_boxes_that_are_ticked_together_stay_columns_that_vary(tmp_path):
    both = drawn(["x", ""], 4)
    table = table_of(tmp_path, q_1=both, q_2=both, sex=drawn("fm", 2))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert {"q_1", "sex"} <= {column.name for column in plan.used}


@pytest.mark.parametrize(("texts", "merged"), [(("Yes", "yes", "No", "no "), True), (("a", "A", "b", "B"), False),
    (("AaBb", "aabb", "AABB"), False), (("m ", "m", "f"), True), (("left", "LEFT", "right"), True)])  # fmt: skip
def test_spellings_are_merged_unless_case_may_have_a_meaning(tmp_path, texts, merged):
    table = table_of(tmp_path, answer=drawn(texts, 5), sex=drawn("fm", 2), arm=drawn("uv", 3))
    plan, _, _ = with_proposals(table, default_plan(table))
    assert (plan.column("answer").treatment is not None) == merged
