"""What arrays of results have in common."""

import numpy as np

from .errors import DataError
from .wording import shown_value


def frozen(array: np.ndarray) -> np.ndarray:
    """The array itself, from now on read-only."""
    array.flags.writeable = False
    return array


def as_array(name: str, values: object, kinds: str, words: str, way_out: str = "") -> np.ndarray:
    """The values as an array of one of the `kinds` of NumPy's dtypes, which `words` name: "whole numbers".

    An empty array is of any kind.

    Raises
    ------
    DataError
        If they are others, or of unequal lengths.
    """
    try:
        array = np.asarray(values)
    except Exception as error:  # whatever a foreign object says to being an array
        raise DataError(f"{name} must be an array of {words}, got {shown_value(values)}") from error
    if array.dtype.kind not in kinds and array.size:
        raise DataError(f"{name} must be {words}, got {array.dtype}{way_out}")
    return array


def as_numbers(name: str, values: object) -> np.ndarray:
    """(...) float64 copy of the values; DataError if they are no numbers."""
    array = as_array(name, values, "biufO", "numbers")
    try:
        return np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{name} must be numbers, got {shown_value(values)}") from error
