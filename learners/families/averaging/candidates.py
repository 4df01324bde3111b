"""Choose candidate parents: neighbours in DAGs found by searches, then the parents with the largest score gains."""

from __future__ import annotations

import numpy as np

from ...common.progress import Stopped, Tick
from ...data.dataset import Dataset
from ...data.resampling import resampled
from ...graphs.graph import PDAG
from ...graphs.knowledge import BoundKnowledge
from ...kernels.scores.bdeu_and_bic import DiscreteFamilies
from ...kernels.scores.node_average import IncompleteFamilies
from ...scores.score import FamilyScore
from ...search.climber import gains_of_moves
from ...search.hill_climbing import greedy_search
from ...search.order_search import order_search

RESAMPLES = 10
MIN_GAIN = 1e-9  # smaller gains are rounding errors


def searched(
    dataset: Dataset, score: FamilyScore, most: int, known: BoundKnowledge, n_best: int, seed: int, tick: Tick
) -> list[PDAG]:
    """Return DAGs learned from the data and from resamples of the rows.

    BOSS learns the first `n_best`, and hill climbing the others if the data are categorical. With continuous or mixed
    data BOSS learns all of them, since hill climbing adds many false edges there.

    Raises
    ------
    Stopped
        If cancelled.
    """
    found, only_boss = [], not isinstance(score.sample, DiscreteFamilies | IncompleteFamilies)
    for t in range(RESAMPLES + 1):
        own = score.on(resampled(dataset, seed, (t,))) if t else score
        if t < n_best or only_boss:
            search = order_search(own, max_parents=most, knowledge=known, seed=seed, tick=tick)
        else:
            search = greedy_search(own, max_parents=most, knowledge=known, tick=tick)
        if not search.complete:
            raise Stopped
        found.append(search.dag)
    return found


def choose(
    score: FamilyScore, dags: list[PDAG], n_best: int, k: int, known: BoundKnowledge, tick: Tick
) -> tuple[np.ndarray, np.ndarray]:
    """Return (p, m) int64 candidate parents of each variable, padded with -1, and the (p,) number of possible parents.

    Required parents come first, then the neighbours in most of the first `n_best` DAGs, then those in most of all DAGs,
    then the variables that gain most when added to the parents in the first DAG, `k` variables in all. Parents in the
    first `n_best` DAGs are always candidates, so that all of these DAGs have a weight; m is `k`, or more for them.

    Raises
    ------
    Stopped
        If cancelled.
    """
    p = score.p
    gains, may = gains_beside(score, dags[0], known, tick)
    joined, by_best = (sum(dag.skeleton.astype(np.int64) for dag in some) for some in (dags, dags[:n_best]))
    parents = np.logical_or.reduce([dag.amat for dag in dags[:n_best]])
    found = []
    for j in range(p):
        order = np.lexsort((-gains[:, j], -joined[:, j], -by_best[:, j], ~known.required[:, j]))
        order = order[may[order, j]]
        found.append(np.concatenate([order[:k], order[k:][parents[order[k:], j]]]))
    candidates = np.full((p, max(k, max(map(len, found)))), -1, dtype=np.int64)
    for row, chosen in zip(candidates, found, strict=True):
        row[: len(chosen)] = chosen
    return candidates, may.sum(axis=0)


def gains_beside(score: FamilyScore, dag: PDAG, known: BoundKnowledge, tick: Tick) -> tuple[np.ndarray, np.ndarray]:
    """Return the (p, p) float64 gain of adding each arrow to a DAG, and a (p, p) bool mask of the allowed arrows.

    An arrow with neither gain nor loss is not allowed: otherwise half of all variables would be parents or children of
    a constant column.

    Raises
    ------
    Stopped
        If cancelled.
    """
    may = ~known.excluded & ~np.eye(score.p, dtype=bool)
    gains = gains_of_moves(score, dag, known, "candidates", tick)
    return gains, may & (np.abs(gains) > MIN_GAIN)
