"""From the columns of a frame to codes, levels and numbers, each checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd

from ..common.arrays import as_array
from ..common.checks import check_sequence, check_type, quoted, shown_value, text_of
from ..common.errors import DataError

Kind = Literal["categorical", "continuous"]


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, bytes) or not isinstance(names, Iterable):
        raise DataError(f"names must be a list of texts, got {shown_value(names)}")
    names = tuple(text_of("names", name) for name in names)
    if not names:
        raise DataError("found no columns; the table needs at least one")
    if any(not name.strip() for name in names):
        raise DataError("every column needs a name, found an empty one; name it in the header row")
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(f"column names must differ, more than one column is called {quoted(repeated)}; rename them")
    return names


def checked_levels(levels: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    check_sequence("levels", levels)
    for column in levels:
        check_sequence("the levels of each variable", column)
    return tuple(tuple(text_of("levels", level) for level in column) for column in levels)


def checked_weights(weights: Sequence[int] | None, n: int) -> np.ndarray | None:
    if weights is None:
        return None
    weights = as_array("weights", weights, "iu", f"{n} whole numbers of at least 0")
    if weights.shape != (n,) or weights.dtype.kind not in "iu" or (n and weights.min() < 0):
        raise DataError(f"weights must be {n} whole numbers of at least 0, one a row")
    return read_only(weights, np.int64)


def checked_kinds(kinds: Mapping[str, Kind], names: tuple[str, ...]) -> dict[str, Kind]:
    check_type("kinds", kinds, Mapping, "a mapping from names of columns to kinds")
    unknown = [name for name in kinds if name not in names]
    if unknown:
        raise DataError(f"kinds names columns {quoted(unknown)} that the table does not have; it has {quoted(names)}")
    for name, kind in kinds.items():
        if not isinstance(kind, str) or kind not in ("categorical", "continuous"):
            raise DataError(
                f"kind of column {quoted([name])} must be 'categorical' or 'continuous', got {shown_value(kind)}"
            )
    return dict(kinds)


def default_kinds(df: pd.DataFrame, names: tuple[str, ...]) -> dict[str, Kind]:
    dtypes = [df.iloc[:, j].dtype for j in range(len(names))]
    floating = [pd.api.types.is_float_dtype(dtype) for dtype in dtypes]
    whole = [pd.api.types.is_integer_dtype(dtype) for dtype in dtypes]
    all_numbers = any(floating) and all(f or w for f, w in zip(floating, whole, strict=True))
    return {
        name: "continuous" if is_float or all_numbers else "categorical"
        for name, is_float in zip(names, floating, strict=True)
    }


def numbers_of(df: pd.DataFrame, names: tuple[str, ...]) -> np.ndarray:
    values = np.empty(df.shape, dtype=np.float64)
    for j, name in enumerate(names):
        try:
            values[:, j] = pd.to_numeric(df.iloc[:, j]).to_numpy(dtype=np.float64)
        except (ValueError, TypeError) as error:
            raise DataError(
                f"column {quoted([name])} must hold numbers to be continuous; make it categorical"
            ) from error
    return values


def encode(column: pd.Series) -> tuple[np.ndarray, list[str]]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy(), [str(level) for level in column.cat.categories]
    codes, levels = pd.factorize(column, sort=True)
    return codes, [str(level) for level in levels]


def read_only(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    copy = np.array(array, dtype=dtype, order="C")
    copy.flags.writeable = False
    return copy


def correlation_of(values: np.ndarray) -> np.ndarray:
    """(p, p) correlation matrix of (n, p) numbers, read-only; a column of zero variance gets 0 with all others."""
    # Columns are scaled by a power of two, which is exact, so that no unit makes squares vanish or overflow.
    exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1]
    scaled = np.ldexp(values, -exponent)
    centred = scaled - scaled.mean(axis=0)
    spread = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    # A constant column is left with rounding residue only; its direction means nothing.
    flat = spread <= 1e-13 * np.sqrt(max(len(values), 1))
    centred /= np.where(flat, 1.0, spread)
    centred[:, flat] = 0.0
    corr = np.clip(centred.T @ centred, -1.0, 1.0)
    corr = (corr + corr.T) / 2
    np.fill_diagonal(corr, 1.0)
    return read_only(corr, np.float64)


def check_complete(df: pd.DataFrame, names: tuple[str, ...]) -> None:
    """Raise DataError if a cell is missing."""
    missing = df.isna().to_numpy()
    if missing.any():
        bad = [n for n, some in zip(names, missing.any(axis=0), strict=True) if some]
        raise DataError(
            f"found {int(missing.sum())} missing values in columns {quoted(bad)}; drop or impute them before learning"
        )
