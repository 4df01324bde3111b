"""Find missing-value codes such as -9 or 999: known codes, and frequent numbers far from all others."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ...common.sentences import Quoted, columns_of, paragraph, phrase, say
from ..arrow_arrays import to_arrow
from ..column_types.cells import Cells
from ..column_types.types_and_missing_codes import has_leading_zeros
from ..columns import FEW_NUMBERS
from ..plan.conversion_guess import MIN_VALUES, non_numbers
from ..plan.plan import ColumnPlan, with_missing
from ..reading.table import Table
from .finding import Finding, Fix, distinct_texts, listed_or_counted, warning
from .inspection import Inspection
from .registry import check

Texts = dict[str, list[str]]  # missing-value codes by column
FAR = 1.5  # minimum distance of a code from all other numbers, as a multiple of their range
NEAR = 0.25  # the same minimum for a code that is farther away in another column
MIN_SHARED = 2  # minimum number of other distinct numbers in a column with a code that columns share
MIN_TIMES = 3  # minimum number of rows of a code that is not among the most common ones
# Two to nine equal digits from 6 to 9, such as 77 and 666, and 97, 98, 997, 998, ...
REPEATED = np.array(
    [*(int(digit * n) for digit in "6789" for n in range(2, 10)), *(10**n - k for n in range(2, 10) for k in (2, 3))]
)
VERY_FAR = 50.0  # distance as a multiple of the range from which fewer rows are enough
MAX_LONELY = 1e5  # numbers from here on are amounts, unless their digits repeat
MIN_SHARE = 0.01  # minimum share of the rows of a number that may be a code
MAX_TOGETHER = 3  # maximum number of codes at one end of a column, such as 7, 8 and 9


def _is_code(numbers: np.ndarray) -> np.ndarray:
    """Return (m,) bool: -9, and numbers of two or more nines, with a fraction from 9,999 on (999999.375 in 4 bytes)."""
    with np.errstate(all="ignore"):
        size = np.floor(np.abs(numbers))
        nines = (size >= 99) & (size < 1e15) & (np.abs(np.log10(size + 1) - np.rint(np.log10(size + 1))) < 1e-15)
    return (numbers == -9) | (nines & ((np.abs(numbers) == size) | (size >= 9_999)))


@check("missing_codes")
def missing_codes(inspection: Inspection) -> list[Finding]:
    """Return a warning for missing-value codes: numbers far from all others, or the only numbers among words."""
    table, plan = inspection.table, inspection.plan
    far = {
        column.name: codes
        for column in plan.columns
        if (cells := _cells_of_numbers(table, column)) and (codes := _far_codes(cells, column))
    }
    far |= _shared_codes(inspection, far)
    among_words = {
        column.name: codes
        for column, cells in inspection.undecided
        if column.kind == "categorical" and column.name not in far and (codes := _codes_among_words(cells, column))
    }
    if not far and not among_words:
        return []
    codes, clauses = far | among_words, []
    if far:
        texts = distinct_texts(far)
        template = "{codes} lie far outside the range of {columns}"
        template = "{codes} lies far outside the range of {columns}" if len(texts) == 1 else template
        clauses.append(say(template, codes=Quoted(texts), columns=columns_of(list(far))))
    if among_words:
        texts = distinct_texts(among_words)
        template = "{codes} are the only plain numbers in {columns}"
        template = "{codes} is the only plain number in {columns}" if len(texts) == 1 else template
        clauses.append(say(template, codes=Quoted(texts), columns=columns_of(list(among_words))))
    texts = distinct_texts(codes)
    reason = paragraph(
        *(say("{clause}.", clause=clause) for clause in clauses),
        say("It looks like a missing-value code." if len(texts) == 1 else "They look like missing-value codes."),
    )
    fix = Fix(
        phrase("treat {marks} as missing", marks=listed_or_counted(texts, "text")), with_missing(table, plan, codes)
    )
    return [warning("codes", tuple(codes), reason, fix)]


def _shared_codes(inspection: Inspection, far: Texts) -> Texts:
    """Return the codes of further columns that lie outside their range and are codes elsewhere in the file.

    A code that columns share is also found beside two other numbers, such as -9 beside 0 and 1.
    """
    outside = {
        column.name: codes
        for column in inspection.plan.columns
        if column.name not in far
        and (cells := _cells_of_numbers(inspection.table, column, MIN_SHARED - 1))
        and (codes := _far_codes(cells, column, MIN_SHARED, NEAR))
    }
    known = set(distinct_texts(far))
    times = Counter(code for codes in outside.values() for code in codes)
    known |= {code for code, number in times.items() if number > 1}
    found = {name: [code for code in codes if code in known] for name, codes in outside.items()}
    return {name: codes for name, codes in found.items() if codes}


def _cells_of_numbers(table: Table, column: ColumnPlan, more_than: int = MIN_VALUES - 1) -> Cells | None:
    """Return the cells of a continuous column, or of a categorical one whose levels are mostly numbers."""
    if column.kind == "continuous":
        return column.cells(table)
    if column.kind == "ignore" or column.binning is not None or column.treatment is not None:
        return None
    cells = column.cells(table)
    return None if non_numbers(cells, column, more_than) is None else cells


def _far_codes(cells: Cells, column: ColumnPlan, min_values: int = MIN_VALUES, times: float = FAR) -> list[str]:
    """Return the texts of common codes far from all other numbers, or negative in a column of positive numbers.

    Beside answers coded by two consecutive numbers, such as 0 and 1, fewer than `min_values` others are enough.
    """
    number = ~cells.among(column.missing) & np.isfinite(cells.numbers)
    code = number & _is_code(cells.numbers)
    code |= number & np.isin(np.abs(cells.numbers), REPEATED)
    others = np.unique(cells.numbers[number & ~code])
    if others.size < min_values and not _are_answers(others):
        return []
    low, high = float(others.min()), float(others.max())
    is_known = _is_code(cells.numbers) | (cells.counts >= MIN_TIMES)
    distance = np.where(is_known, times, VERY_FAR) * (high - low)
    far = (cells.numbers > high + distance) | (cells.numbers < low - distance)
    far |= is_known & (cells.numbers < 0) & (low >= 0)
    return [cells.texts[k].as_py() for k in np.flatnonzero(code & far)]


def _are_answers(numbers: np.ndarray) -> bool:
    """Return True for two consecutive whole numbers, 0 and 1 or 1 and 2."""
    return numbers.tolist() in ([0.0, 1.0], [1.0, 2.0])


@check("possible_codes")
def possible_codes(inspection: Inspection) -> list[Finding]:
    """Return a warning for numbers that may be missing-value codes, because they occur often far from all others."""
    known = {name for finding in inspection.findings("missing_codes") for name in finding.columns}
    found = {
        column.name: codes
        for column in inspection.plan.columns
        if column.name not in known
        and (cells := _cells_of_numbers(inspection.table, column, MIN_SHARED - 1))
        and (codes := _lonely_numbers(cells, column))
    }
    if not found:
        return []
    texts, columns = distinct_texts(found), columns_of(list(found))
    template = "{codes} lie far outside the other numbers of {columns}, and occur often."
    template = (
        "{codes} lies far outside the other numbers of {columns}, and occurs often." if len(texts) == 1 else template
    )
    reason = paragraph(
        say(template, codes=Quoted(texts), columns=columns),
        say(
            "It may be a value or a missing-value code."
            if len(texts) == 1
            else "They may be values or missing-value codes."
        ),
    )
    fix = Fix(
        phrase("treat {marks} as missing", marks=listed_or_counted(texts, "text")),
        with_missing(inspection.table, inspection.plan, found),
    )
    return [warning("possible_codes", tuple(found), reason, fix)]


def _lonely_numbers(cells: Cells, column: ColumnPlan) -> list[str]:
    """Return the texts of up to `MAX_TOGETHER` whole numbers at an end of a column that occur often, far from the rest.

    In columns of few positive numbers they must also be far in logarithms, as the doses 1, 10, 100 are not. Below a
    scale from 1 to k, any negative number is far.
    """
    number = ~cells.among(column.missing) & np.isfinite(cells.numbers)
    if column.kind == "categorical" and has_leading_zeros(cells.texts.filter(to_arrow(number))):
        return []
    values, place = np.unique(cells.numbers[number], return_inverse=True)
    if values.size <= MIN_SHARED:
        return []
    rows = np.bincount(place, weights=cells.counts[number])
    least = max(MIN_TIMES, MIN_SHARE * rows.sum())
    whole = values == np.floor(values)
    often = (rows >= least) & whole & (np.abs(values) < MAX_LONELY)
    if not whole.all():
        often &= ~np.isin(values, (0.0, 1.0))  # natural beside shares and logarithms
    for sign in (1.0, -1.0):
        ends, is_often = (sign * values)[:: int(sign)], often[:: int(sign)]
        for k in range(1, min(MAX_TOGETHER, values.size - MIN_SHARED) + 1):
            rest, own = ends[:-k], ends[-k:]
            enough = rest.size >= MIN_VALUES or _are_answers(np.sort(np.abs(rest)))
            is_below_scale = sign < 0 and own[0] > 0 and np.array_equal(np.sort(-rest), np.arange(1, rest.size + 1))
            if enough and is_often[-k:].all() and (is_below_scale or _is_beyond(rest, own[0], sign)):
                codes = np.isin(cells.numbers, sign * own) & number
                return [cells.texts[j].as_py() for j in np.flatnonzero(codes)]
    return []


def _is_beyond(rest: np.ndarray, value: float, sign: float) -> bool:
    """Return True if a value lies farther above the others, ascending, than `FAR` times their range."""
    if value - rest[-1] <= FAR * (rest[-1] - rest[0]):
        return False
    if rest.size > FEW_NUMBERS or sign < 0 or rest[0] <= 0:
        return True
    logs = np.log([rest[0], rest[-1], value])
    return bool(logs[2] - logs[1] > logs[1] - logs[0])


def _codes_among_words(cells: Cells, column: ColumnPlan) -> list[str]:
    """Return the numbers of a column if all are common codes and at least two other levels are words."""
    filled = ~cells.among(column.missing) & ~cells.blank
    number = filled & ~np.isnan(cells.numbers)
    if not number.any() or (filled & ~number).sum() < 2 or not _is_code(cells.numbers[number]).all():
        return []
    return [cells.texts[k].as_py() for k in np.flatnonzero(number)]
