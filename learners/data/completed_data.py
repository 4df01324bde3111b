"""Completions of the missing cells of a data set: imputed tables, moments, or cells drawn for an estimate of time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from ..common.arrays import frozen_copy
from ..common.wording import count, was
from .dataset import Dataset

MIN_N = 4  # minimum sample size of a test or score
TABLES, MANY_ROWS, TABLES_OF_MANY_ROWS = 10, 10_000, 4  # tables drawn from moments: 10, or 4 for tables of more rows


class Completer(Protocol):
    """Completes data sets; see `completion.completed.with_completion`."""

    def __call__(self, dataset: Dataset, near: Completion | None) -> CompletedTables | CompletedMoments:
        """Return imputed tables or moments; `near` is the completion of other rows of the same table, or None."""

    def table(self, dataset: Dataset, found: CompletedTables | CompletedMoments, t: int) -> Dataset:
        """Return table number t without missing cells; `found` is the completion of the data set."""


@dataclass(frozen=True, eq=False)
class CompletedTables:
    """Categorical tables, each with its missing cells drawn given the others.

    Attributes
    ----------
    stack : Dataset
        All tables, one below the other; its sample size is that of one of them.
    dags : tuple of (p, p) bool arrays
        The network that each chain of draws ended with.
    """

    stack: Dataset
    dags: tuple[np.ndarray, ...]

    @cached_property
    def mixed(self) -> Dataset:
        """One table, whose rows are taken from all imputed tables in turn."""
        n = self.stack.n_rows // self.stack.copies
        rows = np.arange(n)
        return replace(self.stack.take(rows + n * (rows % self.stack.copies)), copies=1)

    def reordered(self, order: np.ndarray) -> CompletedTables:
        """Return the imputed tables with the variables in another order."""
        dags = tuple(frozen_copy(dag[np.ix_(order, order)], bool) for dag in self.dags)
        return CompletedTables(self.stack.reordered(order.tolist()), dags)


@dataclass(frozen=True, eq=False)
class CompletedMoments:
    """Correlations and variances of the embedded columns, estimated from all cells that are present.

    Attributes
    ----------
    first : (p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``.
    correlation : (q, q) float64 array
    log_variance : (q,) float64 array
    pair_rows : (p, p) float64 array
        Rows, by weight, in which two variables are observed. A correlation is as uncertain as if only these were known.
    n : int
        Sample size of scores: the mean of `pair_rows`, at least 4.
    rounds : int
        Rounds of EM.
    mean : (q,) float64 array
    """

    first: np.ndarray
    correlation: np.ndarray
    log_variance: np.ndarray
    pair_rows: np.ndarray
    n: int
    rounds: int
    mean: np.ndarray

    @property
    def fewest(self) -> tuple[int, int]:
        """The two variables with the fewest rows in common."""
        apart = self.pair_rows + np.diag(np.full(len(self.pair_rows), np.inf))
        x, y = np.unravel_index(apart.argmin(), apart.shape)
        return int(x), int(y)

    @property
    def min_n(self) -> int:
        """Smallest number of rows that two variables have in common, at least `MIN_N`."""
        return max(MIN_N, int(self.pair_rows[self.fewest]))

    def of_variables(self) -> np.ndarray:
        """Return (p, p) float64, read-only: the correlations of continuous variables, 0 for a constant one."""
        found, varies = np.eye(len(self.first) - 1), np.flatnonzero(np.diff(self.first))
        found[np.ix_(varies, varies)] = self.correlation
        return frozen_copy(found, np.float64)

    def reordered(self, order: np.ndarray) -> CompletedMoments:
        """Return the completed moments with the variables in another order."""
        columns = [np.arange(self.first[v], self.first[v + 1]) for v in order]
        at = np.concatenate(columns).astype(np.int64)
        first = np.concatenate([[0], np.cumsum([len(own) for own in columns])])
        return replace(
            self,
            first=frozen_copy(first, np.int64),
            correlation=frozen_copy(self.correlation[np.ix_(at, at)], np.float64),
            log_variance=frozen_copy(self.log_variance[at], np.float64),
            mean=frozen_copy(self.mean[at], np.float64),
            pair_rows=frozen_copy(self.pair_rows[np.ix_(order, order)], np.float64),
        )


class Completion:
    """Imputed tables or moments of a data set, computed when a test or score first needs them.

    Parameters
    ----------
    complete : Completer
    dataset : Dataset
        The data set with missing cells.
    near : Completion, optional

    Attributes
    ----------
    dataset : Dataset
    """

    def __init__(self, complete: Completer, dataset: Dataset, near: Completion | None = None) -> None:
        self._complete, self.dataset, self._near = complete, dataset, near
        self._tables: dict[int, Dataset] = {}

    @cached_property
    def found(self) -> CompletedTables | CompletedMoments:
        """The imputed tables or moments."""
        return self._complete(self.dataset, self._near)

    @property
    def n_tables(self) -> int:
        """Number of tables that `table` draws; fewer for many rows, where draws differ less."""
        if isinstance(self.found, CompletedTables):
            return self.found.stack.copies
        return TABLES if self.dataset.n_rows <= MANY_ROWS else TABLES_OF_MANY_ROWS

    def table(self, t: int) -> Dataset:
        """Return table number t, whose missing cells are drawn given the observed ones, with its own parameters."""
        if t not in self._tables:
            self._tables[t] = self._complete.table(self.dataset, self.found, t)
        return self._tables[t]

    @property
    def correlation(self) -> np.ndarray:
        """(p, p) float64, read-only: the completed correlations of continuous variables."""
        return self.found.of_variables()

    @property
    def is_used(self) -> bool:
        """True if the imputed tables or moments have been computed."""
        return "found" in self.__dict__

    def of(self, dataset: Dataset) -> Completion:
        """Return the completion of other rows of the table; its computation starts from this one."""
        return Completion(self._complete, dataset, self._near or self)


def completed_tables(dataset: Dataset) -> Dataset:
    """Return the imputed tables of categorical data; the data set itself if it has none."""
    if dataset.completion is None or dataset.kind != "categorical":
        return dataset
    return dataset.completion.found.stack


def completed_moments(dataset: Dataset) -> CompletedMoments | None:
    """Return the completed moments of continuous or mixed data; None if there are none."""
    if dataset.completion is None or dataset.kind == "categorical":
        return None
    return dataset.completion.found


def drawn_tables(dataset: Dataset) -> tuple[Dataset, ...]:
    """Return tables without missing cells, drawn by the completion; empty without a completion or missing cells."""
    if dataset.completion is None or dataset.complete:
        return ()
    return tuple(dataset.completion.table(t) for t in range(dataset.completion.n_tables))


ASSUMED = "this assumes that missingness depends only on observed cells"


def describe_filling(missing: int, share: float) -> str:
    """Return a sentence, without a capital or a full stop, on the number of filled cells.

    Parameters
    ----------
    missing : int
    share : float
        Filled cells as a share of all cells.
    """
    cells = f"{count(missing, 'missing cell')} ({100 * share:.2g}%)"
    return f"{cells} {was(missing)} imputed several times, by draws given the other columns"


def with_drawn_cells(dataset: Dataset) -> Dataset:
    """Return the data set with each missing cell replaced by a cell that its column has elsewhere.

    The draws ignore all other columns, so the table is no basis of a result; tests and scores of it take as long as
    those of a completed table. A column without any cell gets its first level, or 0.
    """
    if dataset.complete:
        return dataset
    rng = np.random.default_rng(0)
    codes = None if dataset.codes is None else dataset.codes.copy()
    values = None if dataset.values is None else dataset.values.copy()
    for j in np.flatnonzero(dataset.incomplete).tolist():
        there = dataset.is_there(j)
        column = values[:, dataset.place[j]] if dataset.kinds[j] == "continuous" else codes[dataset.place[j]]
        known = column[there] if there.any() else np.zeros(1, column.dtype)
        column[~there] = known[rng.integers(len(known), size=int((~there).sum()))]
    return replace(
        dataset,
        codes=None if codes is None else frozen_copy(codes, codes.dtype),
        values=None if values is None else frozen_copy(values, np.float64),
        completion=None,
        unscored=None,
    )
