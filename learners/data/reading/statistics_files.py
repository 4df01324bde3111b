"""Files of statistics programs, read by pyreadstat, as columns of text. Runs in the sandbox."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyreadstat

from .column_files import Columns, check_cells

MAX_LABELS = 100_000  # values with a label in one column; files hold a few


def read_statistics(raw: bytes, reader: str) -> Columns:
    """Return the columns of a file that ``pyreadstat.<reader>`` reads; values are replaced by labels, if all have one.

    Raises
    ------
    DataError
        If the file has too many cells.
    Exception
        Of the reader, if the file is damaged.
    """
    read = getattr(pyreadstat, reader)
    meta = read(io.BytesIO(raw), metadataonly=True)[1]
    check_cells(meta.number_rows or 0, meta.number_columns)
    cells, meta = read(io.BytesIO(raw), output_format="dict")
    arrays, labelled = [], []
    for name in list(cells):
        values = cells.pop(name)
        labels = meta.variable_value_labels.get(name)
        shown = _labelled(values, labels) if labels else None
        labelled += [name] if shown is not None else []
        arrays.append((name, _plain(values) if shown is None else shown))
    return Columns(arrays, labelled)


def _plain(values: Sequence[Any]) -> pa.Array:
    """Return cells as numbers or text; None where one is missing."""
    cells = [None if _is_missing(one) else one for one in values]
    if all(one is None or isinstance(one, (int, float, np.number)) for one in cells):
        return pa.array(cells, pa.float64())
    return pa.array([one if one is None else str(one) for one in cells], pa.string())


def _labelled(values: Sequence[Any], labels: Mapping[Any, str]) -> pa.Array | None:
    """Return labels in place of values if every value that occurs has one; a scale with named ends keeps its values."""
    present = {one for one in values if not _is_missing(one)}
    if not present or len(labels) > MAX_LABELS or not present <= set(labels):
        return None
    shared = Counter(labels[one] for one in present)
    texts = {one: labels[one] if shared[labels[one]] == 1 else f"{labels[one]} ({one:g})" for one in present}
    return pa.array([texts.get(one) for one in values], pa.string())


def _is_missing(value: Any) -> bool:
    return value is None or value != value
