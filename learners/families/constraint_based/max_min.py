"""Max-min search for the neighbours of every variable, all targets in parallel, round by round.

Tsamardinos, Brown and Aliferis (2006): MMPC-bar, algorithm 1, for every target, and MMPC, algorithm 2, which requires
that both ends of an edge choose each other. A *side* (t, x) is the question whether x belongs to the candidate parents
and children (CPC) of its target t; each pair has two. The hardest test of a side so far has the largest p-value, which
the paper calls the minimum association. After t has chosen a member, only the sets that contain it are new.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...common.progress import Stopped, Tick, check_cancelled, run_steps, silent
from ...common.relabeling import ByPair
from ...common.run_warning import RunWarning
from ...graphs.knowledge import BoundKnowledge
from ...graphs.rules import Rule
from ...graphs.sepsets import Sepsets
from ...independence.ci_test import CITest
from ...independence.set_search import NewSetSearch, Pools
from ...kernels.ci.results import CIResults, empty_results
from ...kernels.ci.strongest import strongest_rows
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...search.skeleton_levels import PairEvidence, untested_warning
from ...search.targetwise import MARGINAL, TargetwiseSearch, fill_hardest

OPEN, MEMBER, OUT = 0, 1, 2  # states of a side: not decided, in the CPC of its target, separated
BACKWARD = Phase(Stage.BACKWARD)


@dataclass(frozen=True, eq=False)
class CandidateSets(PairEvidence):
    """The hardest test of every pair, and the candidate parents and children of every variable.

    Attributes
    ----------
    candidates : (p, p) bool array
        Entry [t, x] is True if x is in the final CPC of t. An edge needs both entries.
    """

    candidates: ByPair


class MaxMinSearch(TargetwiseSearch):
    """State of the max-min search, and its trace.

    Parameters
    ----------
    ci_test, alpha, max_cond_size
        As for `mmpc`.
    knowledge : BoundKnowledge
        Required partners are in the CPC from the start and are never tested; forbidden partners are never in it.
    draws : bool
        As for `TargetwiseSearch`.
    """

    kind = "skeleton"  # kind of a result whose `extra` is the evidence of this search

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
        """Test every pair marginally, then run the forward and the backward phase.

        Raises
        ------
        Stopped
            If cancelled; the state has the tests done so far.
        """
        try:
            self._begin(tick)
            self._forward(tick)
            self._backward(tick)
        finally:
            left = np.flatnonzero((self._state != OUT) & (self._hardest.n_tests > 0))
            self._record(BACKWARD, np.full(len(left), Action.KEEP), *self._of(left))
            self._of_pairs = None
            self._orient_known(self._drawn)

    def _begin(self, tick: Tick) -> None:
        """Test every pair marginally and open the dependent pairs, including those tested before a cancel."""
        try:
            self._test_pairs(~(self.knowledge.joined | self.knowledge.apart), tick)
        except Stopped:
            run_steps(self._open(), silent, str(MARGINAL))
            raise
        run_steps(self._open(), tick, str(MARGINAL))

    def _open(self) -> Iterator[None]:
        """Record the marginal tests, the weakest pair first; turn each dependent pair into two sides."""
        results = self._marginal
        known = np.flatnonzero(results.n_tests > 0)
        dependent = known[results.log_p[known] <= self._log_alpha]
        known = known[np.argsort(-results.log_p[known], kind="stable")]
        yield
        actions = np.where(results.log_p[known] > self._log_alpha, Action.APART, Action.KEEP)
        pairs, ranked = self._pairs[known], results.rows(known)
        yield
        self._record(MARGINAL, actions, pairs, ranked)
        yield
        number = np.full((self.ci_test.p, self.ci_test.p), -1)
        low, high = self._pairs[dependent].T
        number[low, high] = number[high, low] = dependent
        self._sides = np.argwhere(number >= 0)
        yield
        self._hardest = results.rows(number[number >= 0])
        self._hardest.n_tests[:] = 0  # the marginal test is counted for the pair
        self._state = np.full(len(self._sides), OPEN, dtype=np.int8)

    def _forward(self, tick: Tick) -> None:
        """Run phase I of algorithm 1: in each round, each target adds the partner of largest minimum association."""
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
        """Add the partners of these sides to the CPCs of their targets."""
        nodes, new = self._sides[rows].T
        self._state[rows] = MEMBER
        self.chosen[nodes, new] = True
        self.pools = self.pools.with_one_more(nodes, new)
        if self._draws:
            self._draw_mutual(phase, nodes, new)

    def _required_pools(self) -> Pools:
        """Return the pools with the required partners added and every conditioning set marked as untested."""
        pools = self.pools
        for node, partner in np.argwhere(self.knowledge.joined).tolist():
            pools = pools.with_one_more(np.array([node]), np.array([partner]))
        return pools._replace(known=np.zeros_like(pools.known))

    def _strongest_open(self) -> np.ndarray:
        """Return the open side of each target with the smallest p-value; ties go to the larger statistic."""
        return strongest_rows(
            self._sides, self._state, OPEN, self.ci_test.p, self._hardest.log_p, self._hardest.statistic
        )

    def _backward(self, tick: Tick) -> None:
        """Run phase II of algorithm 1: each target tests its members again, in the order in which they were added.

        The sets of members added before a member were tested when it was added, so only the others are new.
        """
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
        """Test the sides `rows` given the new sets of `pools`, and remove the separated ones."""
        most = int(pools.sizes[self._sides[rows, 0]].max(initial=0))
        most = most if self.max_cond_size is None else min(most, self.max_cond_size)
        if most == 0:
            return
        check_cancelled(tick, str(phase))
        searches = NewSetSearch(self._sides[rows], pools, most)
        try:
            results = self.ci_test.separate(searches, self.alpha, phase=str(phase), tick=tick)
        except Stopped as stopped:
            if stopped.partial is not None:
                run_steps(self._update(phase, rows, stopped.partial), silent, str(phase))
            raise
        run_steps(self._update(phase, rows, results), tick, str(phase))

    def _update(self, phase: Phase, rows: np.ndarray, results: CIResults) -> Iterator[None]:
        """Update the hardest tests of the sides `rows`, and remove the separated sides."""
        self._harden(rows, results)
        yield
        yield from self._remove_separated(phase, rows)

    def _harden(self, rows: np.ndarray, results: CIResults) -> None:
        """Replace the hardest tests of the sides `rows` by tests in `results` with a larger p-value."""
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

    def _remove_separated(self, phase: Phase, rows: np.ndarray) -> Iterator[None]:
        """Remove the partners of the separated sides among `rows` from the CPCs of their targets."""
        rows = rows[self._hardest.log_p[rows] > self._log_alpha]
        if not len(rows):
            return
        rows = rows[np.argsort(-self._hardest.log_p[rows], kind="stable")]
        yield
        sides, hardest = self._of(rows)
        yield
        nodes, partners = sides.T
        self._state[rows] = OUT
        self.chosen[nodes, partners] = False
        drawn = self._drawn[nodes, partners]
        leaving = np.flatnonzero(drawn)
        if len(leaving):
            pairs = np.sort(sides[leaving], axis=1) @ (self.ci_test.p, 1)
            drawn[leaving] = False  # both sides may be separated in one round; the edge is removed once
            drawn[leaving[np.unique(pairs, return_index=True)[1]]] = True
            self._drawn[nodes, partners] = self._drawn[partners, nodes] = False
        yield
        self._record(phase, np.where(drawn, Action.REMOVE, Action.APART), sides, hardest)

    def _draw_mutual(self, phase: Phase, nodes: np.ndarray, new: np.ndarray) -> None:
        """Record the pairs of `nodes` and their `new` partners that chose each other, the strongest first."""
        is_mutual = self.chosen[new, nodes] & ~self._drawn[new, nodes]
        if not is_mutual.any():
            return
        pairs = np.sort(np.column_stack([nodes, new])[is_mutual], axis=1)
        mutual = np.column_stack(np.divmod(np.unique(pairs @ (self.ci_test.p, 1)), self.ci_test.p))
        self._drawn[mutual[:, 0], mutual[:, 1]] = self._drawn[mutual[:, 1], mutual[:, 0]] = True
        keys = self._sides @ (self.ci_test.p, 1)
        rows = np.searchsorted(keys, np.vstack([mutual, mutual[:, ::-1]]) @ (self.ci_test.p, 1)).reshape(2, -1)
        weaker = rows[np.argmax(self._hardest.log_p[rows], axis=0), np.arange(len(mutual))]
        order = weaker[np.argsort(self._hardest.log_p[weaker], kind="stable")]
        sides, hardest = self._of(order)
        hardest.n_tests[:] = 0  # counted when the side is decided
        self._record(phase, np.full(len(order), Action.ADD), sides, hardest, rule=Rule.MUTUAL)

    def _of(self, rows: np.ndarray) -> tuple[np.ndarray, CIResults]:
        """Return some sides and copies of their hardest tests."""
        return self._sides[rows], self._hardest.rows(rows)

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """A warning about pairs that were separated without a test, if there are any."""
        return untested_warning(self._n_untested(self._sides[~self._hardest.tested]))

    @property
    def sepsets(self) -> Sepsets:
        """The separating set of each pair: of its two sides, the one with the larger p-value."""
        log_p, members = self._hardest_of_pairs()
        return Sepsets(members, log_p > self._log_alpha)

    @property
    def evidence(self) -> CandidateSets:
        """The hardest test of every pair over both sides, and the CPCs."""
        log_phi, members = self._hardest_of_pairs()
        tested = ~np.isnan(log_phi)
        np.fill_diagonal(log_phi, -np.inf)
        candidates = self.chosen.copy()
        log_phi.flags.writeable = candidates.flags.writeable = False
        return CandidateSets(log_phi, Sepsets(members, tested), candidates)

    def _hardest_of_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, p) ln of the largest p-value, NaN without a test, and its (p, p, k) set; computed once."""
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
