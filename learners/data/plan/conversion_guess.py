"""Guess which conversions turn the texts of a column into numbers: amounts, dates, spellings of one level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_arrays import to_arrow
from ..column_types.cells import Cells
from ..column_types.dates import DURATION, MONTH_YEAR, ORDERS, WITHOUT_DAYS, has_times, read_dates
from ..column_types.numbers import have_one_unit, units_of
from ..column_types.types_and_missing_codes import MIN_NUMERIC_SHARE, Use
from ..columns import FEW_NUMBERS
from ..reading.table import Table
from .conversion import MARKS, Treatment, treated, variants
from .plan import ColumnPlan, Plan, free_name

MAX_MARKS = 5  # maximum number of distinct texts of a numeric column that may mean "missing"
MIN_VALUES = 3  # minimum number of distinct numbers that show a range
MAX_COMPARED = 1_000  # maximum number of levels of a column that are compared with one another
SAMPLE_TEXTS = 200  # number of distinct texts of a column that are converted to decide whether to convert all
DATE_PARTS = ("year", "month", "weekday", "hours")


@dataclass(frozen=True)
class ConversionGuess:
    """The conversions that suit a column equally well.

    Attributes
    ----------
    column : ColumnPlan
    treatments : tuple of Treatment
    unread : tuple of str
        Texts that cannot be converted.
    example : str
        A text that can be converted.
    """

    column: ColumnPlan
    treatments: tuple[Treatment, ...]
    unread: tuple[str, ...]
    example: str


def _once(guess: Callable[..., ConversionGuess | None]) -> Callable[..., ConversionGuess | None]:
    """Cache a guess in the cells, because all checks run again after each change to another column."""

    @wraps(guess)
    def cached(cells: Cells, column: ColumnPlan, *options: str) -> ConversionGuess | None:
        key = (guess.__name__, column, *options)
        if key not in cells.guesses:
            cells.guesses[key] = guess(cells, column, *options)
        return cells.guesses[key]

    return cached


def possible_conversions(cells: Cells, column: ColumnPlan, decimal: str) -> list[tuple[Treatment, tuple[str, ...]]]:
    """Return the conversions that suit most cells of a column, each with the texts that it cannot convert.

    Parameters
    ----------
    cells : Cells
    column : ColumnPlan
    decimal : "." or ","
        Decimal mark of the table.
    """
    guesses = [guess_amounts(cells, column, decimal), guess_dates(cells, column)]
    found = [(treatment, guess.unread) for guess in guesses if guess for treatment in guess.treatments]
    spelled = variants(cells, ~cells.among(column.missing))
    return [*found, *([(Treatment("spelling"), ())] if spelled and len(cells.texts) <= MAX_COMPARED else [])]


@_once
def guess_amounts(cells: Cells, column: ColumnPlan, decimal: str) -> ConversionGuess | None:
    """Return the conversions of a column to amounts; None if it holds plain numbers or no amounts.

    Both decimal marks are returned where they convert as many texts to different numbers; `decimal`, that of the
    table, comes first.
    """
    if non_numbers(cells, column, FEW_NUMBERS) is not None:
        return None
    marks = sorted(MARKS, key=decimal.__ne__)
    sample = _sample(cells, column)
    treatments = [Treatment("amount", decimal=mark) for mark in marks if have_one_unit(units_of(sample, mark))]
    found = _best(cells, column, treatments, FEW_NUMBERS)
    if found is not None and len(found.treatments) == 2:
        first, second = (treated(cells, treatment, column.missing).numbers for treatment in found.treatments)
        if np.array_equal(first, second, equal_nan=True):
            return replace(found, treatments=found.treatments[:1])
    return found


@_once
def guess_dates(cells: Cells, column: ColumnPlan) -> ConversionGuess | None:
    """Return the conversions of a column to dates, times or durations; None if none suits it.

    Durations are those beyond a day; the others are read as times.
    """
    orders = [order for order in ORDERS if order != MONTH_YEAR or _are_months(_sample(cells, column))]
    found = _best(cells, column, [Treatment("date", order=order) for order in orders], MIN_VALUES - 1)
    if found is None or len(found.treatments) == 1:
        return found
    return replace(found, treatments=tuple(one for one in found.treatments if one.order != DURATION))


def _are_months(texts: pa.StringArray) -> bool:
    """Return True if texts such as 1/86 can be months: in several years, or in years of four digits.

    Otherwise they may be points out of a number, such as 7/20.
    """
    months = read_dates(texts, MONTH_YEAR)
    known = ~np.isnat(months)
    longest = pc.max(pc.utf8_length(pc.utf8_trim_whitespace(texts.filter(to_arrow(known))))).as_py() or 0
    return longest > len("12/99") or np.unique(months[known].astype("datetime64[Y]")).size >= MIN_VALUES


def non_numbers(cells: Cells, column: ColumnPlan, more_than: int) -> list[str] | None:
    """Return the texts that keep a column from being numeric.

    Parameters
    ----------
    cells : Cells
    column : ColumnPlan
    more_than : int
        A numeric column has more distinct numbers than this.

    Returns
    -------
    list of str or None
        At most `MAX_MARKS` texts; None if most cells are neither numbers nor marks such as "*nc*", or the column has
        too few distinct numbers. Words may fill most cells if the column has many more distinct numbers than words.
    """
    filled = ~cells.among(column.missing) & ~cells.blank
    number, odd = filled & ~np.isnan(cells.numbers), filled & np.isnan(cells.numbers)
    if odd.sum() > MAX_MARKS or not number.any():
        return None
    words = filled & ~(odd & cells.framed) if odd.any() else filled
    n_numbers, texts = np.unique(cells.numbers[number]).size, cells.texts.filter(to_arrow(odd)).to_pylist()
    if cells.counts[number].sum() < MIN_NUMERIC_SHARE * cells.counts[words].sum() and (
        n_numbers <= FEW_NUMBERS * len(texts) or any(letter.isdigit() for text in texts for letter in text)
    ):
        return None
    return texts if n_numbers > more_than else None


def _best(cells: Cells, column: ColumnPlan, treatments: Sequence[Treatment], more_than: int) -> ConversionGuess | None:
    """Return the treatments that leave the fewest texts unread, if these are few."""
    sample = _sample(cells, column)
    rows = np.ones(len(sample), dtype=np.int64)
    head = Cells(np.arange(len(sample)), sample, rows, np.full(len(sample), np.nan))
    unread = {}
    for treatment in treatments:
        if _share_read(treated(head, treatment, ())) >= MIN_NUMERIC_SHARE:
            odd = non_numbers(treated(cells, treatment, column.missing), column, more_than)
            if odd is not None:
                unread[treatment] = odd
    if not unread:
        return None
    fewest = min(map(len, unread.values()))
    best = tuple(treatment for treatment, odd in unread.items() if len(odd) == fewest)
    converted = treated(cells, best[0], column.missing)
    example = converted.texts[int(np.flatnonzero(~np.isnan(converted.numbers))[0])].as_py()
    return ConversionGuess(column, best, tuple(unread[best[0]]), example)


def _sample(cells: Cells, column: ColumnPlan) -> pa.StringArray:
    filled = ~cells.among(column.missing) & ~cells.blank
    return cells.texts.take(to_arrow(np.flatnonzero(filled)[:SAMPLE_TEXTS]))


def _share_read(head: Cells) -> float:
    """Return the share of distinct texts that were read; up to `MAX_MARKS` unread ones count as read."""
    return (float((~np.isnan(head.numbers)).sum()) + MAX_MARKS) / len(head.texts) if len(head.texts) else 0.0


def split_date(table: Table, plan: Plan, name: str, order: str, unread: Sequence[str] = ()) -> Plan:
    """Return the plan with the parts of a date that vary as separate columns, in the position of the date.

    Parameters
    ----------
    table : Table
    plan : Plan
    name : str
        The column of dates.
    order : str
        A key of `ORDERS`.
    unread : sequence of str
        Texts of the column that become missing.
    """
    column = plan.column(name)
    missing, taken = (*column.missing, *unread), {other.name for other in plan.columns}
    instants = read_dates(column.raw(table).texts, order)
    made = []
    for part in DATE_PARTS:
        if (part == "hours" and not has_times(instants)) or (part == "weekday" and order in WITHOUT_DAYS):
            continue
        treatment, own = Treatment("date", order=order, part=part), free_name(f"{name} ({part})", taken)
        new = ColumnPlan(own, "categorical", missing, treatment=treatment, source=column.source or name)
        new = replace(new, kind=_kind_of_part(new, table))
        if new.kind != "ignore":
            made.append(new)
    at = [other.name for other in plan.columns].index(name)
    left_out = replace(column, kind="ignore", missing=missing, treatment=Treatment("date", order=order))
    return replace(plan, columns=(*plan.columns[:at], left_out, *made, *plan.columns[at + 1 :]))


def _kind_of_part(column: ColumnPlan, table: Table) -> Use:
    """Return "ignore" for a part that does not vary; months, weekdays and few years are categorical."""
    numbers = column.cells(table).numbers
    distinct = np.unique(numbers[~np.isnan(numbers)]).size
    if distinct < 2:
        return "ignore"
    few = column.treatment.part in ("month", "weekday") or distinct <= FEW_NUMBERS
    return "categorical" if few else "continuous"
