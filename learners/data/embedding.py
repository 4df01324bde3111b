"""Embedding of a data set for degenerate Gaussian tests and scores: numbers as they are, levels as indicators.

Sums over the rows in which a variable is missing are stored, and are subtracted from the sums over all rows.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from ..common.arrays import frozen_copy
from ..common.errors import DataError
from ..common.mapped_arrays import counted
from ..common.memory import check_memory
from ..common.wording import quoted_columns
from ..kernels.ci.embedded_covariance import EmbeddedSample, count_absent_pairs, list_absent_pairs
from .bit_planes import absence_bits, incomplete_positions
from .columns import MAX_COPIED_BYTES, correlation_by_blocks, correlation_of
from .completed_data import completed_moments
from .dataset import Dataset

MAX_BYTES = 1 << 29  # maximum size of the sums over the rows that lack a variable
MANY = 500  # number of embedded columns below which the sums are fast
CELL = 8  # bytes per number
# Maximum number of embedded columns of two variables: time grows with its cube, memory with its square.
MAX_WIDTH = 1_000
BLOCK = 1_024  # number of rows summed at a time

_kept: WeakKeyDictionary[Dataset, EmbeddedSample] = WeakKeyDictionary()


def embedded(dataset: Dataset) -> EmbeddedSample:
    """Return the embedded columns of a data set in kernel form, cached for its lifetime."""
    if dataset not in _kept:
        _kept[dataset] = _build(dataset)
    return _kept[dataset]


def embedded_columns(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the embedded columns of all variables.

    Returns
    -------
    columns : (n, q) float64 array
        NaN where a cell is missing.
    first : (p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``: the number itself, or an indicator of each
        observed level except the most frequent one. A constant variable has none.
    """
    check_size(dataset, sum(widths(dataset)))
    parts = [_columns_of(dataset, j) for j in range(dataset.p)]
    first = np.concatenate([[0], np.cumsum([part.shape[1] for part in parts])]).astype(np.int64)
    return np.concatenate(parts, axis=1), first


def too_wide(dataset: Dataset) -> tuple[str, ...]:
    """Return the one or two variables with the most levels if their test would exceed `MAX_WIDTH` columns."""
    shown = widths(dataset)
    widest, total = [], 0
    for j in np.argsort(shown)[:-3:-1]:
        if dataset.kinds[j] == "categorical" and total <= MAX_WIDTH:
            widest.append(dataset.names[j])
            total += shown[j]
    return tuple(widest) if total > MAX_WIDTH else ()


def widths(dataset: Dataset) -> list[int]:
    """Return the number of embedded columns of each variable: one, or the number of observed levels less one."""
    kinds = enumerate(dataset.kinds)
    return [len(shown_levels(dataset, j)) if kind == "categorical" else 1 for j, kind in kinds]


def describe_width(dataset: Dataset, names: tuple[str, ...]) -> str:
    """Return a sentence on variables that are `too_wide`."""
    shown = dict(zip(dataset.names, widths(dataset), strict=True))
    levels = " and ".join(f"{shown[name] + 1:,}" for name in names)
    together = "two columns may have {:,} together" if len(names) > 1 else "a column may have {:,}"
    return (
        f"{quoted_columns(list(names))} {'has' if len(names) == 1 else 'have'} {levels} levels. With numbers or "
        f"missing cells in the table, {together.format(MAX_WIDTH)}"
    )


def check_size(dataset: Dataset, n_columns: int) -> None:
    """Raise DataError if the embedded columns exceed the limits of a test or of memory."""
    refuse_wide(dataset)
    n_bytes, size = CELL * float(dataset.n) * n_columns, f"{n_columns:,} columns of {dataset.n:,} rows"
    if dataset.complete:
        check_memory(n_bytes, f"the levels as {size}", "merge levels or use fewer rows")
    else:
        check_memory(n_bytes, f"completing {size}", "use fewer rows, such as those without missing cells")


def refuse_wide(dataset: Dataset) -> None:
    """Raise DataError if a test of two variables would have too many embedded columns."""
    wide = too_wide(dataset)
    if wide:
        raise DataError(f"{describe_width(dataset, wide)}. Merge levels or leave columns out")


def shown_levels(dataset: Dataset, j: int) -> np.ndarray:
    """Return the observed levels of a categorical variable except the most frequent one."""
    k = dataset.place[j]
    r = int(dataset.arity[k])
    counts = counted(dataset.codes[k], r + 1)[:r]
    levels = counts.nonzero()[0]
    return levels[levels != counts.argmax()]


