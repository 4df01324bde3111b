"""Tests of the summary of a column in the table of variables: bars, missing cells and different values."""

from __future__ import annotations

from learners.data.plan.conversion import Treatment
from learners.data.plan.plan import default_plan
from learners.data.reading.table import read_table
from viz.sparklines import bar_heights, missing_share, n_values

PRESSURES = ("120/80", "120/85", "130/80", "", "120/80")


def test_a_column_that_was_split_counts_its_own_numbers():
    """Four filled cells hold three different pairs, but only two different first and two different second numbers."""
    text = "pressure,group\n" + "".join(f"{cell},{'ab'[k % 2]}\n" for k, cell in enumerate(PRESSURES))
    table = read_table(text.encode())
    plan = default_plan(table)
    whole = plan.column("pressure")
    for how in ("first", "second"):
        plan = plan.change("pressure", kind="continuous", treatment=Treatment(how))
        column = plan.column("pressure")
        cells = column.cells(table)
        assert n_values(cells, column) == 2
        assert missing_share(cells, column) == 0.2
        assert max(bar_heights(cells, column)) == 1.0
    assert n_values(whole.cells(table), whole) == 3


def test_equal_numbers_in_different_texts_count_once():
    """1, 1.0 and 01 are one number; levels of categories count by their texts."""
    table = read_table(b"x,y\n1,a\n1.0,b\n01,a\n2.5,\n-3,b\n")
    plan = default_plan(table).change("x", kind="continuous").change("y", kind="categorical")
    numbers, levels = plan.column("x"), plan.column("y")
    assert n_values(numbers.cells(table), numbers) == 3
    assert n_values(levels.cells(table), levels) == 2
