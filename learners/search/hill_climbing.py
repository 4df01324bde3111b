"""Greedy search over DAGs by `kernels.search.hill_climbing`: hill climbing with random restarts, and tabu search."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..common.errors import ParameterError
from ..common.progress import Stopped, Tick, silent
from ..common.wording import quoted, shown_value
from ..graphs.graph import PDAG, check_dag
from ..graphs.knowledge import BoundKnowledge
from ..kernels.search.hill_climbing import ClimbRules
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore
from .climber import Climber, PhaseMoves, Ties


@dataclass(frozen=True, eq=False)
class Search:
    """Outcome of a greedy search over DAGs.

    Attributes
    ----------
    start, dag : PDAG
        The first DAG, and the best one visited.
    score : float
        Score of `dag`.
    phases : tuple of PhaseMoves
        The moves from `start` to `dag`.
    complete : bool
        False if the search was cancelled.
    """

    start: PDAG
    dag: PDAG
    score: float
    phases: tuple[PhaseMoves, ...]
    complete: bool


def greedy_search(
    score: FamilyScore,
    *,
    start: PDAG | None = None,
    allowed: np.ndarray | None = None,
    max_parents: int | None = None,
    knowledge: BoundKnowledge | None = None,
    tabu_length: int = 0,
    patience: int = 0,
    restarts: int = 0,
    perturbations: int = 1,
    ties: Ties = "data",
    seed: int = 0,
    tick: Tick = silent,
) -> Search:
    """Add, delete and reverse edges, always by the move with the largest gain.

    Parameters
    ----------
    score : FamilyScore
    start : PDAG, optional
        First DAG. Default: only the required edges.
    allowed : (p, p) bool array, optional
        Entry [i, j] is True if i -> j may be added. Other edges of `start` may stay or be deleted. Default: all.
    max_parents : int, optional
        Maximum number of parents of a node. Default: no limit.
    knowledge : BoundKnowledge, optional
        Required edges are never deleted or reversed, excluded ones never added.
    tabu_length : int, default 0
        Number of last DAGs, including the start, that are not visited again.
    patience : int, default 0
        0 stops when no move gains. Otherwise the search makes the best move even if it loses, and stops after this many
        consecutive moves without a new best DAG.
    restarts, perturbations : int, default 0 and 1
        Number of restarts after the search, and number of random legal moves from the best DAG before each of them.
    ties : "data", "reverse" or "columns"
        Order of moves of the same kind with equal gains. "columns": the smallest i, then the smallest j. "data": the i,
        then the j, that gain most from single parents, summed over all allowed ones, so the result does not depend on
        the order of the columns. "reverse": the opposite order of "data".
    seed : int, default 0
        Seed of the random moves.
    tick : Tick, optional
        Progress listener. If it returns False, the search ends with the best DAG visited so far.

    Returns
    -------
    Search

    Raises
    ------
    ParameterError
        If `start` is not a DAG, has too many parents or contradicts the knowledge.

    Notes
    -----
    A move must gain more than 1e-9 of the score. Of moves with equal gains, additions come before deletions and
    reversals. Ties are frequent: i -> j and j -> i have equal gains whenever both nodes have the same parents, and
    later moves build on the direction chosen [1]_.

    References
    ----------
    .. [1] Kitson and Constantinou (2024), The impact of variable ordering on Bayesian network structure learning. Data
       Mining and Knowledge Discovery 38.
    """
    most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
    known = knowledge or BoundKnowledge.none(score.p)
    start = checked_start(start, known, score.names, most)
    may_add = allowed_edges(allowed, score.p) & ~known.excluded & ~np.eye(score.p, dtype=bool)
    rules = ClimbRules(
        np.array(may_add.T, order="C"), np.array(known.required.T, order="C"), most, np.arange(score.p), patience
    )
    climber = Climber(score, rules, start, tabu_length, ties)
    phases: list[PhaseMoves] = []
    try:
        phases += climber.run(Phase(Stage.MOVES), tick)
        rng = np.random.default_rng(seed)
        for restart in range(1, restarts + 1):
            phases += climber.back_to_best()
            phases += climber.perturb(Phase(Stage.PERTURBATION, round=restart), perturbations, rng)
            phases += climber.run(Phase(Stage.RESTART, round=restart), tick)
        complete = True
    except Stopped as stopped:
        phases += stopped.partial
        complete = False
    phases += climber.back_to_best()
    best = float(climber.state.best[0])
    # A search cancelled before its first move has not scored its start.
    best = score.network(start) if math.isnan(best) else best
    return Search(start, PDAG(climber.state.parent.T), best, tuple(phases), complete)


def allowed_edges(allowed: np.ndarray | None, p: int) -> np.ndarray:
    """Return a (p, p) bool array of the allowed edges; all by default.

    Raises
    ------
    ParameterError
        If it is not such an array.
    """
    if allowed is None:
        return np.ones((p, p), dtype=bool)
    try:
        edges = np.asarray(allowed, dtype=bool)
    except (TypeError, ValueError):
        edges = np.zeros(0, dtype=bool)
    if edges.shape != (p, p):
        raise ParameterError(
            f"allowed must be a matrix with {p} rows and {p} columns of True and False, got {shown_value(allowed)}; "
            "pass one entry for each pair"
        )
    return edges


def checked_start(start: PDAG | None, known: BoundKnowledge, names: tuple[str, ...], most: int) -> PDAG:
    """Return the start with the required edges.

    Raises
    ------
    ParameterError
        If the start is not a DAG, has too many parents or contradicts the knowledge.
    """
    if start is not None:
        check_dag(start)
        if start.p != len(names):
            raise ParameterError(f"start must have a node for each of {len(names)} variables, got {start.p} nodes")
    amat = known.required if start is None else start.amat | known.required
    against = np.argwhere(amat & (known.excluded | known.required.T))
    if len(against):
        i, j = (names[k] for k in against[0])
        raise ParameterError(
            f"start must respect the knowledge, which rules out {quoted([i])} -> {quoted([j])}; remove one of them"
        )
    dag = PDAG(amat)
    if dag.has_directed_cycle():
        raise ParameterError("start and the required edges must not form a cycle; remove one of them")
    over_limit = [names[j] for j in np.flatnonzero(amat.sum(axis=0) > most)]
    if over_limit:
        raise ParameterError(
            f"at most {most} parents are possible, {quoted(over_limit)} start with more; raise max_parents, "
            "require fewer edges or load more rows"
        )
    return dag
