"""Reading a table of text cells from a file, and how it was read.

A cell stays the text it is in the file. What counts as missing, as a number or as a level is proposed in
`TableGuess` and decided in a `Plan` (see `prepare`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from ..common.checks import check_choice, check_count, quoted
from ..common.errors import DataError
from .columns import checked_names
from .csv_errors import _explained, _refuse_open_quote
from .dataset import Dataset
from .guess import Cells, TableGuess, as_numbers, guess_column, guess_decimal
from .sniff import SAMPLE, SEPARATORS, as_utf8, first_rows, guess_separator, read_bytes

MAX_COLUMNS = 1_000
_BLOCK = 1 << 23  # bytes parsed at a time


@dataclass(frozen=True, eq=False)
class Table:
    """Text cells under distinct column names. Made by `read_table`, or from rows that were never a file.

    Attributes
    ----------
    names : tuple of str
        One per column, distinct, in file order.
    cells : tuple of Cells
        The columns, in the same order.
    n : int
        Number of rows.
    guess : TableGuess
        How the file was read and what each column seems to hold.
    """

    names: tuple[str, ...]
    cells: tuple[Cells, ...]
    n: int
    guess: TableGuess

    @classmethod
    def from_dataset(cls, dataset: Dataset) -> Table:
        """The rows of a data set as cells, such as its CSV file would give them, without writing one."""
        weights = dataset.weights
        rows = np.arange(dataset.n_rows) if weights is None else np.repeat(np.arange(dataset.n_rows), weights)
        encoded = _encoded_numbers if dataset.kind == "continuous" else _encoded_levels
        cells = tuple(encoded(dataset, j, rows) for j in range(dataset.p))
        guesses = tuple(guess_column(name, column) for name, column in zip(dataset.names, cells, strict=True))
        return cls(dataset.names, cells, len(rows), TableGuess("", "", ".", guesses))

    @property
    def p(self) -> int:
        """Number of columns."""
        return len(self.names)

    def column(self, name: str) -> Cells:
        """The cells of one column."""
        try:
            return self.cells[self._index[name]]
        except KeyError:
            raise DataError(f"no column {name!r}; the columns are {quoted(self.names)}") from None

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Every cell as its text (pandas `str` columns), nothing turned into NaN."""
        return self.head(self.n)

    def head(self, rows: int) -> pd.DataFrame:
        """The first rows of `frame`, without building all of it."""
        columns = [cells.texts.take(pa.array(cells.codes[:rows])).to_pandas() for cells in self.cells]
        frame = pd.DataFrame(dict(enumerate(columns))).astype("str")
        frame.columns = list(self.names)
        return frame

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.names)}

    def __repr__(self) -> str:
        read = f", {SEPARATORS[self.guess.separator]}, {self.guess.encoding}" if self.guess.separator else ""
        return f"Table(n={self.n}, p={self.p}{read})"


def read_table(
    source: str | Path | bytes,
    *,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    columns: Sequence[str] | None = None,
    max_columns: int | None = None,
    max_rows: int | None = None,
) -> Table:
    """Read a CSV file, plain or gzip, with a header row.

    Parameters
    ----------
    source : path, or the bytes of the file
    encoding : str, optional
        Default: guessed among UTF-8, UTF-16, Latin-1 and Windows-1252.
    separator : one of "," ";" tab "|", optional
        Default: guessed from the first rows.
    decimal : "." or ",", optional
        Default: guessed from the cells.
    columns : sequence of str, optional
        Read these columns only, in file order.
    max_columns : int, optional
        Read that many columns from the left.
    max_rows : int, optional
        Read that many rows from the top. Lifts the limit on the size of the file: what lies beyond is not read.

    Returns
    -------
    Table
        Cells are kept exactly; lines that are blank are skipped.

    Raises
    ------
    DataError
        If the file is empty, no text, too large or too wide, a row has more or fewer cells than the header, a
        name is empty or repeated, or no row follows the header. The sentence names the line and the guess.
    ParameterError
        If an option is out of range.

    Examples
    --------
    >>> table = read_table(b"a;b\\n1,5;x\\n2,5;NA\\n")
    >>> table.guess.separator, table.guess.decimal, [column.kind for column in table.guess.columns]
    (';', ',', ['continuous', 'categorical'])
    """
    if separator is not None:
        check_choice("separator", separator, tuple(SEPARATORS))
    if decimal is not None:
        check_choice("decimal", decimal, (".", ","))
    check_count("max_columns", max_columns, 1, optional=True)
    check_count("max_rows", max_rows, 1, optional=True)
    raw = read_bytes(source, whole=max_rows is None)
    utf8, encoding = as_utf8(raw, encoding, cut=max_rows is not None)
    separator = separator or guess_separator(utf8)
    header = _header(utf8, separator)
    chosen = _chosen(header, columns, max_columns)
    names = _checked_names_of(header, chosen, separator)
    encoded = _parse(utf8, separator, len(header), chosen, max_rows)
    decimal = decimal or guess_decimal([texts for _, texts, _ in encoded])
    cells = tuple(Cells(codes, texts, counts, as_numbers(texts, decimal)) for codes, texts, counts in encoded)
    guesses = tuple(guess_column(name, column) for name, column in zip(names, cells, strict=True))
    guess = TableGuess(encoding, separator, decimal, guesses, _notes(names))
    return Table(names, cells, len(cells[0].codes), guess)


