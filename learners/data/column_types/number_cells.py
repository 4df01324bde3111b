"""Columns of many different numbers, stored as numbers: 8 bytes per cell instead of one text per cell."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrow_arrays import text_array, to_arrow
from .cells import Cells, compact
from .numbers import as_numbers


class NumberCells(Cells):
    """A column of numbers and a few other texts, such as words for a missing value.

    `codes`, `texts`, `counts` and `numbers` are those of `Cells`, computed at the first access. Each number then has
    the shortest text that represents it, not the text of the file.

    Parameters
    ----------
    block : (n, q) float64 array
        Numbers of this and other columns, read-only; NaN where a cell is not a number.
    place : int
        Column of the block.
    others : tuple of str
        The distinct texts that are not numbers, in order of appearance.
    rows : (k,) int64 array
        Positions of the rows with these texts, increasing.
    which : (k,) integer array
        Position in `others` of the text of each of these rows.
    is_finite : bool
        No number is infinite.
    """

    def __init__(
        self,
        block: np.ndarray,
        place: int,
        others: tuple[str, ...],
        rows: np.ndarray,
        which: np.ndarray,
        is_finite: bool,
    ) -> None:
        given = {"block": block, "place": place, "others": others, "rows": rows, "which": which}
        given["is_finite"] = is_finite
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def values(self) -> np.ndarray:
        """(n,) float64: the number of each row, NaN where the cell is not a number."""
        return self.block[:, self.place]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.block)

    @cached_property
    def others_counts(self) -> np.ndarray:
        """Number of rows of each of the other texts."""
        return np.bincount(self.which, minlength=len(self.others))

    @cached_property
    def encoded(self) -> Cells:
        """The column as distinct texts and codes."""
        values = self.values + 0.0
        numbers, first, codes = np.unique(values, return_index=True, return_inverse=True)
        numbers = numbers[: np.count_nonzero(~np.isnan(numbers))]  # NaN comes last
        codes = codes.astype(np.int32)
        codes[self.rows] = len(numbers) + self.which.astype(np.int64)  # may exceed the type of `which`
        starts = [int(self.rows[np.argmax(self.which == k)]) for k in range(len(self.others))]
        order = np.argsort(np.concatenate([first[: len(numbers)], np.array(starts, dtype=first.dtype)]))
        texts = pa.concat_arrays([pc.cast(to_arrow(numbers), pa.string()), text_array(self.others)])
        places = np.empty(len(order), np.int32)
        places[order] = np.arange(len(order))
        codes, texts, counts = compact(
            places[codes], texts.take(to_arrow(order)), np.bincount(places[codes], minlength=len(order))
        )
        return Cells(codes, texts, counts, np.append(numbers, np.full(len(self.others), np.nan))[order])

    @property
    def codes(self) -> np.ndarray:
        """See `Cells`."""
        return self.encoded.codes

    @property
    def texts(self) -> pa.StringArray:
        """See `Cells`."""
        return self.encoded.texts

    @property
    def counts(self) -> np.ndarray:
        """See `Cells`."""
        return self.encoded.counts

    @property
    def numbers(self) -> np.ndarray:
        """See `Cells`."""
        return self.encoded.numbers

    def rows_among(self, texts: tuple[str, ...]) -> np.ndarray:
        """Return (n,) bool: the rows with one of the texts; a number matches all of its spellings."""
        found = np.zeros(self.n_rows, dtype=bool)
        if self.others:
            found[self.rows] = np.isin(np.array(self.others, dtype=object), texts)[self.which]
        if texts:
            numbers = as_numbers(text_array(texts), ".")
            for number in numbers[~np.isnan(numbers)]:
                found |= self.values == number
        return found

    def take(self, rows: np.ndarray) -> Cells:
        """Return some rows, given by increasing positions, as distinct texts and codes."""
        new = np.full(self.n_rows, -1, dtype=np.int64) if len(self.rows) else None
        kept, which = self.rows[:0], self.which[:0]
        if new is not None:
            new[rows] = np.arange(len(rows))
            kept = new[self.rows]
            which, kept = self.which[kept >= 0], kept[kept >= 0]
        return NumberCells(self.values[rows][:, None], 0, self.others, kept, which, self.is_finite).encoded
