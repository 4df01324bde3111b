"""Find columns of dates or times that are taken for text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...common.sentences import NOTHING, Listed, columns_of, only_if, paragraph, phrase, say
from ..arrow_arrays import to_arrow
from ..column_types.cells import Cells
from ..column_types.dates import COMPACT, DURATION, ORDERS, WITHOUT_DAYS, read_dates
from ..plan.conversion import Treatment
from ..plan.conversion_guess import ConversionGuess, guess_dates, split_date
from ..plan.plan import ColumnPlan
from .amounts import columns_with_digits, converted
from .finding import Finding, Fix, and_missing, listed_or_counted, warning
from .inspection import Inspection
from .registry import check

MIN_DAY, MAX_DAY = 15_000_101, 22_000_101  # range of the numbers in a column of days, such as 20240131
MIN_DAYS = 2  # a column of days has more distinct numbers than this
TIME = "time"  # order of times of day
KINDS = {TIME: "times", DURATION: "durations"}


@check("dates")
def dates(inspection: Inspection) -> list[Finding]:
    """Return a warning for columns of dates or times, one for each order of day, month and year."""
    columns = [*inspection.once(columns_with_digits), *_columns_of_days(inspection)]
    guesses = _settled([guess for column, cells in columns if (guess := guess_dates(cells, column))])
    found = []
    for treatments in dict.fromkeys(guess.treatments for guess in guesses):
        group = [guess for guess in guesses if guess.treatments == treatments]
        names, unclear = [guess.column.name for guess in group], len(treatments) > 1
        found_are = say(
            "{columns} has {dates} such as {example} ({orders}), read as {text}."
            if len(group) == 1
            else "{columns} have {dates} such as {example} ({orders}), read as {text}.",
            columns=columns_of(names),
            dates=say(KINDS.get(treatments[0].order, "dates")),
            example=repr(group[0].example),
            orders=Listed([say(ORDERS[treatment.order]) for treatment in treatments], " or "),
            text=say("numbers" if treatments[0].order == COMPACT else "text"),
        )
        reason = paragraph(found_are, only_if(unclear, say("The cells fit both orders.")))
        fixes = [fix for treatment in treatments for fix in _fixes(inspection, group, treatment, name_order=unclear)]
        found.append(warning("dates", names, reason, *fixes))
    return found


def _columns_of_days(inspection: Inspection) -> list[tuple[ColumnPlan, Cells]]:
    """Return the columns of numbers that are all days, such as 20240131, and that the plan leaves as guessed."""
    found = []
    for guess in inspection.table.guess.columns:
        column = inspection.plan.column(guess.name)
        if column.kind == guess.kind == "continuous" and column.treatment is None and not column.normal_scores:
            cells = column.cells(inspection.table)
            numbers = cells.numbers[~cells.among(column.missing)]
            days = ((numbers >= MIN_DAY) & (numbers < MAX_DAY)).all() if len(numbers) > MIN_DAYS else False
            if (
                days
                and not np.isnat(read_dates(cells.texts.filter(to_arrow(~cells.among(column.missing))), COMPACT)).any()
            ):
                found.append((column, cells))
    return found


def _settled(guesses: list[ConversionGuess]) -> list[ConversionGuess]:
    """Read dates of unclear order in the order of the other columns, if these have one order."""
    orders = {guess.treatments[0].order for guess in guesses if len(guess.treatments) == 1} & {"dmy", "mdy"}
    if len(orders) != 1:
        return guesses
    treatment = Treatment("date", order=orders.pop())
    return [replace(guess, treatments=(treatment,)) if treatment in guess.treatments else guess for guess in guesses]


def _fixes(
    inspection: Inspection, group: Sequence[ConversionGuess], treatment: Treatment, *, name_order: bool
) -> list[Fix]:
    """Return the fixes that read columns in one order; their labels name the order if `name_order`."""
    plan = inspection.plan
    order = say(" ({order})", order=say(ORDERS[treatment.order])) if name_order else NOTHING
    them = listed_or_counted([guess.column.name for guess in group])
    missing = and_missing({guess.column.name: guess.unread for guess in group})
    if treatment.order == DURATION:
        durations = [replace(guess, treatments=(treatment,)) for guess in group]
        label = phrase("convert {columns} to hours{missing}", columns=them, missing=missing)
        return [Fix(label, converted(plan, durations))]
    if treatment.order == TIME:
        hours = [replace(guess, treatments=(replace(treatment, part="hours"),)) for guess in group]
        label = phrase("convert {columns} to hours since midnight{missing}", columns=them, missing=missing)
        return [Fix(label, converted(plan, hours))]
    days = [replace(guess, treatments=(treatment,)) for guess in group]
    parts = plan
    for guess in group:
        parts = split_date(inspection.table, parts, guess.column.name, treatment.order, guess.unread)
    values = {"columns": them, "order": order, "missing": missing}
    split = "split {columns} into year, month and weekday{order}{missing}"
    if treatment.order in WITHOUT_DAYS:
        split = "split {columns} into year and month{order}{missing}"
    return [
        Fix(phrase("convert {columns} to days since the first date{order}{missing}", **values), converted(plan, days)),
        Fix(phrase(split, **values), parts),
    ]
