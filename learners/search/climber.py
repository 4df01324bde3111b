"""Climber: one greedy search under way, and the moves it has made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.arrays import frozen
from ..common.parallel import run_chunks
from ..common.progress import Stopped, Tick
from ..graphs.graph import PDAG
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
        Rows op, i, j, with op one of `ADD` (i -> j comes), `DELETE` (it goes), `REVERSE` (it becomes j -> i).
    gains, scores : (m,) float64 arrays
        What each move added to the network score, and the score after it. NaN on the way back to the best.
    """

    phase: Phase
    moves: np.ndarray
    gains: np.ndarray
    scores: np.ndarray


class Climber:
    """The state of the kernels, and what has been told of its log."""

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
            stale=np.ones(p, dtype=bool),
            best_parent=np.array(start.amat.T, order="C"),  # a copy, also where its rows are columns
            best=np.full(1, np.nan),
            tabu=np.zeros(tabu_length, dtype=np.uint64),
            moves=np.zeros((4 * p + 256, 3), dtype=np.int32),
            gains=np.zeros(4 * p + 256),
            scores=np.zeros(4 * p + 256),
            counters=np.zeros(3, dtype=np.int64),
        )
        self._n_told = 0
        self._move_to(self.state.best_parent)
        self.state.tabu[:] = self.state.key[0]

    def run(self, phase: Phase, tick: Tick) -> list[PhaseMoves]:
        """Search from here; a `Stopped` that leaves carries the moves so far."""
        if not tick(str(phase), 0, 0):
            raise Stopped([])
        self.state.counters[hill_climbing.WITHOUT_BEST] = 0

        def piece(_begin: int, _end: int, stop: np.ndarray, done: np.ndarray) -> None:
            while self._refresh(stop) == NEEDS_ROOM:
                self._make_room()
            if self._ties != "columns" and not self.state.counters[hill_climbing.N_MOVES]:
                order = _order_of_ties(self.state)
                self.rules.order[:] = order if self._ties == "data" else len(order) - 1 - order
            while self._climb(stop, done) == NEEDS_ROOM:
                self._make_room()

        def telling(label: str, _done: int, _total: int) -> bool:
            n_moves = int(self.state.counters[hill_climbing.N_MOVES])
            return tick(f"{label}, {n_moves:,} so far", n_moves, 0)

        try:
            run_chunks(lambda: piece, 1, phase=str(phase), tick=telling, threads=1)
        except Stopped:
            raise Stopped(self._told(phase)) from None
        return self._told(phase)

    def gains(self, label: str, tick: Tick) -> np.ndarray:
        """(p, p) float64, by parent and child: what the edge adds if put in or taken out, -inf where not allowed.

        Raises
        ------
        Stopped
            If cancelled.
        """

        def piece(_begin: int, _end: int, stop: np.ndarray, done: np.ndarray) -> None:
            while self._refresh(stop) == NEEDS_ROOM:
                self._make_room()
            done[0] = 1

        run_chunks(lambda: piece, 1, phase=label, tick=tick, threads=1)
        return (self.state.toggled - self.state.local[:, None]).T.copy()

    def perturb(self, phase: Phase, moves: int, rng: np.random.Generator) -> list[PhaseMoves]:
        """Make random legal moves, all equally likely."""
        go_on = np.zeros(1, dtype=np.int8)
        for _ in range(moves):
            self._make_room()
            while self._refresh(go_on) == NEEDS_ROOM:
                self._make_room()
            count = hill_climbing.legal_move(self.state, -1)[0]
            if count == 0:
                break
            _, op, i, j = hill_climbing.legal_move(self.state, int(rng.integers(count)))
            gain = hill_climbing.move_gain(self.state, op, i, j)
            hill_climbing.apply_move(self.score.cache, self.state, op, i, j, gain)
        return self._told(phase)

    def back_to_best(self) -> list[PhaseMoves]:
        """Return to the best DAG met."""
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
        state.stale[:] |= (state.parent != parent).any(axis=1)
        state.parent[:] = parent
        list_parents(state.parent, state.parents, state.n_parents)
        state.counters[hill_climbing.MOST_PARENTS] = max(
            state.counters[hill_climbing.MOST_PARENTS], state.n_parents.max()
        )
        state.key[0] = np.bitwise_xor.reduce(self.score.cache.edge_key[parent], initial=np.uint64(0))
        find_ancestors(state.parents, state.n_parents, state.ancestors)

    def _make_room(self) -> None:
        """Enlarge the cache of scores and the log of moves where they may not do for the next step."""
        self.score.make_room(self.score.p + 1)
        n_moves, room = int(self.state.counters[hill_climbing.N_MOVES]), len(self.state.moves)
        if n_moves == room:
            grown = {name: _grown(getattr(self.state, name)) for name in ("moves", "gains", "scores")}
            self.state = self.state._replace(**grown)

    def _told(self, phase: Phase) -> list[PhaseMoves]:
        begin, end = self._n_told, int(self.state.counters[hill_climbing.N_MOVES])
        self._n_told = end
        self.score.meet(int(self.state.counters[hill_climbing.MOST_PARENTS]))
        if begin == end:
            return []
        moves, gains, scores = (
            frozen(log[begin:end].copy()) for log in (self.state.moves, self.state.gains, self.state.scores)
        )
        return [PhaseMoves(phase, moves, gains, scores)]


def _order_of_ties(state: ClimbState) -> np.ndarray:
    """Place of each node in ties: first those that gain most from a first parent, all allowed ones added up."""
    gains = np.where(np.isfinite(state.toggled), state.toggled - state.local[:, None], 0.0).sum(axis=1)
    return places(gains)


def places(worth: np.ndarray) -> np.ndarray:
    """Place of each node when they are sorted by falling worth, ties in column order."""
    # Nine digits: sums in another order differ in the last ones.
    digits = 9 - np.ceil(np.log10(max(np.abs(worth).max(), 1.0)))
    order = np.argsort(-np.round(worth, int(digits)), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def moves_between(source: np.ndarray, target: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Moves that turn one DAG into the other, one a pair; only the last structure need be acyclic."""
    for i, j in np.argwhere(source & ~target).tolist():
        yield (REVERSE if target[j, i] else DELETE), i, j
    for i, j in np.argwhere(target & ~source & ~source.T).tolist():
        yield ADD, i, j


def _grown(log: np.ndarray) -> np.ndarray:
    return np.concatenate([log, np.zeros_like(log)])
