"""What is wrong with the text of a table, said with its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pyarrow as pa

from ..common.errors import DataError
from .sniff import SEPARATORS

BLOCK = 1 << 23  # bytes parsed at a time


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
