"""Column files, such as Parquet: each cell becomes the text that a CSV file would have.

Small files are read in the sandbox.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from ...common.errors import DataError
from ...common.memory import CELL_BYTES, check_memory
from ...common.wording import quoted


def use_one_thread() -> None:
    """Make pyarrow use one thread, because thread stacks use address space, which is limited in the sandbox."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)


class Columns(NamedTuple):
    """The columns of a file by name, and the names of those whose values were replaced by labels."""

    columns: list[tuple[str, pa.Array | pa.ChunkedArray]]
    labelled: Sequence[str] = ()


def read_parquet(raw: bytes) -> Columns:
    """Return the columns of a Parquet file.

    Raises
    ------
    DataError
        If the file has too many cells.
    Exception
        From the reader, if the file is damaged.
    """
    file = parquet.ParquetFile(pa.BufferReader(raw))
    check_cells(file.metadata.num_rows, file.metadata.num_columns)
    texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
    table = parquet.read_table(pa.BufferReader(raw), read_dictionary=texts, use_threads=False, pre_buffer=False)
    table.validate(full=True)
    return Columns(list(zip(table.column_names, table.columns, strict=True)))


def encoded_column(name: str, column: pa.Array | pa.ChunkedArray) -> pa.DictionaryArray:
    """Encode the texts of a column by distinct texts, with the empty text for missing cells.

    Only distinct values are converted to text, so a long text that many cells share is stored once.

    Raises
    ------
    DataError
        If the column has lists or other nested values.
    """
    encoded = _dictionary(name, column)
    codes, distinct = encoded.indices, pc.fill_null(encoded.dictionary, "")
    places = None
    if pa.types.is_dictionary(column.type):  # a dictionary from the file may contain a text twice
        texts = distinct.dictionary_encode()
        places, distinct = texts.indices.to_numpy(zero_copy_only=False), texts.dictionary
    if codes.null_count:
        if (empty := pc.index(distinct, "").as_py()) < 0:
            empty, distinct = len(distinct), pa.concat_arrays([distinct, pa.array([""], pa.string())])
        if places is not None:
            places, empty = np.append(places, empty), len(places)
        codes = pc.fill_null(codes, pa.scalar(empty, codes.type))
    codes = codes.to_numpy(zero_copy_only=False)
    codes = (codes if places is None else places[codes]).astype(_smallest(len(distinct)), copy=False)
    return pa.DictionaryArray.from_arrays(pa.array(codes), distinct)


def _dictionary(name: str, column: pa.Array | pa.ChunkedArray) -> pa.DictionaryArray:
    """Return the distinct texts of a column with 32-bit codes."""
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    try:
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), None, column)
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.timestamp("s", column.type.tz), safe=False)
        if pa.types.is_integer(column.type) or pa.types.is_float64(column.type):
            return _dictionary_of_numbers(column.combine_chunks())
        if not pa.types.is_dictionary(column.type):
            column = _dictionary_of_others(column)
        whole = column.unify_dictionaries().combine_chunks()
        return pa.DictionaryArray.from_arrays(whole.indices.cast(pa.int32()), whole.dictionary.cast(pa.string()))
    except pa.ArrowMemoryError:
        raise
    except pa.ArrowException as error:
        raise DataError(
            f"column {quoted([name])} of the file must hold single cells, found {column.type}. Leave it out"
        ) from error


def _dictionary_of_numbers(column: pa.Array) -> pa.DictionaryArray:
    """Encode integers or 64-bit floats by sorting, which takes a third of the memory of a hash table."""
    valid = np.asarray(column.is_valid())
    values = column.drop_null().to_numpy(zero_copy_only=False)
    bits, places = np.unique(values.view(f"i{values.itemsize}"), return_inverse=True)  # -0 and 0 are different texts
    codes = np.zeros(len(column), np.int32)
    codes[valid] = places
    texts = pa.array(bits.view(values.dtype)).cast(pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=~valid), texts)


def _dictionary_of_others(column: pa.ChunkedArray) -> pa.ChunkedArray:
    try:
        return column.dictionary_encode()
    except pa.ArrowNotImplementedError:  # such as numbers of 16 bits
        return column.cast(pa.string()).dictionary_encode()


def check_cells(rows: int, columns: int) -> None:
    """Raise DataError if a table of this size takes too much memory."""
    check_memory(
        CELL_BYTES * rows * columns,
        f"a table of {rows:,} rows and {columns:,} columns",
        "keep fewer of them in the file",
    )


def check_some(columns: Columns) -> None:
    """Raise DataError if there is no column or no row."""
    rows = len(columns.columns[0][1]) if columns.columns else 0
    if not rows:
        raise DataError(f"the file holds {len(columns.columns):,} columns and {rows:,} rows. It needs some of both")


def _smallest(m: int) -> type:
    """Return the smallest type for the codes of m texts."""
    return np.uint8 if m <= 256 else np.uint16 if m <= 65_536 else np.int32


def streams(columns: Columns) -> Iterator[pa.Buffer]:
    """Yield an Arrow stream for each column and release the column; DataError if the cells have too much text."""
    size = 0.0
    left = list(reversed(columns.columns))
    columns.columns.clear()
    while left:  # releases each column after it is encoded
        name, column = left.pop()
        encoded = encoded_column(name, column)
        size += _text_bytes(encoded)
        check_memory(size, f"the text of the cells up to column {quoted([name])}", "leave long texts out of the file")
        batch = pa.record_batch([encoded], ["column"])
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        yield sink.getvalue()


def _text_bytes(column: pa.DictionaryArray) -> float:
    """Return the bytes of text in all cells, counting repeated texts each time."""
    lengths = pc.binary_length(column.dictionary).to_numpy(zero_copy_only=False)
    rows = np.bincount(column.indices.to_numpy(zero_copy_only=False), minlength=len(lengths))
    return float(rows @ lengths.astype(float))
