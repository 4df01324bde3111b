"""Columns of text that say amounts, dates, or one level in several spellings; each kind with one fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..common.wording import quoted, quoted_columns
from .amounts import of_one_unit, units_of
from .dataset_health import Finding, Fix
from .dates import ORDERS, has_times, read_dates
from .guess import FEW_NUMBERS, MOST_NUMBERS, Cells, Use
from .odd_cells import (
    FEWEST_VALUES,
    MOST_MARKS,
    and_missing,
    fixes_of,
    texts_among_numbers,
    untouched,
    with_missing,
)
from .plan import ColumnPlan, Plan
from .tables import Table
from .treatments import MARKS, Treatment, treated, variants

MOST_LEVELS = 1_000  # of a column whose levels are compared with one another
PARTED, SHORT = r"^[+-]?[1-9][0-9]{0,2}[.][0-9]{3}$", r"^[+-]?[0-9]{1,3}$"  # 2.020 beside 411
LOOKED_AT = 200  # different texts of a column that tell whether it is worth reading all
DATE_PARTS = ("year", "month", "weekday", "hours")


@dataclass(frozen=True)
class Reading:
    """A column that can be read in some ways equally well, and its texts that cannot."""

    column: ColumnPlan
    treatments: tuple[Treatment, ...]
    odd: tuple[str, ...]
    example: str


def reading_findings(table: Table, plan: Plan) -> list[Finding]:
    """Columns that say more than they seem to."""
    columns = [(column, cells) for column, cells in untouched(table, plan) if _holds_digits(cells)]
    amounts = [found for column, cells in columns if (found := _amounts(cells, column, table.guess.decimal))]
    dates = [found for column, cells in columns if (found := _dates(cells, column))]
    return [
        *_of_amounts(plan, amounts),
        *_of_parted(table, plan),
        *_of_dates(table, plan, _settled(dates)),
        *_of_spellings(table, plan),
    ]


def ways_to_read(cells: Cells, column: ColumnPlan, decimal: str) -> list[tuple[Treatment, tuple[str, ...]]]:
    """Treatments of a column that read most of its cells, each with the texts that it leaves."""
    found = [_amounts(cells, column, decimal), _dates(cells, column)]
    ways = [(way, reading.odd) for reading in found if reading for way in reading.treatments]
    spelled = variants(cells, ~cells.among(column.missing))
    return [*ways, *([(Treatment("spelling"), ())] if spelled and len(cells.texts) <= MOST_LEVELS else [])]


def _amounts(cells: Cells, column: ColumnPlan, decimal: str) -> Reading | None:
    """Both decimal marks where both read as much: that of the table is the first."""
    if texts_among_numbers(cells, column, FEW_NUMBERS) is not None:
        return None  # plain numbers
    marks = sorted(MARKS, key=decimal.__ne__)
    ways = [Treatment("amount", decimal=mark) for mark in marks if of_one_unit(units_of(_sample(cells, column), mark))]
    found = _best(cells, column, ways, FEW_NUMBERS)
    if found is not None and len(found.treatments) == 2:
        one, other = (treated(cells, way, column.missing).numbers for way in found.treatments)
        if np.array_equal(one, other, equal_nan=True):
            return replace(found, treatments=found.treatments[:1])
    return found


def _dates(cells: Cells, column: ColumnPlan) -> Reading | None:
    return _best(cells, column, [Treatment("date", order=order) for order in ORDERS], FEWEST_VALUES - 1)


def _best(cells: Cells, column: ColumnPlan, ways: Sequence[Treatment], more_than: int) -> Reading | None:
    """The ways that leave the fewest texts unread, if these are few."""
    sample = _sample(cells, column)
    rows = np.ones(len(sample), dtype=np.int64)
    head = Cells(np.arange(len(sample)), sample, rows, np.full(len(sample), np.nan))
    read = {}
    for way in ways:
        if _share(treated(head, way, ())) >= MOST_NUMBERS:
            odd = texts_among_numbers(treated(cells, way, column.missing), column, more_than)
            if odd is not None:
                read[way] = odd
    if not read:
        return None
    fewest = min(map(len, read.values()))
    best = tuple(way for way, odd in read.items() if len(odd) == fewest)
    shown = treated(cells, best[0], column.missing)
    example = shown.texts[int(np.flatnonzero(~np.isnan(shown.numbers))[0])].as_py()
    return Reading(column, best, tuple(read[best[0]]), example)


def _sample(cells: Cells, column: ColumnPlan) -> pa.StringArray:
    filled = ~cells.among(column.missing) & ~np.asarray(pc.equal(pc.utf8_trim_whitespace(cells.texts), ""))
    return cells.texts.take(pa.array(np.flatnonzero(filled)[:LOOKED_AT]))


def _share(head: Cells) -> float:
    """Share of texts read, as if all that may be marks were read: marks are few texts, but of many rows."""
    return (float((~np.isnan(head.numbers)).sum()) + MOST_MARKS) / len(head.texts) if len(head.texts) else 0.0


def _holds_digits(cells: Cells) -> bool:
    """Whether any of the first texts that are no plain numbers has a digit; without one nothing needs reading."""
    odd = np.flatnonzero(np.isnan(cells.numbers))[: 2 * MOST_MARKS]
    return any(char.isdigit() for text in cells.texts.take(pa.array(odd)).to_pylist() for char in text)


def _settled(readings: list[Reading]) -> list[Reading]:
    """Dates whose order the cells leave open are read as all columns are that settle it."""
    orders = {reading.treatments[0].order for reading in readings if len(reading.treatments) == 1} & {"dmy", "mdy"}
    if len(orders) != 1:
        return readings
    way = Treatment("date", order=orders.pop())
    return [replace(one, treatments=(way,)) if way in one.treatments else one for one in readings]


def _of_amounts(plan: Plan, readings: list[Reading]) -> list[Finding]:
    found = []
    for open_ in (False, True):
        group = [one for one in readings if (len(one.treatments) > 1) == open_]
        if not group:
            continue
        names = [one.column.name for one in group]
        holds = "holds" if len(group) == 1 else "hold"
        reason = f"{quoted_columns(names)} {holds} amounts such as {group[0].example!r}, which are taken for text"
        if open_:
            reason += "; whether their mark parts thousands or the fraction cannot be told"
        fixes = [fix for k in range(2 if open_ else 1) for fix in _amount_fixes(plan, group, k, said=open_)]
        found.append(Finding("warning", "amounts", tuple(names), reason, tuple(fixes)))
    return found


def _amount_fixes(plan: Plan, group: list[Reading], k: int, *, said: bool) -> tuple[Fix, ...]:
    """The k-th way to read them; its decimal mark is said where there is another way."""
    one = {reading.column.name: reading for reading in group}
    mark = f", decimal {MARKS[group[0].treatments[k].decimal]}" if said else ""
    return fixes_of(
        list(one),
        lambda them, names: (
            f"read the amounts of {them} as numbers{and_missing({name: one[name].odd for name in names})}{mark}"
        ),
        lambda names: _read(plan, [one[name] for name in names], k),
    )


def _of_parted(table: Table, plan: Plan) -> list[Finding]:
    """Columns of numbers whose points may part thousands, for all have three digits behind them; others are whole."""
    if table.guess.decimal != ".":
        return []
    columns = (column for column in plan.columns if column.kind == "continuous" and column.treatment is None)
    group = [
        Reading(column, (Treatment("amount", decimal=","),), (), example)
        for column in columns
        if (example := _parted(column.cells(table), column))
    ]
    if not group:
        return []
    names = [one.column.name for one in group]
    holds = "holds" if len(group) == 1 else "hold"
    reason = (
        f"{quoted_columns(names)} {holds} numbers such as {group[0].example!r} beside whole ones, and three digits "
        "stand behind each point; it may part thousands, and is read as the decimal point"
    )
    fix = Fix(f"take the points of {quoted(names)} as parting thousands", _read(plan, group, 0))
    return [Finding("warning", "parted", tuple(names), reason, (fix,))]


def _parted(cells: Cells, column: ColumnPlan) -> str:
    """A text of a column of numbers whose points may part thousands; empty of any other column."""
    texts = cells.texts.filter(pa.array(~cells.among(column.missing) & ~np.isnan(cells.numbers)))
    for some in (texts[:LOOKED_AT], texts):  # most columns are told by a few
        trimmed = pc.utf8_trim_whitespace(some)
        parted = trimmed.filter(pc.match_substring_regex(trimmed, PARTED))
        short = pc.sum(pc.match_substring_regex(trimmed, SHORT)).as_py() or 0
        if len(parted) + short < len(trimmed):
            return ""
    return parted[0].as_py() if len(parted) >= FEWEST_VALUES and short else ""


def _of_dates(table: Table, plan: Plan, readings: list[Reading]) -> list[Finding]:
    found = []
    for ways in dict.fromkeys(one.treatments for one in readings):
        group = [one for one in readings if one.treatments == ways]
        names = [one.column.name for one in group]
        holds = "holds" if len(group) == 1 else "hold"
        what = "times" if ways[0].order == "time" else "dates"
        orders = " or ".join(ORDERS[way.order] for way in ways)
        example = f"{group[0].example!r} ({orders})"
        reason = f"{quoted_columns(names)} {holds} {what} such as {example}, taken for text so far"
        if len(ways) > 1:
            reason += "; nothing tells which of the two it is"
        fixes = [fix for way in ways for fix in _date_fixes(table, plan, group, way, said=len(ways) > 1)]
        found.append(Finding("warning", "dates", tuple(names), reason, tuple(fixes)))
    return found


def _date_fixes(table: Table, plan: Plan, group: list[Reading], way: Treatment, *, said: bool) -> list[Fix]:
    order = f" ({ORDERS[way.order]})" if said else ""
    them = quoted([one.column.name for one in group])
    missing = and_missing({one.column.name: one.odd for one in group})
    ways = [replace(one, treatments=(way,)) for one in group]
    if way.order == "time":
        clock = [replace(one, treatments=(replace(way, part="hours"),)) for one in ways]
        return [Fix(f"take the hours since midnight of {them} as numbers{missing}", _read(plan, clock, 0))]
    parts = plan
    for one in ways:
        parts = split_date(table, parts, one.column.name, way.order, one.odd)
    return [
        Fix(f"take the days since the first date of {them} as numbers{order}{missing}", _read(plan, ways, 0)),
        Fix(f"take year, month and weekday of {them} as columns of their own{order}{missing}", parts),
    ]


def split_date(table: Table, plan: Plan, name: str, order: str, odd: Sequence[str] = ()) -> Plan:
    """The plan with the parts of a date that vary as columns of their own, in the place of the date."""
    column = plan.column(name)
    missing, taken = (*column.missing, *odd), {one.name for one in plan.columns}
    instants = read_dates(column.raw(table).texts, order)
    parts = [part for part in DATE_PARTS if part != "hours" or has_times(instants)]
    made = []
    for part in parts:
        way, own = Treatment("date", order=order, part=part), free_name(f"{name} ({part})", taken)
        new = ColumnPlan(own, "categorical", missing, treatment=way, source=column.source or name)
        new = replace(new, kind=_kind_of_part(new, table))
        if new.kind != "ignore":
            made.append(new)
    at = [one.name for one in plan.columns].index(name)
    left_out = replace(column, kind="ignore", missing=missing, treatment=Treatment("date", order=order))
    return replace(plan, columns=(*plan.columns[:at], left_out, *made, *plan.columns[at + 1 :]))


def _kind_of_part(column: ColumnPlan, table: Table) -> Use:
    """A part that does not vary is left out; months and weekdays are levels, and so are few years."""
    numbers = column.cells(table).numbers
    distinct = np.unique(numbers[~np.isnan(numbers)]).size
    if distinct < 2:
        return "ignore"
    few = column.treatment.part in ("month", "weekday") or distinct <= FEW_NUMBERS
    return "categorical" if few else "continuous"


def _of_spellings(table: Table, plan: Plan) -> list[Finding]:
    names, texts = [], []
    for column in plan.columns:
        if column.kind != "categorical" or column.binning is not None or column.treatment is not None:
            continue
        cells = column.cells(table)
        groups = variants(cells, ~cells.among(column.missing)) if len(cells.texts) <= MOST_LEVELS else []
        if groups:
            names.append(column.name)
            texts += [cells.texts[k].as_py() for k in groups[0]]
    if not names:
        return []
    reason = f"levels of {quoted_columns(names)} differ in case and blanks alone, such as {quoted(texts)}"
    changed = plan.change(*names, treatment=Treatment("spelling"))
    return [Finding("warning", "spellings", tuple(names), reason, (Fix("take them as one level each", changed),))]


def _read(plan: Plan, group: list[Reading], k: int) -> Plan:
    for one in group:
        way = {"kind": "continuous", "treatment": one.treatments[k]}
        plan = with_missing(plan, {one.column.name: one.odd}, **way)
    return plan


def free_name(name: str, taken: set[str]) -> str:
    """The name, with strokes behind it while another column has it."""
    while name in taken:
        name += "'"
    return name
