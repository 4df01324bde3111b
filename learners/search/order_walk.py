"""OrderWalk: a search over orders under way, and the moves it has made."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..common.arrays import frozen
from ..common.parallel import run_chunks
from ..common.progress import Tick
from ..kernels.search import order_positions, order_search
from ..kernels.search.grow_shrink import N_MOVES, N_PLACED, N_SCORED, TURN, OrderRules
from ..kernels.search.hill_climbing import DELETE, NEEDS_ROOM
from ..kernels.search.order_positions import OrderState
from ..results.phases import Phase, Stage
from ..scores.score import FamilyScore
from .climber import PhaseMoves, moves_between, places

Job = Callable[[np.ndarray, np.ndarray], None]  # job(stop, done)


class Point(NamedTuple):
    """An order with its parents: `order` (p,), `parents` (p, p), `n_parents` (p,), `local` (p,) as in `State`."""

    order: np.ndarray
    parents: np.ndarray
    n_parents: np.ndarray
    local: np.ndarray

    @property
    def score(self) -> float:
        """Of the DAG."""
        return float(self.local.sum())

    @property
    def parent(self) -> np.ndarray:
        """(p, p) bool, child by parent."""
        p = len(self.order)
        child, place = np.nonzero(np.arange(p) < self.n_parents[:, None])
        matrix = np.zeros((p, p), dtype=bool)
        matrix[child, self.parents[child, place]] = True
        return matrix


class Placements(NamedTuple):
    """Variables that were put elsewhere, each an entry of the (q,) arrays.

    `nodes` went from `homes` to `places`; of all moves the first `begins` were made before, the first `ends` by then;
    `gains` is what that added to the score.
    """

    nodes: np.ndarray
    homes: np.ndarray
    places: np.ndarray
    begins: np.ndarray
    ends: np.ndarray
    gains: np.ndarray

    def after(self, n: int) -> Placements:
        """The same with `n` more moves before all."""
        return self._replace(begins=self.begins + n, ends=self.ends + n)


class OrderWalk:
    """The state of the kernels, and what has been told of its log."""

    def __init__(self, score: FamilyScore, rules: OrderRules, point: Point) -> None:
        p = len(point.order)
        self.score, self.rules = score, rules
        self.state = OrderState(
            *(array.copy() for array in (point.order, np.argsort(point.order), *point[1:])),
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
            counters=np.zeros(4, dtype=np.int64),
        )
        self.phases: list[PhaseMoves] = []
        self.placements: list[Placements] = []
        self._by_rank = np.arange(p)
        self._n_told, self._n_placed, self._n_moves = 0, 0, 0

    @property
    def value(self) -> float:
        """Score of the present DAG."""
        return float(self.state.local.sum())

    @property
    def n_scores(self) -> int:
        """Local scores computed so far."""
        return int(self.state.counters[N_SCORED])

    def point(self) -> Point:
        """Where the walk stands."""
        state = self.state
        return Point(*(array.copy() for array in (state.order, state.parents, state.n_parents, state.local)))

    def rank(self, tick: Tick) -> None:
        """Settle ties by the data: nodes that gain most from one more parent first; and take that order."""
        phase = Phase(Stage.INITIAL_GRAPH)

        def job(stop: np.ndarray, done: np.ndarray) -> None:
            if self.rules.remembered:
                self.score.make_room(min(self.score.p**2, order_search.MAX_SLOTS // 2))
            order_positions.score_all_candidates(*self._given, stop, done)

        self._work(phase, tick, job)
        gains = self.state.with_one - self.state.local[:, None]
        rank = places(np.where(np.isfinite(gains), gains, 0.0).sum(axis=1))
        self.rules.rank[:] = rank
        self._by_rank[rank] = np.arange(len(rank))
        self.arrange(order_of(self.rules.required.T | self.rules.ahead, rank))

    def arrange(self, order: np.ndarray) -> None:
        """Take another order that the present parents agree with."""
        self.state.order[:] = order
        self.state.place[order] = np.arange(len(order))

    def settle(self, phase: Phase, tick: Tick) -> None:
        """Give each node the parents that growing and shrinking finds among those before it."""
        self._work(phase, tick, lambda stop, done: self._turns(order_search.refit_parents, (), stop, done))

    def climb(self, phase: Phase, rng: np.random.Generator, tick: Tick) -> None:
        """Put each node, in turns that `rng` draws, in its best place until no node moves."""

        def job(stop: np.ndarray, done: np.ndarray) -> None:
            before = -1
            while before < self.state.counters[N_PLACED] and not stop[0]:
                before = int(self.state.counters[N_PLACED])
                self._turns(order_search.reinsert_nodes, (self._by_rank[rng.permutation(self.score.p)],), stop, done)

        self._work(phase, tick, job)

    def disturb(self, phase: Phase, n: int, rng: np.random.Generator, tick: Tick) -> None:
        """Put `n` nodes anywhere, as `rng` draws; edges that then point backward go, and all parents settle again."""
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
        """Make changes of single edges, rows op, i, j."""
        while len(self.state.moves) < self.state.counters[N_MOVES] + len(moves):
            self._make_room()
        order_search.replay_moves(*self._given, moves)
        self._tell(phase)

    def back_to(self, point: Point) -> None:
        """Return to an earlier point."""
        state = self.state
        now, then = self.point().parent, point.parent
        moves = np.array(list(moves_between(now.T, then.T)), dtype=np.int32).reshape(-1, 3)
        state.with_one[(now != then).any(axis=1)] = np.nan
        self.arrange(point.order)
        for mine, theirs in zip((state.parents, state.n_parents, state.local), point[1:], strict=True):
            mine[:] = theirs
        if len(moves):
            gains, scores = np.full((2, len(moves)), np.nan)
            scores[-1] = point.score
            self._note(PhaseMoves(Phase(Stage.BACK_TO_BEST), moves, gains, scores))

    @property
    def _given(self) -> tuple:
        return self.score.sample, self.score.cache, self.rules, self.state

    def _turns(self, kernel: Callable[..., int], turn: tuple, stop: np.ndarray, done: np.ndarray) -> None:
        self.state.counters[TURN] = 0
        self._in_room(lambda: kernel(*self._given, *turn, stop, done))

    def _in_room(self, work: Callable[[], int]) -> None:
        while work() == NEEDS_ROOM:
            self._make_room()

    def _make_room(self) -> None:
        """Enlarge the log of moves, that of places, and the cache where they are nearly full."""
        state, full = self.state, len(self.score.cache.keys)
        grown = {name: _grown(getattr(state, name)) for name in ("moves", "gains", "scores", "placed", "worth")}
        self.state = state._replace(**grown)
        if self.rules.remembered and 8 * self.score.n_scores > 3 * full and full < order_search.MAX_SLOTS:
            self.score.make_room(full // 2 - self.score.n_scores + 1)

    def _work(self, phase: Phase, tick: Tick, job: Job) -> None:
        """Do a job in a thread while `tick` is told of it; a `Stopped` leaves with all moves told."""

        def telling(label: str, _done: int, _total: int) -> bool:
            n_moves = int(self.state.counters[N_MOVES])
            return tick(f"{label}, {n_moves:,} so far", n_moves, 0)

        try:
            run_chunks(lambda: lambda _begin, _end, *given: job(*given), 1, phase=str(phase), tick=telling, threads=1)
        finally:
            self._tell(phase)

    def _tell(self, phase: Phase) -> None:
        """Take over what is new in the log."""
        state, before = self.state, self._n_moves
        begin, end = self._n_told, int(state.counters[N_MOVES])
        q, last = self._n_placed, int(state.counters[N_PLACED])
        self._n_told, self._n_placed = end, last
        if end > begin:
            self._note(PhaseMoves(phase, *(log[begin:end].copy() for log in (state.moves, state.gains, state.scores))))
        placed = Placements(*state.placed[q:last].T.copy(), state.worth[q:last].copy())
        self.placements.append(placed.after(before - begin))

    def _note(self, made: PhaseMoves) -> None:
        for log in (made.moves, made.gains, made.scores):
            frozen(log)
        self.phases.append(made)
        self._n_moves += len(made.moves)


def _grown(log: np.ndarray) -> np.ndarray:
    return np.concatenate([log, np.zeros_like(log)])


def order_of(amat: np.ndarray, place: np.ndarray) -> np.ndarray:
    """An order in which all edges point forward; of nodes that may come next, the one with the smallest place does."""
    left, order = amat.sum(axis=0), []
    waiting = np.array(place, dtype=np.float64)
    for _ in range(len(amat)):
        following = int(np.where(left == 0, waiting, np.inf).argmin())
        order.append(following)
        waiting[following] = np.inf
        left = left - amat[following]
    return np.array(order)
