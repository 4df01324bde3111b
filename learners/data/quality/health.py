"""Check a table under a plan: run all registered checks."""

from __future__ import annotations

from ...common.validation import validated
from ..plan.plan import Plan
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
