"""Columns that must hold numbers: continuous ones, those to be cut, and row weights."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ..common.errors import DataError
from ..common.wording import count, quoted, quoted_columns
from .guess import Cells
from .plan import ColumnPlan, Plan
from .tables import Table


def check_numbers(cells: Cells, column: ColumnPlan, missing: np.ndarray, *, finite: bool) -> None:
    """Raise DataError at cells that are neither numbers nor missing, and, if so asked, at infinite ones."""
    wrong = ~missing & ~(np.isfinite(cells.numbers) if finite else ~np.isnan(cells.numbers))
    if wrong.any():
        examples = quoted(cells.texts.filter(pa.array(wrong)).slice(0, 5).to_pylist())
        found = count(int(cells.counts[wrong].sum()), "cell")
        must = f"must hold {'finite ' * finite}numbers, found {found} such as {examples}"
        raise DataError(
            f"column {quoted([column.name])} {must}; take them as missing, make it categorical or ignore it"
        )


def row_weights(table: Table, plan: Plan) -> np.ndarray:
    """(n,) float64: how much each row counts, NaN where it is missing; survey weights as shares of their sum.

    Raises
    ------
    DataError
        If a weight is no number, or negative, or all are 0 or missing.
    """
    column = plan.column(plan.weights)
    cells = column.cells(table)
    missing = cells.among(column.missing)
    check_numbers(cells, column, missing, finite=True)
    known = cells.numbers[~missing]
    if (known < 0).any() or not (known > 0).any():
        found = f"found {known.min():g}" if (known < 0).any() else "found none above 0"
        raise DataError(
            f"weights must be at least 0 and some above, {found} in {quoted_columns([plan.weights])}; weigh by another"
        )
    weights = np.where(missing, np.nan, cells.numbers)[cells.codes]
    return weights / np.nansum(weights) if plan.surveyed else weights  # shares are never whole, and so never counts
