"""One learner on several tables: fewer rows, halves, other bins, without a column or a group of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..common.checks import check_choice, check_count
from ..common.errors import DataError, ParameterError
from ..common.progress import Tick, silent
from ..common.validation import Seed, validated
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

LEAST_ROWS = 20  # of the shortest table of a learning curve


@validated
@dataclass(frozen=True, eq=False)
class Tables:
    """Tables to learn from one after the other.

    Attributes
    ----------
    label : str
        What differs.
    names : tuple of str
        What each is called.
    base : int
        Position of the one that the others are held against.
    make : callable
        ``make(k)`` is table k.
    """

    label: str
    names: tuple[str, ...]
    base: int
    make: Callable[[int], Dataset]

    def __len__(self) -> int:
        return len(self.names)


@validated
def fewer_rows(dataset: Dataset, *, n: int = 20, seed: Seed = 0) -> Tables:
    """A learning curve: `n` tables of ever more rows, each within the next one, up to all; counted on a log scale.

    Rows that count several times are taken one by one.
    """
    check_count("n", n, 2)
    single = _one_by_one(dataset)
    if single.n_rows < 2:
        raise DataError(f"fewer rows need at least 2 rows, found {single.n_rows}; use more rows")
    order = _generator(seed).permutation(single.n_rows)
    few = min(LEAST_ROWS, single.n_rows // 2)
    sizes = sorted({round(size) for size in np.geomspace(few, single.n_rows, n).tolist()})

    def make(k: int) -> Dataset:
        return dataset if k == len(sizes) - 1 else single.take(np.sort(order[: sizes[k]]))

    return Tables("Rows", tuple(f"{size:,}" for size in sizes), len(sizes) - 1, make)


@validated
def random_halves(dataset: Dataset, *, n: int = 20, seed: Seed = 0) -> Tables:
    """All rows, and `n` random halves: every second one is what the half before it left."""
    check_count("n", n, 1)
    single = _one_by_one(dataset)
    if single.n_rows < 2:
        raise DataError(f"halves need at least 2 rows, found {single.n_rows}; use more rows")
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
    """All columns, and each left out in turn."""

    def make(k: int) -> Dataset:
        return dataset if k == 0 else dataset.select([j for j in range(dataset.p) if j != k - 1])

    return Tables("Without a column", ("all columns", *(f"without {name}" for name in dataset.names)), 0, make)


@validated
def without_groups(dataset: Dataset, column: str) -> Tables:
    """All rows, and those without each level of a categorical column in turn, but levels that no row has."""
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
def other_bins(table: Table, plan: Plan, column: str, *, most: int = 10) -> Tables:
    """The table as the plan prepares it, with a binned column in 2 to `most` bins, the plan's own number among them."""
    binning = plan.column(column).binning
    if binning is None:
        raise DataError(f"{quoted_columns([column])} is not cut into bins; choose a column that is")
    check_count("most", most, 2)
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
        As for `learn`; of the knowledge counts what is about columns that a table has.
    tables : Tables
    near : int, optional
        Tables near this position are done first. Default: the base.

    Returns
    -------
    Sweep
        Its `parameter` is the label of the tables, its `values` are their names. Each result is that of `learn` on its
        table, over the columns of that table.

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
    """The graph of a result among all of `names`, those that it lacks without an edge."""
    if result.names == tuple(names):
        return result.graph
    lacking = set(result.names) - set(names)
    if lacking:
        theirs = quoted_columns(sorted(lacking))
        raise ParameterError(f"names must hold those of the result, which has {theirs} too; add them")
    at = np.array([names.index(name) for name in result.names])
    amat = np.zeros((len(names), len(names)), dtype=bool)
    amat[np.ix_(at, at)] = result.graph.amat
    return PDAG(amat)


def _one_by_one(dataset: Dataset) -> Dataset:
    """Rows that count several times as so many rows."""
    if dataset.weights is None or dataset.weights.dtype.kind != "i":
        return dataset
    return replace(dataset, weights=None).take(repeated(dataset.weights, dataset.p))


def _generator(seed: Seed) -> np.random.Generator:
    check_count("seed", seed)
    return np.random.default_rng(np.random.SeedSequence([seed]))
