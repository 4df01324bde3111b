"""Tables without missing cells for the checks and the verdict, with no more rows than are seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.progress import Tick, silent
from ..common.serial_products import products_of
from ..completion.completed import with_completion
from ..data.completed_data import TABLES
from ..data.dataset import Dataset

MIN_SEEN = 0.5  # minimum number of rows with both columns of a judged pair, as a share of the mean over pairs
STREAM = 7  # random stream of the rows that are taken


@dataclass(frozen=True, eq=False)
class SeenRows:
    """Rows in which pairs of columns are observed.

    Attributes
    ----------
    of_pairs : (p, p) float64 array
        Rows that have both columns.
    n : int
        Rows that each judged pair has at least; all rows if no cell is missing.
    """

    of_pairs: np.ndarray
    n: int

    @property
    def judged(self) -> np.ndarray:
        """(p, p) bool: pairs observed in at least half the mean number of rows per pair."""
        return self.of_pairs >= self.n


def n_groups(dataset: Dataset) -> int:
    """Return the number of groups of rows, or the number of rows if the data set has no groups."""
    return dataset.n_rows if dataset.groups is None else len(np.unique(dataset.groups))


def seen_rows(dataset: Dataset) -> SeenRows:
    """Return the number of rows in which each pair of columns is observed, scaled to one row per group."""
    if dataset.complete:
        rows = np.full((dataset.p, dataset.p), float(dataset.n_rows))
    else:
        there = np.column_stack([dataset.is_there(j) for j in range(dataset.p)]).astype(np.float64)
        rows = products_of(there, there)
    rows *= n_groups(dataset) / max(dataset.n_rows, 1)
    pairs = rows[np.triu_indices(dataset.p, 1)]
    if not len(pairs):
        return SeenRows(rows, int(rows.min(initial=dataset.n_rows)))
    judged = pairs[pairs >= MIN_SEEN * pairs.mean()]
    return SeenRows(rows, int(judged.min()))


class FilledTables:
    """Tables drawn by the completion of a data set; the data set itself if no cell is missing.

    Parameters
    ----------
    dataset : Dataset
    seed : int, default 0
    tick : Tick, optional
        Progress listener of the completion.

    Attributes
    ----------
    seen : SeenRows
    """

    def __init__(self, dataset: Dataset, *, seed: int = 0, tick: Tick = silent) -> None:
        self.seen = seen_rows(dataset)
        self._dataset, self._seed = with_completion(dataset.with_completion(None), seed=seed, tick=tick), seed

    def __len__(self) -> int:
        if not self._dataset.complete:
            return self._dataset.completion.n_tables
        return 1 if self._dataset.groups is None else TABLES

    def whole(self, t: int) -> Dataset:
        """Return table number t, with all rows."""
        return self._dataset if self._dataset.complete else self._dataset.completion.table(t)

    def as_seen(self, t: int) -> Dataset:
        """Return a random sample of `seen.n` rows of table number t, in their order; all rows if there are no more.

        Keep one row per group of dependent rows, such as the measurements of one subject.
        """
        table = self.whole(t)
        if table.n_rows <= self.seen.n:
            return table
        rows = np.random.default_rng([self._seed, STREAM, t]).permutation(table.n_rows)
        if table.groups is not None:
            rows = rows[np.unique(table.groups[rows], return_index=True)[1]]
            rows = np.random.default_rng([self._seed, STREAM, t, 1]).permutation(rows)
        return table.take(np.sort(rows[: self.seen.n])).with_groups(None)
