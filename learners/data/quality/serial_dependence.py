"""Dependence between consecutive rows, which tests treat as independent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...common.wording import count, quoted, quoted_columns
from ..column_types.dates import ORDERS, read_dates
from ..dataset import Dataset
from ..plan.plan import ColumnPlan
from ..reading.table import Table
from .finding import Finding, warning
from .inspection import Inspection
from .registry import check

MIN_ROWS = 50
MIN_AUTOCORRELATION = 0.5  # from which it is reported
MIN_ROWS_LEFT = 20  # if every k-th row is taken
INDEPENDENT = 0.1  # autocorrelation below which rows count as independent
FIRST_TEXTS = 50  # texts of a column that show if it holds points in time
YEARS = (1500, 2200)  # range of a column of years
MIN_ORDERED = 0.99  # share of steps between rows in the same direction; logs are not quite in the order of time


@check("serial_dependence", needs_rows=True)
def serial_dependence(inspection: Inspection) -> list[Finding]:
    """Return a warning if the rows are in the order of time and consecutive rows are autocorrelated."""
    table, plan, dataset = inspection.table, inspection.plan, inspection.all_rows
    if dataset.n_rows != table.n or table.n < MIN_ROWS:
        return []
    by = next((column for column in plan.columns if _in_order(table, column)), None)
    if by is None:
        return []
    clock = {column.name for column in plan.columns if _is_date(column) or column.name == by.name}
    after_one = {j: autocorrelation(dataset, j, 1) for j, name in enumerate(dataset.names) if name not in clock}
    slowest_first = sorted(after_one, key=lambda j: -after_one[j])
    names = [dataset.names[j] for j in slowest_first if after_one[j] >= MIN_AUTOCORRELATION]
    if not names:
        return []
    most = after_one[slowest_first[0]]
    hardly = "changes little" if len(names) == 1 else "change little"
    order = f"rows are in the order of {quoted([by.source or by.name])}, and {quoted_columns(names)} {hardly}"
    reason = (
        f"{order} from row to row (autocorrelation up to {most:.2f}). Tests and scores assume independent rows, so "
        f"they will be overconfident. {_advice(dataset, slowest_first)}"
    )
    return [warning("serial_dependence", names, reason)]


def autocorrelation(dataset: Dataset, j: int, lag: int) -> float:
    """Return the correlation of a column with itself `lag` rows later, or Cohen's kappa of a categorical column.

    Returns
    -------
    float
        0 where the column does not vary, or too few rows have both values.
    """
    place = dataset.place[j]
    if dataset.kinds[j] == "continuous":
        values = dataset.values[:, place]
        earlier, later = values[:-lag], values[lag:]
        both = ~(np.isnan(earlier) | np.isnan(later))
        earlier, later = earlier[both], later[both]
        if len(earlier) < MIN_ROWS // 2 or np.ptp(earlier) == 0 or np.ptp(later) == 0:
            return 0.0
        return float(np.corrcoef(earlier, later)[0, 1])
    codes = dataset.codes[place]
    earlier, later = codes[:-lag], codes[lag:]
    both = (earlier >= 0) & (later >= 0)
    if both.sum() < MIN_ROWS // 2:
        return 0.0
    shares = [np.bincount(some[both], minlength=dataset.states[place]) / both.sum() for some in (earlier, later)]
    by_chance = float(shares[0] @ shares[1])
    return 0.0 if by_chance == 1.0 else (float((earlier == later)[both].mean()) - by_chance) / (1.0 - by_chance)


def _advice(dataset: Dataset, slowest_first: Sequence[int]) -> str:
    """Return a sentence with the smallest lag at which rows are nearly independent, if enough rows are left."""
    lag = 2
    while dataset.n_rows // lag >= MIN_ROWS_LEFT:
        if all(abs(autocorrelation(dataset, j, lag)) < INDEPENDENT for j in slowest_first):
            return f"One row in {lag}, {count(dataset.n_rows // lag, 'row')} in all, would be nearly independent."
        lag = max(lag + 1, lag * 5 // 4)
    return "Even distant rows are similar; learn from the changes between rows instead."


def _is_date(column: ColumnPlan) -> bool:
    return column.treatment is not None and column.treatment.how == "date"


def _in_order(table: Table, column: ColumnPlan) -> bool:
    """Return True if a column, used or not, holds dates, times or years in ascending or descending order."""
    cells = column.raw(table)
    if not np.isnan(cells.numbers).all():
        return len(cells.texts) == table.n and _are_years(cells.numbers[cells.codes])
    head = cells.texts[:FIRST_TEXTS]
    for order in ORDERS:
        if np.isnat(read_dates(head, order)).mean() > 1 - MIN_ORDERED:
            continue
        instants = read_dates(cells.texts, order)[cells.codes]
        steps = np.diff(instants[~np.isnat(instants)]).astype(np.int64)
        if len(steps) < MIN_ORDERED * (table.n - 1) or not steps.any():
            continue
        if max((steps >= 0).mean(), (steps <= 0).mean()) >= MIN_ORDERED:
            return True
    return False


def _are_years(numbers: np.ndarray) -> bool:
    """Return True if the numbers are consecutive years, one a row."""
    steps = np.diff(numbers)
    return bool(
        np.abs(steps[0]) == 1 and (steps == steps[0]).all() and YEARS[0] <= numbers.min() <= numbers.max() <= YEARS[1]
    )
