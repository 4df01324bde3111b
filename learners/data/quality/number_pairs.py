"""Columns with two numbers in a cell, such as a blood pressure of 143/81."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...common.sentences import columns_of, say
from ..columns import FEW_NUMBERS
from ..plan.conversion import Treatment, treated
from ..plan.conversion_guess import MIN_VALUES, guess_dates, non_numbers
from ..plan.plan import ColumnPlan, Plan, free_name
from .amounts import columns_with_digits
from .finding import Finding, and_missing, fixes_of, warning
from .inspection import Inspection
from .registry import check

FIRST, SECOND = Treatment("first"), Treatment("second")


@check("number_pairs")
def number_pairs(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns with two numbers in a cell."""
    sources = {column.source for column in inspection.plan.columns}
    unread, example = {}, ""
    for column, cells in inspection.once(columns_with_digits):
        first, second = (treated(cells, treatment, column.missing) for treatment in (FIRST, SECOND))
        odd = non_numbers(first, column, MIN_VALUES - 1)
        pair = np.isfinite(first.numbers) & ~cells.among(column.missing)
        if column.name in sources or odd is None or pair.sum() <= FEW_NUMBERS or guess_dates(cells, column):
            continue
        if non_numbers(second, column, MIN_VALUES - 1) is None:
            continue
        unread[column.name] = odd
        example = example or cells.texts[int(np.flatnonzero(pair)[0])].as_py()
    if not unread:
        return []
    names = list(unread)
    reason = say(
        "{columns} has two numbers in a cell, such as {example}, which are read as text."
        if len(names) == 1
        else "{columns} have two numbers in a cell, such as {example}, which are read as text.",
        columns=columns_of(names),
        example=repr(example),
    )
    fixes = fixes_of(
        names,
        lambda them, some: say(
            "split {columns} into two numbers{missing}",
            columns=them,
            missing=and_missing({name: unread[name] for name in some}),
        ),
        lambda some: _split(inspection.plan, {name: unread[name] for name in some}),
    )
    return [warning("number_pairs", names, reason, *fixes)]


def _split(plan: Plan, unread: dict[str, list[str]]) -> Plan:
    """Return the plan with the two numbers of each column as two columns, in the position of the column."""
    columns: list[ColumnPlan] = []
    taken = {column.name for column in plan.columns}
    for column in plan.columns:
        if column.name not in unread:
            columns.append(column)
            continue
        missing = (*column.missing, *unread[column.name])
        columns.append(replace(column, kind="ignore", missing=missing))
        for treatment in (FIRST, SECOND):
            name = free_name(f"{column.name} ({treatment.how})", taken)
            taken.add(name)
            source = column.source or column.name
            columns.append(ColumnPlan(name, "continuous", missing, treatment=treatment, source=source))
    return replace(plan, columns=tuple(columns))