def _header(utf8: bytes, separator: str) -> list[str]:
    rows = first_rows(utf8[:SAMPLE].decode("utf-8", "ignore"), separator, whole=len(utf8) <= SAMPLE)
    if not rows:
        raise DataError("the file must begin with a header row, found none in its first part; add one")
    header = rows[0]
    for other in SEPARATORS if len(header) == 1 else ():
        others = first_rows(utf8[:SAMPLE].decode("utf-8", "ignore"), other, whole=len(utf8) <= SAMPLE)
        if others and len(others[0]) > 1:
            raise DataError(
                f"the separator {SEPARATORS[separator]} leaves one column, {quoted(header)}, which holds "
                f"{SEPARATORS[other]}s; choose the separator {SEPARATORS[other]}"
            )
    return header


def _chosen(header: list[str], columns: Sequence[str] | None, max_columns: int | None) -> list[int]:
    chosen = list(range(len(header)))
    if columns is not None:
        absent = [name for name in columns if name not in header]
        if absent or not columns:
            raise DataError(f"columns must be names of the header, which has {quoted(header)}, got {quoted(columns)}")
        wanted = set(columns)
        chosen = [j for j in chosen if header[j] in wanted]
    chosen = chosen[:max_columns]
    if len(chosen) > MAX_COLUMNS:
        raise DataError(
            f"a table may have at most {MAX_COLUMNS:,} columns, found {len(chosen):,}; read the first {MAX_COLUMNS:,} "
            "columns only"
        )
    return chosen


def _checked_names_of(header: list[str], chosen: list[int], separator: str) -> tuple[str, ...]:
    empty = [j for j in chosen if not header[j].strip()]
    if empty:
        raise DataError(
            f"every column needs a name, column {empty[0] + 1:,} of the header has none (separator "
            f"{SEPARATORS[separator]}); "
            "name it in the first line or read the other columns only"
        )
    try:
        return checked_names([header[j] for j in chosen])
    except DataError as error:
        if _all_numbers(header):
            raise DataError(f"{error} (the first line holds only numbers; it must be a header)") from None
        raise


def _notes(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > 1 and _all_numbers(names):
        return ("the first line holds only numbers and was read as the header; add a header if it is data",)
    return ()


def _all_numbers(names: Sequence[str]) -> bool:
    return not np.isnan(as_numbers(pa.array(names, pa.string()), ".")).any()


def _parse(
    utf8: bytes, separator: str, width: int, chosen: list[int], max_rows: int | None
) -> list[tuple[np.ndarray, pa.StringArray, np.ndarray]]:
    names = [str(j) for j in range(width)]
    try:
        reader = arrow_csv.open_csv(
            pa.BufferReader(utf8),
            read_options=arrow_csv.ReadOptions(column_names=names, block_size=_BLOCK),
            parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                # Cells repeat: one 4-byte code each costs less than text, and is what every later step needs.
                column_types={name: pa.dictionary(pa.int32(), pa.string()) for name in names},
                include_columns=[names[j] for j in chosen],
                strings_can_be_null=False,
            ),
        )
        table = pa.Table.from_batches(list(_batches(reader, max_rows)), reader.schema)
    except pa.ArrowInvalid as error:
        raise DataError(_explained(utf8, separator, width)) from error
    table = table.slice(1, max_rows)
    if table.num_rows == 0:
        raise DataError(f"the file holds a header of {width} names and no row; add rows of data below it")
    if utf8.count(b'"') % 2:
        _refuse_open_quote(utf8, separator, table)
    return [_encoded(column) for column in table.columns]


def _batches(reader: arrow_csv.CSVStreamingReader, max_rows: int | None) -> Iterator[pa.RecordBatch]:
    seen = 0
    for batch in reader:
        yield batch
        seen += batch.num_rows
        if max_rows is not None and seen > max_rows:
            return


def _encoded(column: pa.ChunkedArray) -> tuple[np.ndarray, pa.StringArray, np.ndarray]:
    whole = column.unify_dictionaries().combine_chunks()
    codes, texts = whole.indices.to_numpy(zero_copy_only=False), whole.dictionary
    return _compact(codes, texts)


def _encoded_numbers(dataset: Dataset, j: int, rows: np.ndarray) -> Cells:
    numbers, codes = np.unique(dataset.values[rows, j] + 0.0, return_inverse=True)  # + 0.0 makes -0 equal to 0
    codes, texts, counts = _compact(codes, pc.cast(pa.array(numbers), pa.string()))
    return Cells(codes, texts, counts, numbers)


def _encoded_levels(dataset: Dataset, j: int, rows: np.ndarray) -> Cells:
    codes, texts, counts = _compact(dataset.codes[j][rows], pa.array(dataset.levels[j], pa.string()))
    return Cells(codes, texts, counts, as_numbers(texts, "."))


def _compact(codes: np.ndarray, texts: pa.StringArray) -> tuple[np.ndarray, pa.StringArray, np.ndarray]:
    """Codes in the smallest type, without texts that no row holds."""
    counts = np.bincount(codes, minlength=len(texts))
    if not counts.all():  # a level not drawn, the name in the header, or texts of rows beyond max_rows
        used = counts > 0
        codes, texts, counts = (np.cumsum(used) - 1)[codes], texts.filter(pa.array(used)), counts[used]
    dtype = np.uint8 if len(texts) <= 256 else np.uint16 if len(texts) <= 65_536 else np.int32
    codes = codes.astype(dtype)
    codes.flags.writeable = counts.flags.writeable = False
    return codes, texts, counts
