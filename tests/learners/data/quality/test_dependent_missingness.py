"""Tests that dependent missingness is found, and random missingness is not."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency

from learners import Dataset, check_health, default_plan, read_table
from learners.data.quality.dependent_missingness import missingness_dependences


def ward(n, seed, link):
    """Draw lab values that are missing more often in one ward or in old age, or at random if `link` is empty."""
    rng = np.random.default_rng(seed)
    place, age, lab = rng.integers(0, 3, n), rng.normal(60, 10, n), rng.normal(size=n)
    chance = np.where(place == 2, 0.4, 0.05) if link == "ward" else np.where(age > 65, 0.4, 0.05)
    lab[rng.random(n) < (chance if link else 0.15)] = np.nan
    codes = Dataset.from_codes(place[None], [3], ["ward"], [["a", "b", "c"]])
    return Dataset.joined(
        ["ward", "age", "lab"], codes, Dataset.from_values(np.column_stack([age, lab]), ["age", "lab"])
    )


def test_the_column_that_missing_cells_depend_on_is_found():
    """The finding has the level with most missing cells, both shares of missing cells, and the ln p of scipy."""
    data = ward(500, 0, "ward")
    found = missingness_dependences(data)
    assert [(one.column, one.other, one.where) for one in found] == [(2, 0, "'c'")]
    one, gone = found[0], ~data.is_there(2)
    assert one.share == pytest.approx(gone[data.codes[0] == 2].mean())
    assert one.elsewhere == pytest.approx(gone[data.codes[0] != 2].mean())
    table = [np.bincount(data.codes[0][mask], minlength=3) for mask in (gone, ~gone)]
    assert one.log_p == pytest.approx(np.log(chi2_contingency(table, lambda_="log-likelihood", correction=False)[1]))


def test_numbers_are_compared_by_their_quarters():
    """Missing cells that depend on a number are reported for a quarter of its values, here the oldest quarter."""
    (one,) = missingness_dependences(ward(500, 1, "age"))
    assert (one.other, one.where.startswith(">= 6")) == (1, True)


def test_chance_is_rarely_called_a_link():
    """With the FDR at 5 %, at most 8 of 100 tables with randomly missing cells have a finding."""
    assert sum(bool(missingness_dependences(ward(200, seed, ""))) for seed in range(100)) <= 8


def test_small_groups_and_empty_ones_say_nothing():
    """There is no finding for a column with a different level in each row, or without missing cells."""
    names = Dataset.from_codes(np.arange(40)[None], [40], ["id"])
    hole = Dataset.from_values(np.where(np.arange(40) < 8, np.nan, np.arange(40.0))[:, None], ["x"])
    assert missingness_dependences(Dataset.joined(["id", "x"], names, hole)) == []
    assert missingness_dependences(names) == []


def test_it_is_said_in_a_sentence_whatever_is_done_about_missing_cells():
    """The finding gives the columns and both shares under every missing-cell policy."""
    data = ward(500, 0, "ward")
    table = read_table(data.to_frame().to_csv(index=False).encode())
    for policy in ("available", "drop", "mode"):
        found = [f for f in check_health(table, default_plan(table).with_policy(policy)) if f.code == "dependent_holes"]
        assert [one.columns for one in found] == [("lab",)]
        assert found[0].reason.startswith("column 'lab' has missing cells in 3") or found[0].reason.startswith(
            "column 'lab' has missing cells in 4"
        )
        assert "of the rows where 'ward' is 'c', and in " in found[0].reason


def test_normal_scores_change_no_number_of_the_finding():
    """Normal scores keep the order of a column, so the sentence is the same, in the units of the column."""
    data = ward(500, 910_044, "age")
    table = read_table(data.to_frame().to_csv(index=False).encode())
    plan = default_plan(table)
    reasons = [
        [finding.reason for finding in check_health(table, changed) if finding.code == "dependent_holes"]
        for changed in (plan, plan.change("age", normal_scores=True))
    ]
    assert reasons[0] == reasons[1]
    assert "where 'age' is >" in reasons[0][0].replace("\N{WORD JOINER}", "")


def test_columns_missing_in_the_same_rows_have_one_finding():
    """Columns made from one column, such as its several answers, say the same once; further columns are only named."""
    rng = np.random.default_rng(910_045)
    ward, answers = rng.integers(0, 3, 600), rng.choice(["a", "b", "a; b"], 600)
    labs = {f"lab{k}": np.where(rng.random(600) < np.where(ward == 2, 0.4, 0.05), np.nan, ward) for k in range(7)}
    ticked = np.where(rng.random(600) < np.where(ward == 2, 0.5, 0.02), "", answers)
    frame = pd.DataFrame({"ward": [f"w{k}" for k in ward], **labs})
    for name, answer in (("x", "a"), ("y", "b")):
        frame[name] = ["" if not cell else "yes" if answer in cell else "no" for cell in ticked]
    table = read_table(frame.to_csv(index=False).encode())
    found = [f for f in check_health(table, default_plan(table)) if f.code == "dependent_holes"]
    assert ("x", "y") in [one.columns for one in found]
    assert found[[one.columns for one in found].index(("x", "y"))].reason.startswith(
        "columns 'x' and 'y' have missing cells together, in "
    )
    named = [name for one in found for name in one.columns]
    assert sorted(named) == ["lab0", "lab1", "lab2", "lab3", "lab4", "lab5", "lab6", "x", "y"]
    assert len({one.reason for one in found}) == len(found)
    assert "also" not in found[-1].reason
