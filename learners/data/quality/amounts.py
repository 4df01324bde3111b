"""Find columns of amounts, such as "€ 1,200", that are taken for text, and numbers with points between thousands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from ...common.sentences import NOTHING, Sentence, columns_of, only_if, paragraph, phrase, say
from ..arrow_arrays import to_arrow
from ..column_types.cells import Cells
from ..plan.conversion import MARKS, Treatment
from ..plan.conversion_guess import MAX_MARKS, MIN_VALUES, SAMPLE_TEXTS, ConversionGuess, guess_amounts
from ..plan.plan import ColumnPlan, Plan
from .finding import Finding, Fix, and_missing, fixes_of, listed_or_counted, warning
from .inspection import Inspection
from .registry import check

THREE_DECIMALS = r"^[+-]?[1-9][0-9]{0,2}[.][0-9]{3}$"  # a number such as 2.020, in a column with integers such as 411
UP_TO_999 = r"^[+-]?[0-9]{1,3}$"


@check("amounts")
def amounts(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns of amounts, and another for columns with an unclear decimal mark."""
    decimal = inspection.table.guess.decimal
    guesses = [
        guess
        for column, cells in inspection.once(columns_with_digits)
        if (guess := guess_amounts(cells, column, decimal))
    ]
    found = []
    for unclear in (False, True):
        group = [guess for guess in guesses if (len(guess.treatments) > 1) == unclear]
        if not group:
            continue
        names = [guess.column.name for guess in group]
        reason = paragraph(
            say(
                "{columns} has numbers such as {example}, which are read as text."
                if len(group) == 1
                else "{columns} have numbers such as {example}, which are read as text.",
                columns=columns_of(names),
                example=repr(group[0].example),
            ),
            only_if(unclear, say("Their mark may separate thousands or decimals.")),
        )
        number = 2 if unclear else 1
        fixes = [fix for k in range(number) for fix in _fixes(inspection.plan, group, k, name_mark=unclear)]
        found.append(warning("amounts", names, reason, *fixes))
    return found


@check("thousands")
def thousands(inspection: Inspection) -> list[Finding]:
    """Return a warning for numeric columns whose decimal points may separate thousands."""
    table, plan = inspection.table, inspection.plan
    if table.guess.decimal != ".":
        return []
    columns = (column for column in plan.columns if column.kind == "continuous" and column.treatment is None)
    group = [
        ConversionGuess(column, (Treatment("amount", decimal=","),), (), example)
        for column in columns
        if (example := _example_of_thousands(column.cells(table), column))
    ]
    if not group:
        return []
    names = [guess.column.name for guess in group]
    reason = paragraph(
        say(
            "{columns} has numbers such as {example} beside integers, with three digits after each point."
            if len(group) == 1
            else "{columns} have numbers such as {example} beside integers, with three digits after each point.",
            columns=columns_of(names),
            example=repr(group[0].example),
        ),
        say("The points may separate thousands; they are read as decimal points."),
    )
    label = phrase("read the points of {columns} as thousands separators", columns=listed_or_counted(names))
    fix = Fix(label, converted(plan, group))
    return [warning("parted", names, reason, fix)]


def columns_with_digits(inspection: Inspection) -> list[tuple[ColumnPlan, Cells]]:
    """Return the undecided columns with a digit in one of the first texts that are not numbers."""
    return [(column, cells) for column, cells in inspection.undecided if _has_digits(cells)]


def converted(plan: Plan, group: Sequence[ConversionGuess], k: int = 0) -> Plan:
    """Return the plan with the columns made continuous by the k-th treatment of each."""
    for guess in group:
        name, missing = guess.column.name, (*plan.column(guess.column.name).missing, *guess.unread)
        plan = plan.change(name, missing=missing, kind="continuous", treatment=guess.treatments[k])
    return plan


def _has_digits(cells: Cells) -> bool:
    texts = cells.texts.take(to_arrow(np.flatnonzero(np.isnan(cells.numbers))[: 2 * MAX_MARKS]))
    return any(character.isdigit() for text in texts.to_pylist() for character in text)


def _fixes(plan: Plan, group: Sequence[ConversionGuess], k: int, *, name_mark: bool) -> tuple[Fix, ...]:
    """Return the fixes that apply the k-th treatment; their labels name its decimal mark if `name_mark`."""
    by_name = {guess.column.name: guess for guess in group}
    mark = say(", decimal {mark}", mark=say(MARKS[group[0].treatments[k].decimal])) if name_mark else NOTHING

    def label(them: Sentence, names: Sequence[str]) -> Sentence:
        missing = and_missing({name: by_name[name].unread for name in names})
        return say("read {columns} as numbers{missing}{mark}", columns=them, missing=missing, mark=mark)

    return fixes_of(list(by_name), label, lambda names: converted(plan, [by_name[name] for name in names], k))


def _example_of_thousands(cells: Cells, column: ColumnPlan) -> str:
    """Return a number with a point of a column where each point may separate thousands; "" for other columns."""
    texts = cells.texts.filter(to_arrow(~cells.among(column.missing) & ~np.isnan(cells.numbers)))
    for some in (texts[:SAMPLE_TEXTS], texts):  # a few texts rule out most columns
        trimmed = pc.utf8_trim_whitespace(some)
        with_point = trimmed.filter(pc.match_substring_regex(trimmed, THREE_DECIMALS))
        integers = pc.sum(pc.match_substring_regex(trimmed, UP_TO_999)).as_py() or 0
        if len(with_point) + integers < len(trimmed):
            return ""
    return with_point[0].as_py() if len(with_point) >= MIN_VALUES and integers else ""
