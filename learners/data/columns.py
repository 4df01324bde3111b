"""Validate the columns of frames and arrays, and encode them as codes, levels and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa

from ..common.arrays import as_array, as_numbers
from ..common.checks import as_list, as_text, check_sequence, check_type
from ..common.errors import DataError
from ..common.wording import quoted, quoted_columns, shown_value

Kind = Literal["categorical", "continuous", "mixed"]
MAX_LEVELS = 65_535
_OF_OBJECTS = {"date", "datetime", "datetime64", "time", "timedelta", "timedelta64", "period"}
_OF_ARROW = (pa.types.is_timestamp, pa.types.is_date, pa.types.is_time, pa.types.is_duration)
_MICROSECONDS = 86_400e6  # of a day
FEW_NUMBERS = 10  # maximum number of different integers that are read as names of levels


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
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
    check_sequence("levels", levels)
    for column in levels:
        check_sequence("the levels of each variable", column)
    return tuple(tuple(as_text("levels", level) for level in column) for column in levels)


def checked_kinds(kinds: Mapping[str, Kind], names: tuple[str, ...]) -> dict[str, Kind]:
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


def as_frame(table: object) -> pd.DataFrame:
    """Return a table of polars, pyarrow or another library with an Arrow interface as a pandas frame."""
    if not isinstance(table, pd.DataFrame) and hasattr(table, "to_pandas"):
        table = _in_pandas(table)
    elif not isinstance(table, pd.DataFrame) and hasattr(table, "__arrow_c_stream__"):
        with suppress(pa.ArrowException):  # a single column also exports Arrow data
            table = pa.table(table).to_pandas()
    if not isinstance(table, pd.DataFrame):
        raise DataError(f"a frame must come from pandas, polars or pyarrow, got {type(table).__name__}. Convert it")
    return table


def _in_pandas(table: object) -> pd.DataFrame:
    """Convert a table of polars or pyarrow; DataError names the columns that cannot be converted."""
    try:
        return table.to_pandas()
    except pa.ArrowException as error:
        names = getattr(table, "column_names", None) or table.columns
        bad = [name for name in names if not _goes_alone(table.select([name]))]
        raise DataError(
            f"{quoted_columns(bad)} {'has' if len(bad) == 1 else 'have'} a type that pandas does not know "
            f"({shown_value(str(error))}). Cast to a common type or leave out"
        ) from error


def _goes_alone(column: object) -> bool:
    try:
        column.to_pandas()
    except pa.ArrowException:
        return False
    return True


def default_kinds(df: pd.DataFrame, names: tuple[str, ...]) -> dict[str, Kind]:
    """Return the kind of each column by its dtype and, for integers, its number of values; see `Dataset.from_frame`."""
    columns = [df.iloc[:, j] for j in range(len(names))]
    # Numbers and None make a column of objects.
    columns = [column.dropna().infer_objects() if column.dtype == object else column for column in columns]
    floating = [pd.api.types.is_float_dtype(column.dtype) or _holds_decimals(column) for column in columns]
    whole = [pd.api.types.is_integer_dtype(column.dtype) for column in columns]
    return {
        name: "continuous"
        if floating[j]
        or holds_dates(columns[j])
        or (whole[j] and (any(floating) or (not all(whole) and _many(columns[j]))))
        else "categorical"
        for j, name in enumerate(names)
    }


def _holds_decimals(column: pd.Series) -> bool:
    """Return True for a column of exact decimals, as databases and Arrow provide them."""
    if isinstance(column.dtype, pd.ArrowDtype):
        return pa.types.is_decimal(column.dtype.pyarrow_dtype)
    return column.dtype == object and pd.api.types.infer_dtype(column) == "decimal"


def _many(column: pd.Series) -> bool:
    return column.nunique() > FEW_NUMBERS


def refuse_empty(df: pd.DataFrame, names: tuple[str, ...]) -> None:
    """Raise DataError if there are no rows, or a column's cells are all missing."""
    if not len(df):
        raise DataError("found no rows. The table needs at least one")
    empty = df.isna().to_numpy().all(axis=0)
    if empty.any():
        bad = [name for name, none in zip(names, empty, strict=True) if none]
        raise DataError(f"a column must hold a value, all cells of {quoted(bad)} are missing. Leave them out")


def numbers_of(df: pd.DataFrame, names: tuple[str, ...], chosen: Sequence[str]) -> np.ndarray:
    """Return the chosen columns as (n, len(chosen)) float64, NaN where a cell is missing."""
    values = np.empty((len(df), len(chosen)), dtype=np.float64)
    for k, name in enumerate(chosen):
        try:
            column = df.iloc[:, names.index(name)]
            if holds_dates(column):
                values[:, k] = days_in(column)
                continue
            inexact = _holds_decimals(column) and isinstance(column.dtype, pd.ArrowDtype)  # pandas fails on NA
            numbers = pd.to_numeric(column.astype(pd.ArrowDtype(pa.float64())) if inexact else column)
            values[:, k] = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
        except (ValueError, TypeError) as error:
            raise DataError(
                f"column {quoted([name])} must hold numbers to be continuous. Make it categorical"
            ) from error
    return values


