"""Encode the columns of pandas frames as codes, levels and numbers; take row weights from a frame."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import pandas as pd
import pyarrow as pa

from ..common.errors import DataError, ParameterError
from ..common.wording import quoted, quoted_columns, shown_value
from .arrow_tables import scanner_of
from .columns import FEW_NUMBERS, Kind
from .row_weights import MAX_WEIGHT, as_counts

_OF_OBJECTS = {"date", "datetime", "datetime64", "time", "timedelta", "timedelta64", "period"}
_OF_ARROW = (pa.types.is_timestamp, pa.types.is_date, pa.types.is_time, pa.types.is_duration)
_MICROSECONDS = 86_400e6  # microseconds per day


def is_frame(table: object) -> bool:
    """Return True for a pandas frame."""
    return isinstance(table, pd.DataFrame)


def as_frame(table: object) -> pd.DataFrame:
    """Return a table of polars, pyarrow or another library with an Arrow interface as a pandas frame."""
    if isinstance(table, pd.DataFrame):
        return table
    if (scanner := scanner_of(table)) is not None:
        table = scanner.to_table()
    if hasattr(table, "to_pandas"):
        table = _in_pandas(table)
    elif hasattr(table, "__arrow_c_stream__"):
        with suppress(pa.ArrowException):  # a single column also exports Arrow data
            table = pa.table(table).to_pandas()
    if not isinstance(table, pd.DataFrame):
        raise DataError(f"a frame must come from pandas, polars or pyarrow, got {type(table).__name__}. Convert it")
    return _with_durations(table)


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


def _with_durations(table: pd.DataFrame) -> pd.DataFrame:
    """Convert intervals of months, days and nanoseconds, such as the differences of times in DuckDB, to durations.

    Raises
    ------
    DataError
        If one has months, which differ in length.
    """
    for j in range(table.shape[1]):
        column = table.iloc[:, j]
        cells = column.dropna() if column.dtype == object else ()
        if not len(cells) or not isinstance(cells.iloc[0], pd.DateOffset):
            continue
        name, spans = table.columns[j], [cell.kwds for cell in cells]
        if any(span["months"] for span in spans):
            raise DataError(
                f"column {quoted([name])} must hold spans of one unit, found months, which differ in length. "
                "Convert it to days"
            )
        days = pd.Series([span["days"] + span["nanoseconds"] / 86_400e9 for span in spans], cells.index, float)
        table = table.assign(**{name: pd.to_timedelta(days.reindex(table.index), "D")})
    return table


def _goes_alone(column: object) -> bool:
    try:
        column.to_pandas()
    except pa.ArrowException:
        return False
    return True


def default_kinds(df: pd.DataFrame, names: tuple[str, ...]) -> dict[str, Kind]:
    """Return the kind of each column by its dtype and, for integers, its number of values; see `Dataset.from_frame`."""
    columns = [df.iloc[:, j] for j in range(len(names))]
    # A column of numbers and None has dtype object.
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
    except TypeError as error:  # lists cannot be hashed, and tuples cannot be compared with numbers
        raise DataError(f"column {quoted([name])} must hold one value per cell, found lists") from error


def is_ordered(column: pd.Series) -> bool:
    """Return True if a column has a categorical dtype with an order."""
    return isinstance(column.dtype, pd.CategoricalDtype) and bool(column.dtype.ordered)


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


def split_weights(df: pd.DataFrame, column: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Split the weight column off a frame; return the rows of positive weight and their (n,) weights.

    Weights have dtype int64 if all are integers.

    Raises
    ------
    DataError
        If there is no such column or no other one, or or if it holds anything but nonnegative numbers, or only zeros.
    """
    if not isinstance(column, str):
        raise ParameterError(f"weights must be the name of a column, got {shown_value(column)}")
    at = [k for k, name in enumerate(df.columns) if str(name) == column]
    if len(at) != 1:
        names = quoted([str(name) for name in df.columns])
        raise DataError(f"weights must be the name of one column, got {shown_value(column)}. The columns are {names}")
    if df.shape[1] == 1:
        raise DataError(
            f"{quoted_columns([column])} of weights is the only column. The table needs others to learn from"
        )
    weights = _checked_weights(df.iloc[:, at[0]], column)
    rest = df.iloc[:, [k for k in range(df.shape[1]) if k != at[0]]]
    return rest[weights > 0], weights[weights > 0]


def _checked_weights(cells: pd.Series, column: str) -> np.ndarray:
    what = f"{quoted_columns([column])} of weights must hold numbers of at least 0"
    try:
        numbers = pd.to_numeric(cells).to_numpy(dtype=np.float64, na_value=np.nan)
    except (ValueError, TypeError) as error:
        raise DataError(f"{what}, found cells that are not numbers. Correct those or take another column") from error
    for wrong, found, advice in (
        (np.isnan(numbers), "missing", "Enter them, or leave those rows out"),
        (numbers < 0, "below 0", "Correct them, or leave those rows out"),
        (numbers > MAX_WEIGHT, "too large", "Divide all by a common factor"),
    ):
        if wrong.any():
            raise DataError(f"{what}, found {int(wrong.sum()):,} {found}. {advice}")
    if not numbers.any():
        raise DataError(f"{what}, and one above 0, found none above. Take another column")
    return as_counts(numbers)
