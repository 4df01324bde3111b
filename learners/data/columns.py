"""Validate names, codes, levels and numbers of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from ..common.arrays import as_array, as_numbers, frozen, frozen_copy
from ..common.checks import as_list, as_text, check_sequence, check_type
from ..common.errors import DataError
from ..common.mapped_arrays import copied
from ..common.serial_products import products_of
from ..common.wording import quoted, quoted_columns, shown_value

Kind = Literal["categorical", "continuous", "mixed"]
MAX_LEVELS = 65_535
BLOCK_ROWS = 1 << 12  # number of rows per block of arrays that are read in blocks
CORRELATION_BLOCK = 256  # number of rows of a correlation matrix that are made symmetric at a time
MAX_COPIED_BYTES = 1 << 27  # maximum size of an array that may be copied to compute its correlations
FEW_NUMBERS = 10  # maximum number of different integers that are read as names of levels


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of columns; raise DataError if one is empty or occurs twice."""
    listed = list(names) if isinstance(names, str) else as_list(names)
    if listed is None:
        raise DataError(f"names must be a list of texts, got {shown_value(names)}")
    names = tuple(as_text("names", name) for name in listed)
    if not names:
        raise DataError("found no columns. The table needs at least one")
    if any(not name.strip() for name in names):
        raise DataError("every column needs a name, found an empty one. Name it in the header row")
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(f"column names must differ, more than one column is called {quoted(repeated)}. Rename them")
    return names


