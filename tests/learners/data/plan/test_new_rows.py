"""Tests of reading new rows as the rows of a prepared data set."""

import numpy as np
import pytest

from learners import DataError, default_plan, prepare, read_table
from learners.data.plan.binning import Binning
from learners.data.plan.conversion import Treatment
from learners.data.plan.new_rows import convert_rows, convert_rows_without_plan

HEADER = ("pay", "day", "bin", "word", "rare", "plain")


def ward(policy="available"):
    """Return a table and its plan, with scores, days, bins, spellings, rare levels and numbers as columns."""
    rng = np.random.default_rng(1)
    rows = [
        (
            f"{np.exp(rng.normal(8, 1)):,.2f}".translate(str.maketrans(",.", ".,")),
            f"{5 + k % 20:02d}.03.2021",
            int(rng.integers(0, 100)),
            ("Yes", "yes ", "no")[k % 3 if k % 7 else 2],
            ("a", "a", "b", "b", f"r{k}")[k % 5] if k < 10 else "ab"[k % 2],
            "" if k % 11 == 0 else f"{rng.normal():.3f}".replace(".", ","),
        )
        for k in range(120)
    ]
    read = read_table(joined(rows))
    plan = default_plan(read).with_policy(policy)
    plan = plan.change("pay", kind="continuous", treatment=Treatment("amount", decimal=","), normal_scores=True)
    plan = plan.change("day", kind="continuous", treatment=Treatment("date", order="dmy"))
    plan = plan.change("bin", kind="categorical", binning=Binning(bins=4))
    plan = plan.change("word", kind="categorical", treatment=Treatment("spelling"))
    return read, plan.change("rare", kind="categorical", min_level_count=3).change("plain", kind="continuous")


def joined(rows, header=HEADER):
    """Return a CSV file with semicolons, because commas are decimal."""
    return "\n".join(";".join(map(str, row)) for row in (header, *rows)).encode()


@pytest.mark.parametrize("policy", ["available", "category"])
def test_the_rows_themselves_are_read_as_the_data_set_has_them(policy):
    """If the rows of the table are read again, every column equals that of the data set, including missing cells."""
    read, plan = ward(policy)
    data = prepare(read, plan).dataset
    found = convert_rows(read, plan, read, data.names)
    if policy == "category":  # rows with missing numbers are not in the data set
        found = found[~found["plain"].isna()].reset_index(drop=True)
    expected = data.to_frame()
    assert list(found.columns) == list(data.names)
    for name in data.names:
        if name in ("pay", "day", "plain"):
            np.testing.assert_allclose(found[name].astype(float), expected[name].astype(float), atol=1e-9)
        else:
            assert found[name].tolist() == expected[name].astype(object).tolist()


def test_new_cells_are_placed_among_those_of_the_table():
    """The cells read include a number below all others, a day before the first, a new spelling, and empty cells."""
    read, plan = ward()
    rows = read_table(joined([("3.000,5", "01.03.2021", "-7", "YES", "a", "1,25"), ("", "", "", "", "b", "")]))
    found = convert_rows(read, plan, rows, HEADER)
    levels = prepare(read, plan).dataset
    assert found.loc[0, "day"] == -4.0
    assert found.loc[0, "bin"] == levels.levels[levels.place[levels.index("bin")]][0]
    assert (found.loc[0, "word"], found.loc[0, "plain"]) == ("yes ", 1.25)
    assert found.loc[1].isna().tolist() == [True, True, True, True, False, True]


def test_days_with_times_are_counted_as_in_the_data_set():
    """An earlier day in the new rows does not change the first day."""
    read = read_table(joined([(f"2024-01-{10 + k % 9} 1{k % 10}:30", k % 3) for k in range(40)], ("when", "x")))
    plan = default_plan(read).change("when", kind="continuous", treatment=Treatment("date", order="ymd"))
    values = prepare(read, plan).dataset.to_frame()["when"]
    np.testing.assert_allclose(convert_rows(read, plan, read, ["when"])["when"], values)
    earlier = read_table(joined([("2024-01-08 06:00", 1), ("2024-01-10 10:30", 2)], ("when", "x")))
    np.testing.assert_allclose(convert_rows(read, plan, earlier, ["when"])["when"], [-1.75, 10.5 / 24])


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("plain", "much", "row 1: column 'plain' must hold finite numbers, found 'much'"),
        ("bin", "much", "row 1: column 'bin' must hold numbers"),
        ("rare", "z", "row 1: column 'rare' has the levels 'a'"),
        ("day", "2021", "must hold finite numbers"),
    ],
)
def test_a_cell_that_says_nothing_is_named(name, text, expected):
    """Invalid cells are not treated as missing; columns that are not requested may contain anything."""
    read, plan = ward()
    rows = read_table(joined([(text, "x"), (text, "y")], (name, "other")))
    with pytest.raises(DataError, match="Leave the cell empty") as error:
        convert_rows(read, plan, rows, HEADER)
    assert expected in str(error.value)
    assert convert_rows(read, plan, rows, ["pay"]).empty


def test_rows_without_a_plan_are_read_as_they_stand():
    """Decimal commas and missing-value marks are recognised; a word among numbers is reported."""
    rows = read_table(joined([("1,5", "u", "k"), ("NA", "", "l"), ("2,5", "v", "m")], ("a", "b", "c")))
    found = convert_rows_without_plan(rows, ["a", "b"], ["a"])
    assert found["a"].tolist()[::2] == [1.5, 2.5]
    assert found["b"].tolist()[::2] == ["u", "v"]
    assert found[["a", "b"]].isna().to_numpy().tolist() == [[False, False], [True, True], [False, False]]
    with pytest.raises(DataError, match="row 1: column 'b' must hold finite numbers"):
        convert_rows_without_plan(rows, ["b"], ["b"])
