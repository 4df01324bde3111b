"""Missing-value codes, such as -9 or 999."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ...common.sentences import Listed, Quoted, columns_of, paragraph, phrase, say
from ..column_types.cells import Cells
from ..plan.conversion_guess import MIN_VALUES, non_numbers
from ..plan.plan import ColumnPlan, with_missing
from ..reading.table import Table
from .finding import Finding, Fix, distinct_texts, warning
from .inspection import Inspection
from .registry import check

Texts = dict[str, list[str]]  # missing-value codes by column
FAR = 1.5  # minimum distance of a code from all other numbers, as a multiple of their range
NEAR = 0.25  # the same minimum for a code that is farther away in another column
MIN_SHARED = 2  # minimum number of other distinct numbers in a column with a code that columns share


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
        template = "{codes} are the only numbers among the words of {columns}"
        template = "{codes} is the only number among the words of {columns}" if len(texts) == 1 else template
        clauses.append(say(template, codes=Quoted(texts), columns=columns_of(list(among_words))))
    texts = distinct_texts(codes)
    reason = paragraph(
        say("{clauses}.", clauses=Listed(clauses, ", and ")),
        say("It looks like a missing-value code." if len(texts) == 1 else "They look like missing-value codes."),
    )
    fix = Fix(phrase("treat {marks} as missing", marks=Quoted(texts)), with_missing(plan, codes))
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
    """Return the texts of common codes far from all other numbers, or negative in a column of positive numbers."""
    number = ~cells.among(column.missing) & np.isfinite(cells.numbers)
    code = number & _is_code(cells.numbers)
    others = cells.numbers[number & ~code]
    if np.unique(others).size < min_values:
        return []
    low, high = float(others.min()), float(others.max())
    far = (cells.numbers > high + times * (high - low)) | (cells.numbers < low - times * (high - low))
    far |= (cells.numbers < 0) & (low >= 0)
    return [cells.texts[k].as_py() for k in np.flatnonzero(code & far)]


def _codes_among_words(cells: Cells, column: ColumnPlan) -> list[str]:
    """Return the numbers of a column if all are common codes and at least two other levels are words."""
    filled = ~cells.among(column.missing) & ~cells.blank
    number = filled & ~np.isnan(cells.numbers)
    if not number.any() or (filled & ~number).sum() < 2 or not _is_code(cells.numbers[number]).all():
        return []
    return [cells.texts[k].as_py() for k in np.flatnonzero(number)]
