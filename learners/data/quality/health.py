"""Check a table under a plan: run all registered checks."""

from __future__ import annotations

from ...common.validation import validated
from ..dataset import Dataset
from ..plan.plan import Plan
from ..plan.preparation import kept_rows, row_groups
from ..reading.table import Table
from .finding import Finding
from .inspection import Inspection
from .registry import checks


@validated
def check_health(table: Table, plan: Plan) -> tuple[Finding, ...]:
    """Return all data-quality findings of a table under a plan, blockers first.

    Parameters
    ----------
    table : Table
    plan : Plan

    Notes
    -----
    The checks see and count the rows in the range of the plan, without the copies and repeated groups that it leaves
    out. In a table that `is_long`, they see 20,000 rows in runs of neighbouring rows, and some rows of the first texts
    of each column.

    Returns
    -------
    tuple of Finding
        Without a blocker, `prepare(table, plan)` raises nothing. Applying the first fix of the first blocker
        repeatedly ends in such a plan, or in a blocker without fixes that says what only the user can do.
    """
    inspection = Inspection(table, plan)
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
    for finding in Inspection(table, plan).findings("repeated_measures"):
        for name in filter(None, (fix.plan.resample_by for fix in finding.fixes)):
            rows = row_groups(table, plan.column(name))[kept_rows(table, plan)]
            return dataset.with_groups(rows) if len(rows) == dataset.n_rows else dataset
    return dataset
