"""First ways out of findings, taken one after the other, each told."""

from __future__ import annotations

from collections.abc import Callable

from ..common.validation import validated
from .dataset_health import Finding
from .health import check_health
from .plan import Plan
from .tables import Table

MOST_STEPS = 100  # each ends one finding
ASKED_FOR = "weights"  # somebody asked for them: no run goes on without
# Warnings whose first way out loses nothing that could be learned from, or reads cells as what they say.
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
    """The plan with the first way out of each blocker taken, the findings that are left, and what was done."""
    return _taken(table, plan, lambda one: one.severity == "blocker" and one.code != ASKED_FOR)


@validated
def with_proposals(table: Table, plan: Plan) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    """The plan with all that is proposed for its table: ways out of blockers, and of warnings where these suit all.

    Returns
    -------
    plan : Plan
    findings : tuple of Finding
        What is left to know or to decide.
    done : list of str
        One sentence on each step.
    """
    return _taken(table, plan, lambda one: one.severity == "blocker" or one.code in PROPOSED)


def _taken(table: Table, plan: Plan, wanted: Callable[[Finding], bool]) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    done = []
    for _ in range(MOST_STEPS):
        findings = check_health(table, plan)
        one = next((one for one in findings if one.fixes and wanted(one) and one.fixes[0].plan != plan), None)
        if one is None:
            break
        done.append(f"{one.reason}; done: {one.fixes[0].label}")
        plan = one.fixes[0].plan
    return plan, findings, done
