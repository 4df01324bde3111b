"""Search over orders: moves of single variables, deletions in the equivalence class, restarts from perturbed orders.

Andrews et al. (2023); Wienöbst, Henckel and Weichwald (2026).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..common.progress import Stopped, Tick, silent
from ..graphs.consistent_extension import consistent_extension
from ..graphs.cpdag import cpdag
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.scores.gaussian import GaussianFamilies
from ..kernels.search.hill_climbing import DELETE
from ..results.events import Placements
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore
from .climber import moves_between
from .ges_search import ClassSearch, equivalence_search
from .hill_climbing import Search
from .order_climber import OrderClimber, order_climber, order_of

# Share and minimum number of the variables that a restart moves; see benchmarks/README.md.
PERTURBED_SHARE, MIN_PERTURBED = 0.1, 4
MAX_RESTARTS = 40  # maximum number of restarts if it is automatic
RETURNS = 15  # an automatic search ends once it has found the best score this many times
# Maximum work of automatic restarts: local scores of numbers, known ones included, or rows times new scores of levels.
MAX_GAUSSIAN_SCORES, MAX_ROWS_SCORED = 100_000_000, 5_000_000_000
SAME = 1e-6  # tolerance in nats; scores of equivalent DAGs differ by less
NEAR = 3.0  # nats below the best score within which classes are nearly equally supported


@dataclass(frozen=True, eq=False)
class OrderFound(Search):
    """Outcome of a search over orders.

    Attributes
    ----------
    order : tuple of int
        The best order visited; each edge of `dag` points forward in it.
    placements : Placements
        The moves of variables in the order, with the changes of edges that they made in `phases`.
    n_scores : int
        Local scores computed.
    n_restarts : int
    near : tuple of (PDAG, float)
        Local optima within `NEAR` of the best score, best first: a DAG, and the difference of its score to the best.
    """

    order: tuple[int, ...]
    placements: Placements
    n_scores: int
    n_restarts: int
    near: tuple[tuple[PDAG, float], ...]


def order_search(
    score: FamilyScore,
    *,
    max_parents: int | None = None,
    restarts: int | None = 0,
    knowledge: BoundKnowledge | None = None,
    seed: int = 0,
    tick: Tick = silent,
) -> OrderFound:
    """Move each variable to its best position until none moves, then delete edges in the class; repeat and restart.

    Parameters
    ----------
    score : FamilyScore
    max_parents : int, optional
        Maximum number of parents of a node. Default: no limit.
    restarts : int, default 0
        Number of restarts after the search; each moves some variables of the best order to random positions first.
        None: until the best score was found `RETURNS` times, at most `MAX_RESTARTS`; none begins once the restarts
        have computed `most_restart_work`.
    knowledge : BoundKnowledge, optional
        Required edges and tiers restrict the order, excluded edges the parents.
    seed : int, default 0
        Seed of the order in which variables are moved, and of the restarts.
    tick : Tick, optional
        Progress listener. If it returns False, the search ends with the best DAG visited so far.

    Returns
    -------
    OrderFound

    Raises
    ------
    ParameterError
        If a variable has too many required parents.

    Notes
    -----
    The first order is that of a DAG by GES, so without missing values the score is at least that of GES with the same
    limit on parents. Ties and random orders are based on the gains of each variable from single parents, so the result
    does not depend on the order of the columns.
    """
    known = knowledge or BoundKnowledge.none(score.p)
    return _Search(order_climber(score, known, max_parents), known, np.random.default_rng(seed), tick).run(restarts)


def most_restart_work(score: FamilyScore) -> int:
    """Return the work, as `_Search` counts it, after which no automatic restart begins."""
    if isinstance(score.sample, GaussianFamilies):
        return MAX_GAUSSIAN_SCORES
    return MAX_ROWS_SCORED // score.sample.n


class _Search:
    """A search in progress."""

    def __init__(self, climber: OrderClimber, known: BoundKnowledge, rng: np.random.Generator, tick: Tick) -> None:
        self.climber, self.score, self.known, self.rng, self.tick = climber, climber.score, known, rng, tick
        self.start = PDAG(known.required)
        self.n_class_scores = 0  # scores computed by the searches over classes
        self.ends: list[tuple[PDAG, float]] = []  # DAG and score at the end of the first search and of each restart

    def run(self, restarts: int | None) -> OrderFound:
        climber, best, complete = self.climber, self.climber.point(), True
        try:
            climber.rank(self.tick)
            self._begin()
            self._search(Phase(Stage.MOVES))
            most = self._work + most_restart_work(self.score)
            for restart in range(1, (MAX_RESTARTS if restarts is None else restarts) + 1):
                if restarts is None and (self._settled() or self._work >= most):
                    break
                if climber.value > best.score + climber.rules.least:
                    best = climber.point()
                climber.back_to(best)
                n = min(self.score.p, max(MIN_PERTURBED, round(PERTURBED_SHARE * self.score.p)))
                climber.disturb(Phase(Stage.PERTURBATION, round=restart), n, self.rng, self.tick)
                self._search(Phase(Stage.RESTART, round=restart))
        except Stopped:
            complete = False
        if climber.value > best.score + climber.rules.least:
            best = climber.point()
        climber.back_to(best)
        placements = Placements(*map(np.concatenate, zip(*climber.placements, strict=True)))
        dag, order = PDAG(best.parent.T), tuple(best.order.tolist())
        return OrderFound(
            self.start,
            dag,
            best.score,
            tuple(climber.phases),
            complete,
            order,
            placements,
            self._n_scores,
            max(len(self.ends) - 1, 0),
            self._near_best(dag, best.score),
        )

    @property
    def _n_scores(self) -> int:
        """Local scores computed so far."""
        return self.climber.n_scores + self.n_class_scores

    @property
    def _work(self) -> int:
        """Local scores so far; with numbers, known scores count, too, because finding them takes about as long."""
        return self._n_scores + (self.climber.n_known if isinstance(self.score.sample, GaussianFamilies) else 0)

    def _settled(self) -> bool:
        """Return True if the best score was found often enough to end an automatic search."""
        best = max(score for _, score in self.ends)
        return sum(score > best - SAME for _, score in self.ends) >= RETURNS

    def _near_best(self, dag: PDAG, best: float) -> tuple[tuple[PDAG, float], ...]:
        """Return one DAG of each class within `NEAR` of the best score, the best one first."""
        found = {cpdag(dag): (dag, 0.0)}
        for end, score in sorted(self.ends, key=lambda one: -one[1]):
            if score < best - NEAR:
                break
            found.setdefault(cpdag(end), (end, max(best - score, 0.0)))
        return tuple(found.values())

    def _begin(self) -> None:
        """Start from the graph that GES finds."""
        climber, phase = self.climber, Phase(Stage.INITIAL_GRAPH)
        found = self._by_classes(turning=True)
        if not climber.rules.cached:
            self.score.forget()
        dag = self._near(found.graph)
        climber.arrange(order_of(dag.amat | climber.rules.ahead, climber.state.place))
        moves = sorted(moves_between(self.start.amat, dag.amat), key=lambda move: climber.state.place[move[2]])
        climber.follow(phase, np.array(moves, dtype=np.int32).reshape(-1, 3))
        if not found.complete:
            raise Stopped
        climber.settle(phase, self.tick)

    def _search(self, phase: Phase) -> None:
        """Alternate moves of variables and deletions until neither raises the score."""
        self.climber.climb(phase, self.rng, self.tick)
        while self._delete():
            self.climber.settle(phase, self.tick)
            self.climber.climb(phase, self.rng, self.tick)
        self.ends.append((PDAG(self.climber.point().parent.T), self.climber.value))

    def _delete(self) -> bool:
        """Delete edges in the class of the current DAG while that raises the score; return True if it did."""
        climber, dag = self.climber, PDAG(self.climber.point().parent.T)
        found = self._by_classes(start=dag, allowed=np.zeros((dag.p, dag.p), dtype=bool))
        after = self._near(found.graph)
        # With missing values the DAGs of a class can differ in score.
        improves = bool(found.operators) and self.score.network(after) > climber.value + climber.rules.least
        if improves:
            moves = sorted(moves_between(dag.amat, after.amat), key=lambda move: move[0] == DELETE)
            climber.follow(Phase(Stage.DELETIONS), np.array(moves, dtype=np.int32))
            climber.arrange(order_of(after.amat | climber.rules.ahead, climber.state.place))
        if not found.complete:
            raise Stopped
        return improves

    def _by_classes(self, **options: Any) -> ClassSearch:
        """Run a search over classes, and count its scores."""
        before, most = self.score.n_scores, self.climber.rules.max_parents or None
        found = equivalence_search(self.score, max_parents=most, knowledge=self.known, tick=self.tick, **options)
        self.n_class_scores += self.score.n_scores - before
        return found

    def _near(self, graph: PDAG) -> PDAG:
        """Return a DAG of the class, consistent with the knowledge, as close as possible to the current order."""
        last_first = self.climber.state.order[::-1]
        amat = graph.amat & ~(self.known.directions & graph.amat).T
        dag = consistent_extension(PDAG(amat[np.ix_(last_first, last_first)])).dag
        back = self.score.p - 1 - self.climber.state.place
        return PDAG(dag.amat[np.ix_(back, back)])
