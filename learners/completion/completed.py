"""Attach a completion to a data set with missing cells."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.progress import LatchedTick, Tick, silent
from ..common.validation import Seed, validated
from ..data.completed_data import CompletedMoments, CompletedTables, Completion
from ..data.dataset import Dataset
from ..graphs.knowledge import Knowledge
from ..settings.reference import Reference
from ..settings.shared import AVAILABLE

# Imported only for a table with missing cells
complete_tables = Reference("completion.categorical_augmentation", "complete_tables")
complete_moments = Reference("completion.moments", "complete_moments")
draw_table = Reference("completion.imputed_tables", "draw_table")

Missing = Literal["auto", "available"]
MAX_KEPT = 4  # maximum number of completions that are cached for other runs on the same data

_kept: OrderedDict[Hashable, CompletedTables | CompletedMoments] = OrderedDict()
_lock = threading.Lock()


@validated
def with_completion(
    dataset: Dataset,
    *,
    missing: Missing = "auto",
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    tick: Tick | None = None,
) -> Dataset:
    """Return a data set whose missing cells are imputed when a score, test or estimate first needs it.

    `learn` does so itself. `fit`, `adjusted_effect` and `possible_effects` average over the imputed tables of such a
    data set; of others they use the rows that have the cells.

    Numbers, and mixed columns embedded as numbers, get the moments that EM estimates, from which tables are drawn.
    Categorical tables are imputed several times, by draws from networks that are learned from the imputed tables.

    Parameters
    ----------
    dataset : Dataset
    missing : "auto" or "available", default "auto"
        "available" leaves the data set as it is: each test and score uses the rows that have its columns.
    knowledge : Knowledge, optional
        It also restricts the networks from which categorical cells are drawn.
    seed : int, default 0
        Seed of the draws.
    tick : Tick, optional
        Progress listener. If it returns False, the completion ends with the values reached so far.

    Returns
    -------
    Dataset
        The data set itself if no cell is missing, if it has a completion, or if nothing is to be completed.

    Examples
    --------
    >>> from learners import fit, load_network, load_sample, with_completion, with_missing_cells
    >>> data = with_missing_cells(load_sample("asia").dataset, 0.1, "mar", seed=1)
    >>> fit(load_network("asia").dag, with_completion(data)).fitted.tables
    10
    """
    if missing == AVAILABLE or dataset.complete or dataset.completion is not None:
        return dataset
    return dataset.with_completion(Completion(Complete(knowledge, seed, tick or silent), dataset))


@dataclass(frozen=True)
class Complete:
    """Completes data sets; see `with_completion`."""

    knowledge: Knowledge | None
    seed: int
    tick: Tick

    def __getstate__(self) -> dict:
        """Pickle without the listener, which belongs to this process."""
        return {"knowledge": self.knowledge, "seed": self.seed, "tick": silent}

    def __call__(self, dataset: Dataset, near: Completion | None) -> CompletedTables | CompletedMoments:
        """Complete in the order of the names, so that the order of the columns does not matter."""
        order = np.array(dataset.by_name)
        key = (dataset.reordered(order.tolist()).fingerprint, self.seed, repr(self.knowledge))
        found = _recall(key) if near is None else None
        if found is None:
            found, whole = self._complete(dataset.reordered(order.tolist()), near)
            if near is None and whole:
                _keep(key, found)
        return found.reordered(np.argsort(order))

    def table(self, dataset: Dataset, found: CompletedTables | CompletedMoments, t: int) -> Dataset:
        """Draw a table in the order of the names, so that the order of the columns does not matter."""
        order = np.array(dataset.by_name)
        drawn = draw_table(dataset.reordered(order.tolist()), found.reordered(order), t, seed=self.seed)
        return drawn.reordered(np.argsort(order).tolist())

    def _complete(self, dataset: Dataset, near: Completion | None) -> tuple[CompletedTables | CompletedMoments, bool]:
        """Return the completion of the missing cells, and True unless the listener cancelled it."""
        tick = LatchedTick(self.tick)
        former = None if near is None else near.found.reordered(np.array(near.dataset.by_name))
        if dataset.kind == "categorical":
            start = None if former is None else former.dags
            found = complete_tables(dataset, knowledge=self.knowledge, seed=self.seed, start=start, tick=tick)
        else:
            found = complete_moments(dataset, start=former, tick=tick)
        return found, not tick.is_cancelled


def _recall(key: Hashable) -> CompletedTables | CompletedMoments | None:
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
        return _kept.get(key)


def _keep(key: Hashable, found: CompletedTables | CompletedMoments) -> None:
    with _lock:
        _kept[key] = found
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)
