"""Convert and check arrays of results."""

import numpy as np

from .errors import DataError
from .wording import shown_value


def frozen(array: np.ndarray) -> np.ndarray:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array


def frozen_copy(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return a read-only copy of an array in row order."""
    return frozen(np.array(array, dtype=dtype, order="C"))


def as_array(name: str, values: object, kinds: str, words: str, way_out: str = "") -> np.ndarray:
    """Convert values to an array whose dtype kind is one of `kinds`.

    An empty array may have any dtype.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    values : array-like
    kinds : str
        Allowed NumPy dtype kinds, such as "iu".
    words : str
        Description of these kinds for the message, such as "whole numbers".
    way_out : str, optional
        Remedy, appended to the message.

    Raises
    ------
    DataError
        If the values have another dtype or unequal lengths.
    """
    try:
        array = np.asarray(values)
    except Exception as error:  # a user's object may raise any exception
        raise DataError(f"{name} must be an array of {words}, got {shown_value(values)}") from error
    if array.dtype.kind not in kinds and array.size:
        raise DataError(f"{name} must be {words}, got {array.dtype}{way_out}")
    return array


def as_numbers(name: str, values: object) -> np.ndarray:
    """Return a float64 copy of the values; raise DataError if they are not numbers."""
    array = as_array(name, values, "biufO", "numbers")
    try:
        return np.array(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{name} must be numbers, got {shown_value(values)}") from error
