"""Read a long Parquet file in batches of rows, and only the chosen columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from ...common.errors import DataError
from ...common.memory import CELL_BYTES, step_limit_bytes
from ...common.wording import quoted
from ..arrow_arrays import to_numpy
from ..column_types.cells import Cells, encoded
from .column_files import encoded_column
from .decompression import MAX_BYTES
from .header import Arrangement
from .long_columns import Gathered, is_stored_as_numbers
from .long_csv import RowSelection, selected
from .signatures import HEAD, column_format

BATCH_ROWS = 1 << 16
LABEL = "Parquet"


def is_long_parquet(source: str | Path | bytes) -> bool:
    """Return True for the path of a Parquet file that is too large to be read whole."""
    if isinstance(source, bytes):
        return False
    try:
        path = Path(source)
        with path.open("rb") as file:
            head = file.read(HEAD)
            file.seek(-min(path.stat().st_size, HEAD), 2)
            form = column_format(head, file.read())
        if form is None or form.label != LABEL:
            return False
        if path.stat().st_size > MAX_BYTES:
            return True
        metadata = parquet.read_metadata(path)
        return CELL_BYTES * metadata.num_rows * metadata.num_columns > step_limit_bytes()
    except (OSError, ValueError, TypeError, pa.ArrowException):
        return False  # the reader of small files names the fault in its error message


def read_long_parquet(
    path: str | Path, rows: RowSelection, choose: Callable[[Sequence[str]], tuple[Arrangement, list[int]]]
) -> tuple[Arrangement, list[int], list[Cells]]:
    """Return the chosen columns of a Parquet file.

    Parameters
    ----------
    path : path
    rows : RowSelection
    choose : callable
        Returns the arrangement with the names of the user, and the columns to read, given the names in the file.

    Raises
    ------
    DataError
        If the file is damaged, has no row, or a column holds lists or other nested values.
    """
    try:
        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
        found, chosen = choose(schema.names)
        texts = [schema.names[j] for j in chosen if pa.types.is_string(schema.field(j).type)]
        with parquet.ParquetFile(path, read_dictionary=texts, pre_buffer=False) as file:
            return found, chosen, _gathered(file, found, [schema.names[j] for j in chosen], rows)
    except (pa.ArrowException, OSError) as error:
        raise DataError(
            f"the Parquet file {quoted([Path(path).name])} is damaged and cannot be read. Save the table again, or as "
            "CSV"
        ) from error


def _gathered(file: parquet.ParquetFile, found: Arrangement, names: Sequence[str], rows: RowSelection) -> list[Cells]:
    levels: set[int] = set()
    while True:
        head = next(file.iter_batches(BATCH_ROWS, columns=names), None)
        if head is None or not head.num_rows:
            raise DataError(f"the file holds {len(found.names):,} columns and 0 rows. It needs some of both")
        head = head.select(names)
        numeric = [
            k not in levels
            and is_stored_as_numbers(encoded(pa.chunked_array([encoded_column(name, head.column(k))])), ".")
            for k, name in enumerate(names)
        ]
        expected = min(number for number in (rows.sample, rows.first, file.metadata.num_rows) if number is not None)
        gathered = Gathered(numeric, ".", expected)
        batches = (batch.select(names) for batch in file.iter_batches(BATCH_ROWS, columns=names))
        for batch in selected(batches, rows, keep_blank=True):
            gathered.add(list(_cells(batch, names, numeric)), keep_blank=True)
        misfits = gathered.misfits
        if not misfits:
            return gathered.finished()
        levels.update(misfits)


def _cells(batch: pa.RecordBatch, names: Sequence[str], numeric: Sequence[bool]) -> Iterator[pa.Array]:
    """Yield the columns of a batch as numbers where their text would be that of the number, else as texts."""
    for name, column, is_number in zip(names, batch.columns, numeric, strict=True):
        if is_number and (pa.types.is_integer(column.type) or pa.types.is_float64(column.type)):
            yield column
            continue
        own = encoded_column(name, column)
        codes = pa.Array.from_buffers(pa.int32(), len(own), [None, pa.py_buffer(to_numpy(own.indices).astype("int32"))])
        yield pa.DictionaryArray.from_arrays(codes, own.dictionary)
