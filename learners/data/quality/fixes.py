"""Apply the first fixes of findings one after another."""

from __future__ import annotations

from collections.abc import Callable

from ...common.validation import validated
from ..plan.plan import Plan
from ..reading.table import Table
from .finding import Finding
from .health import check_health

MAX_STEPS = 100  # each removes one finding
ON_REQUEST = "weights"  # code of the blocker that is never fixed silently: the user asked for weights
# Warnings whose first fix loses no information, or only corrects how cells are read.
PROPOSED = frozenset(
    {
        "nearly_numbers",
        "codes",
        "amounts",
        "dates",
        "several_answers",
        "spellings",
        "possible_missing",
        "id_like",
        "many_levels",
        "skewed",
    }
)


def without_blockers(table: Table, plan: Plan) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    """Apply the first fix of each blocker; return the plan, the findings left and a sentence on each step."""
    return _fixed(table, plan, lambda finding: finding.severity == "blocker" and finding.code != ON_REQUEST)


@validated
def with_proposals(table: Table, plan: Plan) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    """Apply all suggested fixes: the first fixes of blockers, and of warnings where these suit every table.

    Returns
    -------
    plan : Plan
    findings : tuple of Finding
        The findings that are left.
    done : list of str
        One sentence on each step.
    """
    return _fixed(table, plan, lambda finding: finding.severity == "blocker" or finding.code in PROPOSED)


def _fixed(
    table: Table, plan: Plan, is_fixed: Callable[[Finding], bool]
) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    done = []
    for _ in range(MAX_STEPS):
        findings = check_health(table, plan)
        candidates = (f for f in findings if f.fixes and is_fixed(f) and f.fixes[0].plan != plan)
        finding = next(candidates, None)
        if finding is None:
            break
        done.append(f"{finding.reason} Done: {finding.fixes[0].label}")
        plan = finding.fixes[0].plan
    return plan, findings, done
