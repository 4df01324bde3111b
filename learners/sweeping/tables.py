"""Sweeps over tables: fewer rows, random halves, other bins, without a column or without a group of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ..common.checks import check_choice
from ..common.errors import DataError, ParameterError
from ..common.progress import Tick, silent
from ..common.validation import AtLeast, Positive, Seed, validated
from ..common.wording import count, quoted, quoted_columns
from ..data.dataset import Dataset
from ..data.plan.binning import Binning
from ..data.plan.plan import Plan
from ..data.plan.preparation import prepare
from ..data.reading.table import Table
from ..data.row_weights import repeated
from ..graphs.graph import PDAG
from ..graphs.knowledge import Knowledge
from ..registry import learn
from ..results.result import LearnResult
from .runs import PHASE, nearest_first
from .sweep import Sweep

MIN_ROWS = 20  # number of rows of the shortest table of a learning curve


@validated
@dataclass(frozen=True, eq=False)
class Tables:
    """Tables of a sweep.

    Attributes
    ----------
    label : str
        The difference between the tables.
    names : tuple of str
        The name of each table.
    base : int
        Position of the reference table.
    make : callable
        ``make(k)`` returns table k.
    """

    label: str
    names: tuple[str, ...]
    base: int
    make: Callable[[int], Dataset]

    def __len__(self) -> int:
        return len(self.names)


@validated
def fewer_rows(dataset: Dataset, *, n: Annotated[int, AtLeast(2)] = 20, seed: Seed = 0) -> Tables:
    """Make the tables of a learning curve: `n` nested samples of increasing size, on a log scale, up to all rows.

    A row with an integer weight counts as that many rows.
    """
    single = _one_by_one(dataset)
    if single.n_rows < 2:
        raise DataError(f"removing rows needs at least 2 rows, found {single.n_rows}; use more rows")
    order = _generator(seed).permutation(single.n_rows)
    few = min(MIN_ROWS, single.n_rows // 2)
    sizes = sorted({round(size) for size in np.geomspace(few, single.n_rows, n).tolist()})

    def make(k: int) -> Dataset:
        return dataset if k == len(sizes) - 1 else single.take(np.sort(order[: sizes[k]]))

    return Tables("Rows", tuple(f"{size:,}" for size in sizes), len(sizes) - 1, make)


@validated
def random_halves(dataset: Dataset, *, n: Positive = 20, seed: Seed = 0) -> Tables:
    """Make the table of all rows and `n` random halves; each second half is the complement of the one before."""
    single = _one_by_one(dataset)
    if single.n_rows < 2:
        raise DataError(f"splitting into halves needs at least 2 rows, found {single.n_rows}; use more rows")
    middle, generator = single.n_rows // 2, _generator(seed)
    orders = [generator.permutation(single.n_rows) for _ in range((n + 1) // 2)]

    def make(k: int) -> Dataset:
        if k == 0:
            return dataset
        order = orders[(k - 1) // 2]
        return single.take(np.sort(order[:middle] if k % 2 else order[middle:]))

    return Tables("Random halves", ("all rows", *(f"half {k}" for k in range(1, n + 1))), 0, make)


@validated
def without_columns(dataset: Dataset) -> Tables:
    """Make the table of all columns, and one table without each column."""

    def make(k: int) -> Dataset:
        return dataset if k == 0 else dataset.select([j for j in range(dataset.p) if j != k - 1])

    return Tables("Without a column", ("all columns", *(f"without {name}" for name in dataset.names)), 0, make)


@validated
def without_groups(dataset: Dataset, column: str) -> Tables:
    """Make the table of all rows, and one table without each observed level of a categorical column."""
    check_choice("column", column, list(dataset.names))
    j = dataset.index(column)
    if dataset.kinds[j] != "categorical":
        raise DataError(f"groups of rows need a categorical column, found numbers in {quoted([column])}; take another")
    codes, levels = dataset.codes[dataset.place[j]], dataset.levels[dataset.place[j]]
    present = [level for level in range(len(levels)) if (codes == level).any()]

    def make(k: int) -> Dataset:
        return dataset if k == 0 else dataset.take(np.flatnonzero(codes != present[k - 1]))

    return Tables(
        f"Without a group of {column}", ("all rows", *(f"without {levels[level]}" for level in present)), 0, make
    )


@validated
def other_bins(table: Table, plan: Plan, column: str, *, most: Annotated[int, AtLeast(2)] = 10) -> Tables:
    """Make tables with a binned column in 2 to `most` bins, including the number of bins of the plan."""
    binning = plan.column(column).binning
    if binning is None:
        raise DataError(f"{quoted_columns([column])} is not cut into bins; choose a column that is")
    own = len(binning.cuts) + 1 if binning.method == "cuts" else binning.bins
    counts = sorted({*range(2, most + 1), own})

    def make(k: int) -> Dataset:
        cut = Binning("frequency" if binning.method == "cuts" else binning.method, counts[k])
        return prepare(table, plan if counts[k] == own else plan.change(column, binning=cut)).dataset

    names = tuple(count(bins, "bin") for bins in counts)
    return Tables(f"Bins of {column}", names, counts.index(own), make)


@validated
def sweep_tables(
    key: str,
    tables: Tables,
    *,
    near: int | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: Seed = 0,
    **params: object,
) -> Sweep:
    """Run a learner with the same settings on each of several tables.

    Parameters
    ----------
    key, knowledge, tick, seed, **params
        As for `learn`; knowledge about columns that a table lacks is ignored.
    tables : Tables
    near : int, optional
        Tables near this position come first. Default: the base.

    Returns
    -------
    Sweep
        `parameter` is the label of the tables, `values` are their names. Each result is that of `learn` on its table,
        over the columns of that table.

    Raises
    ------
    LearnersError
        As `learn`.

    Examples
    --------
    >>> from learners import load_sample, sweep_tables
    >>> from learners.sweeping import without_columns
    >>> asia = load_sample("asia").dataset
    >>> sweep_tables("pc", without_columns(asia)).values[:2]
    ('all columns', 'without asia')
    """
    tick = tick or silent
    results: list[LearnResult | None] = [None] * len(tables)
    for number, position in enumerate(nearest_first(range(len(tables)), tables.base if near is None else near)):
        if not tick(PHASE, number, len(tables)):
            break
        table = tables.make(position)
        known = None if knowledge is None else knowledge.over(table.names)
        result = learn(key, table, knowledge=known, tick=tick, seed=seed, **params)
        if not result.complete:
            break
        results[position] = result
    return Sweep(key, tables.label, tables.names, tuple(results))


@validated
def placed(result: LearnResult, names: Sequence[str]) -> PDAG:
    """Return the graph of a result over all of `names`; variables that the result lacks have no edges."""
    if result.names == tuple(names):
        return result.graph
    missing = set(result.names) - set(names)
    if missing:
        theirs = quoted_columns(sorted(missing))
        raise ParameterError(f"names must include those of the result, which has {theirs} too; add them")
    at = np.array([names.index(name) for name in result.names])
    amat = np.zeros((len(names), len(names)), dtype=bool)
    amat[np.ix_(at, at)] = result.graph.amat
    return PDAG(amat)


def _one_by_one(dataset: Dataset) -> Dataset:
    """Repeat rows with integer weights."""
    if dataset.weights is None or dataset.weights.dtype.kind != "i":
        return dataset
    return replace(dataset, weights=None).take(repeated(dataset.weights, dataset.p))


def _generator(seed: Seed) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence([seed]))
