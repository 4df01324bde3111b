"""The max-min search for the neighbours of every variable, all variables side by side, round by round.

Tsamardinos, Brown and Aliferis (2006), algorithms 1 and 2. A *side* (t, x) asks whether x belongs to the candidates of
its target t; both sides of a pair are asked apart, and an edge needs both. Of a side the hardest test so far is kept:
its p is what the paper calls the minimum association, and only sets that hold the newest candidate are new to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..common.numbering import ByPair
from ..common.progress import Stopped, Tick, all_of, breathe, silent
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..independence import CITest, NewSetWalks, Pools
from ..kernels.tests.results import TestResults, empty_results
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import Rule
from ..search.skeleton import PairEvidence, untested_warning
from ..search.targetwise import MARGINAL, TargetwiseSearch, fill_hardest

OPEN, MEMBER, OUT = 0, 1, 2  # states of a side
BACKWARD = Phase(Stage.BACKWARD)


@dataclass(frozen=True, eq=False)
class CandidateSets(PairEvidence):
    """The hardest test of every pair, and who chose whom.

    Attributes
    ----------
    candidates : (p, p) bool array
        Entry [t, x]: x is among the final candidates of t. An edge needs both entries.
    """

    candidates: ByPair


class MaxMinSearch(TargetwiseSearch):
    """State of the candidate sets, and the trace of what happened.

    Parameters
    ----------
    ci_test, alpha, max_cond_size
        As for `mmpc`.
    knowledge : BoundKnowledge
        Required partners are candidates from the start and never tested, forbidden ones never are.
    draws : bool
        Whether the trace's graph follows the edges; else it stays empty, and the trace only tells of the tests.
    """

    kind = "skeleton"  # see `LearnResult`

    def __init__(
        self, ci_test: CITest, alpha: float, max_cond_size: int | None, knowledge: BoundKnowledge, *, draws: bool = True
    ) -> None:
        super().__init__(ci_test, alpha, knowledge, draws=draws)
        self.max_cond_size = max_cond_size
        self.pools = Pools.empty(ci_test.p)
        self.chosen = knowledge.joined.copy()
        self._drawn = knowledge.joined & draws
        self._sides, self._hardest = np.empty((0, 2), np.int64), empty_results(0, 0)
        self._state = np.empty(0, np.int8)
        self._of_pairs: tuple[np.ndarray, np.ndarray] | None = None

    def run(self, tick: Tick) -> None:
        """Every pair given nothing, then forward, then backward.

        Raises
        ------
        Stopped
            If cancelled; the state holds what was finished.
        """
        try:
            self._begin(tick)
            self._forward(tick)
            self._backward(tick)
        finally:
            left = np.flatnonzero((self._state != OUT) & (self._hardest.n_tests > 0))
            self._tell(BACKWARD, np.full(len(left), Action.KEEP), *self._of(left))
            self._of_pairs = None
            self._orient_known(self._drawn)

    def _begin(self, tick: Tick) -> None:
        """Every pair given nothing; what was tested before a cancel is told and opened all the same."""
        try:
            self._test_pairs(~(self.knowledge.joined | self.knowledge.apart), tick)
        except Stopped:
            all_of(self._open(), silent, str(MARGINAL))
            raise
        all_of(self._open(), tick, str(MARGINAL))

    def _open(self) -> Iterator[None]:
        """Tell the tests given nothing, the weakest pair first; the dependent pairs become sides, both ways round."""
        results = self._marginal
        known = np.flatnonzero(results.n_tests > 0)
        dependent = known[results.log_p[known] <= self._log_alpha]
        known = known[np.argsort(-results.log_p[known], kind="stable")]
        yield
        actions = np.where(results.log_p[known] > self._log_alpha, Action.APART, Action.KEEP)
        pairs, told = self._pairs[known], results.rows(known)
        yield
        self._tell(MARGINAL, actions, pairs, told)
        yield
        number = np.full((self.ci_test.p, self.ci_test.p), -1)
        low, high = self._pairs[dependent].T
        number[low, high] = number[high, low] = dependent
        self._sides = np.argwhere(number >= 0)
        yield
        self._hardest = results.rows(number[number >= 0])
        self._hardest.n_tests[:] = 0  # the test given nothing belongs to the pair
        self._state = np.full(len(self._sides), OPEN, dtype=np.int8)

    def _forward(self, tick: Tick) -> None:
        """Each round every target takes the partner whose minimum association is largest, until none is dependent."""
        self.pools = self._required_pools()
        number = 1
        rows = np.flatnonzero(self.pools.sizes[self._sides[:, 0]] > 0)
        self._try(Phase(Stage.ROUND, round=1), rows, self.pools, tick)
        while len(best := self._strongest_open()):
            phase = Phase(Stage.ROUND, round=number)
            self._take(phase, best)
            grown = np.zeros(self.ci_test.p, dtype=bool)
            grown[self._sides[best, 0]] = True
            rows = np.flatnonzero((self._state == OPEN) & grown[self._sides[:, 0]])
            self._try(phase, rows, self.pools, tick)
            number += 1

    def _take(self, phase: Phase, rows: np.ndarray) -> None:
        """The partners of these sides become candidates."""
        nodes, new = self._sides[rows].T
        self._state[rows] = MEMBER
        self.chosen[nodes, new] = True
        self.pools = self.pools.with_one_more(nodes, new)
        self._draw_mutual(phase)

    def _required_pools(self) -> Pools:
        pools = self.pools
        for node, partner in np.argwhere(self.knowledge.joined).tolist():
            pools = pools.with_one_more(np.array([node]), np.array([partner]))
        return pools._replace(known=np.zeros_like(pools.known))

    def _strongest_open(self) -> np.ndarray:
        """The open side of each target with the smallest p, of equal ones that with the larger statistic."""
        rows = np.flatnonzero(self._state == OPEN)
        begin = np.flatnonzero(np.diff(self._sides[rows, 0], prepend=-1))
        sizes = np.diff(begin, append=len(rows))
        log_p, size = self._hardest.log_p[rows], np.abs(np.nan_to_num(self._hardest.statistic[rows]))
        if not len(rows):
            return rows
        # Among those of each target, without sorting them: there are p² of them, and as many as p rounds.
        first = log_p == np.repeat(np.minimum.reduceat(log_p, begin), sizes)
        size[~first] = -1.0
        first &= size == np.repeat(np.maximum.reduceat(size, begin), sizes)
        rows = rows[first]
        return rows[np.flatnonzero(np.diff(self._sides[rows, 0], prepend=-1))]

    def _backward(self, tick: Tick) -> None:
        """Each target tests its members in the order they came; sets of members before one were tried on its way in."""
        turn = np.zeros(self.ci_test.p, dtype=np.int64)
        keys = self._sides @ (self.ci_test.p, 1)
        while len(nodes := np.flatnonzero(turn < self.pools.sizes - 1)):
            members = self.pools.members[nodes, turn[nodes]]
            free = ~self.knowledge.joined[nodes, members]
            nodes, members, required = nodes[free], members[free], nodes[~free]
            rows = np.searchsorted(keys, nodes * self.ci_test.p + members)
            self._try(BACKWARD, rows, self.pools.without(nodes, turn[nodes]), tick)
            gone = self._state[rows] == OUT
            self.pools = self.pools.without(nodes[gone], turn[nodes[gone]])
            turn[nodes[~gone]] += 1
            turn[required] += 1

    def _try(self, phase: Phase, rows: np.ndarray, pools: Pools, tick: Tick) -> None:
        """Test these sides given the new sets of `pools`, and part those that a set separates."""
        most = int(pools.sizes[self._sides[rows, 0]].max(initial=0))
        most = most if self.max_cond_size is None else min(most, self.max_cond_size)
        if most == 0:
            return
        breathe(tick, str(phase))
        walks = NewSetWalks(self._sides[rows], pools, most)
        try:
            results = self.ci_test.separate(walks, self.alpha, phase=str(phase), tick=tick)
        except Stopped as stopped:
            if stopped.partial is not None:
                all_of(self._fold(phase, rows, stopped.partial), silent, str(phase))
            raise
        all_of(self._fold(phase, rows, results), tick, str(phase))

    def _fold(self, phase: Phase, rows: np.ndarray, results: TestResults) -> Iterator[None]:
        """Absorb tests of the sides `rows`; those that a set separates part."""
        self._absorb(rows, results)
        yield
        yield from self._part(phase, rows)

    def _absorb(self, rows: np.ndarray, results: TestResults) -> None:
        """Fold tests of the sides `rows` into what is known of them."""
        hardest, most = self._hardest, results.cond.shape[1]
        missing = most - hardest.cond.shape[1]
        if missing > 0:
            hardest = hardest._replace(cond=np.pad(hardest.cond, ((0, 0), (0, missing)), constant_values=-1))
            self._hardest = hardest
        harder = (results.n_tests > 0) & (results.log_p > hardest.log_p[rows])
        at = rows[harder]
        for known, new in ((hardest.log_p, results.log_p), (hardest.statistic, results.statistic)):
            known[at] = new[harder]
        hardest.dof[at], hardest.tested[at] = results.dof[harder], results.tested[harder]
        if len(results.n_rows):
            hardest.n_rows[at] = results.n_rows[harder]
        hardest.cond[at] = -1
        hardest.cond[at, :most] = results.cond[harder]
        hardest.n_tests[rows] += results.n_tests

    def _part(self, phase: Phase, rows: np.ndarray) -> Iterator[None]:
        """The independent ones of these sides part: their partners are no candidates any more."""
        rows = rows[self._hardest.log_p[rows] > self._log_alpha]
        rows = rows[np.argsort(-self._hardest.log_p[rows], kind="stable")]
        yield
        sides, hardest = self._of(rows)
        yield
        nodes, partners = sides.T
        self._state[rows] = OUT
        self.chosen[nodes, partners] = False
        drawn = self._drawn[nodes, partners]
        leaving = np.flatnonzero(drawn)
        pairs = np.sort(sides[leaving], axis=1) @ (self.ci_test.p, 1)
        drawn[leaving] = False  # both sides may part in the same round; the edge leaves once
        drawn[leaving[np.unique(pairs, return_index=True)[1]]] = True
        self._drawn[nodes, partners] = self._drawn[partners, nodes] = False
        yield
        self._tell(phase, np.where(drawn, Action.REMOVE, Action.APART), sides, hardest)

    def _draw_mutual(self, phase: Phase) -> None:
        """Tell of the pairs that have come to hold each other, the strongest first."""
        mutual = np.argwhere(np.triu(self.chosen & self.chosen.T & ~self._drawn))
        if not self._draws or not len(mutual):
            return
        self._drawn[mutual[:, 0], mutual[:, 1]] = self._drawn[mutual[:, 1], mutual[:, 0]] = True
        keys = self._sides @ (self.ci_test.p, 1)
        rows = np.searchsorted(keys, np.vstack([mutual, mutual[:, ::-1]]) @ (self.ci_test.p, 1)).reshape(2, -1)
        weaker = rows[np.argmax(self._hardest.log_p[rows], axis=0), np.arange(len(mutual))]
        order = weaker[np.argsort(self._hardest.log_p[weaker], kind="stable")]
        sides, hardest = self._of(order)
        hardest.n_tests[:] = 0  # told once the side is decided
        self._tell(phase, np.full(len(order), Action.ADD), sides, hardest, rule=Rule.MUTUAL)

    def _of(self, rows: np.ndarray) -> tuple[np.ndarray, TestResults]:
        """Some sides and copies of what is known of them."""
        return self._sides[rows], self._hardest.rows(rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Says how many pairs were separated without a test, for lack of rows."""
        return untested_warning(self._n_untested(self._sides[~self._hardest.tested]))

    @property
    def sepsets(self) -> Sepsets:
        """The separating set of each pair: of its two sides that with the larger p."""
        log_p, members = self._hardest_of_pairs()
        return Sepsets(members, log_p > self._log_alpha)

    @property
    def evidence(self) -> CandidateSets:
        """The largest p of every pair over both sides, its set, and who holds whom."""
        log_phi, members = self._hardest_of_pairs()
        tested = ~np.isnan(log_phi)
        np.fill_diagonal(log_phi, -np.inf)
        candidates = self.chosen.copy()
        log_phi.flags.writeable = candidates.flags.writeable = False
        return CandidateSets(log_phi, Sepsets(members, tested), candidates)

    def _hardest_of_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """(p, p) ln of the largest p, NaN where nothing was tested, and (p, p, k) its set; found once."""
        if self._of_pairs is None:
            self._of_pairs = self._find_hardest_of_pairs()
        log_p, members = self._of_pairs
        return log_p.copy(), members

    def _find_hardest_of_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        p, width = self.ci_test.p, self._hardest.cond.shape[1]
        log_p = np.full((p, p), np.nan)
        done = np.flatnonzero(self._marginal.n_tests > 0)
        log_p[self._pairs[done, 0], self._pairs[done, 1]] = self._marginal.log_p[done]
        members = np.full((p, p, width), -1, dtype=np.int32)
        return fill_hardest(log_p, members, self._sides, self._hardest)
