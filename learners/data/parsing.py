"""From the rows of a CSV text to columns."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyarrow import csv as arrow_csv

from ..common.errors import DataError
from .csv_errors import BLOCK, explained, refuse_open_quote
from .encoding import Encoded, encoded
from .header import Arrangement
from .sniff import SAMPLE


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
