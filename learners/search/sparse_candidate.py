"""Sparse candidate search: choose candidate parents for every variable, climb within them, and choose again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..common.progress import Stopped, Tick
from ..common.relabeling import ByPair
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.search.hill_climbing import ClimbRules
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore
from .climber import Climber, PhaseMoves, Ties
from .hill_climbing import Search, greedy_search

THRESHOLD = 1e-9  # minimum gain of a round, relative to the score


@dataclass(frozen=True, eq=False)
class Round:
    """One choice of candidate parents and the search within it.

    Attributes
    ----------
    candidates : (p, p) bool array
        Entry [i, j] is True if i was a candidate parent of j.
    score : float
        Score of the best DAG found.
    """

    candidates: ByPair
    score: float


def sparse_candidate_search(
    score: FamilyScore, n_candidates: int, max_rounds: int, known: BoundKnowledge, ties: Ties, tick: Tick
) -> tuple[Search, tuple[Round, ...]]:
    """Alternate the choice of candidates and hill climbing while the score rises.

    Parameters
    ----------
    score : FamilyScore
    n_candidates : int
        Number of candidate parents of each variable, and maximum number of parents.
    max_rounds : int
    known : BoundKnowledge
    ties, tick
        As for `greedy_search`.

    Returns
    -------
    Search
        All rounds as one search.
    tuple of Round
        The rounds in their order.

    Raises
    ------
    ParameterError
        If a variable has more required parents than candidates.
    """
    start = dag = PDAG(known.required)
    phases: list[PhaseMoves] = []
    rounds: list[Round] = []
    complete = True
    while complete and len(rounds) < max_rounds:
        try:
            candidates = choose_candidates(score, dag, n_candidates, known, f"choosing {len(rounds) + 1}", tick)
        except Stopped:
            complete = False
            break
        if rounds and np.array_equal(candidates, rounds[-1].candidates):
            break
        found = greedy_search(
            score, start=dag, allowed=candidates, max_parents=n_candidates, knowledge=known, ties=ties, tick=tick
        )
        own = Phase(Stage.CANDIDATES, round=len(rounds) + 1)
        phases += [replace(one, phase=own) if one.phase.stage is Stage.MOVES else one for one in found.phases]
        better = not rounds or found.score > rounds[-1].score + THRESHOLD * max(1.0, abs(found.score))
        dag, complete = found.dag, found.complete
        rounds.append(Round(candidates, found.score))
        if not better:
            break
    best = rounds[-1].score if rounds else score.network(start)
    return Search(start, dag, best, tuple(phases), complete), tuple(rounds)


def choose_candidates(
    score: FamilyScore, dag: PDAG, n_candidates: int, known: BoundKnowledge, phase: str, tick: Tick
) -> np.ndarray:
    """Return (p, p) bool: entry [i, j] is True if i is a parent of j or gains most in addition to the parents of j.

    Raises
    ------
    Stopped
        If cancelled.
    """
    p = score.p
    may_add = ~known.excluded & ~np.eye(p, dtype=bool)
    rules = ClimbRules(
        np.ascontiguousarray(may_add.T), np.ascontiguousarray(known.required.T), score.most_parents, np.arange(p), 0
    )
    gains = Climber(score, rules, dag, 0, "columns").gains(phase, tick)
    gains[dag.amat] = np.inf
    candidates = np.zeros((p, p), dtype=bool)
    for j in range(p):
        order = np.argsort(-gains[:, j], kind="stable")[: max(n_candidates, int(dag.amat[:, j].sum()))]
        candidates[order, j] = gains[order, j] > -np.inf
    candidates.flags.writeable = False
    return candidates
