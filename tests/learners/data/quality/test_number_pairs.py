"""Tests that cells with two numbers become two columns of numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from learners.data.plan.plan import Plan, default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.fixes import with_proposals
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table

CASES = Path(__file__).parents[1] / "cases"
N = 200
RNG = np.random.default_rng(81)


def found(cells: list[str]) -> list:
    text = "\n".join(["bp,x", *(f"{cell},{x:.3f}" for cell, x in zip(cells, RNG.normal(size=N), strict=True))])
    table = read_table(text.encode())
    return [f for f in check_health(table, default_plan(table)) if f.code == "number_pairs"]


@pytest.mark.deep
def test_a_blood_pressure_is_two_numbers():
    """The blood pressures of the clinic's table become two columns of numbers, and none is merged into "other"."""
    table = read_table(CASES / "clinic2.csv")
    plan, _, _ = with_proposals(table, default_plan(table))
    assert Plan.from_dict(plan.to_dict()) == plan
    dataset = prepare(table, plan).dataset
    assert "BP (mmHg)" not in dataset.names
    for name, value in (("BP (mmHg) (first)", 143.0), ("BP (mmHg) (second)", 81.0)):
        j = dataset.index(name)
        assert dataset.kinds[j] == "continuous"
        assert dataset.values[0, dataset.place[j]] == value


@pytest.mark.parametrize("mark", ["/", " / ", "x"])
def test_pairs_with_several_marks(mark):
    cells = [f"{a}{mark}{b}" for a, b in RNG.integers(60, 180, (N, 2))]
    assert "split 'bp' into two numbers" in found(cells)[0].fixes[0].label


@pytest.mark.parametrize("cells", [["20-29", "30-39"] * 100, ["1/2", "3/4"] * 100, ["12:30", "9:15"] * 100,
    [f"{k % 28 + 1}/{k % 12 + 1}/2024" for k in range(N)], [f"20/{k}" for k in range(N)]])  # fmt: skip
def test_other_cells_are_no_pairs(cells):
    assert found(cells) == []


@pytest.mark.parametrize("template", ["{}.5, -{}.25", "({}.5, {}.25)", "{};{}", "{} / {} mmHg", "{}x{}cm", "{}/{} %"])
def test_coordinates_are_two_numbers(template):
    cells = [f'"{template.format(a, b)}"' for a, b in RNG.integers(10, 90, (N, 2))]
    assert "split 'bp' into two numbers" in found(cells)[0].fixes[0].label


def test_pairs_with_several_units_are_no_pairs():
    """The word behind a pair is a unit only if all cells have the same; "left" and "right" would be lost."""
    cells = [f"{a}/{b} {'left' if a % 2 else 'right'}" for a, b in RNG.integers(10, 90, (N, 2))]
    assert found(cells) == []


def test_numbers_with_thousands_are_no_pairs():
    assert found([f'"{a},{b:03}"' for a, b in RNG.integers(1, 999, (N, 2))]) == []


def test_a_column_that_a_fix_splits_is_replaced_and_not_left_out():
    """The plan names the columns from which others are made; a column that is only ignored is not among them."""
    rng = np.random.default_rng(82)
    rows = [f"{a}/{b},{x}" for a, b, x in zip(*rng.integers(60, 180, (2, N)), rng.normal(size=N), strict=True)]
    table = read_table("\n".join(["bp,x", *rows]).encode())
    plan = next(f for f in check_health(table, default_plan(table)) if f.code == "number_pairs").fixes[0].plan
    ignored = plan.change("x", kind="ignore")
    assert plan.replaced(["bp"]) == ["bp"]
    assert ignored.replaced(["bp", "x"]) == ["bp"]
    assert default_plan(table).replaced(["bp", "x"]) == []
