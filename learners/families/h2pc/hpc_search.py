"""HPC for several targets: the parents and children of each, and the pairs that choose each other.

Gasse, Aussem and Elghazel (2012), algorithm 1; all targets share the marginal tests. Its lines are found in

- `supersets.de_pcs` and `supersets.de_sps`: lines 1 and 2, the supersets PCS and SPS;
- `target_search.TargetSearch.search`: line 3, the parents and children by Inter-IAPC (`iapc`, algorithm 2) within them,
  and lines 4 to 8, the decentralised search.

A *candidate* (t, x) is a variable x on which the target t depends. An edge of the skeleton needs both directions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...common.progress import Tick
from ...common.relabeling import ByNode, ByPair
from ...common.run_warning import RunWarning
from ...common.sentences import Count, Setting, say
from ...graphs.knowledge import BoundKnowledge
from ...graphs.rules import Rule
from ...graphs.sepsets import Sepsets
from ...independence.ci_test import CITest
from ...kernels.ci.results import empty_results
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...search.skeleton_levels import PairEvidence
from ...search.targetwise import TargetwiseSearch, fill_hardest
from .candidates import BLANKET, DECENTRALISED, FORBIDDEN, MARGINAL, REQUIRED, SINGLE, SMALL_POOL, tabulated
from .requests import UNTESTED, HPCRules, MarginalTests
from .rounds import Rounds
from .supersets import de_pcs, de_sps
from .target_search import TargetSearch
from .tester import ResultCache, Tester

MAX_SET_SIZE = 24  # largest set of any test; with more variables, tables have too few rows
MAX_PAIRS = 200_000  # maximum number of pairs (target, variable) in one search; more take longer than a tick
Unreliable = Literal["literal", "skip"]
PCMethod = Literal["plain", "fdr"]
# The stage of each step that decides on a candidate, MARGINAL to DECENTRALISED.
STAGES = (Stage.MARGINAL, Stage.ONE_VARIABLE, Stage.ALONE, Stage.BLANKET, Stage.DECENTRALISED)


@dataclass(frozen=True, eq=False)
class Neighborhoods(PairEvidence):
    """The hardest test of every pair, and the decision of each target on each candidate.

    Attributes
    ----------
    candidates : (p, p) bool array
        Entry [t, x] is True if x is in PC of t. An edge needs both entries.
    rule : (p, p) int8 array
        Entry [t, x] is the rule that decided on x for t, -1 if none did. MARGINAL: marginally independent; SINGLE:
        DE-PCS; SMALL_POOL: PCS and SPS are too small for further tests; BLANKET: Inter-IAPC; DECENTRALISED: t is in
        Inter-IAPC of x among the same variables; REQUIRED, FORBIDDEN: background knowledge, the latter where the tests
        would make the pair adjacent.
    log_p : (p, p) float64 array
        ln p of the deciding test; for neighbours the largest.
    superset, spouses, blanket : (p, p) bool arrays
        PCS, SPS and the Markov blanket of t, in row t.
    searched : (p,) bool array
        Targets whose search is complete.
    """

    candidates: ByPair
    rule: ByPair
    log_p: ByPair
    superset: ByPair
    spouses: ByPair
    blanket: ByPair
    searched: ByNode


class HPCSearch(TargetwiseSearch):
    """State of HPC for several targets, and its trace.

    Parameters
    ----------
    ci_test, alpha, max_cond_size, unreliable, pc_method
        As for `hpc`.
    knowledge : BoundKnowledge
        Required partners are neighbours without a test; forbidden partners are never neighbours, but can be spouses.
    targets : sequence of int, optional
        Default: all variables.
    draws : bool
        As for `TargetwiseSearch`.
    """

    kind = "hpc"  # kind of a result whose `extra` is the evidence of this search
    joins = Rule.BOTH_HOLD  # rule of the edges in the trace

    def __init__(
        self,
        ci_test: CITest,
        alpha: float,
        max_cond_size: int | None,
        knowledge: BoundKnowledge,
        *,
        unreliable: Unreliable = "literal",
        pc_method: PCMethod = "fdr",
        targets: Sequence[int] | None = None,
        draws: bool = True,
    ) -> None:
        super().__init__(ci_test, alpha, knowledge, draws=draws)
        p = ci_test.p
        self.targets = list(range(p) if targets is None else targets)
        most = min(p - 2, MAX_SET_SIZE if max_cond_size is None else min(max_cond_size, MAX_SET_SIZE))
        self._rules = HPCRules(alpha, math.log(alpha), max(most, 0), unreliable == "skip", pc_method == "fdr")
        self._searches: dict[int, TargetSearch] = {}  # complete searches by target
        self._n_tests = np.zeros((p, p), dtype=np.int64)
        self._candidates = tabulated({})

    def run(self, tick: Tick) -> None:
        """Run the marginal tests, then the search around every target.

        Raises
        ------
        Stopped
            If cancelled; the state has the searches completed so far.
        """
        try:
            self._test_pairs(self._pairs_to_test(), tick)
            self._search_targets(tick)
        finally:
            self._candidates = tabulated({t: own.candidates for t, own in self._searches.items()})
            self._record_all()

    def _pairs_to_test(self) -> np.ndarray:
        """Return (p, p) bool: the pairs with a target, without the required ones; forbidden pairs can be spouses."""
        is_target = np.zeros(self.ci_test.p, dtype=bool)
        is_target[self.targets] = True
        return ~self.knowledge.joined & (is_target | is_target[:, None])

    def _search_targets(self, tick: Tick) -> None:
        """Run algorithm 1 for all targets, several at once."""
        p = self.ci_test.p
        required, forbidden = _by_node(self.knowledge.joined), _by_node(self.knowledge.apart)
        marginal = self._marginal_tests()
        at_once, tester = max(1, MAX_PAIRS // p), Tester(self.ci_test, self._rules, ResultCache(p), self._n_tests)
        for begin in range(0, len(self.targets), at_once):

            def tick_after(done: int, before: int = begin) -> Tick:
                return lambda phase, _done, _total: tick(phase, before + done, len(self.targets))

            targets = self.targets[begin : begin + at_once]
            around = {t: TargetSearch(self._rules, t, marginal, required, forbidden.get(t, ())) for t in targets}
            searches = list(around.values())
            de_pcs(searches, tester, "partners", tick_after)  # line 1
            de_sps(searches, marginal, tester, "spouses", tick_after)  # line 2
            rounds = Rounds(around, tester)
            try:
                rounds.run("targets", lambda phase, done, _total: tick_after(done)(phase, 0, 0))  # lines 3 to 8
            finally:
                self._searches |= {t: around[t] for t in sorted(rounds.ended)}

    def _marginal_tests(self) -> MarginalTests:
        """Return the marginal tests in the form that the searches use."""
        p, marginal = self.ci_test.p, self._marginal
        log_p, statistic, dof = (np.full((p, p), np.nan) for _ in range(3))
        x, y = self._pairs.T
        log_p[x, y] = log_p[y, x] = np.where(marginal.tested, marginal.log_p, UNTESTED)
        statistic[x, y] = statistic[y, x] = marginal.statistic
        dof[x, y] = dof[y, x] = marginal.dof
        return MarginalTests(log_p, statistic, dof)

    # --- what was found -------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> np.ndarray:
        """(p, p) bool: entry [t, x] is True if the search of t is complete and found x in PC of t."""
        chosen = self.knowledge.joined.copy()
        chosen[tuple(self._candidates.pairs[self._candidates.chosen].T)] = True
        return chosen

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """Warnings about pairs that were separated without a test; empty if there are none."""
        n_untested = self._n_untested(self._candidates.pairs[~self._candidates.results.tested])
        if not n_untested:
            return ()
        sentence = say(
            "{pairs} separated without a test, because there are too few rows; choose 'skip' for tests without enough "
            "rows ({parameter}), or for categorical data a smaller {setting}",
            pairs=Count(n_untested, "pair was", "pairs were"),
            parameter=Setting("unreliable"),
            setting=Setting("rows_per_cell"),
        )
        return (RunWarning("untested", sentence),)

    @property
    def sepsets(self) -> Sepsets:
        """The separating set of each pair: of its two candidates, the one with the larger p-value."""
        log_p, members = self._hardest_of_pairs()
        return Sepsets(members, (log_p > self._rules.log_alpha) & ~self.skeleton)

    @property
    def evidence(self) -> Neighborhoods:
        """The hardest test of every pair over both candidates, and the decisions."""
        log_phi, members = self._hardest_of_pairs()
        tested = ~np.isnan(log_phi)
        np.fill_diagonal(log_phi, -np.inf)
        p = self.ci_test.p
        superset, spouses, blanket = (np.zeros((p, p), dtype=bool) for _ in range(3))
        for t, around in self._searches.items():
            superset[t, around.pcs] = spouses[t, list(around.sps)] = blanket[t, around.blanket] = True
        searched = np.isin(np.arange(p), list(self._searches))
        arrays = (log_phi, self.chosen, *self._decisions(), superset, spouses, blanket, searched)
        for array in arrays:
            array.flags.writeable = False
        log_phi, candidates, rule, log_p, superset, spouses, blanket, searched = arrays
        return Neighborhoods(
            log_phi, Sepsets(members, tested), candidates, rule, log_p, superset, spouses, blanket, searched
        )

    def _decisions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, p) rule and ln p of each candidate."""
        p = self.ci_test.p
        rule, log_p = np.full((p, p), -1, dtype=np.int8), np.full((p, p), np.nan)
        done = self._marginal.n_tests > 0
        (x, y), marginal = self._pairs[done].T, self._marginal.log_p[done]
        rule[x, y] = rule[y, x] = np.where(marginal > self._rules.log_alpha, MARGINAL, -1)
        log_p[x, y] = log_p[y, x] = marginal
        t, x = self._candidates.pairs.T
        rule[t, x], log_p[t, x] = self._candidates.rule, self._candidates.results.log_p
        rule[self.knowledge.joined], log_p[self.knowledge.joined] = REQUIRED, np.nan
        return rule, log_p

    def _hardest_of_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, p) ln of the largest p-value of both candidates, NaN without a test, and its (p, p, k) set."""
        pairs, rule, _, results = self._candidates
        rows, p = np.flatnonzero(rule != REQUIRED), self.ci_test.p
        members = np.full((p, p, results.cond.shape[1]), -1, dtype=np.int32)
        hardest = results.rows(rows)
        return fill_hardest(self._decisions()[1], members, pairs[rows], hardest)

    # --- the trace ------------------------------------------------------------------------------------------------

    def _record_all(self) -> None:
        """Record the marginal tests, the candidates by the deciding step, then the edges, the strongest first."""
        pairs, rule, chosen, results = self._candidates
        counted = self._n_tests.copy()
        counted[tuple(pairs[rule != FORBIDDEN].T)] = 0  # counted with the tests of the candidate
        done = np.flatnonzero(self._marginal.n_tests > 0)
        done = done[np.argsort(-self._marginal.log_p[done], kind="stable")]
        x, y = self._pairs[done].T
        marginal = self._marginal.rows(done)
        marginal.n_tests[:] += counted[x, y] + counted[y, x]
        separated = (marginal.log_p > self._rules.log_alpha) | self.knowledge.apart[x, y]
        actions = np.where(separated, Action.APART, Action.KEEP)
        self._record(Phase(Stage.MARGINAL), actions, self._pairs[done], marginal)
        for code in (SINGLE, SMALL_POOL, BLANKET, DECENTRALISED):
            rows = np.flatnonzero(rule == code)
            rows = rows[np.argsort(-results.log_p[rows], kind="stable")]
            actions = np.where(chosen[rows], Action.KEEP, Action.APART)
            counted_rows = results.rows(rows)._replace(n_tests=self._n_tests[tuple(pairs[rows].T)])
            self._record(Phase(STAGES[code]), actions, pairs[rows], counted_rows)
        if self._draws:
            self._record_edges()

    def _record_edges(self) -> None:
        """Record the edges by the later decision of their two candidates, then the directions of knowledge."""
        rule, (log_p, members) = self._decisions()[0], self._hardest_of_pairs()
        x, y = np.nonzero(np.triu(self.skeleton & ~self.knowledge.joined))
        last, hardest = np.maximum(rule[x, y], rule[y, x]), log_p[x, y]
        for code in (SMALL_POOL, BLANKET, DECENTRALISED):
            rows = np.flatnonzero(last == code)
            rows = rows[np.argsort(hardest[rows], kind="stable")]
            edges = np.column_stack([x[rows], y[rows]])
            results = empty_results(len(rows), 0)._replace(log_p=hardest[rows], cond=members[x[rows], y[rows]])
            phase = Phase(Stage.EDGES, last=STAGES[code])
            self._record(phase, np.full(len(rows), Action.ADD), edges, results, rule=self.joins)
        self._orient_known(self.skeleton)


def _by_node(pairs: np.ndarray) -> dict[int, set[int]]:
    """Return the partners of each node that has any."""
    return {t: set(np.flatnonzero(pairs[t]).tolist()) for t in np.flatnonzero(pairs.any(axis=1)).tolist()}
