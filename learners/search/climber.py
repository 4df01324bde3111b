"""Climber: a greedy search over DAGs in progress, and the moves it has made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.arrays import frozen
from ..common.parallel import run_in_thread
from ..common.progress import Stopped, Tick
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.search import hill_climbing
from ..kernels.search.ancestry import find_ancestors, list_parents
from ..kernels.search.hill_climbing import ADD, DELETE, NEEDS_ROOM, REVERSE, ClimbRules, ClimbState
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore

Ties = Literal["data", "reverse", "columns"]


@dataclass(frozen=True, eq=False)
class PhaseMoves:
    """Consecutive moves of one phase.

    Attributes
    ----------
    phase : Phase
    moves : (m, 3) int array
        Rows op, i, j, with op one of `ADD` (adds i -> j), `DELETE` (deletes it), `REVERSE` (reverses it to j -> i).
    gains, scores : (m,) float64 arrays
        Increase of the network score by each move, and the score after it. NaN on the way back to the best DAG.
    """

    phase: Phase
    moves: np.ndarray
    gains: np.ndarray
    scores: np.ndarray


class Climber:
    """Greedy search over DAGs: the state of its kernels, and how much of their log was returned."""

    def __init__(self, score: FamilyScore, rules: ClimbRules, start: PDAG, tabu_length: int, ties: Ties) -> None:
        p = start.p
        self.score = score
        self.rules = rules
        self._ties = ties
        self.state = ClimbState(
            parent=np.zeros((p, p), dtype=bool),
            n_parents=np.zeros(p, dtype=np.int64),
            parents=np.empty((p, p), dtype=np.int32),
            key=np.zeros(1, dtype=np.uint64),
            ancestors=np.zeros((p, (p + 63) // 64), dtype=np.uint64),
            local=np.zeros(p),
            toggled=np.zeros((p, p)),
            top=np.zeros(p),
            turn=np.full(p, np.inf),
            stale=np.ones(p, dtype=bool),
            unkept=np.ones(p, dtype=bool),
            best_parent=np.array(start.amat.T, order="C"),  # always a copy, in C order
            best=np.full(1, np.nan),
            tabu=np.zeros(tabu_length, dtype=np.uint64),
            moves=np.zeros((4 * p + 256, 3), dtype=np.int32),
            gains=np.zeros(4 * p + 256),
            scores=np.zeros(4 * p + 256),
            counters=np.zeros(3, dtype=np.int64),
        )
        self._n_returned = 0
        self._move_to(self.state.best_parent)
        self.state.tabu[:] = self.state.key[0]

    def run(self, phase: Phase, tick: Tick) -> list[PhaseMoves]:
        """Search from the current DAG and return the moves; a `Stopped` has the moves so far."""
        if not tick(str(phase), 0, 0):
            raise Stopped([])
        self.state.counters[hill_climbing.WITHOUT_BEST] = 0

        def climb(stop: np.ndarray, done: np.ndarray) -> None:
            while self._refresh(stop) == NEEDS_ROOM:
                self._make_room()
            if self._ties != "columns" and not self.state.counters[hill_climbing.N_MOVES]:
                order = _order_of_ties(self.state)
                self.rules.order[:] = order if self._ties == "data" else len(order) - 1 - order
            while self._climb(stop, done) == NEEDS_ROOM:
                self._make_room()

        def report(label: str, _done: int, _total: int) -> bool:
            n_moves = int(self.state.counters[hill_climbing.N_MOVES])
            return tick(f"{label}, {n_moves:,} so far", n_moves, 0)

        try:
            run_in_thread(climb, phase=str(phase), tick=report)
        except Stopped:
            raise Stopped(self._new_moves(phase)) from None
        return self._new_moves(phase)

    def gains(self, label: str, tick: Tick) -> np.ndarray:
        """Return (p, p) float64, by parent and child: the gain of adding or deleting the edge, -inf if not allowed.

        Raises
        ------
        Stopped
            If cancelled.
        """

        def refresh(stop: np.ndarray, _done: np.ndarray) -> None:
            while self._refresh(stop) == NEEDS_ROOM:
                self._make_room()

        run_in_thread(refresh, phase=label, tick=tick)
        return (self.state.toggled - self.state.local[:, None]).T.copy()

    def perturb(self, phase: Phase, moves: int, rng: np.random.Generator) -> list[PhaseMoves]:
        """Make random legal moves, all with equal probability."""
        no_stop = np.zeros(1, dtype=np.int8)
        for _ in range(moves):
            self._make_room()
            while self._refresh(no_stop) == NEEDS_ROOM:
                self._make_room()
            count = hill_climbing.legal_move(self.state, -1)[0]
            if count == 0:
                break
            _, op, i, j = hill_climbing.legal_move(self.state, int(rng.integers(count)))
            gain = hill_climbing.move_gain(self.state, op, i, j)
            hill_climbing.apply_move(self.score.cache, self.state, op, i, j, gain)
        return self._new_moves(phase)

    def back_to_best(self) -> list[PhaseMoves]:
        """Move to the best DAG visited, and return the moves."""
        state = self.state
        moves = np.array(list(moves_between(state.parent.T, state.best_parent.T)), dtype=np.int32).reshape(-1, 3)
        if not len(moves):
            return []
        self._move_to(state.best_parent)
        gains, scores = np.full((2, len(moves)), np.nan)
        scores[-1] = state.best[0]
        return [PhaseMoves(Phase(Stage.BACK_TO_BEST), moves, gains, scores)]

    def _climb(self, stop: np.ndarray, done: np.ndarray) -> int:
        return hill_climbing.climb(self.score.sample, self.score.cache, self.rules, self.state, stop, done)

    def _refresh(self, stop: np.ndarray) -> int:
        return hill_climbing.refresh(self.score.sample, self.score.cache, self.rules, self.state, stop)

    def _move_to(self, parent: np.ndarray) -> None:
        state = self.state
        changed = (state.parent != parent).any(axis=1)
        state.stale[:] |= changed
        state.unkept[:] |= changed
        state.parent[:] = parent
        list_parents(state.parent, state.parents, state.n_parents)
        state.counters[hill_climbing.MOST_PARENTS] = max(
            state.counters[hill_climbing.MOST_PARENTS], state.n_parents.max()
        )
        state.key[0] = np.bitwise_xor.reduce(self.score.cache.edge_key[parent], initial=np.uint64(0))
        find_ancestors(state.parents, state.n_parents, state.ancestors)
        state.top[:] = state.toggled.max(axis=1)

    def _make_room(self) -> None:
        """Enlarge the cache of scores and the log of moves if they may be too small for the next step."""
        self.score.make_room(self.score.p + 1)
        n_moves, room = int(self.state.counters[hill_climbing.N_MOVES]), len(self.state.moves)
        if n_moves == room:
            grown = {name: _grown(getattr(self.state, name)) for name in ("moves", "gains", "scores")}
            self.state = self.state._replace(**grown)

    def _new_moves(self, phase: Phase) -> list[PhaseMoves]:
        """Return the moves of the log that were not returned before."""
        begin, end = self._n_returned, int(self.state.counters[hill_climbing.N_MOVES])
        self._n_returned = end
        self.score.meet(int(self.state.counters[hill_climbing.MOST_PARENTS]))
        if begin == end:
            return []
        moves, gains, scores = (
            frozen(log[begin:end].copy()) for log in (self.state.moves, self.state.gains, self.state.scores)
        )
        return [PhaseMoves(phase, moves, gains, scores)]


def gains_of_moves(score: FamilyScore, dag: PDAG, known: BoundKnowledge, label: str, tick: Tick) -> np.ndarray:
    """Return (p, p) float64, by parent and child: the gain of adding the arrow to a DAG, or of deleting it from it.

    It is -inf if the knowledge or the score does not allow the change; cycles are allowed.

    Raises
    ------
    Stopped
        If cancelled.
    """
    may = ~known.excluded & ~np.eye(score.p, dtype=bool)
    required = np.ascontiguousarray(known.required.T)
    rules = ClimbRules(np.ascontiguousarray(may.T), required, score.most_parents, np.arange(score.p), 0)
    return Climber(score, rules, dag, 0, "columns").gains(label, tick)


def _order_of_ties(state: ClimbState) -> np.ndarray:
    """Rank the nodes for ties: first those that gain most from a first parent, summed over all allowed ones."""
    gains = np.where(np.isfinite(state.toggled), state.toggled - state.local[:, None], 0.0).sum(axis=1)
    return ranks_of(gains)


def ranks_of(values: np.ndarray) -> np.ndarray:
    """Return the rank of each value in descending order, ties in column order."""
    # Nine digits, because the last digits of a sum depend on the order of its terms.
    digits = 9 - np.ceil(np.log10(max(np.abs(values).max(), 1.0)))
    order = np.argsort(-np.round(values, int(digits)), kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


def moves_between(source: np.ndarray, target: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Yield moves from one DAG to another, one for each pair that differs; intermediate graphs can have cycles."""
    for i, j in np.argwhere(source & ~target).tolist():
        yield (REVERSE if target[j, i] else DELETE), i, j
    for i, j in np.argwhere(target & ~source & ~source.T).tolist():
        yield ADD, i, j


def _grown(log: np.ndarray) -> np.ndarray:
    """Return the log with twice its length."""
    return np.concatenate([log, np.zeros_like(log)])
