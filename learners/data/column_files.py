"""Files that hold columns: Parquet, SPSS, Stata and SAS. Every cell becomes the text that a CSV would have."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyreadstat
from pyarrow import parquet

from ..common.checks import quoted, quoted_columns
from ..common.errors import DataError
from ..common.memory import CELL, allow
from .excel import text_of_cell

PARQUET = b"PAR1"
SPSS, STATA, XPORT = (b"$FL2@(#)", b"$FL3@(#)"), b"<stata_dta>", b"HEADER RECORD*******LIB"
SAS = b"\0" * 12 + b"\xc2\xea\x81\x60"
MOST_NAMED = 100_000  # values with a label in one column; files hold a few


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


def _reader(raw: bytes) -> tuple[Callable[..., tuple], str] | None:
    """The function that reads a file of a statistics program, and what it is called."""
    if raw.startswith(SPSS):
        return pyreadstat.read_sav, "SPSS"
    # Up to version 12 a Stata file begins with its version, the order of bytes, 1 and 0.
    if raw.startswith(STATA) or (raw[2:4] == b"\1\0" and raw[:1] in b"hijklmnopqrs" and raw[1:2] in b"\1\2"):
        return pyreadstat.read_dta, "Stata"
    if raw.startswith(SAS):
        return pyreadstat.read_sas7bdat, "SAS"
    return (pyreadstat.read_xport, "SAS transport") if raw.startswith(XPORT) else None


def _parquet(raw: bytes) -> ColumnFile:
    try:
        file = parquet.ParquetFile(pa.BufferReader(raw))
        _allow(file.metadata.num_rows, file.metadata.num_columns)
        schema = file.schema_arrow
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
        table = parquet.read_table(pa.BufferReader(raw), read_dictionary=texts)
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


def _statistics(raw: bytes, read: Callable[..., tuple], said: str) -> ColumnFile:
    try:
        meta = read(io.BytesIO(raw), metadataonly=True)[1]
        _allow(meta.number_rows or 0, meta.number_columns)
        cells, meta = read(io.BytesIO(raw), output_format="dict")
    except DataError:
        raise
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OverflowError, OSError) as error:
        raise _damaged(said) from error
    labels = meta.variable_value_labels
    named = {name: _labelled(values, labels[name]) for name, values in cells.items() if labels.get(name)}
    named = {name: texts for name, texts in named.items() if texts is not None}
    columns = tuple(_encoded(pa.chunked_array([named.get(name, _plain(v))])) for name, v in cells.items())
    n = len(columns[0]) if columns else 0
    notes = (f"the values of {quoted_columns(list(named))} are shown by their labels",) if named else ()
    return ColumnFile(_some(list(cells), n), columns, said, notes)


def _plain(values: Sequence[Any]) -> pa.Array:
    """Cells as text; None where one is missing."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return pa.array(values, from_pandas=True).cast(pa.string())
    return pa.array([None if _is_missing(one) else text_of_cell(one) for one in values], pa.string())


def _labelled(values: Sequence[Any], labels: Mapping[Any, str]) -> pa.Array | None:
    """Labels in the place of values, if every value that occurs has one; a scale with names at its ends stays."""
    present = {one for one in values if not _is_missing(one)}
    if not present or len(labels) > MOST_NAMED or not present <= set(labels):
        return None
    shared = Counter(labels[one] for one in present)
    texts = {one: labels[one] if shared[labels[one]] == 1 else f"{labels[one]} ({one:g})" for one in present}
    return pa.array([texts.get(one) for one in values], pa.string())


def _is_missing(value: Any) -> bool:
    return value is None or value != value


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
