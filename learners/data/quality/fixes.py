"""Apply the first fixes of findings one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...common.validation import validated
from ..plan.plan import Plan
from ..reading.table import Table
from .extent import extent
from .finding import Finding
from .health import check_health
from .losses import loses

MAX_STEPS = 100  # maximum number of fixes applied, each of which removes one finding
ON_REQUEST = "weights"  # code of the blocker that is never fixed silently: the user asked for weights
# Warnings whose first fix loses no information, or only corrects how cells are read.
PROPOSED = frozenset(
    {
        "nearly_numbers",
        "codes",
        "amounts",
        "dates",
        "number_pairs",
        "several_answers",
        "spellings",
        "possible_missing",
        "id_like",
        "group_id",
        "many_levels",
        "skewed",
    }
)
LEAVES_OUT = frozenset({"id_like", "group_id"})  # codes whose fix ignores columns on purpose
TROUBLE = frozenset({"constant", "id_like", "few_rows", "few_columns", "all_missing"})


def without_blockers(table: Table, plan: Plan) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    """Apply the first fix of each blocker; return the plan, the remaining findings and a sentence on each step."""
    return _fixed(table, plan, lambda finding: finding.severity == "blocker" and finding.code != ON_REQUEST)


@validated
def with_proposals(table: Table, plan: Plan) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    """Apply all suggested fixes: the first fix of each blocking finding, and of each warning with a fix for any table.

    A fix of a warning is left to the user if it would destroy a column or a level (`losses.loses`), or cause another
    finding of `TROUBLE`.

    Returns
    -------
    plan : Plan
    findings : tuple of Finding
        The remaining findings.
    done : list of str
        One sentence on each step.
    """
    return _fixed(table, plan, lambda finding: finding.severity == "blocker" or finding.code in PROPOSED)


def _fixed(
    table: Table, plan: Plan, is_fixed: Callable[[Finding], bool]
) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    done, refused, findings = [], set(), check_health(table, plan)
    for _ in range(MAX_STEPS):
        candidates = (f for f in findings if f.fixes and is_fixed(f) and f.fixes[0].plan != plan and f not in refused)
        finding = next(candidates, None)
        if finding is None:
            break
        fixed = finding.fixes[0].plan
        if finding.severity != "blocker" and finding.code not in LEAVES_OUT and loses(table, plan, fixed):
            refused.add(finding)
            continue
        left = check_health(table, fixed)
        if finding.severity != "blocker" and _troubles(left) - _troubles(findings):
            refused.add(finding)
            continue
        touched = extent(table, plan, fixed).sentence
        done.append(f"{finding.reason} Done: {finding.fixes[0].label}{touched and f' ({touched})'}")
        plan, findings = fixed, left
    return plan, findings, done


def _troubles(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Return the columns with a finding of `TROUBLE`."""
    return {(finding.code, name) for finding in findings if finding.code in TROUBLE for name in finding.columns or [""]}
