"""TWF-PC, the skeleton phase of CImap: test all pairs, then one edge at a time in the remaining graph.

Bacciu, Etchells, Lisboa and Whittaker (2013), algorithm 3, with the controls of false negatives and false discoveries
(sections 3.2 and 3.3) and the normal approximation (section 3.4).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Self

import numpy as np
from scipy.special import log_ndtr

from ...common.arrays import frozen
from ...common.false_discovery import log_threshold
from ...common.progress import Stopped, Tick, check_cancelled, run_steps, silent
from ...graphs.knowledge import BoundKnowledge
from ...graphs.rules import Rule
from ...independence.information import InformationTest
from ...independence.set_search import LevelSearch
from ...kernels.ci.results import CIResults
from ...kernels.cimap.sequential_tests import SEPARATED, SKIPPED, TurnResults
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...search.skeleton_levels import SkeletonSearch, forbidden_with_common_neighbor
from .levels import Families, Level, Records
from .presets import NORMAL, Options

PAIRS = Phase(Stage.LEVEL, size=0)
TIE_DIGITS = 12  # decimals of information in bits; tables of equal counts agree to more decimals


class InformationSearch(SkeletonSearch):
    """State of a search for the skeleton.

    Attributes
    ----------
    bits, spread : (p, p) float64 arrays
        Mutual information of every pair, and its asymptotic standard deviation.
    hardest_bits : (p, p) float64 array
        Information in the hardest test of each pair, the one of `log_phi` and `members`.
    skipped : (p, p) int64 array
        Number of conditioning sets of each pair that were skipped because of too little power.
    pairs : CIResults
        χ² tests without a conditioning set, one per row of `tested_pairs` (m, 2).
    """

    ci_test: InformationTest

    def __init__(self, ci_test: InformationTest, settings: Options, knowledge: BoundKnowledge) -> None:
        super().__init__(ci_test, settings.alpha, knowledge)
        p = ci_test.p
        self.settings = settings
        self.rule = settings.rule(ci_test.n)
        self.records = Records()
        self.bits, self.spread = np.full((p, p), np.nan), np.full((p, p), np.nan)
        self.hardest_bits = np.full((p, p), np.nan)
        self.marginal_log_p, self.marginal_dof = np.full((p, p), np.nan), np.full((p, p), np.nan)
        self.skipped = np.zeros((p, p), dtype=np.int64)
        self._rank = self.bits

    def run(self, tick: Tick) -> None:
        """Test all orders, K = 0, 1, 2, …: algorithm 3, lines 2 to 36, with iFDR after each order.

        Raises
        ------
        Stopped
            If cancelled; the state holds what was finished.
        """
        self.bits, self.spread = self.ci_test.pair_information(tick)
        self._test_pairs(tick)  # lines 2 to 14, K = 0
        check_cancelled(tick, str(PAIRS))
        self._rank = np.round(self.bits, TIE_DIGITS)  # values that differ by rounding only are equal
        interleaved = self.settings.fdr == "ifdr"
        if interleaved:
            self._control(Phase(Stage.FDR_OF_LEVEL, size=0))
        size, most = 1, self.settings.max_cond_size
        while (most is None or size <= most) and self._run_turns(size, tick):  # lines 16 to 36
            if interleaved:
                self._control(Phase(Stage.FDR_OF_LEVEL, size=size))
            size += 1
        self.separate_forbidden(most, tick)

    def resumed(self, by: InformationSearch) -> Self:
        """Resume the search as in `SkeletonSearch.resumed`."""
        own = super().resumed(by)
        own.settings, own.rule = by.settings, by.rule
        own.records = Records(list(self.records.levels), list(self.records.families))
        return own

    def separate_forbidden(self, max_cond_size: int | None, tick: Tick) -> None:
        """Find separating sets of forbidden pairs by the rule of this search. See `SkeletonSearch`."""
        pairs = forbidden_with_common_neighbor(self.apart & ~self.separated, self.adjacency)
        degree = self.adjacency.sum(axis=1)[pairs].max(axis=1, initial=0)
        widest, lists = int(degree.max(initial=-1)), self._conditioners()
        for size in range((widest if max_cond_size is None else min(max_cond_size, widest)) + 1):
            left = pairs[(degree >= size) & ~self.separated[pairs[:, 0], pairs[:, 1]]]
            if not len(left):
                return
            may_separate, phase = self.adjacency.copy(), Phase(Stage.KNOWLEDGE)
            _put(may_separate, *left.T, True)
            ends = np.concatenate([left, left[:, ::-1]]) if size else left
            turns = self.ci_test.separate_in_turn(
                ends, may_separate, lists, size, self.rule, phase=str(phase), tick=tick
            )
            bits = self._bits(ends, turns)
            self._widen(size)
            for half in (slice(0, len(left)), slice(len(left), None)):  # each pair once
                rows = np.flatnonzero(turns.n_tests[half] > 0) + (half.start or 0)
                self._harden(ends[rows], turns.log_p[rows], bits[rows], turns.cond[rows])
            gone = turns.state == SEPARATED
            _put(self.separated, *ends[gone].T, True)
            for rows in (gone, ~gone & (turns.n_tests > 0)):
                self._record_turns(phase, Action.APART, ends, turns, bits, rows, known=rows is not gone)

    def control_at_the_end(self) -> None:
        """Control false discoveries after all tests (sFDR), if requested."""
        if self.settings.fdr == "sfdr":
            self._control(Phase(Stage.FDR))

    # --- without a conditioning set -------------------------------------------------------------------------------

    def _test_pairs(self, tick: Tick) -> None:
        """Test each pair marginally, in any order: lines 2 to 14."""
        p = self.ci_test.p
        pairs = np.argwhere(np.triu(~(self._required | self.apart), 1))
        dof = np.broadcast_to(self.ci_test.declared_dof(pairs[:, 0], pairs[:, 1]), len(pairs))
        # The bound applies to the χ² test; the normal approximation has no bound.
        weak = (dof > self.rule.bound) & (self.settings.test not in NORMAL)
        self.skipped[tuple(pairs[weak].T)] = self.skipped[tuple(pairs[weak, ::-1].T)] = 1
        searches = LevelSearch.marginal(pairs[~weak], p)
        try:
            results = self.ci_test.separate(searches, self.alpha, phase=str(PAIRS), tick=tick)
        except Stopped as stopped:
            if stopped.partial is not None:
                run_steps(self._absorb_pairs(pairs[~weak], stopped.partial), silent, str(PAIRS))
            raise
        run_steps(self._absorb_pairs(pairs[~weak], results), tick, str(PAIRS))
        self._record_skipped(PAIRS, pairs[weak], dof[weak])

    def _absorb_pairs(self, pairs: np.ndarray, results: CIResults) -> Iterator[None]:
        """Remove the edges of independent pairs and record all tests, the weakest pair first."""
        done = results.n_tests > 0
        pairs, results = pairs[done], results.rows(done)
        bits = np.asarray(self.ci_test.bits(results.statistic, results.dof, pairs))
        i, j = pairs.T
        _put(self.bits, i, j, bits)
        _put(self.marginal_log_p, i, j, results.log_p)
        _put(self.marginal_dof, i, j, results.dof)
        yield
        rule, statistic, dof, log_p = Rule.TEST, results.statistic, results.dof, results.log_p
        if self.settings.test in NORMAL:
            rule, dof = Rule.NORMAL, np.full(len(pairs), np.nan)
            statistic = deviations(bits, self.spread[i, j], self.rule.cut)
            log_p = log_ndtr(-statistic)
        elif self.settings.test == "mi":
            rule, statistic = Rule.CUT, 1e3 * bits
        gone = bits < self.rule.cut if self.settings.test == "mi" else log_p > self.rule.log_alpha
        _put(self.log_phi, i, j, log_p)
        _put(self.hardest_bits, i, j, bits)
        _put(self.adjacency, i[gone], j[gone], False)
        _put(self.separated, i[gone], j[gone], True)
        yield
        order = []
        for part in (np.flatnonzero(gone), np.flatnonzero(~gone)):
            keys = [bits[part]] if self.settings.test == "mi" else [bits[part], -log_p[part]]
            order.append(part[np.lexsort(keys)])
            yield
        order = np.concatenate(order)
        self.trace.extend(
            PAIRS,
            np.where(gone, Action.REMOVE, Action.KEEP)[order],
            pairs[order],
            np.empty((len(pairs), 0), np.int32),
            rule=rule,
            statistic=statistic[order],
            dof=dof[order],
            log_p=log_p[order],
            threshold=self._threshold,
            n_tests=1,
        )

    # --- given others -----------------------------------------------------------------------------------------------

    def _run_turns(self, size: int, tick: Tick) -> bool:
        """Test one order K: lines 17 to 34. Return False if no pair was left to test, or no test had enough power."""
        strength, nodes, edges = self._turns(size)
        if not len(edges):
            return False
        phase = Phase(Stage.LEVEL, size=size)
        check_cancelled(tick, str(phase))
        lists = self._conditioners()
        left = self.adjacency.copy()
        try:
            turns = self.ci_test.separate_in_turn(edges, left, lists, size, self.rule, phase=str(phase), tick=tick)
        except Stopped as stopped:
            if stopped.partial is not None:
                run_steps(self._absorb_turns(Level(size, strength, nodes, edges, stopped.partial)), silent, str(phase))
            raise
        run_steps(self._absorb_turns(Level(size, strength, nodes, edges, turns)), tick, str(phase))
        # A larger set has at least as many degrees of freedom, so no later test can have the power.
        return bool(turns.n_tests.any())

    def _turns(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sort nodes and edges by strength: lines 17 and 18.

        Returns
        -------
        strength : (p,) float64 array
            σ of the nodes in mbit.
        nodes : (m,) int64 array
            In the order of their turns.
        edges : (t, 2) int64 array
            In the order of their turns.
        """
        strength = np.round(np.where(self.adjacency, self._rank, 0.0).sum(axis=1), TIE_DIGITS)
        order = np.argsort(strength, kind="stable") if self.settings.twf else np.arange(self.ci_test.p)
        open_ = self.adjacency & ~self._required & (self.adjacency.sum(axis=1) > size)[:, None]
        nodes = order[open_[order].any(axis=1)]
        edges = [np.empty((0, 2), np.int64)]
        for i in nodes.tolist():
            near = np.flatnonzero(open_[i])
            if self.settings.twf:
                near = near[np.argsort(self._rank[i, near], kind="stable")]
            edges.append(np.column_stack([np.full(len(near), i), near]))
        return 1e3 * strength, nodes, np.concatenate(edges)

    def _conditioners(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the neighbours of each node as `adjacency.neighbor_lists` does, with TWF the strongest first."""
        begin = np.concatenate([[0], np.cumsum(self.adjacency.sum(axis=1))])
        near = [np.flatnonzero(row) for row in self.adjacency]
        if self.settings.twf:
            near = [row[np.argsort(-self._rank[i, row], kind="stable")] for i, row in enumerate(near)]
        return begin.astype(np.int64), np.concatenate(near).astype(np.int32)

    def _absorb_turns(self, level: Level) -> Iterator[None]:
        """Update the pairs by the turns, and record these in their order: lines 28 to 32."""
        self.records.levels.append(level)
        turns, edges = level.turns, level.edges
        phase = Phase(Stage.LEVEL, size=level.size)
        bits = self._bits(edges, turns)
        self._widen(level.size)
        tested = turns.n_tests > 0
        for end in (edges[:, 0] < edges[:, 1], edges[:, 0] > edges[:, 1]):  # each edge has one turn for each end
            rows = np.flatnonzero(tested & end)
            self._harden(edges[rows], turns.log_p[rows], bits[rows], turns.cond[rows])
            yield
        for one, other in (edges.T, edges[:, ::-1].T):
            self.skipped[one, other] += turns.n_skipped
        yield
        gone = turns.state == SEPARATED
        _put(self.adjacency, *edges[gone].T, False)
        _put(self.separated, *edges[gone].T, True)
        self._record_turns(phase, np.where(gone, Action.REMOVE, Action.KEEP)[tested], edges, turns, bits, tested)
        self._record_skipped(phase, edges[turns.state == SKIPPED], math.nan)
        for array in (level.strength, level.nodes, edges, *turns):
            frozen(array)

    def _bits(self, edges: np.ndarray, turns: TurnResults) -> np.ndarray:
        """Return the information of the hardest test of each turn, in bits."""
        return np.asarray(self.ci_test.bits(turns.statistic, turns.dof, np.column_stack([edges, turns.cond])))

    def _record_turns(
        self,
        phase: Phase,
        action: Action | np.ndarray,
        edges: np.ndarray,
        turns: TurnResults,
        bits: np.ndarray,
        rows: np.ndarray,
        *,
        known: bool = False,
    ) -> None:
        """Record some of the turns, (m,) bool; with `known`, background knowledge decided, not the test."""
        every = self.rule.every
        rule, statistic = Rule.TEST, turns.statistic
        if self.rule.by_information:
            rule, statistic = Rule.CUT, 1e3 * bits
        elif self.rule.normal:
            rule, statistic = Rule.NORMAL, deviations(bits, turns.spread, self.rule.cut)
        self.trace.extend(
            phase,
            action,
            edges[rows],
            turns.cond[rows],
            rule=Rule.FORBIDDEN if known else Rule.FAMILY if every else rule,
            statistic=statistic[rows],
            dof=turns.dof[rows],
            log_p=turns.log_p[rows],
            threshold=np.exp(turns.log_line[rows]) if every else self._threshold,
            n_tests=turns.n_tests[rows],
        )

    def _harden(self, edges: np.ndarray, log_p: np.ndarray, bits: np.ndarray, cond: np.ndarray) -> None:
        """Keep for each pair the test with the largest p-value or, with a cut, with the least information."""
        i, j = edges.T
        by_cut = self.rule.by_information
        # The first test of a pair is always kept, since comparisons with NaN are false.
        harder = ~(bits >= self.hardest_bits[i, j] if by_cut else log_p <= self.log_phi[i, j])
        i, j = i[harder], j[harder]
        _put(self.log_phi, i, j, log_p[harder])
        _put(self.hardest_bits, i, j, bits[harder])
        self.members[i, j] = self.members[j, i] = -1
        self.members[i, j, : cond.shape[1]] = self.members[j, i, : cond.shape[1]] = cond[harder]

    def _record_skipped(self, phase: Phase, edges: np.ndarray, dof: np.ndarray | float) -> None:
        cond = np.empty((len(edges), 0), np.int32)
        self.trace.extend(phase, Action.KEEP, edges, cond, rule=Rule.POWER, dof=dof, threshold=self.rule.bound)

    # --- false discoveries ------------------------------------------------------------------------------------------

    def _control(self, phase: Phase) -> None:
        """Remove each tested edge unless the families of both its ends reject independence: section 3.3."""
        log_p, settings = self.log_phi.copy(), self.settings
        np.fill_diagonal(log_p, np.nan)  # -inf once a run that shares this search has read its evidence
        tested = ~(np.isnan(log_p) | self.apart)
        threshold = np.array(
            [log_threshold(log_p[i, tested[i]], settings.level, settings.fdr_method) for i in range(len(log_p))]
        )
        self.records.families.append(Families(phase, frozen(log_p), frozen(threshold)))
        strict = np.where(np.isnan(threshold), -np.inf, threshold)
        rejected = (log_p <= strict[:, None]) & (log_p <= strict)
        pairs = np.argwhere(np.triu(self.adjacency & tested & ~rejected))
        i, j = pairs.T
        # The family that does not reject, or the stricter one, comes first.
        swap = strict[j] < strict[i]
        pairs[swap] = pairs[swap, ::-1]
        _put(self.adjacency, i, j, False)
        _put(self.separated, i, j, True)
        order = np.argsort(-log_p[tuple(pairs.T)], kind="stable")
        pairs = pairs[order]
        i, j = pairs.T
        self.trace.extend(
            phase,
            Action.REMOVE,
            pairs,
            self.members[i, j].copy(),
            rule=Rule.FDR,
            log_p=log_p[i, j],
            threshold=np.exp(strict[i]),
        )

    @property
    def _threshold(self) -> float:
        """The threshold of the tests: alpha, or the cut in mbit."""
        return self.settings.cut if self.settings.test == "mi" else self.alpha


def _put(matrix: np.ndarray, i: np.ndarray, j: np.ndarray, values: np.ndarray | bool | float) -> None:
    matrix[i, j] = matrix[j, i] = values


def deviations(bits: np.ndarray, spread: np.ndarray, cut: float) -> np.ndarray:
    """Return z = (m - μ) / s of the normal approximation, Bacciu et al. (2013), section 3.4; ±inf where s is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (bits - cut) / spread
    return np.where(spread > 0, z, np.where(bits > cut, np.inf, -np.inf))
