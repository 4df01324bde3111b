"""A program of its own: a file of a statistics program comes in, its columns go out as an Arrow stream.

The reader is C code that a damaged file can bring down; so it runs apart, and imports nothing of the library.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyreadstat

MOST_NAMED = 100_000  # values with a label in one column; files hold a few


def main(reader: str, most_cells: int) -> None:
    """Read standard input by ``pyreadstat.<reader>``, and write to standard output; no disk can be full.

    The schema says in its metadata which columns are shown by their labels, or that there would be too many cells.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the reader may say goes elsewhere
    raw, read = sys.stdin.buffer.read(), getattr(pyreadstat, reader)
    meta = read(io.BytesIO(raw), metadataonly=True)[1]
    rows, columns = meta.number_rows or 0, meta.number_columns
    told: dict[str, Any] = {"size": [rows, columns], "labelled": []}
    arrays, names = [], []
    if rows * columns <= most_cells:
        cells, meta = read(io.BytesIO(raw), output_format="dict")
        for name, values in cells.items():
            labels = meta.variable_value_labels.get(name)
            shown = _labelled(values, labels) if labels else None
            told["labelled"] += [name] if shown is not None else []
            arrays.append(_plain(values) if shown is None else shown)
            names.append(name)
    table = pa.table(arrays, names).replace_schema_metadata({"told": json.dumps(told)})
    with out, pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)


def _plain(values: Sequence[Any]) -> pa.Array:
    """Cells as text; None where one is missing."""
    cells = [None if _is_missing(one) else one for one in values]
    if all(one is None or isinstance(one, (int, float, np.number)) for one in cells):
        return pa.array(cells, pa.float64()).cast(pa.string())
    return pa.array([one if one is None else str(one) for one in cells], pa.string())


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


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
