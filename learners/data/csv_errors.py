"""What is wrong with the text of a table, said with its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pyarrow as pa

from ..common.errors import DataError
from .sniff import SEPARATORS


def _rows_with_lines(utf8: bytes, separator: str) -> Iterator[tuple[int, list[str] | None]]:
    """Rows with the number of the line they begin in; None for one that holds a cell too long to be true."""
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(utf8), encoding="utf-8", newline=""), delimiter=separator)
    line = 1
    try:
        for row in reader:
            yield line, row
            line = reader.line_num + 1
    except csv.Error:
        yield line, None


def _explained(utf8: bytes, separator: str, width: int) -> str:
    named = SEPARATORS[separator]
    for line, row in _rows_with_lines(utf8, separator):
        if row is None or (row and len(row) != width):
            if row is None or ("\n" in row[-1] and utf8.count(b'"') % 2):
                return f"every quote must be closed, one opened in line {line} is not; close or remove it"
            return (
                f"every line must have the {width:,} cells of the header, line {line:,} has {len(row):,}; "
                f"mend it or choose another separator than the {named}"
            )
    return f"the lines of the file cannot be split by the {named}; choose another separator"


def _refuse_open_quote(utf8: bytes, separator: str, table: pa.Table) -> None:
    """An open quote swallows all later lines into the last cell of the last row without breaking a rule."""
    if "\n" not in table.column(table.num_columns - 1)[-1].as_py():
        return
    for line, row in _rows_with_lines(utf8, separator):
        last = line, row
    line, row = last
    if row is None or "\n" in row[-1]:
        raise DataError(f"every quote must be closed, one opened in line {line} is not; close or remove it")