def _columns_of(dataset: Dataset, j: int) -> np.ndarray:
    k = dataset.place[j]
    if dataset.kinds[j] == "continuous":
        column = dataset.values[:, k : k + 1]
        known = column[~np.isnan(column)]
        return column if known.size and known.min() < known.max() else column[:, :0]
    return indicators(dataset, j, shown_levels(dataset, j))


def indicators(dataset: Dataset, j: int, levels: np.ndarray, rows: slice = slice(None)) -> np.ndarray:
    """Return (n, d) float64: an indicator of each of d levels of a categorical variable, NaN where it is missing."""
    k = dataset.place[j]
    codes = dataset.codes[k][rows]
    columns = (codes[:, None] == levels).astype(np.float64)
    columns[codes == dataset.arity[k]] = np.nan
    return columns


def _build(dataset: Dataset) -> EmbeddedSample:
    if completed := completed_moments(dataset):
        moments = completed.correlation, completed.first, continuous_of(dataset), completed.n
        return sample_of(*moments)._replace(pair_rows=completed.pair_rows)
    if dataset.complete and CELL * float(dataset.n_rows) * sum(widths(dataset)) > MAX_COPIED_BYTES:
        return sample_of(*_correlation_by_blocks(dataset), continuous_of(dataset), dataset.n)
    return sample_of_columns(dataset, *embedded_columns(dataset), continuous_of(dataset))


