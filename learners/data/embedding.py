"""A data set as embedded columns: numbers as they are, levels as indicators, and what its missing cells take away."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from ..common.errors import DataError
from ..common.memory import check_memory
from ..common.wording import quoted_columns
from ..kernels.ci.embedded_covariance import EmbeddedSample, count_absent_pairs, list_absent_pairs
from .bit_planes import absent_marks, hole_numbers
from .columns import correlation_of, read_only
from .dataset import Dataset

MOST_BYTES = 1 << 29  # of the sums over the rows that lack a variable
MANY = 500  # embedded columns; fewer are summed in no time
CELL = 8  # bytes
WIDEST = 1_000  # embedded columns of two variables: work and memory of a test grow with its cube and square
COPIES = 3  # of the embedded columns, while they are made and standardised
BLOCK = 1_024  # rows summed at a time

_kept: WeakKeyDictionary[Dataset, EmbeddedSample] = WeakKeyDictionary()


def embedded(dataset: Dataset) -> EmbeddedSample:
    """The columns of a data set in kernel form, made once and kept with it."""
    if dataset not in _kept:
        _kept[dataset] = _build(dataset)
    return _kept[dataset]


def embedded_columns(dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """The embedded columns.

    Returns
    -------
    columns : (n, q) float64 array
        NaN where a cell is missing.
    first : (p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``: the number itself, or an indicator of each
        observed level but the most frequent. A constant variable has none.
    """
    _check_size(dataset)
    parts = [_columns_of(dataset, j) for j in range(dataset.p)]
    first = np.concatenate([[0], np.cumsum([part.shape[1] for part in parts])]).astype(np.int64)
    return np.concatenate(parts, axis=1), first


def too_wide(dataset: Dataset) -> tuple[str, ...]:
    """The one or two categorical variables with the most levels, most first, if a test of them would be too much."""
    shown = widths(dataset)
    widest, total = [], 0
    for j in np.argsort(shown)[:-3:-1]:
        if dataset.kinds[j] == "categorical" and total <= WIDEST:
            widest.append(dataset.names[j])
            total += shown[j]
    return tuple(widest) if total > WIDEST else ()


def widths(dataset: Dataset) -> list[int]:
    """Embedded columns of each variable: one of a number, one for each level of others but the most frequent."""
    kinds = enumerate(dataset.kinds)
    return [len(_shown_levels(dataset, j)) if kind == "categorical" else 1 for j, kind in kinds]


def said_of_width(dataset: Dataset, names: tuple[str, ...]) -> str:
    """What is wrong with variables that are `too_wide`."""
    shown = dict(zip(dataset.names, widths(dataset), strict=True))
    levels = " and ".join(f"{shown[name] + 1:,}" for name in names)
    together = "two columns may have {:,} together" if len(names) > 1 else "a column may have {:,}"
    return (
        f"{quoted_columns(list(names))} {'has' if len(names) == 1 else 'have'} {levels} levels; beside numbers or "
        f"missing cells {together.format(WIDEST)}"
    )


def _check_size(dataset: Dataset) -> None:
    """Raise DataError where levels make more columns than can be tested, or held."""
    wide = too_wide(dataset)
    if wide:
        raise DataError(f"{said_of_width(dataset, wide)}; merge levels or leave columns out")
    n_columns = sum(widths(dataset))
    what = f"the levels as {n_columns:,} columns of {dataset.n:,} rows"
    check_memory(CELL * float(dataset.n) * n_columns, what, "merge levels or use fewer rows")


def _shown_levels(dataset: Dataset, j: int) -> np.ndarray:
    """The observed levels of a categorical variable but the most frequent."""
    k = dataset.place[j]
    r = int(dataset.arity[k])
    counts = np.bincount(dataset.codes[k], minlength=r)[:r]
    return np.setdiff1d(np.flatnonzero(counts), [counts.argmax()])


def _columns_of(dataset: Dataset, j: int) -> np.ndarray:
    k = dataset.place[j]
    if dataset.kinds[j] == "continuous":
        column = dataset.values[:, k : k + 1]
        known = column[~np.isnan(column)]
        return column if known.size and known.min() < known.max() else column[:, :0]
    codes = dataset.codes[k]
    columns = (codes[:, None] == _shown_levels(dataset, j)).astype(np.float64)
    columns[codes == dataset.arity[k]] = np.nan
    return columns


def _build(dataset: Dataset) -> EmbeddedSample:
    columns, first = embedded_columns(dataset)
    if not dataset.complete and columns.shape[1] >= max(dataset.n, MANY):
        raise DataError(
            f"levels make {columns.shape[1]:,} columns of {dataset.n:,} rows, too many to test with missing cells; "
            "leave out or merge the columns with most levels"
        )
    continuous = read_only([kind == "continuous" for kind in dataset.kinds], bool)
    if dataset.complete:
        return sample_of(correlation_of(columns, dataset.shares), first, continuous, dataset.n)
    absent = np.array([~dataset.is_there(j) for j in np.flatnonzero(dataset.incomplete)])
    cells = _standardised(columns)
    if dataset.shares is not None:
        cells *= np.sqrt(dataset.shares)[:, None]
    some = absent.any(axis=0)
    begin, both = _lacking_both(absent[:, some])
    return EmbeddedSample(
        first=read_only(first, np.int64),
        continuous=continuous,
        n=dataset.n,
        corr=read_only(np.empty((0, 0)), np.float64),
        sums=read_only(_sums(cells), np.float64),
        missing_index=hole_numbers(dataset),
        absent=absent_marks(dataset),
        absent_sums=read_only(_lost(cells, absent), np.float64),
        begin=begin,
        both_absent=both,
        cell_row=read_only(np.where(some, np.cumsum(some) - 1, -1), np.int64),
        cells=_by_variable(cells[some], first),
        ones=read_only(cells[some, -1] if dataset.shares is not None else np.empty(0), np.float64),
    )


def sample_of(corr: np.ndarray, first: np.ndarray, continuous: np.ndarray, n: int) -> EmbeddedSample:
    """What is known of columns without holes: their (q, q) correlations."""
    none, no_sums = np.empty(0, dtype=np.int64), np.empty((0, 0))
    return EmbeddedSample(
        first=read_only(first, np.int64),
        continuous=read_only(continuous, bool),
        n=n,
        corr=read_only(corr, np.float64),
        sums=read_only(no_sums, np.float64),
        missing_index=read_only(none, np.int64),
        absent=read_only(np.empty((0, 0)), np.uint64),
        absent_sums=read_only(np.empty((0, 0, 0)), np.float64),
        begin=read_only(np.empty((0, 0)), np.int64),
        both_absent=read_only(none, np.int32),
        cell_row=read_only(none, np.int64),
        cells=read_only(none, np.float64),
        ones=read_only(none, np.float64),
    )


def standardised_cells(dataset: Dataset) -> np.ndarray:
    """(q, n) float64, read-only: the embedded columns with mean 0 and variance 1, 0 where a cell is missing."""
    return read_only(_standardised(embedded_columns(dataset)[0])[:, :-1].T, np.float64)


def _standardised(columns: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and variance 1 over the cells that are there, 0 elsewhere; and a column of ones."""
    # Scaled by a power of two first, so that no unit makes squares vanish or overflow.
    scaled = np.ldexp(columns, -np.frexp(np.nanmax(np.abs(columns), axis=0, initial=0.0))[1])
    scaled = scaled - np.nanmean(scaled, axis=0)
    scaled /= np.sqrt(np.nanmean(scaled * scaled, axis=0))
    return np.column_stack([np.nan_to_num(scaled, nan=0.0), np.ones(len(columns))])


def _sums(cells: np.ndarray) -> np.ndarray:
    total = cells.T @ cells
    return (total + total.T) / 2


def _lost(cells: np.ndarray, absent: np.ndarray) -> np.ndarray:
    """(h, q + 1, q + 1): the sums over the rows that lack a variable; none where they would take over 512 MB."""
    q = cells.shape[1]
    if len(absent) * q * q * 8 > MOST_BYTES:
        return np.empty((0, 0, 0))
    return np.array([_sums(cells[rows]) for rows in absent])


def _lacking_both(absent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`begin` and `both` of an `EmbeddedSample`, of the (h, m) rows that lack any variable."""
    lacking = absent.sum(axis=0)
    if 4 * int((lacking * (lacking - 1) // 2).sum()) > MOST_BYTES:
        return read_only(np.empty((0, 0)), np.int64), read_only(np.empty(0), np.int32)
    h = len(absent)
    begin = np.zeros((h, h + 1), dtype=np.int64)
    count_absent_pairs(absent, begin)
    begin = begin.cumsum().reshape(h, h + 1)
    both = np.empty(begin[-1, -1], dtype=np.int32)
    list_absent_pairs(absent, begin[:, :-1].copy(), both)
    return read_only(begin, np.int64), read_only(both, np.int32)


def _by_variable(cells: np.ndarray, first: np.ndarray) -> np.ndarray:
    """One variable after the other, each row by row, without the ones."""
    parts = [cells[:, begin:end].ravel() for begin, end in zip(first, first[1:], strict=False)]
    return read_only(np.concatenate(parts), np.float64)
