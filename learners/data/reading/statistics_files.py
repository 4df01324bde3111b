"""Read SPSS, Stata and SAS files by pyreadstat. This module runs in the sandbox."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyreadstat

from .column_files import Columns, check_cells

MAX_LABELS = 100_000  # maximum number of values with a label in one column; most files have a few


def read_statistics(raw: bytes, reader: str) -> Columns:
    """Return the columns of a file that ``pyreadstat.<reader>`` reads, with labels if all values have one.

    Raises
    ------
    DataError
        If the file has too many cells.
    Exception
        From the reader, if the file is damaged.
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
    cells = [None if _is_missing(value) else value for value in values]
    if all(value is None or isinstance(value, (int, float, np.number)) for value in cells):
        return pa.array(cells, pa.float64())
    return pa.array([value if value is None else str(value) for value in cells], pa.string())


def _labelled(values: Sequence[Any], labels: Mapping[Any, str]) -> pa.Array | None:
    """Replace values by labels if each value has one; return None for others, such as scales with labelled ends."""
    present = {value for value in values if not _is_missing(value)}
    if not present or len(labels) > MAX_LABELS or not present <= set(labels):
        return None
    shared = Counter(labels[value] for value in present)
    texts = {
        value: labels[value] if shared[labels[value]] == 1 else f"{labels[value]} ({value:g})" for value in present
    }
    return pa.array([texts.get(value) for value in values], pa.string())


def _is_missing(value: Any) -> bool:
    return value is None or value != value
