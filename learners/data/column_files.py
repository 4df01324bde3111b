"""Files that hold columns: Parquet, SPSS, Stata and SAS. Every cell becomes the text that a CSV would have."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from ..common.checks import quoted, quoted_columns
from ..common.errors import DataError
from ..common.memory import CELL, allow, limit

PARQUET = b"PAR1"
READER = Path(__file__).with_name("statistics_reader.py")
SPSS, STATA, XPORT = (b"$FL2@(#)", b"$FL3@(#)"), b"<stata_dta>", b"HEADER RECORD*******LIB"
SAS = b"\0" * 12 + b"\xc2\xea\x81\x60"
PORTABLE, MOST_HEAD = b"SPSSPORT", 700  # behind the name in several alphabets, and lines broken at 80 characters
SECONDS = 120  # that reading a file of a statistics program may take


@dataclass(frozen=True)
class ColumnFile:
    """What such a file holds.

    Attributes
    ----------
    names : tuple of str
    columns : tuple of pyarrow chunked arrays
        Dictionary-encoded texts, empty where a cell is missing.
    said : str
        What kind of file it is.
    notes : tuple of str
        One sentence on what was done to the cells.
    """

    names: tuple[str, ...]
    columns: tuple[pa.ChunkedArray, ...]
    said: str
    notes: tuple[str, ...] = ()


def read_columns(raw: bytes) -> ColumnFile | None:
    """The columns of a file, None if it is of another kind.

    Raises
    ------
    DataError
        If the file is damaged, too large, or holds what is no cell.
    """
    if raw.startswith(PARQUET) and raw.endswith(PARQUET):  # a column of a CSV file may be called so, too
        return _parquet(raw)
    reader = _reader(raw)
    return _statistics(raw, *reader) if reader else None


def _reader(raw: bytes) -> tuple[str, str] | None:
    """The function of pyreadstat that reads a file of a statistics program, and what it is called."""
    if raw.startswith(SPSS):
        return "read_sav", "SPSS"
    # Up to version 12 a Stata file begins with its version, the order of bytes, 1 and 0.
    if raw.startswith(STATA) or (raw[2:4] == b"\1\0" and raw[:1] in b"hijklmnopqrs" and raw[1:2] in b"\1\2"):
        return "read_dta", "Stata"
    if raw.startswith(SAS):
        return "read_sas7bdat", "SAS"
    if PORTABLE in raw[:MOST_HEAD].replace(b"\r", b"").replace(b"\n", b""):
        return "read_por", "SPSS portable"
    return ("read_xport", "SAS transport") if raw.startswith(XPORT) else None


def _parquet(raw: bytes) -> ColumnFile:
    try:
        file = parquet.ParquetFile(pa.BufferReader(raw))
        _allow(file.metadata.num_rows, file.metadata.num_columns)
        schema = file.schema_arrow
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
        table = parquet.read_table(pa.BufferReader(raw), read_dictionary=texts)
        table.validate(full=True)
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _damaged("Parquet") from error
    columns = tuple(_as_text(name, column) for name, column in zip(table.column_names, table.columns, strict=True))
    return ColumnFile(_some(table.column_names, table.num_rows), columns, "Parquet")


def _as_text(name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type) and pa.types.is_string(column.type.value_type):
        return _encoded(column.cast(pa.dictionary(pa.int32(), pa.string())))
    try:
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), None, column)
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.timestamp("s", column.type.tz), safe=False)
        return _encoded(column.cast(pa.string()))
    except pa.ArrowException as error:
        raise DataError(
            f"column {quoted([name])} of the file must hold single cells, found {column.type}; leave it out"
        ) from error


def _statistics(raw: bytes, reader: str, said: str) -> ColumnFile:
    """Read in a process apart, which a damaged file may bring down."""
    command = [sys.executable, "-P", str(READER), reader, str(int(limit() / CELL))]
    try:
        found = subprocess.run(command, input=raw, capture_output=True, timeout=SECONDS, check=True).stdout
        table = pa.ipc.open_stream(found).read_all()
    except (subprocess.SubprocessError, pa.ArrowException) as error:
        raise _damaged(said) from error
    told = json.loads(table.schema.metadata[b"told"])
    _allow(*told["size"])
    notes = (f"the values of {quoted_columns(told['labelled'])} are shown by their labels",) if told["labelled"] else ()
    columns = tuple(_encoded(column) for column in table.columns)
    return ColumnFile(_some(table.column_names, table.num_rows), columns, said, notes)


def _encoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
        if not column.null_count:
            return column
        column = column.cast(pa.string())
    return pc.fill_null(column, "").dictionary_encode()


def _allow(rows: int, columns: int) -> None:
    allow(CELL * rows * columns, f"a table of {rows:,} rows and {columns:,} columns", "keep fewer of them in the file")


def _some(names: Sequence[str], rows: int) -> tuple[str, ...]:
    if not names or not rows:
        raise DataError(f"the file holds {len(names):,} columns and {rows:,} rows; it needs some of both")
    return tuple(names)


def _damaged(said: str) -> DataError:
    return DataError(f"the {said} file is damaged and cannot be read; save the table again, or as CSV")
