"""Which few variables may be parents of each: those that searches join it to, and those that gain most."""

from __future__ import annotations

import numpy as np

from ..common.progress import Stopped, Tick
from ..data.dataset import Dataset
from ..data.resampling import resampled
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.scores.discrete import DiscreteFamilies
from ..kernels.scores.node_average import IncompleteFamilies
from ..kernels.search.hill_climbing import ClimbRules
from ..scores.score import FamilyScore
from ..search.climber import Climber
from ..search.hill_climbing import greedy_search
from ..search.order_search import order_search

RESAMPLES = 10
NOTHING = 1e-9  # a gain that is rounding alone


def searched(
    dataset: Dataset, score: FamilyScore, most: int, known: BoundKnowledge, n_best: int, seed: int, tick: Tick
) -> list[PDAG]:
    """DAGs found on the data, then on resamples of the rows: the first `n_best` by BOSS, others of levels by climbs.

    Of numbers all are by BOSS: there climbs join many that others would part.

    Raises
    ------
    Stopped
        If cancelled.
    """
    found, is_quick = [], not isinstance(score.sample, DiscreteFamilies | IncompleteFamilies)
    for t in range(RESAMPLES + 1):
        own = score.on(resampled(dataset, seed, (t,))) if t else score
        if t < n_best or is_quick:
            search = order_search(own, max_parents=most, knowledge=known, seed=seed, tick=tick)
        else:
            search = greedy_search(own, max_parents=most, knowledge=known, tick=tick)
        if not search.complete:
            raise Stopped
        found.append(search.dag)
    return found


def choose(score: FamilyScore, dags: list[PDAG], n_best: int, k: int, known: BoundKnowledge, tick: Tick) -> np.ndarray:
    """(p, k) int64: candidate parents of each variable, -1 where there are fewer.

    Required ones first, then those that most of the first `n_best` DAGs join it to, then most of all, then those that
    gain most beside its parents in the first DAG.

    Raises
    ------
    Stopped
        If cancelled.
    """
    p = score.p
    gains, may = gains_beside(score, dags[0], known, tick)
    joined, by_best = (sum(dag.skeleton.astype(np.int64) for dag in some) for some in (dags, dags[:n_best]))
    candidates = np.full((p, k), -1, dtype=np.int64)
    for j in range(p):
        order = np.lexsort((-gains[:, j], -joined[:, j], -by_best[:, j], ~known.required[:, j]))
        chosen = order[may[order, j]][:k]
        candidates[j, : len(chosen)] = chosen
    return candidates


def gains_beside(score: FamilyScore, dag: PDAG, known: BoundKnowledge, tick: Tick) -> tuple[np.ndarray, np.ndarray]:
    """What each arrow gains beside the parents in a DAG (p, p) float64, and which may be (p, p) bool.

    One that gains nothing and costs nothing may not: a column that does not vary would be a parent of half of all, and
    have half of all as parents.

    Raises
    ------
    Stopped
        If cancelled.
    """
    may = ~known.excluded & ~np.eye(score.p, dtype=bool)
    required = np.ascontiguousarray(known.required.T)
    rules = ClimbRules(np.ascontiguousarray(may.T), required, score.most_parents, np.arange(score.p), 0)
    gains = Climber(score, rules, dag, 0, "columns").gains("candidates", tick)
    return gains, may & (np.abs(gains) > NOTHING)
