"""Dependence of neighbouring rows in the order of the file, which tests and scores treat as independent."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..common.run_warning import RunWarning
from ..common.sentences import Count, columns_of, say
from ..data.dataset import Dataset
from ..data.quality.serial_dependence import effective_rows

MIN_ROWS = 100  # minimum number of cells of a column
ROWS_OF_BLOCK = 20
MAX_SERIAL = 5.0  # maximum |rank correlation| of neighbouring rows times the square root of their number
MAX_SERIAL_LEVELS = 4.0  # maximum z of the number of runs of equal levels; only one column may exceed it
MIN_VARIANCE = 2.0  # minimum variance of the number of runs; a rare level alone decides below it
MAX_RUNS = 1.1  # maximum number of runs per level in a column that orders the rows
MIN_TIED = 20  # minimum number of neighbouring rows within which another column can order the rows


@dataclass(frozen=True)
class SerialRows:
    """Columns in which neighbouring rows are alike.

    Attributes
    ----------
    columns : tuple of int
        The most similar column first.
    n_rows : int
        Number of rows that were checked.
    independent : int
        Number of independent rows with as much information on the association of the two most similar columns. 0 if
        only one column is similar, which affects no association of two columns, and for rows in groups.
    """

    columns: tuple[int, ...]
    n_rows: int
    independent: int = 0

    def warning(self, names: tuple[str, ...]) -> RunWarning:
        """Return the warning; `names` are the columns of the data set."""
        affected = [names[j] for j in self.columns]
        if self.independent:
            sentence = say(
                "neighbouring rows are alike in {columns}, so tests and scores may find too many edges. For two of "
                "these columns, {n} rows are worth about {rows}",
                columns=columns_of(affected),
                n=self.n_rows,
                rows=Count(self.independent, "independent row"),
            )
        else:
            sentence = say(
                "neighbouring rows are alike in {columns}, so the rows may depend on one another",
                columns=columns_of(affected),
            )
        return RunWarning("serial_rows", sentence, affected)


def serial_rows(dataset: Dataset) -> SerialRows | None:
    """Return the columns in which neighbouring rows are alike; None without serial dependence.

    One numeric column beyond `MAX_SERIAL` suffices, but two categorical ones are needed: an association of two columns
    is affected only if both are similar, and a single categorical one may state the batch of the rows.

    Parameters
    ----------
    dataset : Dataset
        Weighted rows are in no order and are not checked. Of dependent rows in groups, the first row of each group is
        used.
    """
    if dataset.surveyed:
        return None
    if dataset.groups is not None:  # rows of one group are alike anyway
        dataset = dataset.take(np.sort(np.unique(dataset.groups, return_index=True)[1]))
    z = serial_z(dataset)
    numbers = [j for j in z if dataset.kinds[j] == "continuous"]
    alike = [j for j in z if z[j] > (MAX_SERIAL if j in numbers else MAX_SERIAL_LEVELS)]
    if not any(j in numbers for j in alike) and len(alike) < 2:
        return None
    alike.sort(key=lambda j: -z[j])
    if len(alike) < 2 or dataset.groups is not None:
        return SerialRows(tuple(alike), dataset.n_rows)
    return SerialRows(tuple(alike), dataset.n_rows, max(1, round(effective_rows(dataset, *alike[:2]))))


def serial_z(dataset: Dataset) -> dict[int, float]:
    """Return the serial dependence of each column, about standard normal or less if rows are independent.

    Numbers: the autocorrelation of ranks less their mean in blocks of 20 neighbouring rows, times the square root of n,
    so that groups of rows and slow trends count little. A column in ascending or descending order orders the rows and
    gets 0.

    Levels: the number of runs of equal levels within such blocks, compared with random orders of each block (Barton and
    David 1957). Blocks also end where a column that orders the rows changes, and such columns get 0.

    A column with fewer than 100 cells gets 0. Missing cells are left out.

    References
    ----------
    Barton and David (1957), Multiple runs. Biometrika 44.
    """
    numbers = [j for j, kind in enumerate(dataset.kinds) if kind == "continuous"]
    present = {j: dataset.values[dataset.is_there(j), dataset.place[j]] for j in numbers}
    return {j: _of_ranks(cells) if len(cells) >= MIN_ROWS else 0.0 for j, cells in present.items()} | _of_levels(
        dataset
    )


def _of_ranks(values: np.ndarray) -> float:
    steps = np.diff(values)
    if (steps >= 0).all() or (steps <= 0).all():
        return 0.0
    ranks = np.unique(values, return_inverse=True)[1].astype(np.float64)
    block = np.arange(len(values)) // ROWS_OF_BLOCK
    ranks -= (np.bincount(block, weights=ranks) / np.bincount(block))[block]
    same = block[:-1] == block[1:]
    earlier, later = ranks[:-1][same], ranks[1:][same]
    size = float(np.sqrt((earlier**2).sum() * (later**2).sum()))
    return float(earlier @ later) / size * math.sqrt(len(earlier)) if size else 0.0


def _of_levels(dataset: Dataset) -> dict[int, float]:
    """Return z of the runs of each categorical column."""
    levels = [j for j, kind in enumerate(dataset.kinds) if kind != "continuous"]
    if not levels or dataset.n_rows < MIN_ROWS or dataset.weights is not None:
        return dict.fromkeys(levels, 0.0)
    block, ordering = _blocks({j: dataset.codes[dataset.place[j]] for j in levels}, dataset.n_rows)
    return {
        j: 0.0
        if j in ordering
        else _z_of_runs(dataset.codes[dataset.place[j]], int(dataset.arity[dataset.place[j]]), block)
        for j in levels
    }


def _blocks(codes: dict[int, np.ndarray], n: int) -> tuple[np.ndarray, set[int]]:
    """Return blocks of neighbouring rows, in ascending order, and the columns that order the rows.

    Rows may be ordered by one column, by a second one within equal cells of the first, and so on.
    """
    block, ordering = np.zeros(n, dtype=np.int64), set[int]()
    while np.count_nonzero(block[1:] == block[:-1]) >= MIN_TIED:
        found = next((j for j in codes if j not in ordering and _orders(codes[j], block)), None)
        if found is None:
            break
        ordering.add(found)
        block = np.concatenate([[0], np.cumsum((np.diff(block) > 0) | (np.diff(codes[found]) != 0))])
    near = np.arange(n) // ROWS_OF_BLOCK
    return np.concatenate([[0], np.cumsum((np.diff(block) > 0) | (np.diff(near) > 0))]), ordering


def _orders(codes: np.ndarray, block: np.ndarray) -> bool:
    """Return True if equal cells are neighbours within each block, and their order is the same in all blocks."""
    changes = (block[1:] == block[:-1]) & (codes[1:] != codes[:-1])
    size = int(codes.max()) + 2
    runs = block[-1] + 1 + np.count_nonzero(changes)
    if not changes.any() or not runs <= MAX_RUNS * len(np.unique(block * size + codes + 1)) < len(codes):
        return False
    before, after = codes[:-1][changes] + 1, codes[1:][changes] + 1
    return not np.isin(before * size + after, after * size + before).any()


def _z_of_runs(codes: np.ndarray, arity: int, block: np.ndarray) -> float:
    """Return the number of runs missing from the mean of random orders of each block, in standard deviations."""
    there = codes < arity  # the others are missing
    codes, block = codes[there], np.unique(block[there], return_inverse=True)[1]
    if len(codes) < MIN_ROWS:
        return 0.0
    times = np.bincount(block * arity + codes, minlength=(block[-1] + 1) * arity).reshape(-1, arity).astype(float)
    rows, squares, cubes = times.sum(axis=1), (times**2).sum(axis=1), (times**3).sum(axis=1)
    new = (codes[1:] != codes[:-1]) | (block[1:] != block[:-1])
    runs = 1 + np.count_nonzero(new)
    mean = ((rows * (rows + 1) - squares) / rows).sum()
    variance = (squares * (squares + rows * (rows + 1)) - 2 * rows * cubes - rows**3) / (
        rows**2 * np.maximum(rows - 1, 1)
    )
    total = float(variance[rows > 1].sum())
    return float(mean - runs) / math.sqrt(total) if total >= MIN_VARIANCE else 0.0
