"""Guess the column types and the missing-value codes of a table. Guesses can be overridden; none changes a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...common.wording import count
from ..arrow_arrays import to_arrow, to_numpy
from ..columns import FEW_NUMBERS
from .cells import Cells
from .missing_words import SURE_MARKERS, is_marker, says_no_answer
from .number_cells import NumberCells
from .numbers import as_numbers

Use = Literal["categorical", "continuous", "ignore"]
# Minimum share of numbers among the filled cells for the other texts to count as missing-value marks.
MIN_NUMERIC_SHARE = 0.8
ROWS_PER_LEVEL = 5  # minimum mean number of rows per level, so that expected counts reach 5 (Cochran 1954)
DISTINCT_SHARE = 0.9  # share of distinct values among the filled cells above which a text column names the rows
_THOUSANDS = r"^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+$"
MIN_CODES = 3  # minimum number of other two-letter codes in a column for NA to count as a code too
MAX_LISTED = 5  # maximum number of missing-value texts that are listed
COUNTED_ROWS = 100_000  # number of first rows in which the distinct numbers of a long column are counted
MIN_ID_CELLS = 20  # minimum number of filled cells of a column that may name the rows
ROWS_PER_TEXT = 2  # minimum mean number of rows per text of a column that is used by default; names have fewer
MIN_CODE_LENGTH = (
    4  # minimum number of digits of codes with leading zeros, such as postal codes; shorter ones are numbers
)
_DECIMAL_SAMPLE = 200  # number of distinct texts per column from which the decimal mark is guessed


@dataclass(frozen=True)
class Marker:
    """A text that often means "missing", with its number of cells; `missing` is True if it is proposed as missing."""

    text: str
    count: int
    missing: bool


@dataclass(frozen=True)
class ColumnGuess:
    """The guessed type of a column, with the reason.

    Attributes
    ----------
    name : str
    kind : "categorical", "continuous" or "ignore"
    markers : tuple of Marker
        Texts of the column that often mean "missing".
    reason : str
        One sentence.
    n_distinct : int
        Number of distinct texts, without those proposed as missing.
    """

    name: str
    kind: Use
    markers: tuple[Marker, ...]
    reason: str
    n_distinct: int

    @property
    def missing(self) -> tuple[str, ...]:
        """The texts proposed as missing."""
        return tuple(marker.text for marker in self.markers if marker.missing)


@dataclass(frozen=True)
class TableGuess:
    """Format of a file and guessed types of its columns. Arguments of `read_table` override the guesses.

    Encoding and separator are empty if the table was made from a data set; the separator is also empty for formats
    without one, such as Excel.
    """

    encoding: str
    separator: str
    decimal: str
    columns: tuple[ColumnGuess, ...]
    notes: tuple[str, ...] = ()

    def of(self, name: str) -> ColumnGuess:
        """Return the guess for one column."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, ColumnGuess]:
        return {guess.name: guess for guess in self.columns}


def _plain(text: str) -> str:
    return text.strip().lower()


def guess_decimal(columns: list[pa.Array]) -> str:
    """Return "," if it makes more columns numeric than ".", and not as a thousands separator; else ".".

    A numeric column may contain a few other texts, such as words for missing values.
    """
    votes = 0
    for texts in columns:
        sample = texts.slice(0, _DECIMAL_SAMPLE)
        if not pc.any(pc.match_substring_regex(sample, r"[0-9][.,]|[.,][0-9]")).as_py():
            continue
        sample = sample.filter(to_arrow(~(is_marker(sample) | says_no_answer(sample))))
        comma, point = (int((~np.isnan(as_numbers(sample, mark))).sum()) for mark in ",.")
        if max(comma, point) < MIN_NUMERIC_SHARE * len(sample):
            continue
        no_comma = pc.invert(pc.match_substring(sample, ","))
        thousands = pc.all(pc.or_(pc.match_substring_regex(sample, _THOUSANDS), no_comma))
        votes += (comma > point and not thousands.as_py()) - (point > comma)
    return "," if votes > 0 else "."


