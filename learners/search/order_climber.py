"""OrderClimber: a search over orders in progress, and the moves it has made."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..common.arrays import frozen
from ..common.parallel import run_in_thread
from ..common.progress import Tick
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..kernels.scores.gaussian import GaussianFamilies
from ..kernels.search import order_positions, order_rounds
from ..kernels.search.ancestry import find_ancestors, list_parents
from ..kernels.search.grow_shrink import (
    MAX_PROMISING,
    N_KNOWN,
    N_MOVES,
    N_PLACED,
    N_SCORED,
    TURN,
    OrderRules,
    SearchMemory,
)
from ..kernels.search.hill_climbing import DELETE, MIN_GAIN, NEEDS_ROOM, ROUNDING
from ..kernels.search.order_positions import OrderState
from ..results.events import Placements
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore
from .climber import PhaseMoves, moves_between, ranks_of
from .hill_climbing import checked_start

# Slots for nodes with given parents whose candidates are remembered, twice as many if scores are not cached; 11 MB and
# 22 MB at 1,000 variables.
N_REMEMBERED = 1 << 15
N_FAMILIES = 1 << 17  # slots for scores of nodes with given parents; 2 MB
Job = Callable[[np.ndarray, np.ndarray], None]  # job(stop, done)


class Point(NamedTuple):
    """An order and its parents: `order` (p,), `parents` (p, m), `n_parents` (p,), `local` (p,) as in `OrderState`.

    m is the maximum number of parents of a node.
    """

    order: np.ndarray
    parents: np.ndarray
    n_parents: np.ndarray
    local: np.ndarray

    @property
    def score(self) -> float:
        """Score of the DAG."""
        return float(self.local.sum())

    @property
    def parent(self) -> np.ndarray:
        """(p, p) bool: entry [j, i] is True if i is a parent of j."""
        p = len(self.order)
        child, place = np.nonzero(np.arange(self.parents.shape[1]) < self.n_parents[:, None])
        matrix = np.zeros((p, p), dtype=bool)
        matrix[child, self.parents[child, place]] = True
        return matrix


class OrderClimber:
    """State of the kernels, and the part of their log that was copied to `phases` and `placements`."""

    def __init__(self, score: FamilyScore, rules: OrderRules, point: Point) -> None:
        p = len(point.order)
        self.score, self.rules = score, rules
        self.state = OrderState(
            point.order.copy(),
            np.argsort(point.order),
            parents=np.zeros((p, p), dtype=np.int64),
            n_parents=point.n_parents.copy(),
            local=point.local.copy(),
            with_one=np.full((p, p), np.nan),
            new_parents=np.zeros((p, p), dtype=np.int64),
            new_n=np.zeros(p, dtype=np.int64),
            new_local=np.zeros(p),
            touched=np.zeros(p, dtype=bool),
            moves=np.zeros((8 * p + 256, 3), dtype=np.int32),
            gains=np.zeros(8 * p + 256),
            scores=np.zeros(8 * p + 256),
            placed=np.zeros((4 * p + 256, 5), dtype=np.int64),
            worth=np.zeros(4 * p + 256),
            memory=_empty_memory(p, N_REMEMBERED if rules.cached else 2 * N_REMEMBERED),
        )
        self.state.parents[:, : point.parents.shape[1]] = point.parents
        self.phases: list[PhaseMoves] = []
        self.placements: list[Placements] = []
        self._by_rank = np.arange(p)
        self._n_logged, self._n_placed, self._n_moves = 0, 0, 0

    @property
    def value(self) -> float:
        """Score of the current DAG."""
        return float(self.state.local.sum())

    @property
    def n_scores(self) -> int:
        """Local scores computed so far."""
        return int(self.state.memory.counters[N_SCORED])

    @property
    def n_known(self) -> int:
        """Local scores so far that were not computed because the same candidates were examined before."""
        return int(self.state.memory.counters[N_KNOWN])

    def point(self) -> Point:
        """Return a copy of the current order and parents."""
        state = self.state
        parents = state.parents[:, : state.n_parents.max()]
        return Point(*(array.copy() for array in (state.order, parents, state.n_parents, state.local)))

    def rank(self, tick: Tick) -> None:
        """Rank the nodes for ties, first those that gain most from one more parent, and start with this order."""
        phase = Phase(Stage.INITIAL_GRAPH)

        def job(stop: np.ndarray, done: np.ndarray) -> None:
            if self.rules.cached:
                self.score.make_room(min(self.score.p**2, order_rounds.MAX_SLOTS // 2))
            order_positions.score_all_candidates(*self._kernel_args, stop, done)

        self._work(phase, tick, job)
        gains = self.state.with_one - self.state.local[:, None]
        rank = ranks_of(np.where(np.isfinite(gains), gains, 0.0).sum(axis=1))
        self.rules.rank[:] = rank
        self._by_rank[rank] = np.arange(len(rank))
        self.arrange(order_of(self.rules.required.T | self.rules.ahead, rank))

    def arrange(self, order: np.ndarray) -> None:
        """Replace the order by another order that is consistent with the current parents."""
        self.state.order[:] = order
        self.state.place[order] = np.arange(len(order))

    def settle(self, phase: Phase, tick: Tick) -> None:
        """Give each node the parents that grow-shrink finds among its predecessors."""
        self._work(phase, tick, lambda stop, done: self._run_turns(order_rounds.refit_parents, (), stop, done))

    def climb(self, phase: Phase, rng: np.random.Generator, tick: Tick) -> None:
        """Move each node, in random order, to its best position until no node moves."""

        def job(stop: np.ndarray, done: np.ndarray) -> None:
            before = -1
            while before < self.state.memory.counters[N_PLACED] and not stop[0]:
                before = int(self.state.memory.counters[N_PLACED])
                self._run_turns(
                    order_rounds.reinsert_nodes, (self._by_rank[rng.permutation(self.score.p)],), stop, done
                )

        self._work(phase, tick, job)

    def disturb(self, phase: Phase, n: int, rng: np.random.Generator, tick: Tick) -> None:
        """Move `n` random nodes to random positions, delete the edges that point backward, and grow-shrink again."""
        place = self.state.place.astype(np.float64)
        moved = self._by_rank[rng.permutation(self.score.p)[:n]]
        place[moved] = rng.uniform(-1.0, self.score.p, n)
        order = order_of(self.rules.required.T | self.rules.ahead, place)
        after, dag = np.argsort(order), self.point().parent.T
        backward = np.argwhere(dag & (after[:, None] > after[None, :]))
        self.follow(phase, np.column_stack([np.full(len(backward), DELETE), backward]).astype(np.int32))
        self.arrange(order)
        self.settle(phase, tick)

    def follow(self, phase: Phase, moves: np.ndarray) -> None:
        """Make the changes of single edges in `moves`, rows op, i, j."""
        while len(self.state.moves) < self.state.memory.counters[N_MOVES] + len(moves):
            self._make_room()
        order_rounds.replay_moves(*self._kernel_args, moves)
        self._copy_log(phase)

    def back_to(self, point: Point) -> None:
        """Restore an earlier order and its parents."""
        state = self.state
        now, then = self.point().parent, point.parent
        moves = np.array(list(moves_between(now.T, then.T)), dtype=np.int32).reshape(-1, 3)
        state.with_one[(now != then).any(axis=1)] = np.nan
        self.arrange(point.order)
        state.parents[:, : point.parents.shape[1]] = point.parents
        state.n_parents[:], state.local[:] = point.n_parents, point.local
        if len(moves):
            gains, scores = np.full((2, len(moves)), np.nan)
            scores[-1] = point.score
            self._append(PhaseMoves(Phase(Stage.BACK_TO_BEST), moves, gains, scores))

    @property
    def _kernel_args(self) -> tuple:
        """The first arguments of all kernels."""
        if self.rules.cached:  # which scores are computed again depends on the size of a full cache
            self.score.make_room(0, power_of_two=True)
        return self.score.sample, self.score.cache, self.rules, self.state

    def _run_turns(self, kernel: Callable[..., int], turn: tuple, stop: np.ndarray, done: np.ndarray) -> None:
        """Call a kernel that visits all nodes, again after each enlargement of log or cache."""
        self.state.memory.counters[TURN] = 0
        while kernel(*self._kernel_args, *turn, stop, done) == NEEDS_ROOM:
            self._make_room()

    def _make_room(self) -> None:
        """Enlarge the logs, and the cache of scores if it is nearly full."""
        state, full = self.state, len(self.score.cache.keys)
        grown = {name: _grown(getattr(state, name)) for name in ("moves", "gains", "scores", "placed", "worth")}
        self.state = state._replace(**grown)
        if self.rules.cached and 8 * self.score.n_scores > 3 * full and full < order_rounds.MAX_SLOTS:
            self.score.make_room(3 * full // 4 - self.score.n_scores + 1)

    def _work(self, phase: Phase, tick: Tick, job: Job) -> None:
        """Run a job in a thread and report its progress; the moves are copied even if it is cancelled."""

        def report(label: str, _done: int, _total: int) -> bool:
            n_moves = int(self.state.memory.counters[N_MOVES])
            return tick(f"{label}, {n_moves:,} so far", n_moves, 0)

        try:
            run_in_thread(job, phase=str(phase), tick=report)
        finally:
            self._copy_log(phase)

    def _copy_log(self, phase: Phase) -> None:
        """Copy the new entries of the log."""
        state, before = self.state, self._n_moves
        begin, end = self._n_logged, int(state.memory.counters[N_MOVES])
        q, last = self._n_placed, int(state.memory.counters[N_PLACED])
        self._n_logged, self._n_placed = end, last
        if end > begin:
            self._append(
                PhaseMoves(phase, *(log[begin:end].copy() for log in (state.moves, state.gains, state.scores)))
            )
        placed = Placements(*state.placed[q:last].T.copy(), state.worth[q:last].copy())
        self.placements.append(placed.after(before - begin))

    def _append(self, phase_moves: PhaseMoves) -> None:
        """Append moves to `phases`."""
        for log in (phase_moves.moves, phase_moves.gains, phase_moves.scores):
            frozen(log)
        self.phases.append(phase_moves)
        self._n_moves += len(phase_moves.moves)


def _empty_memory(p: int, m: int) -> SearchMemory:
    """Return a memory with m slots for candidates among p nodes."""
    return SearchMemory(
        counters=np.zeros(5, dtype=np.int64),
        family_keys=np.zeros(N_FAMILIES, dtype=np.uint64),
        family_scores=np.zeros(N_FAMILIES),
        keys=np.zeros(m, dtype=np.uint64),
        used=np.zeros(1, dtype=np.int64),
        examined=np.zeros((m, _n_words(p)), dtype=np.uint64),
        n_promising=np.zeros(m, dtype=np.int64),
        promising=np.zeros((m, MAX_PROMISING), dtype=np.int64),
        score_with=np.zeros((m, MAX_PROMISING)),
    )


def _n_words(p: int) -> int:
    """Return the number of words of 64 bits for p nodes."""
    return (p + 63) // 64


def _in_bits(rows: np.ndarray) -> np.ndarray:
    """Return rows of bool (m, p) in bits, (m, words) uint64, as in `grow_shrink.bits_of`."""
    padded = np.zeros((len(rows), 64 * _n_words(rows.shape[1])), dtype=bool)
    padded[:, : rows.shape[1]] = rows
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def _grown(log: np.ndarray) -> np.ndarray:
    """Return the log with twice its length."""
    return np.concatenate([log, np.zeros_like(log)])


def order_of(amat: np.ndarray, priority: np.ndarray) -> np.ndarray:
    """Return a topological order of a DAG; of the nodes without parents left, the smallest `priority` (p,) is next."""
    n_parents, order = amat.sum(axis=0), []
    waiting = np.array(priority, dtype=np.float64)
    for _ in range(len(amat)):
        following = int(np.where(n_parents == 0, waiting, np.inf).argmin())
        order.append(following)
        waiting[following] = np.inf
        n_parents = n_parents - amat[following]
    return np.array(order)


def order_climber(score: FamilyScore, known: BoundKnowledge, max_parents: int | None) -> OrderClimber:
    """Return a search that starts with the required edges in an order consistent with them.

    Raises
    ------
    ParameterError
        If a variable has too many required parents.
    """
    most = score.most_parents if max_parents is None else min(max_parents, score.most_parents)
    start = checked_start(None, known, score.names, most)
    total, p = score.network(start), score.p
    may_add = np.ascontiguousarray(~known.excluded.T & ~np.eye(p, dtype=bool))
    rules = OrderRules(
        may_add=may_add,
        required=np.ascontiguousarray(known.required.T),
        may_add_bits=_in_bits(may_add),
        ahead=_ahead(known),
        rank=np.arange(p),
        max_parents=most,
        least=MIN_GAIN * max(1.0, abs(total)),
        rounding=ROUNDING * max(abs(total), score.sample.n),
        cached=not isinstance(score.sample, GaussianFamilies),
    )
    return OrderClimber(score, rules, _first_point(score, start))


def _first_point(score: FamilyScore, start: PDAG) -> Point:
    """Return the required edges in a topological order; the search replaces it by a better one."""
    p = score.p
    n_parents = start.amat.sum(axis=0)
    parents = np.zeros((p, n_parents.max()), dtype=np.int64)
    for j in np.flatnonzero(n_parents).tolist():
        parents[j, : n_parents[j]] = np.flatnonzero(start.amat[:, j])
    local = score.alone()
    for j in np.flatnonzero(start.amat.any(axis=0)).tolist():
        local[j] = score.local(j, start.parents(j))
    return Point(order_of(start.amat, np.arange(p)), parents, n_parents, local)


def _ahead(known: BoundKnowledge) -> np.ndarray:
    """Return (p, p) bool: entry [i, j] is True if i precedes j in every order that the knowledge allows."""
    p = len(known.required)
    if not (known.required.any() or known.excluded.any()):
        return np.zeros((p, p), dtype=bool)
    may_reach = _reachability(~known.excluded)
    return _reachability(known.required | (may_reach & ~may_reach.T)) & ~np.eye(p, dtype=bool)


def _reachability(edges: np.ndarray) -> np.ndarray:
    """Return (p, p) bool: entry [i, j] is True if j equals i or can be reached from it."""
    p = len(edges)
    ancestors = np.zeros((p, (p + 63) // 64), dtype=np.uint64)
    parents, n_parents = np.empty((p, p), dtype=np.int32), np.zeros(p, dtype=np.int64)
    list_parents(np.ascontiguousarray(edges.T), parents, n_parents)
    find_ancestors(parents, n_parents, ancestors)
    bits = np.unpackbits(ancestors.view(np.uint8), axis=1, bitorder="little")
    return bits[:, :p].T.astype(bool)
