"""Rows that follow one another in time and are alike because of that: tests take them for independent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..common.wording import count, quoted, quoted_columns
from .dataset import Dataset
from .dataset_health import Finding
from .dates import ORDERS, read_dates
from .plan import ColumnPlan, Plan
from .tables import Table

LEAST_ROWS = 50
LEAST_TOLD = 0.5  # autocorrelation from which it is told
LEAST_LEFT = 20  # rows, if one in so many is taken
INDEPENDENT = 0.1  # autocorrelation below which rows count as independent
FIRST_TEXTS = 50  # of a column that tell whether it holds points in time
YEARS = (1500, 2200)  # that a column of years may hold
IN_ORDER = 0.99  # of the steps from row to row at least; logs are not quite in the order of time


def serial_findings(table: Table, plan: Plan, dataset: Dataset) -> list[Finding]:
    """One finding, if the rows stand in the order of time and neighbours are alike.

    Parameters
    ----------
    table : Table
    plan : Plan
    dataset : Dataset
        All rows of the table.
    """
    if dataset.n_rows != table.n or table.n < LEAST_ROWS:
        return []
    by = next((column for column in plan.columns if _in_order(table, column)), None)
    if by is None:
        return []
    clock = {column.name for column in plan.columns if _tells_time(column) or column.name == by.name}
    after_one = {j: autocorrelation(dataset, j, 1) for j, name in enumerate(dataset.names) if name not in clock}
    slowest_first = sorted(after_one, key=lambda j: -after_one[j])
    names = [dataset.names[j] for j in slowest_first if after_one[j] >= LEAST_TOLD]
    if not names:
        return []
    most = after_one[slowest_first[0]]
    hardly = "changes little" if len(names) == 1 else "change little"
    reason = (
        f"rows stand in the order of {quoted([by.source or by.name])}, and {quoted_columns(names)} {hardly} from one "
        f"to the next (autocorrelation up to {most:.2f}): tests and scores take each row for a case of its own, so "
        f"they will be far too sure; {_way_out(dataset, slowest_first)}"
    )
    return [Finding("warning", "serial_dependence", tuple(names), reason)]


def autocorrelation(dataset: Dataset, j: int, lag: int) -> float:
    """Correlation of a column with itself `lag` rows later; of levels Cohen's kappa; 0 where it does not vary."""
    place = dataset.place[j]
    if dataset.kinds[j] == "continuous":
        values = dataset.values[:, place]
        one, other = values[:-lag], values[lag:]
        both = ~(np.isnan(one) | np.isnan(other))
        one, other = one[both], other[both]
        if len(one) < LEAST_ROWS // 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
            return 0.0
        return float(np.corrcoef(one, other)[0, 1])
    codes = dataset.codes[place]
    one, other = codes[:-lag], codes[lag:]
    both = (one >= 0) & (other >= 0)
    if both.sum() < LEAST_ROWS // 2:
        return 0.0
    shares = [np.bincount(some[both], minlength=dataset.states[place]) / both.sum() for some in (one, other)]
    by_chance = float(shares[0] @ shares[1])
    return 0.0 if by_chance == 1.0 else (float((one == other)[both].mean()) - by_chance) / (1.0 - by_chance)


def _way_out(dataset: Dataset, slowest_first: Sequence[int]) -> str:
    """How far apart rows are independent, if enough of them are left."""
    lag = 2
    while dataset.n_rows // lag >= LEAST_LEFT:
        if all(abs(autocorrelation(dataset, j, lag)) < INDEPENDENT for j in slowest_first):
            return f"one row in {lag}, {count(dataset.n_rows // lag, 'row')} in all, would be nearly independent"
        lag = max(lag + 1, lag * 5 // 4)
    return "even rows far from one another are alike, so learn from the changes between rows instead"


def _tells_time(column: ColumnPlan) -> bool:
    return column.treatment is not None and column.treatment.how == "date"


def _in_order(table: Table, column: ColumnPlan) -> bool:
    """Whether a column, used or not, holds points in time, or years, that rise from row to row or fall."""
    cells = column.raw(table)
    if not np.isnan(cells.numbers).all():
        return len(cells.texts) == table.n and _counts_years(cells.numbers[cells.codes])
    head = cells.texts[:FIRST_TEXTS]
    for order in ORDERS:
        if np.isnat(read_dates(head, order)).mean() > 1 - IN_ORDER:
            continue
        instants = read_dates(cells.texts, order)[cells.codes]
        steps = np.diff(instants[~np.isnat(instants)]).astype(np.int64)
        if len(steps) < IN_ORDER * (table.n - 1) or not steps.any():
            continue
        if max((steps >= 0).mean(), (steps <= 0).mean()) >= IN_ORDER:
            return True
    return False


def _counts_years(numbers: np.ndarray) -> bool:
    """One row a year."""
    steps = np.diff(numbers)
    return bool(
        np.abs(steps[0]) == 1 and (steps == steps[0]).all() and YEARS[0] <= numbers.min() <= numbers.max() <= YEARS[1]
    )