def guess_columns(columns: Sequence[tuple[str, Cells]], row_names: int | None = None) -> tuple[ColumnGuess, ...]:
    """Guess the types of columns, given as pairs of name and cells.

    Parameters
    ----------
    columns : sequence of (str, Cells)
    row_names : int, optional
        Position of the column that names the rows.

    Notes
    -----
    A word that is proposed as missing in a numeric column is also proposed in categorical columns, if it is rarely a
    level.
    """
    guesses = [
        guess_row_names(name, cells) if j == row_names else guess_column(name, cells)
        for j, (name, cells) in enumerate(columns)
    ]
    sure = tuple(dict.fromkeys(text for guess in guesses for text in guess.missing if _plain(text) in SURE_MARKERS))
    again = {j for j, guess in enumerate(guesses) if any(m.text in sure and not m.missing for m in guess.markers)}
    return tuple(guess_column(*columns[j], sure) if j in again else guess for j, guess in enumerate(guesses))


def guess_column(name: str, cells: Cells, sure: tuple[str, ...] = ()) -> ColumnGuess:
    """Guess the type and the missing-value texts of one column; texts in `sure` are always taken as missing."""
    if isinstance(cells, NumberCells):
        return _guess_number_cells(name, cells)
    marker = is_marker(cells.texts)
    number = ~np.isnan(cells.numbers)
    numeric = bool(number.any() and (number | marker).all())
    proposed = marker if numeric else cells.blank | (cells.among(sure) & ~_is_code(cells, marker))
    markers = tuple(
        Marker(cells.texts[k].as_py(), int(cells.counts[k]), bool(proposed[k]))
        for k in np.flatnonzero(marker | says_no_answer(cells.texts))
    )
    kind, reason = kind_of(cells, proposed)
    return ColumnGuess(name, kind, markers, reason, int((~proposed).sum()))


def kind_of(cells: Cells, missing: np.ndarray) -> tuple[Use, str]:
    """Return the guessed type of a column and the reason, given the mask of texts that mean missing."""
    number = ~np.isnan(cells.numbers) & ~missing
    if number.any() and (number | missing).all():
        kind, reason = _guess_codes(cells, number) or _guess_numeric(cells, number)
    else:
        kind, reason = _guess_text(cells, missing | cells.blank, number)
    if missing.any() and not missing.all():
        reason += _as_missing([(cells.texts[int(k)].as_py(), cells.counts[k]) for k in np.flatnonzero(missing)])
    return kind, reason


def _as_missing(texts: Sequence[tuple[str, int]]) -> str:
    """Return a phrase on the texts that are taken as missing, given with the number of cells of each."""
    shown = [f"{repr(text) if text else 'empty'} ({count(int(n), 'time')})" for text, n in texts[:MAX_LISTED]]
    more = f" and {len(texts) - MAX_LISTED:,} more" if len(texts) > MAX_LISTED else ""
    return f"; {', '.join(shown)}{more} taken as missing"


def _guess_number_cells(name: str, cells: NumberCells) -> ColumnGuess:
    """Guess the type of a column of many different numbers; its different numbers are counted in its first rows."""
    markers = tuple(Marker(text, int(n), True) for text, n in zip(cells.others, cells.others_counts, strict=True))
    first = cells.values[:COUNTED_ROWS]
    distinct = np.unique(first[~np.isnan(first)]).size
    if not markers and _count_rows(cells.values):
        return ColumnGuess(name, "ignore", (), "the numbers count the rows", cells.n_rows)
    more = "more than " if cells.n_rows > COUNTED_ROWS else ""
    reason = f"numbers, {more}{distinct:,} different"
    if markers:
        reason += _as_missing([(marker.text, marker.count) for marker in markers])
    return ColumnGuess(name, "continuous", markers, reason, distinct)


def _count_rows(numbers: np.ndarray) -> bool:
    """Return True if whole numbers increase by one from row to row."""
    first = numbers[:COUNTED_ROWS]
    return bool(first[0] == np.floor(first[0]) and (np.diff(first) == 1).all() and (np.diff(numbers) == 1).all())


