"""Apply the first fixes of findings one after another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace

from ...common.sentences import Phrase, Quoted, only_if, phrase, say
from ...common.validation import validated
from ..plan.plan import Plan
from ..reading.table import Table
from .destructive_changes import lost_columns
from .extent import extent
from .finding import Finding
from .health import check_health

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
    plan, findings, steps = _fixed(table, plan, lambda f: f.severity == "blocker" and f.code != ON_REQUEST)
    return plan, findings, [step.sentence for step in steps]


@validated
def with_proposals(table: Table, plan: Plan) -> tuple[Plan, tuple[Finding, ...], list[str]]:
    """Apply all suggested fixes: the first fix of each blocking finding, and of each warning with a fix for any table.

    The columns of a warning in which its fix would destroy a level (`destructive_changes.lost_columns`), or cause
    another finding of `TROUBLE`, are left to the user.

    Returns
    -------
    plan : Plan
    findings : tuple of Finding
        The remaining findings.
    done : list of str
        One sentence on each step.
    """
    plan, findings, steps = _proposals(table, plan)
    return plan, findings, [step.sentence for step in steps]


def reasons_left_out(table: Table, plan: Plan) -> dict[str, Phrase]:
    """Return, for each column that `with_proposals` leaves out, the finding that led to it, as full sentences."""
    return {
        column.name: step.finding.reason
        for step in _proposals(table, plan)[2]
        for column in step.before.used
        if step.after.column(column.name).kind == "ignore"
    }


def reasons_ignored(table: Table, default: Plan, plan: Plan) -> dict[str, Phrase]:
    """Return, for columns that `plan` ignores but `default` uses, the finding that suggests it, as full sentences.

    Besides those of `reasons_left_out`, these are findings on the plan that uses its ignored columns again.
    """
    found = reasons_left_out(table, default)
    kinds = {column.name: column.kind for column in default.used}
    chosen = [c.name for c in plan.columns if c.kind == "ignore" and c.name in kinds and c.name not in found]
    if not chosen:
        return found
    key = ("reasons", default, plan)
    if key not in table.read_as:
        used = plan
        for name in chosen:
            used = used.change(name, kind=kinds[name])
        table.read_as[key] = {
            name: finding.reason
            for finding in reversed(check_health(table, used))
            for name in chosen
            if any(name in _ignored(fix.plan) for fix in finding.fixes)
        }
    return {**table.read_as[key], **found}


def _ignored(plan: Plan) -> set[str]:
    return {column.name for column in plan.columns if column.kind == "ignore"}


@dataclass(frozen=True)
class _Step:
    """An applied fix: the finding, the plans before and after it, and a sentence on it."""

    finding: Finding
    before: Plan
    after: Plan
    sentence: Phrase


def _proposals(table: Table, plan: Plan) -> tuple[Plan, tuple[Finding, ...], list[_Step]]:
    """Apply all suggested fixes; cached in the table."""
    key = ("proposals", plan)
    if key not in table.read_as:
        table.read_as[key] = _fixed(table, plan, lambda f: f.severity == "blocker" or f.code in PROPOSED)
    return table.read_as[key]


def _fixed(
    table: Table, plan: Plan, is_fixed: Callable[[Finding], bool]
) -> tuple[Plan, tuple[Finding, ...], list[_Step]]:
    done, refused, findings = [], set(), check_health(table, plan)
    for _ in range(MAX_STEPS):
        candidates = (f for f in findings if f.fixes and is_fixed(f) and f.fixes[0].plan != plan and f not in refused)
        finding = next(candidates, None)
        if finding is None:
            break
        change = _change(table, plan, findings, finding)
        if change is None:
            refused.add(finding)
            continue
        fixed, left, spared = change
        sentence = _step(finding, spared, extent(table, plan, fixed).sentence)
        done.append(_Step(finding, plan, fixed, sentence))
        plan, findings = fixed, left
    return plan, findings, done


@dataclass(frozen=True)
class _Spared:
    """Columns that a fix leaves as they were, because it would destroy levels or make the columns useless."""

    destroyed: tuple[str, ...] = ()
    useless: tuple[str, ...] = ()


def _step(finding: Finding, spared: _Spared, touched: str) -> Phrase:
    """Return the sentence on an applied fix: the finding, the fix, and the columns that it leaves as they were."""
    destroyed = say(", except in {columns}, where levels would be lost", columns=Quoted(spared.destroyed))
    useless = say(", except in {columns}, which learners could not use then", columns=Quoted(spared.useless))
    return phrase(
        "{reason} Done: {fix}{destroyed}{useless}{extent}",
        reason=finding.reason,
        fix=finding.fixes[0].label,
        destroyed=only_if(spared.destroyed, destroyed),
        useless=only_if(spared.useless, useless),
        extent=only_if(touched, say(" ({extent})", extent=touched)),
    )


def _change(
    table: Table, plan: Plan, findings: tuple[Finding, ...], finding: Finding
) -> tuple[Plan, tuple[Finding, ...], _Spared] | None:
    """Return the plan of the first fix of a finding, the findings under it, and the columns that it does not change.

    These are the columns of a warning that the fix would destroy, or give a finding of `TROUBLE`. The result is None if
    nothing else changes, or another finding of `TROUBLE` is left.
    """
    fixed = finding.fixes[0].plan
    if finding.severity == "blocker":
        return fixed, check_health(table, fixed), _Spared()
    destroyed = [] if finding.code in LEAVES_OUT else lost_columns(table, plan, fixed)
    fixed = _sparing(plan, fixed, destroyed)
    if fixed == plan:
        return None
    left, useless = check_health(table, fixed), []
    if new := _troubles(left) - _troubles(findings):
        useless = sorted({name for _, name in new if name})
        fixed = _sparing(plan, fixed, [*destroyed, *useless])
        left = check_health(table, fixed)
        if fixed == plan or _troubles(left) - _troubles(findings):
            return None
    return fixed, left, _Spared(tuple(destroyed), tuple(useless))


def _sparing(plan: Plan, fixed: Plan, names: Collection[str]) -> Plan:
    """Return a changed plan in which the named columns are as before, without the columns made of them."""
    if not names:
        return fixed
    known = {column.name for column in plan.columns}
    sources = {plan.column(name).source or name for name in names if name in known}
    columns = [
        plan.column(column.name) if column.name in names else column
        for column in fixed.columns
        if column.name in known or column.source not in sources
    ]
    return replace(fixed, columns=tuple(columns))


def _troubles(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Return the columns with a finding of `TROUBLE`."""
    return {(finding.code, name) for finding in findings if finding.code in TROUBLE for name in finding.columns or [""]}
