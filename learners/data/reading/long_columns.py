"""Gather the columns of a large table batch by batch: numbers as float64, all other cells as codes of their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...common.mapped_arrays import GrowingArray, counted
from ..arrow_arrays import EMPTY, text_array, to_arrow, to_numbers, to_numpy
from ..column_types.cells import Cells, Encoded, compact, encoded, smallest_type, without_single_quotes
from ..column_types.missing_words import is_marker
from ..column_types.number_cells import NumberCells
from ..column_types.numbers import as_numbers
from ..columns import MAX_LEVELS

MIN_NUMBERS = 300  # minimum number of distinct numbers in the first rows of a column that is stored as numbers
MIN_SHARE = 0.05  # minimum of these distinct numbers as a share of the first rows
MAX_OTHERS = 1_000  # maximum number of distinct texts other than numbers in such a column


class Column(Protocol):
    """A column that grows batch by batch."""

    def add(self, cells: pa.Array) -> None:
        """Add the cells of a batch: texts, a dictionary of texts, or numbers."""


class NumberColumn:
    """A column of a block of numbers, and its few other texts.

    Attributes
    ----------
    others : dict
        Position of each text that is not a number, in order of appearance.
    """

    def __init__(self, block: GrowingArray, place: int, decimal: str) -> None:
        self.block, self.place, self.decimal = block, place, decimal
        self.others: dict[str, int] = {}
        self.n = 0
        self._is_finite = True
        self._rows: list[np.ndarray] = []
        self._which: list[np.ndarray] = []

    def numbers(self, cells: pa.Array) -> np.ndarray:
        """Return the numbers of a batch, (n,) float64, NaN where a cell is not a number."""
        if pa.types.is_dictionary(cells.type):
            return as_numbers(cells.dictionary, self.decimal)[to_numpy(cells.indices)]
        if pa.types.is_string(cells.type):
            return as_numbers(cells, self.decimal)
        return to_numbers(cells.cast(pa.float64(), safe=False))

    def add(self, cells: pa.Array, numbers: np.ndarray | None = None) -> None:
        """Add the cells of a batch; `numbers` are their numbers if already known."""
        n = len(cells)
        self.block.reserve(self.n + n)
        own = self.numbers(cells) if numbers is None else numbers
        self.block.rows[self.n : self.n + n, self.place] = own
        if not np.isfinite(own).all():
            self._is_finite &= not np.isinf(own).any()
            if len(other := np.flatnonzero(np.isnan(own))):
                self._add_others(other, cells)
        self.n += n

    def add_filled(self, n: int, rows: np.ndarray | None = None, texts: pa.StringArray | None = None) -> None:
        """Add n rows whose numbers are in the block; `texts` are their other cells, at `rows`, where it has NaN."""
        if texts is not None:
            known = texts.dictionary_encode()
            own = as_numbers(known.dictionary, self.decimal)[to_numpy(known.indices)]
            self.block.rows[self.n + rows, self.place] = own
            self._is_finite &= not np.isinf(own).any()
            other = np.isnan(own)
            if other.any():
                self._add_texts(rows[other], texts.filter(to_arrow(other)).dictionary_encode())
        self.n += n

    def _add_others(self, rows: np.ndarray, cells: pa.Array) -> None:
        texts = cells.take(to_arrow(rows))
        if pa.types.is_dictionary(texts.type):
            texts = texts.cast(pa.string())
        elif not pa.types.is_string(texts.type):
            texts = text_array([""] * len(rows))
        self._add_texts(rows, texts.dictionary_encode())

    def _add_texts(self, rows: np.ndarray, known: pa.DictionaryArray) -> None:
        places = [self.others.setdefault(text, len(self.others)) for text in known.dictionary.to_pylist()]
        self._rows.append(rows + self.n)
        self._which.append(np.array(places, dtype=np.int32)[to_numpy(known.indices)].astype(smallest_type(MAX_OTHERS)))

    @property
    def is_numeric(self) -> bool:
        """True if all cells are numbers or texts that mean "missing" in a column of numbers."""
        return len(self.others) <= MAX_OTHERS and bool(is_marker(text_array(list(self.others))).all())

    def finished(self, block: np.ndarray) -> NumberCells:
        """Return the column."""
        rows = np.concatenate([np.empty(0, np.int64), *self._rows])
        which = np.concatenate([np.empty(0, np.uint16), *self._which])
        return NumberCells(block, self.place, tuple(self.others), rows, which, self._is_finite)


class LevelColumn:
    """A text column stored as dictionary codes.

    Parameters
    ----------
    rows : int, optional
        Expected number of rows.
    columns : int, optional
        Number of such columns.
    """

    def __init__(self, rows: int = 0, columns: int = 1) -> None:
        self._rows, self._columns, self._n = rows, columns, 0
        self._codes: GrowingArray | None = None
        self._places: dict[str, int] = {}
        self._chunks: list[pa.DictionaryArray] | None = None  # chunks of a column with too many texts for a dictionary

    def add(self, cells: pa.Array) -> None:
        """Add the cells of a batch."""
        if not pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_encode()
        if self._chunks is not None:
            self._chunks.append(cells)
            return
        places = self._places
        own = [places.setdefault(text, len(places)) for text in cells.dictionary.to_pylist()]
        smallest = smallest_type(max(own, default=0) + 1)
        self._append(np.array(own, dtype=smallest)[to_numpy(cells.indices)])
        if len(places) > MAX_LEVELS:
            texts = text_array(list(places))
            codes = self._codes.rows[: self._n].astype(np.int32)
            self._chunks = [pa.DictionaryArray.from_arrays(to_arrow(codes), texts)]
            self._codes, self._places = None, {}

    def add_codes(self, codes: np.ndarray, n_texts: int) -> None:
        """Add rows of codes below `n_texts`; `name` sets the texts of the codes."""
        self._append(codes.astype(smallest_type(n_texts)))

    def _append(self, codes: np.ndarray) -> None:
        """Add codes to the array, which is replaced by one of their type if this is larger."""
        n, old = self._n, self._codes
        if old is None or codes.dtype.itemsize > old.rows.dtype.itemsize:
            self._codes = GrowingArray(max(self._rows, n), (), codes.dtype, self._columns)
            if old is not None:
                self._codes.rows[:n] = old.rows[:n]
        self._n += len(codes)
        self._codes.reserve(self._n)
        self._codes.rows[n : self._n] = codes

    def name(self, texts: Sequence[str]) -> None:
        """Set the texts of all codes."""
        self._places = {text: code for code, text in enumerate(texts)}

    def finished(self) -> Encoded:
        """Return codes, texts and the number of rows of each text."""
        if self._chunks is not None:
            return encoded(pa.chunked_array(self._chunks))
        texts = text_array(list(self._places))
        codes = np.empty(0, np.uint8) if self._codes is None else self._codes.finished(self._n)
        self._codes = None
        return compact(codes, texts, counted(codes, len(texts)))  # drops the texts of blank rows


class Gathered:
    """The columns of a table that is read batch by batch.

    Parameters
    ----------
    numeric : sequence of bool
        The columns that are stored as numbers.
    decimal : "." or ","
    rows : int
        Expected number of rows.
    """

    def __init__(self, numeric: Sequence[bool], decimal: str, rows: int) -> None:
        self.decimal = decimal
        self.block = GrowingArray(rows if any(numeric) else 1, [sum(numeric)], np.float64)
        places = iter(range(sum(numeric)))
        n_levels = len(numeric) - sum(numeric)
        self.columns: list[NumberColumn | LevelColumn] = [
            NumberColumn(self.block, next(places), decimal) if is_number else LevelColumn(rows, n_levels)
            for is_number in numeric
        ]
        self.n = self.blank = 0

    def add(self, columns: Sequence[pa.Array], *, keep_blank: bool) -> None:
        """Add a batch, without its blank rows unless these are kept."""
        known: dict[int, np.ndarray] = {}
        first = next((k for k, own in enumerate(self.columns) if isinstance(own, NumberColumn)), None)
        if first is not None and not keep_blank:
            known[first] = self.columns[first].numbers(columns[first])
            keep_blank = not np.isnan(known[first]).any()  # a row with a number is not blank
        if not keep_blank and (blank := blank_rows(columns)) is not None:
            self.blank += int(blank.sum())
            kept = to_arrow(~blank)
            columns, known = [column.filter(kept) for column in columns], {}
        for k, (own, column) in enumerate(zip(self.columns, columns, strict=True)):
            if k in known:
                own.add(column, known[k])
            else:
                own.add(column)
        self.n += len(columns[0])

    @property
    def misfits(self) -> list[int]:
        """Columns stored as numbers that have a text which is neither a number nor a word for "missing"."""
        return [
            k for k, column in enumerate(self.columns) if isinstance(column, NumberColumn) and not column.is_numeric
        ]

    def finished(self) -> list[Cells]:
        """Return the cells of the columns."""
        block = self.block.finished(self.n) if self.block.rows.shape[1] else None
        return list(self._finished(block))

    def _finished(self, block: np.ndarray | None) -> Iterator[Cells]:
        for column in self.columns:
            if isinstance(column, NumberColumn):
                yield column.finished(block)
                continue
            codes, texts, counts = without_single_quotes(column.finished())
            yield Cells(codes, texts, counts, as_numbers(texts, self.decimal))


def blank_rows(columns: Sequence[pa.Array]) -> np.ndarray | None:
    """Return (n,) bool: the blank rows of a batch; None if there are none."""
    filled = np.zeros(len(columns[0]), dtype=bool)
    for column in columns:
        if pa.types.is_dictionary(column.type):
            filled |= _filled(column.dictionary)[to_numpy(column.indices)]
        elif pa.types.is_string(column.type):
            filled |= _filled(column)
        else:
            filled |= to_numpy(column.is_valid())
        if filled.all():
            return None
    return ~filled


def _filled(texts: pa.Array) -> np.ndarray:
    return to_numpy(pc.not_equal(pc.utf8_trim_whitespace(texts), EMPTY))


def is_stored_as_numbers(part: Encoded, decimal: str) -> bool:
    """Return True if the first rows of a column are many distinct numbers and otherwise only words for "missing"."""
    codes, texts, _ = part
    numbers = as_numbers(texts, decimal)
    known = ~np.isnan(numbers)
    many = np.unique(numbers[known]).size >= max(MIN_NUMBERS, MIN_SHARE * len(codes))
    return bool(many and (known | is_marker(texts)).all())