def checked_levels(levels: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the levels of each variable as tuples of texts."""
    check_sequence("levels", levels)
    for column in levels:
        check_sequence("the levels of each variable", column)
    return tuple(tuple(as_text("levels", level) for level in column) for column in levels)


def checked_kinds(kinds: Mapping[str, Kind], names: tuple[str, ...]) -> dict[str, Kind]:
    """Return the kinds of columns by name; raise DataError for unknown columns or kinds."""
    check_type("kinds", kinds, Mapping, "a mapping from names of columns to kinds")
    unknown = [name for name in kinds if name not in names]
    if unknown:
        raise DataError(f"kinds names columns {quoted(unknown)} that the table does not have. It has {quoted(names)}")
    for name, kind in kinds.items():
        if not isinstance(kind, str) or kind not in ("categorical", "continuous"):
            raise DataError(
                f"kind of column {quoted([name])} must be 'categorical' or 'continuous', got {shown_value(kind)}"
            )
    return dict(kinds)


def checked_values(values: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """Return values as a read-only (n, p) float64 array; raise DataError if some are infinite."""
    if not _is_frozen(values):
        values = as_numbers("values", values)
        values.flags.writeable = False
    if values.ndim != 2 or values.shape[1] != len(names):
        raise DataError(f"values must be (n, p) with one name per column, got {values.shape} and {len(names)} names")
    infinite = sum(np.isinf(values[at : at + BLOCK_ROWS]).sum(axis=0) for at in range(0, len(values), BLOCK_ROWS))
    if np.any(infinite):
        bad = [n for n, some in zip(names, infinite, strict=True) if some]
        raise DataError(
            f"values must be finite or missing, found {int(infinite.sum())} infinite in {quoted_columns(bad)}. "
            "Make those NaN or leave the columns out"
        )
    return values


def missing_in(values: np.ndarray) -> np.ndarray:
    """Return (p,) int64: the number of NaN in each column of an (n, p) array."""
    found = np.zeros(values.shape[1], dtype=np.int64)
    for at in range(0, len(values), BLOCK_ROWS):  # row by row, as the array is stored
        found += np.isnan(values[at : at + BLOCK_ROWS]).sum(axis=0)
    return found


def missing_codes(codes: np.ndarray, arity: np.ndarray) -> np.ndarray:
    """Return (p,) int64: the number of missing cells of each variable, whose code is the arity, the largest of all."""
    found = np.zeros(len(codes), dtype=np.int64)
    for k in np.flatnonzero(codes.max(axis=1, initial=0) == arity).tolist():
        found[k] = np.count_nonzero(codes[k] == int(arity[k]))  # NumPy compares with an int64 more slowly
    return found


def _is_frozen(values: object) -> bool:
    """Return True for an immutable array of numbers in row order, which need not be copied."""
    if not isinstance(values, np.ndarray) or values.dtype != np.float64 or not values.flags.c_contiguous:
        return False
    while isinstance(values, np.ndarray):
        if values.flags.writeable:
            return False
        values = values.base
    return True


def checked_codes(
    codes: np.ndarray, arity: Sequence[int], names: tuple[str, ...], levels: Sequence[Sequence[str]] | None
) -> tuple[np.ndarray, np.ndarray, tuple[tuple[str, ...], ...]]:
    """Return validated codes (the arity where a cell is missing), arities and levels as `Dataset` stores them."""
    codes = as_array("codes", codes, "iu", "whole numbers", "; use Dataset.from_frame to encode levels")
    arity = as_array("arity", arity, "iu", "whole numbers").astype(np.int64)
    if codes.ndim != 2 or codes.shape[0] != len(names) or arity.shape != (len(names),):
        raise DataError(
            f"codes must be (p, n) with one arity and one name per variable; got codes {codes.shape}, "
            f"{arity.size} arities and {len(names)} names. Transpose or complete them"
        )
    bad = [n for n, r in zip(names, arity, strict=True) if not 1 <= r <= MAX_LEVELS]
    if bad:
        raise DataError(
            f"variables must have 1 to {MAX_LEVELS} levels, columns {quoted(bad)} do not. Merge levels or drop them"
        )
    has_missing = False
    if codes.shape[1]:
        least = codes.min(axis=1)
        outside = (least < -1) | (codes.max(axis=1) >= arity)
        if outside.any():
            bad = [n for n, out in zip(names, outside, strict=True) if out]
            raise DataError(f"codes of columns {quoted(bad)} lie outside 0 .. arity - 1. Declare all their levels")
        has_missing = bool((least < 0).any())
    largest = arity.max(initial=0) + has_missing
    dtype = np.uint8 if largest <= 256 else np.uint16
    kept = copied(codes, dtype)
    for own, given, r in zip(kept, codes, arity, strict=True) if has_missing else ():
        own[given < 0] = r
    kept.flags.writeable = False
    return kept, frozen_copy(arity, np.int64), _checked_levels(levels, arity, names)


def _checked_levels(
    levels: Sequence[Sequence[str]] | None, arity: np.ndarray, names: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    if levels is None:
        levels = [[str(k) for k in range(r)] for r in arity]
    levels = checked_levels(levels)
    wrong = [n for n, r, ls in zip(names, arity, levels, strict=False) if len(ls) != r or len(set(ls)) != r]
    if len(levels) != len(names) or wrong:
        raise DataError(f"levels must name each code once, columns {quoted(wrong or names)} do not. Rename them")
    return levels


def correlation_of(
    values: np.ndarray, shares: np.ndarray | None = None, columns: Sequence[int] | None = None
) -> np.ndarray:
    """Return the (p, p) correlation matrix of the columns of an (n, p) array, read-only.

    A large array is read in blocks of rows, so that no copy of it is made.

    Parameters
    ----------
    values : (n, p) float array
    shares : (n,) float array, optional
        Weights of the rows.
    columns : sequence of int, optional
        Columns to correlate, in the order of the result. Default: all.

    Returns
    -------
    (p, p) float64 array
        A column of zero variance has correlation 0 with all others.
    """
    if values.nbytes > MAX_COPIED_BYTES:
        is_whole = columns is None or list(columns) == list(range(values.shape[1]))
        chosen = slice(None) if is_whole else list(columns)  # a slice makes no copy
        p = values.shape[1] if columns is None else len(columns)
        return correlation_by_blocks(lambda rows: values[rows, chosen], (len(values), p), shares)
    if columns is not None:
        values = values[:, columns]
    # Columns are scaled by a power of two, which is exact, so that no unit makes squares vanish or overflow.
    exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1]
    scaled = _times_power(values, -exponent)
    centred = scaled - (scaled.mean(axis=0) if shares is None else shares @ scaled / shares.sum())
    if shares is not None:
        centred *= np.sqrt(shares)[:, None]
    spread = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    # Only a rounding residue remains of a constant column; its direction is meaningless.
    flat = spread <= 1e-13 * np.sqrt(max(len(values), 1))
    centred /= np.where(flat, 1.0, spread)
    centred[:, flat] = 0.0
    return _as_correlation(centred.T @ centred)


def _times_power(values: np.ndarray, exponent: np.ndarray) -> np.ndarray:
    """Return each column times a power of two: ``np.ldexp(values, exponent)``, in a quarter of the time."""
    with np.errstate(over="ignore"):  # the power that scales subnormal numbers is infinite
        power = np.ldexp(1.0, exponent)
    return values * power if np.isfinite(power).all() else np.ldexp(values, exponent)


def _as_correlation(products: np.ndarray) -> np.ndarray:
    """Turn the products of scaled columns into correlations, in place: within -1 to 1, symmetric, 1 on the diagonal."""
    corr = np.clip(products, -1.0, 1.0, out=products)
    for at in range(0, len(corr), CORRELATION_BLOCK):  # in blocks, because a sum with the transpose is a second matrix
        rows = slice(at, at + CORRELATION_BLOCK)
        mean = (corr[rows, at:] + corr[at:, rows].T) / 2
        corr[rows, at:], corr[at:, rows] = mean, mean.T
    np.fill_diagonal(corr, 1.0)
    return frozen(corr)


def correlation_by_blocks(
    values_of: Callable[[slice], np.ndarray], shape: tuple[int, int], shares: np.ndarray | None = None
) -> np.ndarray:
    """Return the correlation matrix as `correlation_of` does, from sums over blocks of rows.

    Parameters
    ----------
    values_of : callable
        Returns the numbers of some rows, (m, p) float64; called three times for each block.
    shape : (n, p)
    shares : (n,) float array, optional
        Weights of the rows.
    """
    n, p = shape
    blocks = [slice(at, at + BLOCK_ROWS) for at in range(0, n, BLOCK_ROWS)]
    lowest, highest, total, products = np.zeros(p), np.zeros(p), np.zeros(p), np.zeros((p, p))
    for rows in blocks:
        own = values_of(rows)
        np.minimum(lowest, own.min(axis=0), out=lowest)
        np.maximum(highest, own.max(axis=0), out=highest)
    scale = -np.frexp(np.maximum(-lowest, highest))[1]
    for rows in blocks:
        own = _times_power(values_of(rows), scale)
        total += own.sum(axis=0) if shares is None else shares[rows] @ own
    mean = total / (n if shares is None else shares.sum())
    for rows in blocks:
        own = _times_power(values_of(rows), scale)
        own -= mean
        if shares is not None:
            own *= np.sqrt(shares[rows])[:, None]
        products += products_of(own, own)
    spread = np.sqrt(np.diag(products))
    flat = spread <= 1e-13 * np.sqrt(max(n, 1))
    spread = np.where(flat, 1.0, spread)
    products /= spread[:, None]
    products /= spread
    products[flat] = 0.0
    products[:, flat] = 0.0
    return _as_correlation(products)
