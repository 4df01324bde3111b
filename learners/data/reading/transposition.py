"""Exchange the rows and the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from ...common.errors import DataError
from ..column_types.cells import Encoded, encoded
from ..columns import checked_names
from .header import ROW_NAMES, Arrangement

MAX_ROWS = 1_000  # maximum number of rows, which become columns


def transposed(
    found: Arrangement, chosen: Sequence[int], parts: Sequence[Encoded]
) -> tuple[Arrangement, list[Encoded]]:
    """Return the table with its rows as columns; a first column of distinct texts gives their names.

    The former names of the columns become a first column, which names the rows.

    Raises
    ------
    DataError
        If the table has more than `MAX_ROWS` rows.
    """
    n = len(parts[0][0])
    if n > MAX_ROWS:
        raise DataError(f"a table of {n:,} rows cannot be transposed. At most {MAX_ROWS:,} rows can become columns")
    columns = [texts.take(pa.array(codes)).to_pylist() for codes, texts, _ in parts]
    names = [found.names[j] for j in chosen]
    has_names = len(columns) > 1 and len({text for text in columns[0] if text.strip()}) == n
    given = columns.pop(0) if has_names else [f"row {k + 1}" for k in range(n)]
    rows = [names[has_names:], *map(list, zip(*columns, strict=True))]
    own = ROW_NAMES
    while own in given:
        own += "'"
    made = [encoded(pa.chunked_array([pa.array(row, pa.string()).dictionary_encode()])) for row in rows]
    return Arrangement(checked_names([own, *given]), 0, 0, row_names=0, notes=found.notes), made