def _is_code(cells: Cells, marker: np.ndarray) -> np.ndarray:
    """Return (m,) bool: markers that look like the other levels of a column of codes, as NA does among continents."""
    capitals = to_numpy(pc.match_substring_regex(cells.texts, "^[A-Z]{2}$"))
    others = ~marker & ~cells.blank
    return marker & capitals & bool(np.count_nonzero(others) >= MIN_CODES and capitals[others].all())


def guess_row_names(name: str, cells: Cells) -> ColumnGuess:
    """Return the guess for a column of row names, which is ignored."""
    return ColumnGuess(name, "ignore", (), "the column has no name in the file and names the rows", len(cells.texts))


def has_leading_zeros(texts: pa.Array) -> bool:
    """Return True if texts are codes of equally many digits, some with a leading zero, such as 01067 and 80331."""
    if not pc.any(pc.match_substring_regex(texts, f"^0[0-9]{{{MIN_CODE_LENGTH - 1},}}$")).as_py():
        return False
    lengths = pc.unique(pc.utf8_length(texts))
    return len(lengths) == 1 and pc.all(pc.match_substring_regex(texts, "^[0-9]+$")).as_py()


def _guess_codes(cells: Cells, number: np.ndarray) -> tuple[Use, str] | None:
    """Return the type of a column of codes with leading zeros; None for other columns of numbers."""
    distinct = int(number.sum())
    if distinct < 2 or not has_leading_zeros(cells.texts.filter(to_arrow(number))):
        return None
    rows = int(cells.counts[number].sum())
    if rows >= MIN_ID_CELLS and distinct > DISTINCT_SHARE * rows:
        return "ignore", "codes with leading zeros; they look like an ID"
    return "categorical", f"codes with leading zeros, {distinct:,} different"


def _guess_numeric(cells: Cells, number: np.ndarray) -> tuple[Use, str]:
    values = cells.numbers[number]
    distinct, rows = np.unique(values).size, int(cells.counts[number].sum())
    finite = values[np.isfinite(values)]
    whole = bool((finite == np.floor(finite)).all())
    if whole and distinct == len(cells.codes) >= 3 and (np.diff(cells.numbers[cells.codes]) == 1).all():
        return "ignore", "the numbers count the rows"
    if whole and distinct <= FEW_NUMBERS and (distinct <= 2 or rows >= ROWS_PER_LEVEL * distinct):
        return "categorical", f"only {distinct} different whole number{'s' * (distinct > 1)}"
    return "continuous", f"numbers, {distinct:,} different"


def _guess_text(cells: Cells, blank: np.ndarray, number: np.ndarray) -> tuple[Use, str]:
    filled, distinct = int(cells.counts[~blank].sum()), int((~blank).sum())
    marker = is_marker(cells.texts)
    if marker.all() and distinct <= 1:
        markers = "".join(f" or {cells.texts[k].as_py()!r}" for k in np.flatnonzero(~blank))
        return (
            "ignore",
            f"every cell is empty{markers}" if blank.any() else f"every cell reads{markers.removeprefix(' or')}",
        )
    odd = np.flatnonzero(~blank & ~number)
    if not len(odd):
        return "ignore", "every cell is missing"
    example = cells.texts[odd[0]].as_py()
    example = repr(example if len(example) <= 30 else example[:27] + "...")
    n_odd = int(cells.counts[odd].sum())
    verb = "is not numeric" if n_odd == 1 else "are not numeric"
    some = f"{n_odd:,} of {filled:,} cells {verb}" if number.any() else "text"
    if filled >= MIN_ID_CELLS and distinct > DISTINCT_SHARE * filled:
        return (
            "ignore",
            f"{some}, such as {example}; looks like an ID ({distinct:,} different values in {filled:,} cells)",
        )
    # Texts among numbers, such as LOD, may be missing values, so the finding on them asks the user.
    if filled >= MIN_ID_CELLS and filled < ROWS_PER_TEXT * distinct and not number.any():
        few = f"fewer than two rows per value ({distinct:,} different values in {filled:,} cells)"
        return "ignore", f"{some}, such as {example}; {few}"
    return "categorical", f"{some}, such as {example}; {distinct:,} different"
