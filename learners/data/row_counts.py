"""A column of a frame that says how often each row counts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..common.checks import quoted, quoted_columns, shown_value
from ..common.errors import DataError
from ..common.memory import CELL, allow
from ..common.words import count

LARGEST = 2**53  # whole numbers up to here are the same as floats


def split_counts(df: pd.DataFrame, column: str) -> tuple[pd.DataFrame, np.ndarray]:
    """The rows that count without that column, and the (n,) int64 counts, each at least 1.

    Raises
    ------
    DataError
        If there is no such column or no other, or if it does not hold whole numbers of at least 0 with one above.
    """
    at = [k for k, name in enumerate(df.columns) if str(name) == column]
    if len(at) != 1:
        names = quoted([str(name) for name in df.columns])
        raise DataError(f"weights must be the name of one column, got {shown_value(column)}; the columns are {names}")
    if df.shape[1] == 1:
        raise DataError(f"{quoted_columns([column])} of weights stands alone; the table needs others to learn from")
    counts = _checked(df.iloc[:, at[0]], column)
    rest = df.iloc[:, [k for k in range(df.shape[1]) if k != at[0]]]
    return rest[counts > 0], counts[counts > 0]


def _checked(cells: pd.Series, column: str) -> np.ndarray:
    what = f"{quoted_columns([column])} of weights must hold whole numbers of at least 0, how often each row counts"
    try:
        numbers = pd.to_numeric(cells).to_numpy(dtype=np.float64, na_value=np.nan)
    except (ValueError, TypeError) as error:
        raise DataError(f"{what}, found cells that are no numbers; correct those or take another column") from error
    for wrong, found, way_out in (
        (np.isnan(numbers), "missing", "fill them, or leave those rows out"),
        (numbers < 0, "below 0", "correct them, or leave those rows out"),
        (numbers > LARGEST, "too large", "divide all by a common factor"),
        (numbers != np.floor(numbers), "fractions", "survey weights cannot be used; learn without them, and say so"),
    ):
        if wrong.any():
            raise DataError(f"{what}, found {int(wrong.sum()):,} {found}; {way_out}")
    if not numbers.any():
        raise DataError(f"{what}, and one above 0, found none above; take another column")
    return numbers.astype(np.int64)


def repeated(counts: np.ndarray, p: int) -> np.ndarray:
    """The number of each row, as often as it counts; DataError if that would take too much memory."""
    total = int(counts.sum(dtype=np.float64))
    allow(
        CELL * float(total) * p,
        f"{count(total, 'row')} of {count(p, 'column')}, each as often as it counts,",
        "lower the weights",
    )
    return np.repeat(np.arange(len(counts)), counts)
