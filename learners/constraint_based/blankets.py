"""Fast-IAMB: the Markov blanket of every variable, all side by side, then the neighbours within the blankets.

Yaramakala and Margaritis (2005). A *side* (t, x) asks whether x is in the blanket of its target t; a pair stays joined
only if both sides say so and no set within the smaller blanket separates the two (Margaritis and Thrun 2000).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..common.arrays import frozen
from ..common.numbering import ByPair, Triples
from ..common.progress import Stopped, Tick, breathe
from ..graphs.knowledge import BoundKnowledge
from ..independence import CITest, LevelWalks, Pools, PoolWalks
from ..kernels.tests.pair_pools import PairPools, side_pools
from ..kernels.tests.results import TestResults, empty_results
from ..kernels.tests.subsets import neighbor_lists, open_edges
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import Rule
from ..search.skeleton import PairEvidence, SkeletonSearch, nothing_skipped

ENOUGH_ROWS = 5.0  # for each cell of the table: k in the paper
MOST_NEW = 10  # members that a round adds: more would make tests of numbers, which no table limits, slow and weak
NO_ROOM = -1e18  # less than any ln p
PHASE = Phase(Stage.BLANKETS)


@dataclass(frozen=True, eq=False)
class Blankets(PairEvidence):
    """The hardest test of every pair, and the blankets.

    Attributes
    ----------
    blankets : (p, p) bool array
        Entry [t, x]: x is in the blanket of t. An edge needs both entries.
    v_structures : (m, 3) int64 array
        Triples i, k, j that tests given k call v-structures.
    """

    blankets: ByPair
    v_structures: Triples


class BlanketSearch(SkeletonSearch):
    """A skeleton search that looks for blankets first.

    Parameters
    ----------
    ci_test, alpha, knowledge, draws
        As `SkeletonSearch`. Required partners are in the blanket from the start, and never leave.
    """

    def __init__(self, ci_test: CITest, alpha: float, knowledge: BoundKnowledge, *, draws: bool = True) -> None:
        super().__init__(ci_test, alpha, knowledge, draws=draws)
        p = ci_test.p
        self._apart = np.argwhere(np.triu(knowledge.apart))
        self._log_alpha = math.log(alpha)
        self._alone = np.full((p, p), np.nan)  # ln p given nothing
        self._statistic = np.full((p, p), np.nan)
        self._pools = Pools.empty(p)
        for t, x in np.argwhere(knowledge.joined).tolist():
            self._pools = self._pools.with_one_more(np.array([t]), np.array([x]))
        # Of each side the last test, and how many there were.
        self._last = empty_results(p * p, 0, rows_vary=ci_test.rows_vary)
        self._sets = self._last.cond  # with room for more members
        self._last.log_p[:] = np.nan

    @property
    def blankets(self) -> np.ndarray:
        """(p, p) bool: [t, x] says whether x is in the blanket of t."""
        inside = np.zeros((self.ci_test.p, self.ci_test.p), dtype=bool)
        targets = np.repeat(np.arange(self.ci_test.p), self._pools.sizes)
        held = np.arange(self._pools.members.shape[1]) < self._pools.sizes[:, None]
        inside[targets, self._pools.members[held]] = True
        return inside

    def found(self, v_structures: np.ndarray) -> Blankets:
        """The evidence with the blankets and what is told of v-structures."""
        return Blankets(**vars(self.evidence), blankets=frozen(self.blankets), v_structures=v_structures)

    def learn(self, most: int | None, tick: Tick) -> None:
        """Pairs given nothing, blankets, then sets of up to `most` variables within them.

        Raises
        ------
        Stopped
            If cancelled; the search holds what was finished.
        """
        self.run_level(0, tick)
        try:
            self._test_forbidden(tick)
            self._find_blankets(tick)
        finally:
            self._tell_sides()
        self._drop_outside_blanket()
        self._within(most, tick)

    def _test_forbidden(self, tick: Tick) -> None:
        """Pairs that may not be joined may still belong to each other's blankets."""
        if len(self._apart):
            walks = LevelWalks.marginal(self._apart, self.ci_test.p)
            self._note_alone(self._apart, self._results(str(PHASE), self._apart, walks, tick))

    def _note_alone(self, pairs: np.ndarray, results: TestResults) -> None:
        i, j = pairs.T
        self._alone[i, j] = self._alone[j, i] = results.log_p
        self._statistic[i, j] = self._statistic[j, i] = results.statistic

    def _find_blankets(self, tick: Tick) -> None:
        """Grow by all that the rows allow, shrink one by one, until nothing outside depends on the target."""
        active = np.arange(self.ci_test.p)
        seen = [{frozenset(self._pools.of(t))} for t in active]
        number = 1
        while len(active):
            phase = f"{PHASE}, round {number}"
            grown = self._grow(phase, active, tick)
            self._shrink(phase, grown, tick)
            held = {t: frozenset(self._pools.of(t)) for t in grown.tolist()}
            # Tests of finite data may contradict one another, and the blanket come round to what it was.
            active = np.array([t for t, blanket in held.items() if blanket not in seen[t]], dtype=np.int64)
            for t, blanket in held.items():
                seen[t].add(blanket)
            number += 1

    def _grow(self, phase: str, targets: np.ndarray, tick: Tick) -> np.ndarray:
        """Add to each blanket what depends on its target given the blanket, the strongest first; who got any."""
        breathe(tick, phase)
        outside = ~self.blankets
        np.fill_diagonal(outside, False)
        sides = np.argwhere(outside[targets])
        sides[:, 0] = targets[sides[:, 0]]
        breathe(tick, phase)
        log_p, size = self._ask(phase, sides, tick)
        breathe(tick, phase)
        begin = np.searchsorted(sides[:, 0], targets)
        end = np.searchsorted(sides[:, 0], targets, side="right")
        new = []
        for t, first, last in zip(targets.tolist(), begin.tolist(), end.tolist(), strict=True):
            strongest = first + self._dependent(log_p[first:last], size[first:last])
            new.append(list(self._affordable(t, self._pools.of(t), sides[strongest, 1].tolist())))
            breathe(tick, phase)
        for place in range(max(map(len, new), default=0)):
            growing = [at for at, members in enumerate(new) if len(members) > place]
            self._pools = self._pools.with_one_more(targets[growing], np.array([new[at][place] for at in growing]))
        return targets[[len(members) > 0 for members in new]]

    def _dependent(self, log_p: np.ndarray, size: np.ndarray) -> np.ndarray:
        """Positions of the dependent ones, the strongest first."""
        at = np.flatnonzero(log_p <= self._log_alpha)
        return at[np.lexsort((-size[at], log_p[at]))]

    def _affordable(self, t: int, blanket: list[int], candidates: list[int]) -> Iterator[int]:
        """The first candidates, up to one for which there would be too few rows."""
        cond = list(blanket)
        for x in candidates[:MOST_NEW]:
            if self.ci_test.rows_for_each_cell(t, x, cond) < ENOUGH_ROWS:
                return
            cond.append(x)
            yield x

    def _shrink(self, phase: str, targets: np.ndarray, tick: Tick) -> None:
        """Each blanket tests its members in the order they came, given the others that are left."""
        turn = np.zeros(self.ci_test.p, dtype=np.int64)
        while len(targets := targets[turn[targets] < self._pools.sizes[targets]]):
            members = self._pools.members[targets, turn[targets]]
            free = ~self._joined[targets, members]
            turn[targets[~free]] += 1
            asking, members = targets[free], members[free]
            log_p, _ = self._ask(phase, np.column_stack([asking, members]), tick)
            gone = log_p > self._log_alpha
            if gone.any():
                self._pools = self._pools.without(asking[gone], turn[asking[gone]])
            turn[asking[~gone]] += 1

    def _ask(self, phase: str, sides: np.ndarray, tick: Tick) -> tuple[np.ndarray, np.ndarray]:
        """(ln p, |statistic|) of each side given the blanket of its target without the partner."""
        inside = self.blankets
        sizes = self._pools.sizes[sides[:, 0]] - inside[sides[:, 0], sides[:, 1]]
        log_p, size = self._alone[sides[:, 0], sides[:, 1]], self._statistic[sides[:, 0], sides[:, 1]]
        for width in np.unique(sizes[sizes > 0]).tolist():
            rows = np.flatnonzero(sizes == width)
            results = self._ask_given(phase, sides[rows], width, tick)
            log_p[rows], size[rows] = results.log_p, results.statistic
        return log_p, np.abs(np.nan_to_num(size))

    def _ask_given(self, phase: str, sides: np.ndarray, width: int, tick: Tick) -> TestResults:
        """Test the sides whose blankets have `width` members beside the partner."""
        rows = self._pools.members[sides[:, 0]]
        used = (np.arange(rows.shape[1]) < self._pools.sizes[sides[:, 0], None]) & (rows != sides[:, 1:])
        members = np.sort(rows[used].reshape(-1, width), axis=1)
        pools = PairPools(np.arange(len(sides) + 1, dtype=np.int64) * width, members.ravel())
        return self._results(phase, sides, PoolWalks(sides, pools, width), tick)

    def _results(self, phase: str, sides: np.ndarray, walks: LevelWalks | PoolWalks, tick: Tick) -> TestResults:
        """The tests of the sides, remembered whole or as far as they came."""
        try:
            results = self.ci_test.separate(walks, self.alpha, phase=phase, tick=tick)
        except Stopped as stopped:
            if stopped.partial is not None:
                self._note(sides, stopped.partial)
            raise
        self._note(sides, results)
        return results

    def _note(self, sides: np.ndarray, results: TestResults) -> None:
        """Remember the last test of each side."""
        done = np.flatnonzero(results.n_tests > 0)
        at, width = sides[done] @ (self.ci_test.p, 1), results.cond.shape[1]
        self._last = last = self._with_sets_of(width)
        for known, new in zip(last, results, strict=True):
            if known.ndim == 1 and known is not last.n_tests and len(new):
                known[at] = new[done]
        last.cond[at] = -1
        last.cond[at, :width] = results.cond[done]
        last.n_tests[at] += results.n_tests[done]

    def _with_sets_of(self, width: int) -> TestResults:
        """The last tests with room for sets of so many members, half as many again each time: p² sets are copied."""
        known = self._last.cond
        if width > self._sets.shape[1]:
            begin, room = known.shape[1], max(width + 4, 3 * known.shape[1] // 2)
            self._sets = np.empty((len(known), room), dtype=np.int32)
            self._sets[:, :begin], self._sets[:, begin:] = known, -1
        return self._last._replace(cond=self._sets[:, : max(width, known.shape[1])])

    def _tell_sides(self) -> None:
        """Tell whether each side that was tested is in the blanket, by its last test."""
        at = np.flatnonzero(self._last.n_tests > 0)
        sides = np.column_stack(np.divmod(at, self.ci_test.p))
        inside = self.blankets[sides[:, 0], sides[:, 1]]
        actions, tested = np.where(inside, Action.KEEP, Action.APART), self._last.tested[at]
        for rule, part in ((Rule.BLANKET, tested), (Rule.BLANKET_UNTESTED, ~tested)):
            self._tell_rows(actions[part], sides[part], at[part], rule=rule)

    def _drop_outside_blanket(self) -> None:
        """Pairs of which one is not in the blanket of the other are joined no more."""
        p, inside = self.ci_test.p, self.blankets
        pairs = open_edges(self.adjacency & ~(inside & inside.T), self._joined, 0)
        both = np.stack([pairs @ (p, 1), pairs[:, ::-1] @ (p, 1)])
        # Of two refusals the one by a test, then that with the larger p; one without any is for lack of room.
        log_p = self._last.log_p[both] + np.where(self._last.tested[both], 0.0, NO_ROOM / 2)
        weight = np.where(self._last.log_p[both] > self._log_alpha, log_p, NO_ROOM)
        weight[inside.ravel()[both]] = -np.inf
        side, weight = np.argmax(weight, axis=0), weight.max(axis=0)
        at = both[side, np.arange(len(pairs))]
        sides = np.where(side[:, None] == 1, pairs[:, ::-1], pairs)
        refused = weight > NO_ROOM
        self.adjacency[pairs[:, 0], pairs[:, 1]] = self.adjacency[pairs[:, 1], pairs[:, 0]] = False
        self._widen(self._last.cond.shape[1])
        for i, j in (sides[refused].T, sides[refused, ::-1].T):
            self.separated[i, j] = True
            self.log_phi[i, j] = self._last.log_p[at[refused]]
            self.members[i, j] = -1
            self.members[i, j, : self._last.cond.shape[1]] = self._last.cond[at[refused]]
        untested = refused & ~self._last.tested[at]
        self.n_untested += int((~refused | untested).sum())
        for rule, part in ((Rule.NO_ROOM, ~refused), (Rule.UNTESTED, untested), (Rule.TEST, refused & ~untested)):
            rows = np.flatnonzero(part)
            rows = rows[np.argsort(-self._last.log_p[at[rows]], kind="stable")]
            actions = np.full(len(rows), self._actions[0])
            self._tell_rows(actions, sides[rows], at[rows], rule=rule, counted=False)

    def _tell_rows(
        self, actions: np.ndarray, sides: np.ndarray, at: np.ndarray, *, rule: Rule, counted: bool = True
    ) -> None:
        """One event a side, with its last test; `counted` once only."""
        last, everyone = self._last.rows(at), slice(None)
        numbers = {name: getattr(last, name) for name in ("statistic", "dof", "log_p")}
        numbers |= {"n_tests": last.n_tests * counted, "n_rows": last.rows_told(everyone), "threshold": self.alpha}
        self.trace.extend(PHASE, actions, sides, last.cond, rule=rule, **numbers)

    def _within(self, most: int | None, tick: Tick) -> None:
        """Sets within the smaller blanket, or within each where they are of one size."""
        mutual = self.blankets
        mutual &= mutual.T
        sizes = mutual.sum(axis=1)
        widest, lists = int(sizes.max(initial=0)), neighbor_lists(mutual)
        for size in range(1, (widest if most is None else min(most, widest)) + 1):
            for side in (0, 1):
                edges = open_edges(self.adjacency, self._joined, 0)
                own, other = sizes[edges[:, side]], sizes[edges[:, 1 - side]]
                edges = edges[(own <= other) & (own > size)]
                skip = nothing_skipped(len(edges), side, self.ci_test.p)
                if side:  # what the first blanket, as large, offered before
                    same = sizes[edges[:, 0]] == sizes[edges[:, 1]]
                    skip[same, 0] = mutual[edges[same, 0]]
                self.run_pools(
                    Phase(Stage.WITHIN_BLANKETS, size=size), edges, side_pools(edges, *lists, side), size, skip, tick
                )

    def _absorb(self, phase: Phase, edges: np.ndarray, results: TestResults) -> None:
        if results.cond.shape[1] == 0:
            self._note_alone(edges, results)
        super()._absorb(phase, edges, results)
