"""Report columns that cannot be prepared or that are ignored, and notes of the reader.

A column cannot be prepared without a value, without numbers, with infinite numbers, or with too many levels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ...common.sentences import Message, Quoted, cells_of, columns_of, paragraph, phrase, say
from ..arrow_arrays import to_arrow
from ..column_types.types_and_missing_codes import ColumnGuess, kind_of
from ..columns import MAX_LEVELS
from ..plan.binning import Binning
from ..plan.conversion import conversion_phrase
from ..plan.conversion_guess import possible_conversions
from ..plan.plan import ColumnPlan, Plan, with_missing
from .finding import Finding, Fix, and_missing, blocker, leave_out, listed_or_counted, quoted_cells, warning
from .inspection import Inspection
from .registry import OF_TABLE, OF_TEXTS, check, column_check

MAX_MARKERS = 20  # maximum number of texts of a numeric column that one fix declares missing


@check("unusable_columns")
def unusable_columns(inspection: Inspection) -> list[Finding]:
    """Return one blocker for each used column that cannot be prepared."""
    return inspection.unusable


@column_check
def all_missing(inspection: Inspection, column: ColumnPlan) -> Finding | None:
    """Return a blocker for a column without a value."""
    if _present(inspection, column).any():
        return None
    reason = say("column {column} has only missing cells.", column=Quoted([column.name]))
    return blocker("all_missing", (column.name,), reason, leave_out(inspection.plan, [column.name]))


@column_check
def not_numbers(inspection: Inspection, column: ColumnPlan) -> Finding | None:
    """Return a blocker for a continuous or binned column with cells that are not numbers."""
    if column.kind != "continuous" and not column.binning:
        return None
    plan, name, cells = inspection.plan, column.name, column.cells(inspection.table)
    present, number = _present(inspection, column), ~np.isnan(cells.numbers)
    texts = _texts(cells.texts, present & ~number)
    if not texts:
        return None
    fixes = _conversions(inspection, column)
    if (present & number).any() and len(texts) <= MAX_MARKERS:
        fixes.append(_as_missing(inspection, name, texts))
    label = phrase("make {columns} categorical", columns=Quoted([name]))
    fixes.append(Fix(label, plan.change(name, kind="categorical", binning=None)))
    reason = say(
        "column {column} must contain numbers only. Found {cells} such as {texts}.",
        column=Quoted([name]),
        cells=cells_of(int(cells.counts[present & ~number].sum())),
        texts=quoted_cells(texts),
    )
    return blocker("not_numbers", (column.name,), reason, *fixes, leave_out(plan, [name]))


@column_check
def infinite(inspection: Inspection, column: ColumnPlan) -> Finding | None:
    """Return a blocker for a continuous column with infinite numbers."""
    if column.kind != "continuous":
        return None
    plan, name, cells = inspection.plan, column.name, column.cells(inspection.table)
    texts = _texts(cells.texts, _present(inspection, column) & np.isinf(cells.numbers))
    if not texts:
        return None
    fixes = [_as_missing(inspection, name, texts), into_bins(plan, [name]), leave_out(plan, [name])]
    reason = say(
        "column {column} contains infinite numbers such as {texts}.", column=Quoted([name]), texts=Quoted(texts)
    )
    return blocker("infinite", (column.name,), reason, *fixes)


@column_check
def too_many_levels(inspection: Inspection, column: ColumnPlan) -> Finding | None:
    """Return a blocker for a categorical column with more levels than a data set can encode."""
    if column.kind == "continuous" or column.binning or (present := _present(inspection, column)).sum() <= MAX_LEVELS:
        return None
    plan, name = inspection.plan, column.name
    numeric = not np.isnan(column.cells(inspection.table).numbers[present]).any()
    fixes = [into_bins(plan, [name])] if numeric else []
    reason = say(
        "column {column} has {n} levels. At most {most} are possible.",
        column=Quoted([name]),
        n=int(present.sum()),
        most=MAX_LEVELS,
    )
    return blocker("too_many_levels", (column.name,), reason, *fixes, leave_out(plan, [name]))


def into_bins(plan: Plan, names: Sequence[str]) -> Fix:
    """Return the fix that cuts columns of numbers into bins."""
    binning = Binning()
    template = "cut {columns} into {n} bins of about equally many rows"
    label = phrase(template, columns=listed_or_counted(names), n=binning.bins)
    return Fix(label, plan.change(*names, kind="categorical", binning=binning, min_level_count=0))


def _present(inspection: Inspection, column: ColumnPlan) -> np.ndarray:
    """Return (m,) bool: the distinct texts of a column that do not mean "missing"."""
    return ~column.cells(inspection.table).among(column.missing)


def _as_missing(inspection: Inspection, name: str, texts: Sequence[str]) -> Fix:
    fixed = with_missing(inspection.table, inspection.plan, {name: texts})
    return Fix(phrase("treat {marks} as missing", marks=quoted_cells(texts)), fixed)


def _conversions(inspection: Inspection, column: ColumnPlan) -> list[Fix]:
    """Return the fixes that convert the texts of a column, such as amounts or dates, to numbers."""
    if column.treatment is not None:
        return []
    name, cells = column.name, column.cells(inspection.table)
    return [
        Fix(
            phrase(
                "read {columns} {how}{missing}",
                columns=Quoted([name]),
                how=Message(conversion_phrase(treatment)),
                missing=and_missing({name: unread}),
            ),
            with_missing(inspection.table, inspection.plan, {name: unread}, treatment=treatment),
        )
        for treatment, unread in possible_conversions(cells, column, inspection.table.guess.decimal)
        if treatment.how != "spelling"
    ]


def _texts(texts: pa.Array, mask: np.ndarray) -> list[str]:
    return texts.filter(to_arrow(mask)).to_pylist()


@check("ignored_columns")
def ignored_columns(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns that are ignored by guess, without other findings or used columns made of them."""
    table, plan = inspection.table, inspection.plan
    mentioned = {column.source for column in plan.columns}
    for name in (*OF_TEXTS, *OF_TABLE):
        mentioned |= {column for finding in inspection.findings(name) for column in finding.columns}
    ignored = [guess for guess in table.guess.columns if guess.kind == "ignore" == plan.column(guess.name).kind]
    guesses = [guess for guess in ignored if guess.name not in mentioned]
    if not guesses:
        return []
    names = tuple(guess.name for guess in guesses)
    ignored_because = say(
        "{columns} is ignored: {reason}." if len(names) == 1 else "{columns} are ignored (the first: {reason}).",
        columns=columns_of(names),
        reason=Message(_reason(inspection, guesses[0])),
    )
    use = say(
        "To use it, change “use as” in the table of variables."
        if len(names) == 1
        else "To use them, change “use as” in the table of variables."
    )
    return [warning("left_out", names, paragraph(ignored_because, use))]


def _reason(inspection: Inspection, guess: ColumnGuess) -> str:
    """Return why a column is ignored by guess, with the numbers of the rows that the plan chooses."""
    plan, column = inspection.plan, inspection.plan.column(guess.name)
    if plan.rows is None and not plan.drop_copies and not plan.one_row_per:
        return guess.reason
    cells = column.cells(inspection.table)
    kind, reason = kind_of(cells, cells.among(column.missing))
    return reason if kind == "ignore" else guess.reason


@check("import_notes")
def import_notes(inspection: Inspection) -> list[Finding]:
    """Return the notes of the reader of the file as warnings."""
    return [warning("header", (), say("{note}.", note=Message(note))) for note in inspection.table.guess.notes]