def checked_values(values: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    values = as_numbers("values", values)
    if values.ndim != 2 or values.shape[1] != len(names):
        raise DataError(f"values must be (n, p) with one name a column, got {values.shape} and {len(names)} names")
    infinite = np.isinf(values)
    if infinite.any():
        bad = [n for n, some in zip(names, infinite.any(axis=0), strict=True) if some]
        raise DataError(
            f"values must be finite or missing, found {int(infinite.sum())} infinite in {quoted_columns(bad)}. "
            "Make those NaN or leave the columns out"
        )
    return read_only(values, np.float64)


def checked_codes(
    codes: np.ndarray, arity: Sequence[int], names: tuple[str, ...], levels: Sequence[Sequence[str]] | None
) -> tuple[np.ndarray, np.ndarray, tuple[tuple[str, ...], ...]]:
    """Return validated codes (the arity where a cell is missing), arities and levels as `Dataset` stores them."""
    codes = as_array("codes", codes, "iu", "whole numbers", "; use Dataset.from_frame to encode levels")
    arity = as_array("arity", arity, "iu", "whole numbers").astype(np.int64)
    if codes.ndim != 2 or codes.shape[0] != len(names) or arity.shape != (len(names),):
        raise DataError(
            f"codes must be (p, n) with one arity and one name a variable, got codes {codes.shape}, "
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
    kept = read_only(np.where(codes < 0, arity[:, None], codes) if has_missing else codes, dtype)
    return kept, read_only(arity, np.int64), _checked_levels(levels, arity, names)


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


def encode(df: pd.DataFrame, names: tuple[str, ...], chosen: Sequence[str]) -> tuple[np.ndarray, list[list[str]]]:
    """Return the chosen columns as (len(chosen), n) int32 codes, -1 where a cell is missing, and their levels."""
    codes, levels = np.empty((len(chosen), len(df)), dtype=np.int32), []
    for k, name in enumerate(chosen):
        codes[k], own = _encoded(name, df.iloc[:, names.index(name)])
        levels.append([str(level) for level in own])
    return codes, levels


def _encoded(name: str, column: pd.Series) -> tuple[np.ndarray, Sequence]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy(), column.cat.categories
    try:
        return pd.factorize(column, sort=True)
    except TypeError as error:  # lists have no hash, and tuples no order beside numbers
        raise DataError(f"column {quoted([name])} must hold one value a cell, found lists or the like") from error


def read_only(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    copy = np.array(array, dtype=dtype, order="C")
    copy.flags.writeable = False
    return copy


def correlation_of(values: np.ndarray, shares: np.ndarray | None = None) -> np.ndarray:
    """Return the (p, p) correlation matrix of the columns of an (n, p) array, read-only.

    Parameters
    ----------
    values : (n, p) float array
    shares : (n,) float array, optional
        Weights of the rows.

    Returns
    -------
    (p, p) float64 array
        A column of zero variance has correlation 0 with all others.
    """
    # Columns are scaled by a power of two, which is exact, so that no unit makes squares vanish or overflow.
    exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1]
    scaled = np.ldexp(values, -exponent)
    centred = scaled - (scaled.mean(axis=0) if shares is None else shares @ scaled / shares.sum())
    if shares is not None:
        centred *= np.sqrt(shares)[:, None]
    spread = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    # Only a rounding residue remains of a constant column; its direction is meaningless.
    flat = spread <= 1e-13 * np.sqrt(max(len(values), 1))
    centred /= np.where(flat, 1.0, spread)
    centred[:, flat] = 0.0
    corr = np.clip(centred.T @ centred, -1.0, 1.0)
    corr = (corr + corr.T) / 2
    np.fill_diagonal(corr, 1.0)
    return read_only(corr, np.float64)


def holds_dates(column: pd.Series) -> bool:
    """Return True if a column has a type of dates, times, periods or durations; text never counts."""
    kind = column.dtype
    if isinstance(kind, pd.ArrowDtype):
        return any(is_one(kind.pyarrow_dtype) for is_one in _OF_ARROW)
    if column.dtype == object:
        return pd.api.types.infer_dtype(column, skipna=True) in _OF_OBJECTS
    return isinstance(kind, pd.PeriodDtype) or pd.api.types.is_datetime64_any_dtype(kind) or kind.kind == "m"


def days_in(column: pd.Series) -> np.ndarray:
    """Convert dates to days since the first one, and durations to days, (n,) float64.

    Parameters
    ----------
    column : Series
        One for which `holds_dates` is True. A period counts by its start, a time of day as a fraction of a day.

    Returns
    -------
    (n,) float64 array
        NaN where a cell is missing.
    """
    if column.dtype == object:
        column = column.infer_objects()
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    array = pa.Array.from_pandas(column)
    span = pa.types.is_duration(array.type)
    if span:
        unit = pa.duration("us")
    elif pa.types.is_time(array.type):
        unit = pa.time64("us")
    else:
        unit = pa.timestamp("us", getattr(array.type, "tz", None))
    instants = array.cast(unit, safe=False).cast(pa.int64()).to_numpy(zero_copy_only=False).astype(np.float64)
    return (instants if span else instants - np.nanmin(instants)) / _MICROSECONDS
