"""A data-quality finding and its fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...common.wording import all_items, quoted
from ..plan.plan import Plan

MAX_SEPARATE_FIXES = 4  # maximum number of columns or texts that each get a fix besides the fix for all

Label = Callable[[str, Sequence[str]], str]


@dataclass(frozen=True)
class Fix:
    """A fix of a finding: `plan` replaces the present plan."""

    label: str
    plan: Plan


@dataclass(frozen=True)
class Finding:
    """A problem of a table under a plan.

    Attributes
    ----------
    severity : "blocker" or "warning"
        Learning is impossible until all blockers are fixed.
    code : str
        Kind of the problem, for programs: "constant", "id_like", "duplicate", "linear_dependence", ...
    columns : tuple of str
        The affected columns, which the fixes change. Empty if the finding concerns the whole table.
    reason : str
        Full sentences, the first one without a capital: the problem, and why it matters or what to do.
    fixes : tuple of Fix
        The recommended fix first. Empty where only the user can help.
    """

    severity: Literal["blocker", "warning"]
    code: str
    columns: tuple[str, ...]
    reason: str
    fixes: tuple[Fix, ...] = ()


def blocker(code: str, columns: Sequence[str], reason: str, *fixes: Fix) -> Finding:
    """Return a finding that prevents learning."""
    return Finding("blocker", code, tuple(columns), reason, fixes)


def warning(code: str, columns: Sequence[str], reason: str, *fixes: Fix) -> Finding:
    """Return a finding that does not prevent learning."""
    return Finding("warning", code, tuple(columns), reason, fixes)


def leave_out(plan: Plan, names: Sequence[str]) -> Fix:
    """Return the fix that ignores the named columns."""
    return Fix(f"leave out {quoted(names)}", plan.change(*names, kind="ignore"))


def fixes_of(names: Sequence[str], label: Label, plan_of: Callable[[Sequence[str]], Plan]) -> tuple[Fix, ...]:
    """Return one fix for all columns and, if the columns are few, one fix for each.

    Parameters
    ----------
    names : sequence of str
    label : callable
        Returns the label of a fix from the words that denote the columns and from their names.
    plan_of : callable
        Returns the plan of a fix from the names of its columns.
    """
    if len(names) == 1:
        return (Fix(label(quoted(names), names), plan_of(names)),)
    separate = names if len(names) <= MAX_SEPARATE_FIXES else ()
    return (
        Fix(label(all_items(len(names), "column"), names), plan_of(names)),
        *(Fix(label(f"{quoted([name])} alone", [name]), plan_of([name])) for name in separate),
    )


def and_missing(missing: dict[str, Sequence[str]]) -> str:
    """Return the part of a label that lists the texts, by column, that become missing; empty if there are none."""
    texts = distinct_texts(missing)
    return f", with {quoted(texts)} missing" if texts else ""


def distinct_texts(by_column: dict[str, Sequence[str]]) -> list[str]:
    """Return the distinct texts of several columns in order of appearance."""
    return list(dict.fromkeys(text for texts in by_column.values() for text in texts))


def quoted_cells(texts: Sequence[str]) -> str:
    """Return cell texts as a list for a sentence; the empty text is shown as "empty cells"."""
    return quoted(texts).replace("(empty)", "empty cells")
