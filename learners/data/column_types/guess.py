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
from ..columns import FEW_NUMBERS
from .cells import Cells
from .missing_words import SURE_MARKERS, is_marker, says_no_answer
from .numbers import as_numbers

Use = Literal["categorical", "continuous", "ignore"]
MOST_NUMBERS = 0.8  # share of filled cells that are numbers from which the others look like marks
ROWS_PER_LEVEL = 5  # expected counts of at least 5 (Cochran 1954) need as many rows a level
DISTINCT_SHARE = 0.9  # a text column with more different values than that share of its cells names the rows
_THOUSANDS = r"^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+$"
LISTED = 5  # texts taken as missing that are spelled out
_DECIMAL_SAMPLE = 200  # different texts a column that decide on the decimal mark


@dataclass(frozen=True)
class Marker:
    """A text of a column that often means "missing", how many cells hold it, and whether it is proposed as such."""

    text: str
    count: int
    missing: bool


@dataclass(frozen=True)
class ColumnGuess:
    """What a column seems to hold, and why.

    Attributes
    ----------
    name : str
    kind : "categorical", "continuous" or "ignore"
    markers : tuple of Marker
        Texts found that often mean "missing", with their counts; all others are plain cells.
    reason : str
        One sentence.
    n_distinct : int
        Different texts, without those proposed as missing.
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
    """How a file was read. Pass `encoding`, `separator` or `decimal` to `read_table` to change it.

    Encoding and separator are empty if the table was never a file, the separator also where cells are no text between
    separators, as in Excel.
    """

    encoding: str
    separator: str
    decimal: str
    columns: tuple[ColumnGuess, ...]
    notes: tuple[str, ...] = ()

    def of(self, name: str) -> ColumnGuess:
        """The guess about one column of the table."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, ColumnGuess]:
        return {guess.name: guess for guess in self.columns}


def _plain(text: str) -> str:
    return text.strip().lower()


def guess_decimal(columns: list[pa.Array]) -> str:
    """The comma if it turns more columns into numbers than the point does, and not as a thousands separator.

    Of a column of numbers a few texts may be none, such as marks for missing.
    """
    votes = 0
    for texts in columns:
        sample = texts.slice(0, _DECIMAL_SAMPLE)
        if not pc.any(pc.match_substring_regex(sample, r"[0-9][.,]|[.,][0-9]")).as_py():
            continue
        sample = sample.filter(pa.array(~(is_marker(sample) | says_no_answer(sample))))
        comma, point = (int((~np.isnan(as_numbers(sample, mark))).sum()) for mark in ",.")
        if max(comma, point) < MOST_NUMBERS * len(sample):
            continue
        no_comma = pc.invert(pc.match_substring(sample, ","))
        thousands = pc.all(pc.or_(pc.match_substring_regex(sample, _THOUSANDS), no_comma))
        votes += (comma > point and not thousands.as_py()) - (point > comma)
    return "," if votes > 0 else "."


def guess_columns(columns: Sequence[tuple[str, Cells]], row_names: int | None = None) -> tuple[ColumnGuess, ...]:
    """A guess of each named column; that at `row_names` names the rows.

    A marker that is missing beside numbers is missing beside levels too, if it is seldom a level.
    """
    guesses = [
        guess_row_names(name, cells) if j == row_names else guess_column(name, cells)
        for j, (name, cells) in enumerate(columns)
    ]
    sure = tuple(dict.fromkeys(text for one in guesses for text in one.missing if _plain(text) in SURE_MARKERS))
    again = {j for j, one in enumerate(guesses) if any(m.text in sure and not m.missing for m in one.markers)}
    return tuple(guess_column(*columns[j], sure) if j in again else one for j, one in enumerate(guesses))


def guess_column(name: str, cells: Cells, sure: tuple[str, ...] = ()) -> ColumnGuess:
    """Kind and missing markers of one column; texts in `sure` are among these whatever it holds."""
    marker = is_marker(cells.texts)
    number = ~np.isnan(cells.numbers)
    numeric = bool(number.any() and (number | marker).all())
    proposed = marker if numeric else _is_blank(cells.texts) | cells.among(sure)
    markers = tuple(
        Marker(cells.texts[k].as_py(), int(cells.counts[k]), bool(proposed[k]))
        for k in np.flatnonzero(marker | says_no_answer(cells.texts))
    )
    kind, reason = kind_of(cells, proposed)
    return ColumnGuess(name, kind, markers, reason, int((~proposed).sum()))


def kind_of(cells: Cells, missing: np.ndarray) -> tuple[Use, str]:
    """What a column seems to hold where the texts in the mask `missing` mean so, and why."""
    number = ~np.isnan(cells.numbers) & ~missing
    if number.any() and (number | missing).all():
        kind, reason = _guess_numeric(cells, number)
    else:
        kind, reason = _guess_text(cells, missing | _is_blank(cells.texts), number)
    if missing.any() and not missing.all():
        texts = [(cells.texts[int(k)].as_py(), cells.counts[k]) for k in np.flatnonzero(missing)]
        said = ", ".join(f"{repr(text) if text else 'empty'} ({count(int(n), 'time')})" for text, n in texts[:LISTED])
        said += f" and {len(texts) - LISTED:,} more" if len(texts) > LISTED else ""
        reason += f"; {said} taken as missing"
    return kind, reason


def _is_blank(texts: pa.Array) -> np.ndarray:
    return np.asarray(pc.equal(pc.utf8_trim_whitespace(texts), ""))


def guess_row_names(name: str, cells: Cells) -> ColumnGuess:
    """A column that names the rows is no variable."""
    return ColumnGuess(name, "ignore", (), "the column has no name in the file and names the rows", len(cells.texts))


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
        said = "".join(f" or {cells.texts[k].as_py()!r}" for k in np.flatnonzero(~blank))
        return "ignore", f"every cell is empty{said}" if blank.any() else f"every cell reads{said.removeprefix(' or')}"
    odd = np.flatnonzero(~blank & ~number)
    if not len(odd):
        return "ignore", "every cell is missing"
    example = cells.texts[odd[0]].as_py()
    example = repr(example if len(example) <= 30 else example[:27] + "...")
    n_odd = int(cells.counts[odd].sum())
    verb = "is no number" if n_odd == 1 else "are no numbers"
    some = f"{n_odd:,} of {filled:,} cells {verb}" if number.any() else "text"
    if filled >= 20 and distinct > DISTINCT_SHARE * filled:
        return "ignore", f"{some}, such as {example}, and {distinct:,} of {filled:,} differ, so they name the rows"
    return "categorical", f"{some}, such as {example}; {distinct:,} different"
