"""Parse the rows of a CSV text into columns, and report rows that cannot be parsed."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Callable, Iterator
from typing import BinaryIO

import pyarrow as pa
from pyarrow import csv as arrow_csv

from ...common.errors import DataError
from ..column_types.cells import Encoded, encoded
from .header import Arrangement
from .separators import BLANKS, SEPARATORS
from .text_encoding import SAMPLE

BLOCK = 1 << 23  # number of bytes parsed at a time


def parsed(
    utf8: bytes,
    separator: str,
    found: Arrangement,
    chosen: list[int],
    max_rows: int | None,
    delimiter: str | None = None,
) -> list[Encoded]:
    """Parse the rows below the header.

    Parameters
    ----------
    utf8 : bytes
    separator : str
    found : Arrangement
        Position of the rows and names of the columns.
    chosen : list of int
        Positions of the columns to return.
    max_rows : int or None
        Maximum number of rows to return.
    delimiter : str, optional
        Separator of the file, which errors name. Default: `separator`.

    Raises
    ------
    DataError
        If a row cannot be parsed. The message has its line number.
    """
    keys = [str(j) for j in range(len(found.names))]
    rows = memoryview(utf8)[found.begin :]
    if not any(bytes(rows[at : at + SAMPLE]).strip(b"\r\n") for at in range(0, len(rows), SAMPLE)):
        names = f"{len(keys)} name{'s' * (len(keys) > 1)}"
        raise DataError(f"the file holds a header of {names} and no row. Add rows of data below it")
    _check_line_lengths(utf8, found)
    try:
        reader = arrow_csv.open_csv(
            pa.BufferReader(rows),
            read_options=arrow_csv.ReadOptions(column_names=keys, block_size=BLOCK),
            parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                # Cells repeat, so a 4-byte code per cell takes less memory than text; all later steps need codes.
                column_types={key: pa.dictionary(pa.int32(), pa.string()) for key in keys},
                include_columns=[keys[j] for j in chosen],
                strings_can_be_null=False,
            ),
        )
        table = pa.Table.from_batches(list(_batches(reader, max_rows)), reader.schema)
    except pa.ArrowInvalid as error:
        raise DataError(explained(lambda: io.BytesIO(rows), separator, len(keys), found.line, delimiter)) from error
    table = table.slice(0, max_rows)
    if utf8.count(b'"') % 2:
        refuse_open_quote(rows, separator, table, found.line)
    return [encoded(column) for column in table.columns]


def _check_line_lengths(utf8: bytes, found: Arrangement) -> None:
    """Raise DataError for a line longer than a parser block, on which pyarrow before 18 crashes."""
    at = found.begin
    while len(utf8) - at > BLOCK:
        end = max(utf8.rfind(mark, at, at + BLOCK + 1) for mark in (b"\n", b"\r"))
        if end < 0:
            # Raises an error at a line that is too long.
            deque(_lines(io.BytesIO(memoryview(utf8)[found.begin :]), found.line), maxlen=0)
            return
        at = end + 1


def _batches(reader: arrow_csv.CSVStreamingReader, max_rows: int | None) -> Iterator[pa.RecordBatch]:
    seen = 0
    for batch in reader:
        yield batch
        seen += batch.num_rows
        if max_rows is not None and seen >= max_rows:
            return


def rows_with_lines(text: BinaryIO, separator: str, line: int) -> Iterator[tuple[int, list[str] | None]]:
    """Yield rows with the number of their first line; None for a row with a cell beyond the parser's limit."""
    reader = csv.reader(_lines(text, line), delimiter=separator)
    before = line
    try:
        for row in reader:
            yield line, row
            line = before + reader.line_num
    except csv.Error:
        yield line, None


def too_long_line(number: int) -> DataError:
    """Return the error for a line longer than a parser block."""
    return DataError(f"a line may hold at most {BLOCK >> 20} MB, line {number:,} holds more. Break the line")


def _lines(text: BinaryIO, number: int) -> Iterator[str]:
    """Yield the lines; DataError for a line longer than a parser block."""
    stream = io.TextIOWrapper(text, encoding="utf-8", newline="")
    while line := stream.readline(BLOCK + 1):
        if len(line) > BLOCK:
            raise too_long_line(number)
        yield line
        number += 1


def explained(
    opened: Callable[[], BinaryIO], separator: str, width: int, line: int, delimiter: str | None = None
) -> str:
    """Return the reason why the rows from `line` on cannot be split into `width` cells; `opened` opens their text.

    The reason names the delimiter of the file, by default the separator.
    """
    named = (SEPARATORS | {BLANKS: "blank"})[delimiter or separator]
    for at, row in rows_with_lines(opened(), separator, line):
        if row is None or (row and len(row) != width):
            if row is None or ("\n" in row[-1] and _has_odd_quotes(opened())):
                return f"every quote must be closed, but one opened in line {at} is not. Close or remove it"
            return (
                f"every line must have the {width:,} cells of the header, line {at:,} has {len(row):,}. "
                f"Fix it or choose another separator than the {named}"
            )
    return f"the lines of the file cannot be split by the {named}. Choose another separator"


def _has_odd_quotes(text: BinaryIO) -> bool:
    return sum(piece.count(b'"') for piece in iter(lambda: text.read(SAMPLE), b"")) % 2 == 1


def refuse_open_quote(text: memoryview, separator: str, table: pa.Table, line: int) -> None:
    """Raise DataError for an unclosed quote, which silently swallows all later lines into the last cell."""
    if "\n" not in table.column(table.num_columns - 1)[-1].as_py():
        return
    for at, row in rows_with_lines(io.BytesIO(text), separator, line):
        last = at, row
    at, row = last
    if row is None or "\n" in row[-1]:
        raise DataError(f"every quote must be closed, but one opened in line {at} is not. Close or remove it")
