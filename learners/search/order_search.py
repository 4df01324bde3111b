"""Search over orders: places of single variables, deletions in the class, and disturbed orders to begin again from.

Andrews et al. (2023); Wienöbst, Henckel and Weichwald (2026).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..common.progress import Stopped, Tick, silent
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.search.hill_climbing import DELETE
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore
from .climber import moves_between
from .equivalence import ClassSearch, equivalence_search
from .hill_climbing import Search
from .order_bounds import order_walk
from .order_walk import OrderWalk, Placements, order_of

SHARE, FEWEST = 0.1, 4  # variables that a restart puts anywhere; see benchmarks/README.md


@dataclass(frozen=True, eq=False)
class OrderFound(Search):
    """What a search over orders did.

    Attributes
    ----------
    order : tuple of int
        The best order met; each edge of `dag` points forward in it.
    placements : Placements
        The variables that were put elsewhere, with the moves that this made in `phases`.
    n_scores : int
        Local scores computed.
    """

    order: tuple[int, ...]
    placements: Placements
    n_scores: int


def order_search(
    score: FamilyScore,
    *,
    max_parents: int | None = None,
    restarts: int = 0,
    knowledge: BoundKnowledge | None = None,
    seed: int = 0,
    tick: Tick = silent,
) -> OrderFound:
    """Put each variable in its best place until none moves, then delete edges from the class; and begin again.

    Parameters
    ----------
    score : FamilyScore
    max_parents : int, optional
        Most parents of a node. Default: no limit.
    restarts : int, default 0
        After the search, so many times: put some variables anywhere in the best order and search on from there.
    knowledge : BoundKnowledge, optional
        Required edges and tiers bound the order, excluded edges the parents.
    seed : int, default 0
        Source of the turns in which variables are looked at, and of the restarts.
    tick : Tick, optional
        Listener; once it returns False the search ends with the best DAG met so far.

    Returns
    -------
    OrderFound

    Raises
    ------
    ParameterError
        If a variable has too many required parents.

    Notes
    -----
    The first order is one of a DAG by GES, so the score is at least that of GES with the same limit on parents where no
    cell is missing. Ties are settled, and turns drawn, by what each variable gains from single parents; so the result
    does not depend on the order of the columns.
    """
    known = knowledge or BoundKnowledge.none(score.p)
    return _Search(order_walk(score, known, max_parents), known, np.random.default_rng(seed), tick).run(restarts)


class _Search:
    """A search under way."""

    def __init__(self, walk: OrderWalk, known: BoundKnowledge, rng: np.random.Generator, tick: Tick) -> None:
        self.walk, self.score, self.known, self.rng, self.tick = walk, walk.score, known, rng, tick
        self.start = PDAG(known.required)
        self.n_others = 0  # scores computed by the search over classes

    def run(self, restarts: int) -> OrderFound:
        walk, best, complete = self.walk, self.walk.point(), True
        try:
            walk.rank(self.tick)
            self._begin()
            self._search(Phase(Stage.MOVES))
            for restart in range(1, restarts + 1):
                if walk.value > best.score + walk.rules.least:
                    best = walk.point()
                walk.back_to(best)
                n = min(self.score.p, max(FEWEST, round(SHARE * self.score.p)))
                walk.disturb(Phase(Stage.PERTURBATION, round=restart), n, self.rng, self.tick)
                self._search(Phase(Stage.RESTART, round=restart))
        except Stopped:
            complete = False
        if walk.value > best.score + walk.rules.least:
            best = walk.point()
        walk.back_to(best)
        placements = Placements(*map(np.concatenate, zip(*walk.placements, strict=True)))
        n_scores = walk.n_scores + self.n_others
        dag, order = PDAG(best.parent.T), tuple(best.order.tolist())
        return OrderFound(self.start, dag, best.score, tuple(walk.phases), complete, order, placements, n_scores)

    def _begin(self) -> None:
        """Take the graph that GES finds."""
        walk, phase = self.walk, Phase(Stage.INITIAL_GRAPH)
        found = self._by_classes(turning=True)
        dag = self._near(found.graph)
        walk.arrange(order_of(dag.amat | walk.rules.ahead, walk.state.place))
        moves = sorted(moves_between(self.start.amat, dag.amat), key=lambda move: walk.state.place[move[2]])
        walk.follow(phase, np.array(moves, dtype=np.int32).reshape(-1, 3))
        if not found.complete:
            raise Stopped
        walk.settle(phase, self.tick)

    def _search(self, phase: Phase) -> None:
        """Places and deletions in turn until neither raises the score."""
        self.walk.climb(phase, self.rng, self.tick)
        while self._delete():
            self.walk.settle(phase, self.tick)
            self.walk.climb(phase, self.rng, self.tick)

    def _delete(self) -> bool:
        """Delete edges from the class of the present DAG while that raises the score; whether it did."""
        walk, dag = self.walk, PDAG(self.walk.point().parent.T)
        found = self._by_classes(start=dag, allowed=np.zeros((dag.p, dag.p), dtype=bool))
        after = self._near(found.graph)
        # Where cells are missing the DAGs of a class differ in score.
        betters = bool(found.operators) and self.score.network(after) > walk.value + walk.rules.least
        if betters:
            moves = sorted(moves_between(dag.amat, after.amat), key=lambda move: move[0] == DELETE)
            walk.follow(Phase(Stage.DELETIONS), np.array(moves, dtype=np.int32))
            walk.arrange(order_of(after.amat | walk.rules.ahead, walk.state.place))
        if not found.complete:
            raise Stopped
        return betters

    def _by_classes(self, **options: Any) -> ClassSearch:
        """A search over classes; its scores count."""
        before, most = self.score.n_scores, self.walk.rules.max_parents or None
        found = equivalence_search(self.score, max_parents=most, knowledge=self.known, tick=self.tick, **options)
        self.n_others += self.score.n_scores - before
        return found

    def _near(self, graph: PDAG) -> PDAG:
        """A DAG of the class that keeps to the knowledge, as near to the present order as taking sinks away allows."""
        last_first = self.walk.state.order[::-1]
        amat = graph.amat & ~(self.known.directions & graph.amat).T
        dag = consistent_extension(PDAG(amat[np.ix_(last_first, last_first)])).dag
        back = self.score.p - 1 - self.walk.state.place
        return PDAG(dag.amat[np.ix_(back, back)])
