"""Read a table of text cells from a file.

Cells keep their text. `TableGuess` proposes what counts as missing, as a number or as a level, and a `Plan` decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ...common.checks import as_text, check_choice, check_count, check_sequence, check_type
from ...common.errors import DataError
from ...common.validation import validated
from ...common.wording import count, quoted, shown_value
from ..arrow_arrays import to_arrow
from ..column_types.cells import (
    Cells,
    Encoded,
    compact,
    encoded,
    encoded_levels,
    encoded_numbers,
    without_blank_rows,
    without_single_quotes,
)
from ..column_types.numbers import as_numbers
from ..column_types.types_and_missing_codes import TableGuess, guess_column, guess_columns, guess_decimal
from ..columns import checked_names
from ..dataset import Dataset
from .binary_files import ColumnFile, WorkbookText
from .csv import parsed
from .extra_rows import without_footers, without_repeated_headers
from .header import Arrangement, arrange, declared_separator, raw_lines
from .long_csv import LongTextReader, RowSelection
from .long_parquet import is_long_parquet, read_long_parquet
from .row_sample import sampled_rows
from .separators import (
    BLANKS,
    SEPARATORS,
    comment_mark,
    first_rows,
    guess_separator,
    with_double_quotes,
    without_blanks,
    without_footer,
)
from .source import read_contents
from .streams import is_long_text, stream_of
from .text_encoding import SAMPLE, as_utf8
from .transposition import transposed
from .unsupported_formats import refuse_other_texts

if TYPE_CHECKING:  # frames are for users; reading needs none
    import pandas as pd

MAX_COLUMNS = 1_000  # maximum number of columns of an upload
MAX_FILE_COLUMNS = 10_000  # maximum number of columns of a file with a path
SINGLE_QUOTED = re.compile("'[^']+'$")


@dataclass(frozen=True, eq=False)
class Table:
    """A table of text cells under distinct column names, made by `read_table` or `from_dataset`.

    Attributes
    ----------
    names : tuple of str
        Distinct names of the columns in file order.
    cells : tuple of Cells
        The columns, in the same order.
    n : int
        Number of rows.
    guess : TableGuess
        Format of the file, and the guessed types of its columns.
    is_long : bool
        The file was read in batches, because it is large; findings on the data come from a sample of its rows.
    """

    names: tuple[str, ...]
    cells: tuple[Cells, ...]
    n: int
    guess: TableGuess
    is_long: bool = False

    @classmethod
    def from_dataset(cls, dataset: Dataset) -> Table:
        """Make a table from a data set, equal to the table read from its CSV file."""
        weights = dataset.weights
        rows = np.arange(dataset.n_rows) if weights is None else np.repeat(np.arange(dataset.n_rows), weights)
        encoders = {"continuous": encoded_numbers, "categorical": encoded_levels}
        cells = tuple(encoders[kind](dataset, k, rows) for kind, k in zip(dataset.kinds, dataset.place, strict=True))
        guesses = tuple(guess_column(name, column) for name, column in zip(dataset.names, cells, strict=True))
        return cls(dataset.names, cells, len(rows), TableGuess("", "", ".", guesses))

    @property
    def p(self) -> int:
        """Number of columns."""
        return len(self.names)

    def column(self, name: str) -> Cells:
        """Return the cells of one column."""
        try:
            return self.cells[self._index[name]]
        except (KeyError, TypeError):
            raise DataError(f"no column {shown_value(name)}. The columns are {quoted(self.names)}") from None

    @cached_property
    def frame(self) -> pd.DataFrame:
        """All cells as texts in pandas `str` columns, without NaN."""
        return self.head(self.n)

    def head(self, rows: int) -> pd.DataFrame:
        """Return the first rows of `frame` without building all of it."""
        import pandas as pd

        few = [cells.take(np.arange(min(rows, self.n))) if self.is_long else cells for cells in self.cells]
        columns = [cells.texts.take(pa.array(cells.codes[:rows])).to_pandas() for cells in few]
        frame = pd.DataFrame(dict(enumerate(columns))).astype("str")
        frame.columns = list(self.names)
        return frame

    def take(self, rows: Sequence[int]) -> Table:
        """Return the rows at some increasing positions, with the guesses of this table."""
        rows = np.asarray(rows, dtype=np.int64)
        cells = tuple(column.take(rows) for column in self.cells)
        return Table(self.names, cells, len(rows), self.guess)

    @cached_property
    def read_as(self) -> dict[object, Cells]:
        """Cache of converted columns; plans fill it."""
        return {}

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.names)}

    def __repr__(self) -> str:
        read = (
            f", {SEPARATORS.get(self.guess.separator, 'blanks')}, {self.guess.encoding}" if self.guess.separator else ""
        )
        return f"Table(n={self.n}, p={self.p}{read})"


@validated
def read_table(
    source: str | Path | bytes,
    *,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    columns: Sequence[str] | None = None,
    max_columns: int | None = None,
    max_rows: int | None = None,
    header: int | None = None,
    names: Sequence[str] | None = None,
    transpose: bool = False,
    sample: int | None = None,
    seed: int = 0,
) -> Table:
    r"""Read a CSV, Excel, Parquet, SPSS, Stata or SAS file, as it is or packed by gzip or zip.

    Text, and Parquet files with a path, are read in batches, up to 20 GB. Other files hold at most 200 MB, and so does
    text that is packed and has no path. Bytes, such as an upload, hold at most 1,000 columns, and files 10,000.

    Parameters
    ----------
    source : path, or the bytes of the file
    encoding : str, optional
        Default: guessed among UTF-8, UTF-16, UTF-32, Latin-1 and Windows-1252.
    separator : one of "," ";" tab "|" " ", optional
        Default: guessed from the first rows.
    decimal : "." or ",", optional
        Default: guessed from the cells.
    columns : sequence of str, optional
        Read these columns only, in file order.
    max_columns : int, optional
        Read that many columns from the left.
    max_rows : int, optional
        Read that many rows from the top. Lifts the limit on the size of the file: later rows are not read.
    header : int, optional
        Line of the header, counted from 1; 0 if the file has none. Default: guessed; titles above it are left out.
    names : sequence of str, optional
        Other names for the columns of the file, in their order.
    transpose : bool, default False
        Exchange rows and columns; a first column of distinct texts gives the names of the variables.
    sample : int, optional
        Read a random sample of that many rows, in file order; of the first ones if `max_rows` is given. Lifts the limit
        on the size of a text or Parquet file.
    seed : int, default 0
        Seed of the sample.

    Returns
    -------
    Table
        Cells keep their text; blank lines and lines of separators are skipped. If the whole file is read at once, so
        are repeated headers, and totals and sources below the table. In an Excel file, the first sheet with a cell is
        read. Missing values of SPSS become empty cells, and values are replaced by labels if each value has one. The
        notes of the guess list what was left out or renamed. In a file of more than 200 MB, columns of many different
        numbers are stored as numbers, whose texts are the shortest that represent them.

    Raises
    ------
    DataError
        If the file is empty, not text, too large or too wide, a row has more or fewer cells than the header, or no
        row follows the header. The message names the line.
    ParameterError
        If an option is out of range.

    Examples
    --------
    >>> table = read_table(b"a;b\n1,5;x\n2,5;NA\n")
    >>> table.guess.separator, table.guess.decimal, [column.kind for column in table.guess.columns]
    (';', ',', ['continuous', 'categorical'])
    """
    if separator is not None:
        check_choice("separator", separator, (*SEPARATORS, BLANKS))
    if decimal is not None:
        check_choice("decimal", decimal, (".", ","))
    check_count("max_columns", max_columns, 1, optional=True)
    check_count("max_rows", max_rows, 1, optional=True)
    check_count("header", header, optional=True)
    check_type("transpose", transpose, bool, "True or False")
    check_count("sample", sample, 1, optional=True)
    check_count("seed", seed)
    for name, given in (("columns", columns), ("names", names)):
        if given is not None:
            check_sequence(name, given)
    rows = RowSelection(max_rows, sample, seed)
    most = MAX_COLUMNS if isinstance(source, bytes) else MAX_FILE_COLUMNS
    if not transpose and is_long_text(source):
        return _long_text(source, rows, encoding, separator, decimal, columns, max_columns, header, names)
    if not transpose and is_long_parquet(source):
        return _long_parquet(source, rows, columns, max_columns, names)
    held = read_contents(source, whole=max_rows is None)
    if isinstance(held, ColumnFile):
        found = _renamed(Arrangement(checked_names(held.names), 0, 0, notes=held.notes), names)
        chosen = _chosen(found, columns, max_columns, most)
        parts = _sampled([encoded(held.columns[j].slice(0, max_rows)) for j in chosen], rows)
        if transpose:
            found, parts = transposed(found, chosen, parts)
            chosen = list(range(len(found.names)))
        return _table(found, chosen, parts, TableGuess(held.label, "", decimal or ".", (), held.notes))
    if isinstance(held, WorkbookText):
        utf8, encoding, separator = held.utf8, held.label, ","
    else:
        utf8, encoding = as_utf8(held, encoding, cut=max_rows is not None)
        refuse_other_texts(utf8)
        utf8 = without_footer(utf8)
    separator = separator or declared_separator(utf8) or guess_separator(utf8)
    delimiter = "" if isinstance(held, WorkbookText) else separator
    if separator == BLANKS:
        utf8, separator = without_blanks(utf8), ","
    utf8 = with_double_quotes(utf8, separator)
    found = arrange(utf8, separator, header)
    _refuse_one_column(utf8, separator, found.names)
    header_names, found = found.names, _renamed(found, names)
    chosen = _chosen(found, columns, max_columns, most)
    parts, notes = parsed(utf8, separator, found, chosen, max_rows, delimiter or None), found.notes
    if columns is None and max_columns is None:
        parts, blank = without_blank_rows(parts)
        notes += (f"left out: {count(blank, 'row')} without a cell",) * (blank > 0)
        parts, repeats = without_repeated_headers(parts, [header_names[j] for j in chosen])
        notes += (f"left out: {count(repeats, 'repeated header')}",) * (repeats > 0)
        if max_rows is None:
            parts, footers = without_footers(parts)
            notes += (f"left out below the table: {quoted(footers)}",) * bool(footers)
    parts = _sampled(parts, rows)
    decimal = decimal or guess_decimal([texts for _, texts, _ in parts])
    if transpose:
        found, parts = transposed(found, chosen, parts)
        chosen = list(range(len(found.names)))
    return _table(found, chosen, parts, TableGuess(encoding, delimiter, decimal, (), notes))


def _sampled(parts: list[Encoded], rows: RowSelection) -> list[Encoded]:
    """Return the sample of the rows, or all if there is none."""
    if rows.sample is None or not parts:
        return parts
    kept = sampled_rows(len(parts[0][0]), rows.sample, rows.seed)
    return [_in_order(codes[kept], texts) for codes, texts, _ in parts]


def _in_order(codes: np.ndarray, texts: pa.StringArray) -> Encoded:
    """Renumber the texts that occur by their first row; return their codes."""
    used, first, places = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    codes = np.argsort(order)[places]
    return compact(codes, texts.take(to_arrow(used[order].astype(np.int64))), np.bincount(codes))


def _long_text(
    source: str | Path,
    rows: RowSelection,
    encoding: str | None,
    separator: str | None,
    decimal: str | None,
    columns: Sequence[str] | None,
    max_columns: int | None,
    header: int | None,
    names: Sequence[str] | None,
) -> Table:
    """Read a text file in batches; for the parameters, see `read_table`."""

    def choose(head: bytes, separator: str, found: Arrangement) -> tuple[Arrangement, list[int]]:
        _refuse_one_column(head, separator, found.names)
        found = _renamed(found, names)
        return found, _chosen(found, columns, max_columns, MAX_FILE_COLUMNS)

    drops_blank = columns is None and max_columns is None
    reader = LongTextReader(stream_of(source), encoding, separator, decimal, header, rows, choose, drops_blank)
    read = reader.read()
    notes = read.found.notes + (f"left out: {count(read.blank, 'row')} without a cell",) * (read.blank > 0)
    guess = TableGuess(read.encoding, read.separator, read.decimal, (), notes)
    return _guessed(read.found, read.chosen, read.cells, guess, is_long=True)


def _long_parquet(
    source: str | Path,
    rows: RowSelection,
    columns: Sequence[str] | None,
    max_columns: int | None,
    names: Sequence[str] | None,
) -> Table:
    """Read a Parquet file in batches; for the parameters, see `read_table`."""

    def choose(own: Sequence[str]) -> tuple[Arrangement, list[int]]:
        found = _renamed(Arrangement(checked_names(own), 0, 0), names)
        return found, _chosen(found, columns, max_columns, MAX_FILE_COLUMNS)

    found, chosen, cells = read_long_parquet(source, rows, choose)
    return _guessed(found, chosen, cells, TableGuess("Parquet", "", ".", ()), is_long=True)


def _table(found: Arrangement, chosen: Sequence[int], parts: Sequence[Encoded], guess: TableGuess) -> Table:
    """Return the table of the chosen columns with their guessed types."""
    if len(parts) != len(chosen):
        raise DataError(
            f"the rows have {count(len(parts), 'cell')} below {count(len(chosen), 'name')}. Give each column a name"
        )
    parts = [without_single_quotes(part) for part in parts]
    cells = [Cells(codes, texts, counts, as_numbers(texts, guess.decimal)) for codes, texts, counts in parts]
    return _guessed(found, chosen, cells, guess)


def _guessed(
    found: Arrangement, chosen: Sequence[int], cells: Sequence[Cells], guess: TableGuess, *, is_long: bool = False
) -> Table:
    """Return the table of the chosen columns with their guessed types."""
    names = tuple(found.names[j] for j in chosen)
    if names and all(SINGLE_QUOTED.match(name) for name in names):
        names = checked_names([name[1:-1] for name in names])
    row_names = chosen.index(found.row_names) if found.row_names in chosen else None
    guesses = guess_columns(list(zip(names, cells, strict=True)), row_names)
    return Table(names, tuple(cells), cells[0].n_rows, replace(guess, columns=guesses), is_long)


def first_lines(source: str | Path | bytes) -> list[str]:
    """Return the first lines of a file for a preview, as CSV for an Excel file; empty if it cannot be read."""
    try:
        held = read_contents(source, preview=SAMPLE)
        if isinstance(held, ColumnFile):
            return []
        return raw_lines(held.utf8 if isinstance(held, WorkbookText) else as_utf8(held, cut=True)[0])
    except DataError:
        return []


def _renamed(found: Arrangement, names: Sequence[str] | None) -> Arrangement:
    """Rename the columns that are not left out, if `names` is given."""
    if names is None:
        return found
    kept = [j for j in range(len(found.names)) if j not in found.blank]
    if len(names) != len(kept):
        raise DataError(f"names must be {len(kept)}, one for each column of the file, got {len(names)}")
    given = dict(zip(kept, checked_names(names), strict=True))
    return replace(found, names=tuple(given.get(j, name) for j, name in enumerate(found.names)))


def _refuse_one_column(utf8: bytes, separator: str, names: Sequence[str]) -> None:
    """Raise DataError if the separator gives one column but another one splits the header."""
    sample = utf8[:SAMPLE].decode("utf-8", "ignore")
    if declared_separator(utf8):  # wrong if another separator splits the line below
        sample = "".join(sample.splitlines(keepends=True)[1:])
    sample = sample.removeprefix(comment_mark(sample))  # a semicolon before the header splits nothing
    for other in SEPARATORS if len(names) == 1 else ():
        others = first_rows(sample, other, whole=len(utf8) <= SAMPLE)
        if other != separator and others and len(others[0]) > 1:
            raise DataError(
                f"the separator {SEPARATORS[separator]} leaves one column, {quoted(names)}, which holds "
                f"{SEPARATORS[other]}s. Choose the separator {SEPARATORS[other]}"
            )


def _chosen(found: Arrangement, columns: Sequence[str] | None, max_columns: int | None, most: int) -> list[int]:
    """Return the positions of the columns to read; DataError if they are more than `most`."""
    chosen = [j for j in range(len(found.names)) if j not in found.blank]
    if columns is not None:
        columns = [as_text("columns", name) for name in columns]
        if not columns or not set(columns) <= set(found.names):
            raise DataError(
                f"columns must be names of the header, which has {quoted(found.names)}, got {quoted(columns)}"
            )
        wanted = set(columns)
        chosen = [j for j in chosen if found.names[j] in wanted]
    chosen = chosen[:max_columns]
    if len(chosen) > most:
        raise DataError(
            f"a table may have at most {most:,} columns, found {len(chosen):,}. Read the first {most:,} columns only"
        )
    return chosen
