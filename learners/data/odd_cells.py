"""Cells that are probably not what they say: texts among numbers, and numbers that stand for "no answer"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow.compute as pc

from ..common.checks import quoted, quoted_columns
from .columns import FEW_NUMBERS
from .dataset_health import Finding, Fix
from .guess import Cells
from .plan import ColumnPlan, Plan
from .tables import Table

MOST_NUMBERS = 0.8  # share of filled cells that are numbers from which the others look like marks
MOST_MARKS = 5  # different texts that may be marks
CODES = (-9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0)  # usual in surveys for "no answer"
FAR = 1.5  # times the range of all other numbers beyond which a code is no value
FEWEST_VALUES = 3  # different other numbers that tell a range


def odd_findings(table: Table, plan: Plan) -> list[Finding]:
    """Columns with such cells, all of a kind in one finding, with one fix for all of them."""
    return [*_nearly_numbers(table, plan), *_coded(table, plan)]


def untouched(table: Table, plan: Plan) -> Iterator[tuple[ColumnPlan, Cells]]:
    """Columns that are no numbers by guess, and that nobody has decided on."""
    for guess in table.guess.columns:
        column = plan.column(guess.name)
        by_guess = column.kind == guess.kind and column.kind != "continuous"
        if by_guess and column.binning is None and column.treatment is None:
            yield column, column.cells(table)


def texts_among_numbers(cells: Cells, column: ColumnPlan, more_than: int) -> list[str] | None:
    """Texts of a column of numbers that are none; None if the column is no such, or has no more different numbers."""
    filled = ~cells.among(column.missing) & ~np.asarray(pc.equal(pc.utf8_trim_whitespace(cells.texts), ""))
    number, odd = filled & ~np.isnan(cells.numbers), filled & np.isnan(cells.numbers)
    if odd.sum() > MOST_MARKS or cells.counts[number].sum() < MOST_NUMBERS * cells.counts[filled].sum():
        return None
    if np.unique(cells.numbers[number]).size <= more_than:
        return None
    return [cells.texts[k].as_py() for k in np.flatnonzero(odd)]


def with_missing(plan: Plan, texts: dict[str, Sequence[str]], **settings: object) -> Plan:
    """The plan with more missing marks in some columns, and other settings of theirs."""
    for name, marks in texts.items():
        plan = plan.change(name, missing=(*plan.column(name).missing, *marks), **settings)
    return plan


def _nearly_numbers(table: Table, plan: Plan) -> list[Finding]:
    marks = {
        column.name: found
        for column, cells in untouched(table, plan)
        if (found := texts_among_numbers(cells, column, FEW_NUMBERS))
    }
    if not marks:
        return []
    texts = _all_texts(marks)
    reason = (
        f"{quoted_columns(list(marks))} {'holds' if len(marks) == 1 else 'hold'} numbers but for {quoted(texts)}, so "
        f"{'it is' if len(marks) == 1 else 'they are'} taken for text"
    )
    fix = Fix(f"read as numbers, with {quoted(texts)} missing", with_missing(plan, marks, kind="continuous"))
    return [Finding("warning", "nearly_numbers", tuple(marks), reason, (fix,))]


def _coded(table: Table, plan: Plan) -> list[Finding]:
    marks = {
        column.name: found
        for column in plan.columns
        if column.kind == "continuous" and (found := _codes_of(column.cells(table), column))
    }
    if not marks:
        return []
    texts = _all_texts(marks)
    reason = (
        f"{quoted(texts)} {'stands' if len(texts) == 1 else 'stand'} far from all other numbers of "
        f"{quoted_columns(list(marks))}, as codes for a missing answer do"
    )
    fix = Fix(f"take {quoted(texts)} as missing", with_missing(plan, marks))
    return [Finding("warning", "codes", tuple(marks), reason, (fix,))]


def _codes_of(cells: Cells, column: ColumnPlan) -> list[str]:
    """Texts of numbers that are usual codes and lie apart from the others."""
    number = ~cells.among(column.missing) & np.isfinite(cells.numbers)
    code = number & np.isin(cells.numbers, CODES)
    others = cells.numbers[number & ~code]
    if np.unique(others).size < FEWEST_VALUES:
        return []
    low, high = float(others.min()), float(others.max())
    apart = (cells.numbers > high + FAR * (high - low)) | (cells.numbers < low - FAR * (high - low))
    apart |= (cells.numbers < 0) & (low >= 0)
    return [cells.texts[k].as_py() for k in np.flatnonzero(code & apart)]


def _all_texts(marks: dict[str, list[str]]) -> list[str]:
    return list(dict.fromkeys(text for found in marks.values() for text in found))
