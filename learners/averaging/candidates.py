"""Which few variables may be parents of each: those that searches on resamples join it to, and those that gain most."""

from __future__ import annotations

import numpy as np

from ..common.progress import Stopped, Tick
from ..data.bootstrap_rows import resampled
from ..data.dataset import Dataset
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.search.climbing import Rules
from ..scores import FamilyScore
from ..search import order_search
from ..search.climber import Climber

RESAMPLES = 10


def searched(
    dataset: Dataset, score: FamilyScore, most: int, known: BoundKnowledge, seed: int, tick: Tick
) -> list[PDAG]:
    """DAGs by searches over orders: on the data, then on resamples of the rows.

    Raises
    ------
    Stopped
        If cancelled.
    """
    found = []
    for t in range(RESAMPLES + 1):
        own = score.on(resampled(dataset, seed, (t,))) if t else score
        search = order_search(own, max_parents=most, knowledge=known, seed=seed, tick=tick)
        if not search.complete:
            raise Stopped
        found.append(search.dag)
    return found


def choose(score: FamilyScore, dags: list[PDAG], k: int, known: BoundKnowledge, tick: Tick) -> np.ndarray:
    """(p, k) int64: candidate parents of each variable, -1 where there are fewer.

    Required ones first, then those that most of the DAGs join it to, then those that gain most beside its parents in
    the first DAG.

    Raises
    ------
    Stopped
        If cancelled.
    """
    p = score.p
    may = ~known.excluded & ~np.eye(p, dtype=bool)
    rules = Rules(
        np.ascontiguousarray(may.T), np.ascontiguousarray(known.required.T), score.most_parents, np.arange(p), 0
    )
    gains = Climber(score, rules, dags[0], 0, "columns").gains("candidates", tick)
    joined = sum(dag.skeleton.astype(np.int64) for dag in dags)
    candidates = np.full((p, k), -1, dtype=np.int64)
    for j in range(p):
        order = np.lexsort((-gains[:, j], -joined[:, j], ~known.required[:, j]))
        chosen = order[may[order, j]][:k]
        candidates[j, : len(chosen)] = chosen
    return candidates
