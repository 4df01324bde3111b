"""Cells that are probably not what they say: texts among numbers, and numbers that stand for "no answer"."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from ..common.checks import quoted, quoted_columns
from .dataset_health import Finding, Fix
from .guess import FEW_NUMBERS, Cells
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


def _nearly_numbers(table: Table, plan: Plan) -> list[Finding]:
    marks = {}
    for guess, column in zip(table.guess.columns, plan.columns, strict=True):
        by_guess = column.kind == guess.kind and column.kind != "continuous" and column.binning is None
        found = _marks_among_numbers(table.column(column.name), column) if by_guess else []
        if found:
            marks[column.name] = found
    if not marks:
        return []
    texts = list(dict.fromkeys(text for found in marks.values() for text in found))
    reason = (
        f"{quoted_columns(list(marks))} {'holds' if len(marks) == 1 else 'hold'} numbers but for {quoted(texts)}, so "
        f"{'it is' if len(marks) == 1 else 'they are'} taken for text"
    )
    fix = _with_marks(plan, marks, f"read as numbers, with {quoted(texts)} missing", kind="continuous")
    return [Finding("warning", "nearly_numbers", tuple(marks), reason, (fix,))]


def _marks_among_numbers(cells: Cells, column: ColumnPlan) -> list[str]:
    """Texts of a column of numbers that are none; nothing if the column is no such."""
    filled = ~cells.among(column.missing) & ~np.asarray(pc.equal(pc.utf8_trim_whitespace(cells.texts), ""))
    number, odd = filled & ~np.isnan(cells.numbers), filled & np.isnan(cells.numbers)
    rows = cells.counts[filled].sum()
    if not 0 < odd.sum() <= MOST_MARKS or cells.counts[number].sum() < MOST_NUMBERS * rows:
        return []
    if np.unique(cells.numbers[number]).size <= FEW_NUMBERS:
        return []
    return [cells.texts[k].as_py() for k in np.flatnonzero(odd)]


def _coded(table: Table, plan: Plan) -> list[Finding]:
    marks = {
        column.name: found
        for column in plan.columns
        if column.kind == "continuous" and (found := _codes_of(table.column(column.name), column))
    }
    if not marks:
        return []
    texts = list(dict.fromkeys(text for found in marks.values() for text in found))
    stand = "stands" if len(texts) == 1 else "stand"
    reason = (
        f"{quoted(texts)} {stand} far from all other numbers of {quoted_columns(list(marks))}, as codes for a missing "
        "answer do"
    )
    return [
        Finding(
            "warning", "codes", tuple(marks), reason, (_with_marks(plan, marks, f"take {quoted(texts)} as missing"),)
        )
    ]


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


def _with_marks(plan: Plan, marks: dict[str, Sequence[str]], label: str, **settings: object) -> Fix:
    for name, texts in marks.items():
        plan = plan.change(name, missing=(*plan.column(name).missing, *texts), **settings)
    return Fix(label, plan)
