"""Convert between arrays of NumPy and of pyarrow without pandas.

pyarrow imports pandas, if installed, at the first conversion of a Python or NumPy object. The import takes a third of a
second per process, and most commands need no frame. The functions of this module therefore exchange buffers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import pyarrow as pa


def text_array(texts: Sequence[str]) -> pa.StringArray:
    """Return an array of texts, as ``pa.array(texts, pa.string())`` does."""
    encoded = [text.encode() for text in texts]
    offsets = np.fromiter(accumulate(map(len, encoded), initial=0), np.int32, len(encoded) + 1)
    return pa.Array.from_buffers(
        pa.string(), len(encoded), [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    )


def to_arrow(values: np.ndarray) -> pa.Array:
    """Return a one-dimensional array of truth values or numbers, as ``pa.array(values)`` does."""
    if values.dtype == bool:
        buffer, kind = np.packbits(values, bitorder="little"), pa.bool_()
    else:
        buffer, kind = np.ascontiguousarray(values), pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(buffer)])


def to_numpy(array: pa.Array) -> np.ndarray:
    """Return an array of truth values or numbers without missing ones, read-only, as ``array.to_numpy()`` does."""
    if pa.types.is_boolean(array.type):
        bits = np.frombuffer(array.buffers()[1], np.uint8)
        cells = np.unpackbits(bits, count=array.offset + len(array), bitorder="little")[array.offset :].view(bool)
    else:
        cells = np.from_dlpack(array)
    cells.flags.writeable = False
    return cells


NO_TEXT = pa.nulls(1, pa.string())[0]  # a missing text, for use in conditional expressions
EMPTY, ZERO = text_array(["", "0"])


def to_numbers(array: pa.DoubleArray) -> np.ndarray:
    """Return float64 numbers with NaN for missing ones."""
    if not array.null_count:
        return to_numpy(array)
    there = to_numpy(array.is_valid())
    numbers = np.full(len(array), np.nan)
    numbers[there] = to_numpy(array.drop_null())
    return numbers
