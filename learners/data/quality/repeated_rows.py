"""Exact copies of rows, which may be entered twice or be counts of equal cases."""

from __future__ import annotations

import numpy as np

from ...common.wording import count
from ..plan.preparation import copies_of_rows
from .finding import Finding, Fix, warning
from .inspection import Inspection
from .registry import check

MIN_ROWS = 50
MAX_EXPECTED = 0.1  # copies by chance, if columns were independent, as a share of the copies found
MIN_DISTINCT = 0.5  # share of rows with a unique value in some column; without such a column copies are expected


@check("repeated_rows", needs_rows=True)
def repeated_rows(inspection: Inspection) -> list[Finding]:
    """Return a warning for exact copies of rows in a table with a column of nearly distinct values."""
    table, plan = inspection.table, inspection.plan
    if table.n < MIN_ROWS or plan.weights or plan.one_row_per or plan.drop_copies or plan.count_copies:
        return []
    if table.p < 2 or max(len(cells.texts) for cells in table.cells) < MIN_DISTINCT * table.n:
        return []
    n_copies = int(copies_of_rows(table).sum())
    shares = [float(((cells.counts / table.n) ** 2).sum()) for cells in table.cells]
    expected = table.n**2 / 2 * float(np.prod(shares))
    if not n_copies or expected > MAX_EXPECTED * n_copies:
        return []
    are = "is an exact copy" if n_copies == 1 else "are exact copies"
    reason = (
        f"{n_copies:,} of {count(table.n, 'row')} {are} of an earlier row. If they were entered twice, tests and "
        "scores will be overconfident; if they are different cases, keep them."
    )
    once = Fix("use each row once", plan.with_drop_copies(True))
    return [warning("repeated_rows", (), reason, once, Fix("keep the copies as counts", plan.with_count_copies(True)))]
