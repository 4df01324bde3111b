"""Parse the rows of a CSV text into columns, and say what is wrong with a row that cannot be parsed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pyarrow as pa
from pyarrow import csv as arrow_csv

from ...common.errors import DataError
from ..column_types.cells import Encoded, encoded
from .header import Arrangement
from .separators import SEPARATORS
from .text_encoding import SAMPLE

BLOCK = 1 << 23  # bytes parsed at a time


def parsed(utf8: bytes, separator: str, found: Arrangement, chosen: list[int], max_rows: int | None) -> list[Encoded]:
    """The `chosen` columns of the rows, up to `max_rows`; DataError, with its line, at a row that is none."""
    keys = [str(j) for j in range(len(found.names))]
    rows = memoryview(utf8)[found.begin :]
    if not any(bytes(rows[at : at + SAMPLE]).strip(b"\r\n") for at in range(0, len(rows), SAMPLE)):
        names = f"{len(keys)} name{'s' * (len(keys) > 1)}"
        raise DataError(f"the file holds a header of {names} and no row; add rows of data below it")
    try:
        reader = arrow_csv.open_csv(
            pa.BufferReader(rows),
            read_options=arrow_csv.ReadOptions(column_names=keys, block_size=BLOCK),
            parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                # Cells repeat: one 4-byte code each costs less than text, and is what every later step needs.
                column_types={key: pa.dictionary(pa.int32(), pa.string()) for key in keys},
                include_columns=[keys[j] for j in chosen],
                strings_can_be_null=False,
            ),
        )
        table = pa.Table.from_batches(list(_batches(reader, max_rows)), reader.schema)
    except pa.ArrowInvalid as error:
        raise DataError(explained(rows, separator, len(keys), found.line)) from error
    table = table.slice(0, max_rows)
    if utf8.count(b'"') % 2:
        refuse_open_quote(rows, separator, table, found.line)
    return [encoded(column) for column in table.columns]


def _batches(reader: arrow_csv.CSVStreamingReader, max_rows: int | None) -> Iterator[pa.RecordBatch]:
    seen = 0
    for batch in reader:
        yield batch
        seen += batch.num_rows
        if max_rows is not None and seen >= max_rows:
            return


def _rows_with_lines(text: memoryview, separator: str, line: int) -> Iterator[tuple[int, list[str] | None]]:
    """Rows with the number of the line they begin in; None for one that holds a cell too long to be true."""
    reader = csv.reader(_lines(text, line), delimiter=separator)
    before = line
    try:
        for row in reader:
            yield line, row
            line = before + reader.line_num
    except csv.Error:
        yield line, None


def _lines(text: memoryview, number: int) -> Iterator[str]:
    """The lines one by one; DataError at one that is longer than is parsed at a time."""
    stream = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", newline="")
    while line := stream.readline(BLOCK + 1):
        if len(line) > BLOCK:
            raise DataError(f"a line may hold at most {BLOCK >> 20} MB, line {number:,} holds more; break the line")
        yield line
        number += 1


def explained(text: memoryview, separator: str, width: int, line: int) -> str:
    """Why rows that begin in `line` cannot be split into `width` cells."""
    named = SEPARATORS[separator]
    for at, row in _rows_with_lines(text, separator, line):
        if row is None or (row and len(row) != width):
            if row is None or ("\n" in row[-1] and bytes(text).count(b'"') % 2):
                return f"every quote must be closed, one opened in line {at} is not; close or remove it"
            return (
                f"every line must have the {width:,} cells of the header, line {at:,} has {len(row):,}; "
                f"fix it or choose another separator than the {named}"
            )
    return f"the lines of the file cannot be split by the {named}; choose another separator"


def refuse_open_quote(text: memoryview, separator: str, table: pa.Table, line: int) -> None:
    """An open quote swallows all later lines into the last cell of the last row without breaking a rule."""
    if "\n" not in table.column(table.num_columns - 1)[-1].as_py():
        return
    for at, row in _rows_with_lines(text, separator, line):
        last = at, row
    at, row = last
    if row is None or "\n" in row[-1]:
        raise DataError(f"every quote must be closed, one opened in line {at} is not; close or remove it")