def _correlation_by_blocks(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return the correlations of the embedded columns of complete data, and `first` as `embedded_columns` does.

    The columns are made in blocks of rows. Results are those of columns that are made at once, to the last digit.
    """
    refuse_wide(dataset)
    shown = [
        shown_levels(dataset, j)
        if kind == "categorical"
        else np.zeros(int(np.ptp(dataset.values[:, dataset.place[j]]) > 0.0))
        for j, kind in enumerate(dataset.kinds)
    ]
    first = np.concatenate([[0], np.cumsum([len(own) for own in shown])]).astype(np.int64)
    order = positions_by_name(dataset, first)

    def columns_of(rows: slice) -> np.ndarray:
        parts = [
            indicators(dataset, j, own, rows)
            if dataset.kinds[j] == "categorical"
            else dataset.values[rows, dataset.place[j], None][:, : len(own)]
            for j, own in enumerate(shown)
        ]
        return np.ascontiguousarray(np.concatenate(parts, axis=1)[:, order])

    found = correlation_by_blocks(columns_of, (dataset.n_rows, len(order)), dataset.shares)
    place = np.argsort(order)
    return found[np.ix_(place, place)], first


def positions_by_name(dataset: Dataset, first: np.ndarray) -> np.ndarray:
    """Return (q,) int64: the embedded columns by the names of their variables; `first` as in `sample_of_columns`."""
    place = np.argsort(dataset.by_name)
    variable = np.repeat(np.arange(len(first) - 1), np.diff(first))
    return np.lexsort((variable // dataset.p, place[variable % dataset.p]))


def sample_of_columns(
    dataset: Dataset, columns: np.ndarray, first: np.ndarray, continuous: np.ndarray, copies: int = 1
) -> EmbeddedSample:
    """Return the kernel form of embedded columns.

    Parameters
    ----------
    dataset : Dataset
        Whose missing cells and row weights count.
    columns : (n, q) float64 array
        NaN where a cell is missing.
    first : (k p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``.
    continuous : (k p,) bool array
        The variables that are one number.
    copies : int, default 1
        k: variables v, v + p, v + 2p, … are missing where variable v of the data set is.

    Raises
    ------
    DataError
        If there are too many columns for data with missing cells.
    """
    if not dataset.complete and columns.shape[1] >= max(dataset.n, MANY):
        raise DataError(
            f"levels make {columns.shape[1]:,} columns of {dataset.n:,} rows, too many to test with missing cells. "
            "Leave out columns, or merge the levels of those with the most"
        )
    order = positions_by_name(dataset, first)
    if dataset.complete:
        place = np.argsort(order)
        if (place[1:] > place[:-1]).all():
            return sample_of(correlation_of(columns, dataset.shares), first, continuous, dataset.n)
        found = correlation_of(np.ascontiguousarray(columns[:, order]), dataset.shares)
        return sample_of(found[np.ix_(place, place)], first, continuous, dataset.n)
    absent = np.array([~dataset.is_there(j) for j in np.flatnonzero(dataset.incomplete)])
    cells = _standardized(columns)
    if dataset.shares is not None:
        cells *= np.sqrt(dataset.shares)[:, None]
    some = absent.any(axis=0)
    begin, both = _lacking_both(absent[:, some])
    return EmbeddedSample(
        first=frozen_copy(first, np.int64),
        continuous=continuous,
        n=dataset.n,
        corr=frozen_copy(np.empty((0, 0)), np.float64),
        pair_rows=frozen_copy(np.empty((0, 0)), np.float64),
        sums=frozen_copy(_sums(cells, order), np.float64),
        missing_index=frozen_copy(np.tile(incomplete_positions(dataset), copies), np.int64),
        absent=absence_bits(dataset),
        absent_sums=frozen_copy(_lost(cells, absent, order), np.float64),
        begin=begin,
        both_absent=both,
        cell_row=frozen_copy(np.where(some, np.cumsum(some) - 1, -1), np.int64),
        cells=_by_variable(cells[some], first),
        ones=frozen_copy(cells[some, -1] if dataset.shares is not None else np.empty(0), np.float64),
    )


def continuous_of(dataset: Dataset) -> np.ndarray:
    """Return (p,) bool: the continuous variables."""
    return frozen_copy([kind == "continuous" for kind in dataset.kinds], bool)


def sample_of(corr: np.ndarray, first: np.ndarray, continuous: np.ndarray, n: int) -> EmbeddedSample:
    """Return the kernel form of complete columns: their (q, q) correlations."""
    none, no_sums = np.empty(0, dtype=np.int64), np.empty((0, 0))
    return EmbeddedSample(
        first=frozen_copy(first, np.int64),
        continuous=frozen_copy(continuous, bool),
        n=n,
        corr=frozen_copy(corr, np.float64),
        pair_rows=frozen_copy(no_sums, np.float64),
        sums=frozen_copy(no_sums, np.float64),
        missing_index=frozen_copy(none, np.int64),
        absent=frozen_copy(np.empty((0, 0)), np.uint64),
        absent_sums=frozen_copy(np.empty((0, 0, 0)), np.float64),
        begin=frozen_copy(np.empty((0, 0)), np.int64),
        both_absent=frozen_copy(none, np.int32),
        cell_row=frozen_copy(none, np.int64),
        cells=frozen_copy(none, np.float64),
        ones=frozen_copy(none, np.float64),
    )


def standardized_cells(dataset: Dataset) -> np.ndarray:
    """Return (q, n) float64, read-only: the embedded columns with mean 0 and variance 1, 0 where a cell is missing."""
    return frozen_copy(_standardized(embedded_columns(dataset)[0])[:, :-1].T, np.float64)


def _standardized(columns: np.ndarray) -> np.ndarray:
    """Scale columns to mean 0 and variance 1 of their present cells, 0 elsewhere, and append a column of ones."""
    # Scaled by a power of two first, so that no unit makes squares vanish or overflow.
    scaled = np.ldexp(columns, -np.frexp(np.nanmax(np.abs(columns), axis=0, initial=0.0))[1])
    scaled = scaled - np.nanmean(scaled, axis=0)
    scaled /= np.sqrt(np.nanmean(scaled * scaled, axis=0))
    return np.column_stack([np.nan_to_num(scaled, nan=0.0), np.ones(len(columns))])


def _sums(cells: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return (q + 1, q + 1) sums of products, with the same rounding for all orders of the columns by name."""
    order = np.append(order, len(order))
    place = np.argsort(order)
    cells = np.ascontiguousarray(cells[:, order])
    total = cells.T @ cells
    return ((total + total.T) / 2)[np.ix_(place, place)]


def _lost(cells: np.ndarray, absent: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return (h, q + 1, q + 1) sums over the rows in which a variable is missing; empty above `MAX_BYTES`."""
    q = cells.shape[1]
    if len(absent) * q * q * 8 > MAX_BYTES:
        return np.empty((0, 0, 0))
    return np.array([_sums(cells[rows], order) for rows in absent])


def _lacking_both(absent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return `begin` and `both` of an `EmbeddedSample` from the (h, m) mask of missing cells in incomplete rows."""
    lacking = absent.sum(axis=0)
    if 4 * int((lacking * (lacking - 1) // 2).sum()) > MAX_BYTES:
        return frozen_copy(np.empty((0, 0)), np.int64), frozen_copy(np.empty(0), np.int32)
    h = len(absent)
    begin = np.zeros((h, h + 1), dtype=np.int64)
    count_absent_pairs(absent, begin)
    begin = begin.cumsum().reshape(h, h + 1)
    both = np.empty(begin[-1, -1], dtype=np.int32)
    list_absent_pairs(absent, begin[:, :-1].copy(), both)
    return frozen_copy(begin, np.int64), frozen_copy(both, np.int32)


def _by_variable(cells: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Concatenate the columns variable by variable, each row by row, without the column of ones."""
    parts = [cells[:, begin:end].ravel() for begin, end in zip(first, first[1:], strict=False)]
    return frozen_copy(np.concatenate(parts), np.float64)
