"""A data-quality finding and its fixes, as a record whose texts are made from typed sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...common.sentences import NOTHING, Count, Phrase, Quoted, Sentence, phrase, restored, say, stored
from ..plan.plan import Plan
from ..plan.plan_file import plan_of, stored_plan

MAX_SEPARATE_FIXES = 4  # maximum number of columns or texts that each get a fix besides the fix for all
MAX_LISTED_LENGTH = 40  # maximum number of characters of a list in the label of a fix

Label = Callable[[Sentence, Sequence[str]], Sentence]


@dataclass(frozen=True)
class Fix:
    """A fix of a finding: `plan` replaces the current plan."""

    label: Phrase
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
    reason : Phrase
        Full sentences, the first one without a capital: the problem, and why it matters or what to do. Their template
        and values (columns, numbers) can be written in any language of the catalog.
    fixes : tuple of Fix
        The recommended fix first. Empty where only the user can help.
    """

    severity: Literal["blocker", "warning"]
    code: str
    columns: tuple[str, ...]
    reason: Phrase
    fixes: tuple[Fix, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as a JSON object; `from_dict` reads it."""
        return {
            "severity": self.severity,
            "code": self.code,
            "columns": list(self.columns),
            "reason": stored(self.reason.sentence),
            "fixes": [{"label": stored(fix.label.sentence), "plan": stored_plan(fix.plan)} for fix in self.fixes],
        }

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> Finding:
        """Return the finding that `to_dict` wrote."""
        fixes = tuple(Fix(Phrase(restored(fix["label"])), plan_of(fix["plan"])) for fix in written["fixes"])
        reason = Phrase(restored(written["reason"]))
        return cls(written["severity"], written["code"], tuple(written["columns"]), reason, fixes)


def blocker(code: str, columns: Sequence[str], reason: Sentence, *fixes: Fix) -> Finding:
    """Return a finding that prevents learning."""
    return Finding("blocker", code, tuple(columns), Phrase(reason), fixes)


def warning(code: str, columns: Sequence[str], reason: Sentence, *fixes: Fix) -> Finding:
    """Return a finding that does not prevent learning."""
    return Finding("warning", code, tuple(columns), Phrase(reason), fixes)


def leave_out(plan: Plan, names: Sequence[str]) -> Fix:
    """Return the fix that ignores the named columns."""
    return Fix(phrase("leave out {columns}", columns=listed_or_counted(names)), plan.change(*names, kind="ignore"))


def fixes_of(names: Sequence[str], label: Label, plan_of: Callable[[Sequence[str]], Plan]) -> tuple[Fix, ...]:
    """Return one fix for all columns and, if the columns are few, one fix for each.

    Parameters
    ----------
    names : sequence of str
    label : callable
        Returns the label of a fix from the clause that denotes the columns and from their names.
    plan_of : callable
        Returns the plan of a fix from the names of its columns.
    """
    if len(names) == 1:
        return (Fix(Phrase(label(say("{columns}", columns=Quoted(names)), names)), plan_of(names)),)
    separate = names if len(names) <= MAX_SEPARATE_FIXES else ()
    return (
        Fix(Phrase(label(all_columns(len(names)), names)), plan_of(names)),
        *(
            Fix(Phrase(label(say("{columns} alone", columns=Quoted([name])), [name])), plan_of([name]))
            for name in separate
        ),
    )


def listed_or_counted(names: Sequence[str], what: str = "column") -> Quoted | Count:
    """Return names for the label of a fix: in quotes, or only their number if the list is long.

    The finding lists them. A label with a long list would be cut in the middle.
    """
    listed = Quoted(names)
    return listed if len(names) == 1 or len(listed.text()) <= MAX_LISTED_LENGTH else Count(len(names), what)


def all_columns(n: int) -> Sentence:
    """Return ``both columns`` or ``all 3 columns`` as a clause, for two columns or more."""
    return say("both columns") if n == 2 else say("all {n} columns", n=n)


def and_missing(missing: dict[str, Sequence[str]]) -> Sentence:
    """Return the part of a label that lists the texts, by column, that become missing; empty if there are none."""
    texts = distinct_texts(missing)
    return say(", with {words} missing", words=listed_or_counted(texts, "text")) if texts else NOTHING


def distinct_texts(by_column: dict[str, Sequence[str]]) -> list[str]:
    """Return the distinct texts of several columns in order of appearance."""
    return list(dict.fromkeys(text for texts in by_column.values() for text in texts))


def quoted_cells(texts: Sequence[str]) -> Quoted:
    """Return cell texts as a list for a sentence; the empty text is shown as "empty cells"."""
    return Quoted(texts, empty="empty cells")
