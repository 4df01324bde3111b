"""Check a table under a plan: run all registered checks."""

from __future__ import annotations

import numpy as np

from ...common.validation import validated
from ..column_types.number_cells import NumberCells
from ..dataset import Dataset
from ..plan.plan import Plan
from ..plan.preparation import kept_rows, row_groups
from ..reading.table import Table
from ..resampling import rows_in_runs
from .finding import Finding
from .inspection import Inspection
from .registry import checks

MAX_INSPECTED = 20_000  # maximum number of rows of a long table in neighbouring runs that are checked
MAX_TEXTS, ROWS_OF_TEXT = 20, 5  # number of texts per column, and of rows per text, that are checked in addition


@validated
def check_health(table: Table, plan: Plan) -> tuple[Finding, ...]:
    """Return all data-quality findings of a table under a plan, blockers first.

    Parameters
    ----------
    table : Table
    plan : Plan

    Notes
    -----
    In a table that `is_long`, the checks see 20,000 rows in runs of neighbouring rows, and some rows of the first texts
    of each column.

    Returns
    -------
    tuple of Finding
        Without a blocker, `prepare(table, plan)` raises nothing. Applying the first fix of the first blocker
        repeatedly ends in such a plan, or in a blocker without fixes that says what only the user can do.
    """
    inspection = Inspection(inspected(table), plan)
    found = {name: inspection.findings(name) for name in checks()}
    replacing = [check for name, check in checks().items() if found[name]]
    shown = [
        finding
        for findings in found.values()
        for finding in findings
        if not any(check.replaces(inspection, finding) for check in replacing)
    ]
    return tuple(sorted(shown, key=lambda finding: finding.severity))


def with_found_groups(dataset: Dataset, table: Table, plan: Plan) -> Dataset:
    """Return a data set with the groups of dependent rows that the finding on repeated measures names.

    Parameters
    ----------
    dataset : Dataset
        Prepared from the table under the plan. It stays as it is if its rows have groups or weights.
    table : Table
    plan : Plan
    """
    if dataset.groups is not None or dataset.weights is not None:
        return dataset
    for finding in Inspection(inspected(table), plan).findings("repeated_measures"):
        for name in filter(None, (fix.plan.resample_by for fix in finding.fixes)):
            rows = row_groups(table, plan.column(name))[kept_rows(table, plan)]
            return dataset.with_groups(rows) if len(rows) == dataset.n_rows else dataset
    return dataset


def inspected(table: Table) -> Table:
    """Return the rows of a table that are checked, cached in the table.

    These are all rows unless the table `is_long`: then runs of neighbouring rows, and some rows of each of the first
    texts of each column, so that no column seems constant.
    """
    if not table.is_long or table.n <= MAX_INSPECTED:
        return table
    if "inspected" not in table.read_as:
        rows = [rows_in_runs(table.n, MAX_INSPECTED)]
        for cells in table.cells:
            if not isinstance(cells, NumberCells):
                few = min(len(cells.texts), MAX_TEXTS)
                rows += [np.flatnonzero(cells.codes == k)[:ROWS_OF_TEXT] for k in range(few)]
        table.read_as["inspected"] = table.take(np.unique(np.concatenate(rows)))
    return table.read_as["inspected"]
