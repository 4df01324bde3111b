"""Order findings by how much of the table they concern."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ...common.errors import DataError
from ..plan.plan import Plan
from ..plan.preparation import kept_rows
from ..reading.table import Table
from .extent import extent
from .finding import Finding

MIN_EFFECT = 0.01  # share of cells or rows below which a warning is a detail
# Codes of findings that only report what `prepare` does by default.
HANDLED = frozenset({"missing", "left_out", "header"})
CODES = "codes"  # numbers that may be codes for missing values, which as numbers distort relations


def by_effect(table: Table, plan: Plan, findings: Iterable[Finding]) -> list[Finding]:
    """Sort blockers first, then possible missing-value codes, then by decreasing `effect`; ties keep their order."""
    return sorted(
        findings, key=lambda found: (found.severity != "blocker", found.code != CODES, -effect(table, plan, found))
    )


def is_detail(table: Table, plan: Plan, finding: Finding) -> bool:
    """Return True for a warning that concerns few cells and rows, and no possible missing-value code."""
    return finding.code != CODES and effect(table, plan, finding) < MIN_EFFECT


def effect(table: Table, plan: Plan, finding: Finding) -> float:
    """Return the share of cells or rows that the first fix of a finding changes; infinity for a blocker.

    A fix that counts the rows as fewer independent ones changes the share by which their number falls.

    Without a fix it is the share of the columns that the finding names, and 1 if it concerns all rows.
    """
    if finding.severity == "blocker":
        return math.inf
    if finding.code in HANDLED:
        return 0.0
    if not finding.fixes:
        return len(finding.columns) / table.p if finding.columns else 1.0
    fixed = finding.fixes[0].plan
    touched = extent(table, plan, fixed)
    cells = touched.n_missing or touched.n_left_out or touched.n_converted  # the count that `Extent.sentence` shows
    rows = abs(_n_kept(table, fixed) - _n_kept(table, plan))
    return max(cells / (table.n * table.p), rows / table.n, plan.independence - fixed.independence)


def _n_kept(table: Table, plan: Plan) -> int:
    """Return the number of rows that a plan keeps, cached in the table; all rows if its weights are invalid."""
    key = ("kept", plan)
    if key not in table.read_as:
        try:
            table.read_as[key] = int(kept_rows(table, plan).sum())
        except DataError:
            table.read_as[key] = table.n
    return table.read_as[key]
