"""Columns of text cells: distinct texts, and a small integer code per row for its text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...common.mapped_arrays import copied, has_own_cells, looked_up
from ..arrow_arrays import EMPTY, text_array, to_arrow, to_numpy
from ..dataset import Dataset
from .missing_words import is_framed
from .numbers import as_numbers
from .pairs import read_pairs

# Codes, texts and the number of rows of each text, as in `Cells`.
Encoded = tuple[np.ndarray, pa.StringArray, np.ndarray]
MAX_CACHED_TEXTS = 10_000  # maximum number of texts of a column whose masks are cached


@dataclass(frozen=True, eq=False)
class Cells:
    """A column as distinct texts and the code of each row.

    Attributes
    ----------
    codes : (n,) int32 or smaller unsigned array
        Index into `texts` of each row, read-only.
    texts : pyarrow string array of length m
        The distinct texts in order of appearance, exactly as in the file.
    counts : (m,) int64 array
        Number of rows of each text.
    numbers : (m,) float64 array
        Each text as a number, which may be infinite; NaN if it is not a number.
    """

    codes: np.ndarray
    texts: pa.StringArray
    counts: np.ndarray
    numbers: np.ndarray

    @cached_property
    def blank(self) -> np.ndarray:
        """(m,) bool: the distinct texts that are empty or whitespace."""
        return to_numpy(pc.equal(pc.utf8_trim_whitespace(self.texts), EMPTY))

    @cached_property
    def framed(self) -> np.ndarray:
        """(m,) bool: the distinct texts that are letters between signs, see `is_framed`."""
        return is_framed(self.texts)

    @cached_property
    def pairs(self) -> dict[str, np.ndarray]:
        """The numbers of distinct texts that are pairs, see `read_pairs`."""
        return read_pairs(self.texts)

    @cached_property
    def guesses(self) -> dict:
        """Cached guesses on the column, by check: its conversions, see `conversion_guess`, and its order."""
        return {}

    @cached_property
    def _masks(self) -> dict[tuple[str, ...], np.ndarray]:
        """Cached masks of `among`, which all checks of a table ask for again and again."""
        return {}

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    def among(self, texts: tuple[str, ...]) -> np.ndarray:
        """Return (m,) bool: the distinct texts that are among `texts`."""
        if texts in self._masks:
            return self._masks[texts]
        mask = to_numpy(pc.is_in(self.texts, value_set=text_array(texts)))
        if len(mask) <= MAX_CACHED_TEXTS:
            self._masks[texts] = mask
        return mask

    def rows_among(self, texts: tuple[str, ...]) -> np.ndarray:
        """Return (n,) bool: the rows whose text is among `texts`."""
        return looked_up(self.among(texts), self.codes)

    def take(self, rows: np.ndarray) -> Cells:
        """Return some rows, given by increasing positions, without the texts that do not occur in them."""
        codes = self.codes[rows]
        used = np.bincount(codes, minlength=len(self.texts))
        codes, texts, counts = compact(codes, self.texts, used)
        return Cells(codes, texts, counts, self.numbers[used > 0])


def encoded(column: pa.ChunkedArray) -> Encoded:
    """Return codes, texts and counts of a dictionary-encoded column.

    Chunks are encoded one at a time, because encoding takes eight bytes per cell and the result often only one.
    """
    chunks = column.unify_dictionaries().chunks
    texts = chunks[0].dictionary
    codes, counts, at = np.empty(len(column), smallest_type(len(texts))), np.zeros(len(texts), np.int64), 0
    for chunk in chunks:
        part = to_numpy(chunk.indices)
        counts += np.bincount(part, minlength=len(texts))
        codes[at : at + len(part)] = part
        at += len(part)
    return compact(codes, texts, counts)


def without_blank_rows(parts: list[Encoded]) -> tuple[list[Encoded], int]:
    """Remove blank rows, which spreadsheets leave below a table; return the columns and the number of rows removed.

    If all rows are blank, none is removed.
    """
    filled = np.zeros(len(parts[0][0]), dtype=bool)
    for codes, texts, _ in parts:
        filled |= to_numpy(pc.not_equal(pc.utf8_trim_whitespace(texts), EMPTY))[codes]
        if filled.all():
            return parts, 0
    if not filled.any():
        return parts, 0
    kept = [(codes[filled], texts) for codes, texts, _ in parts]
    shorter = [compact(codes, texts, np.bincount(codes, minlength=len(texts))) for codes, texts in kept]
    return shorter, int((~filled).sum())


def without_single_quotes(part: Encoded) -> Encoded:
    """Remove the single quotes around all cells of a column; columns with another filled cell stay unchanged."""
    codes, texts, counts = part
    quoted = to_numpy(pc.match_substring_regex(texts, "^'[^']*'$"))
    if not quoted.any() or not (quoted | to_numpy(pc.equal(texts, EMPTY))).all():
        return part
    if pc.all(pc.equal(pc.utf8_length(texts), 2)).as_py() or not pc.all(pc.not_equal(texts, "''")).as_py():
        return part
    return codes, pc.utf8_trim(texts, "'"), counts


def encoded_numbers(dataset: Dataset, j: int, rows: np.ndarray) -> Cells:
    """Return the cells of a numeric column in the given rows."""
    numbers, codes = np.unique(dataset.values[rows, j] + 0.0, return_inverse=True)  # + 0.0 makes -0 equal to 0
    texts = pc.fill_null(pc.cast(pa.array(numbers, from_pandas=True), pa.string()), "")  # missing cells are empty
    codes, texts, counts = compact(codes, texts, np.bincount(codes))
    return Cells(codes, texts, counts, numbers)


def encoded_levels(dataset: Dataset, j: int, rows: np.ndarray) -> Cells:
    """Return the cells of a categorical column in the given rows."""
    codes, levels = dataset.codes[j][rows], (*dataset.levels[j], "")  # a missing cell has the code after the last
    codes, texts, counts = compact(codes, text_array(levels), np.bincount(codes, minlength=len(levels)))
    return Cells(codes, texts, counts, as_numbers(texts, "."))


def smallest_type(m: int) -> type:
    """Return the smallest integer type for the codes of m texts."""
    return np.uint8 if m <= 256 else np.uint16 if m <= 65_536 else np.int32


def compact(codes: np.ndarray, texts: pa.StringArray, counts: np.ndarray) -> Encoded:
    """Drop texts without rows, and return the codes in the smallest type."""
    if not counts.all():  # levels not drawn, the name in the header, and texts of rows beyond max_rows have no row
        used = counts > 0
        texts, counts = texts.filter(to_arrow(used)), counts[used]
        codes = looked_up((np.cumsum(used) - 1).astype(smallest_type(len(texts))), codes)
    if codes.dtype != smallest_type(len(texts)) or not has_own_cells(codes):
        codes = copied(codes, smallest_type(len(texts)))
    codes.flags.writeable = counts.flags.writeable = False
    return codes, texts, counts
