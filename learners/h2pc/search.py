"""The search of HPC: the neighbours of each target, each target by itself, and the pairs that hold each other.

Gasse, Aussem and Elghazel (2012), algorithm 1. A *candidate* (t, x) is a partner x on which the target t depends; an
edge of the skeleton needs both ends. The tests of all pairs given nothing are shared by all targets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..common.progress import Tick
from ..common.relabeling import ByNode, ByPair
from ..common.wording import count, was
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from ..independence import CITest
from ..kernels.tests.results import empty_results
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import Rule
from ..search.skeleton import PairEvidence
from ..search.targetwise import TargetwiseSearch, fill_hardest
from .candidates import ALONE, BLANKET, DECENTRALISED, FORBIDDEN, MARGINAL, REQUIRED, SINGLE, listed
from .memory import Memory
from .requests import UNTESTED, MarginalTests, Rules
from .rounds import Rounds
from .supersets import find_partners, find_spouses
from .target_search import TargetSearch
from .tester import Tester

LARGEST_SET = 24  # of any test; tables of so many variables have no rows left
MOST_PAIRS = 200_000  # that searches under way look at: more take longer than a tick to sort
Unreliable = Literal["literal", "skip"]
PCMethod = Literal["plain", "fdr"]
# By what settles a partner, MARGINAL to DECENTRALISED.
STAGES = (Stage.MARGINAL, Stage.ONE_VARIABLE, Stage.ALONE, Stage.BLANKET, Stage.DECENTRALISED)


@dataclass(frozen=True, eq=False)
class Neighborhoods(PairEvidence):
    """The hardest test of every pair, and what the search of each target says of its partners.

    Attributes
    ----------
    candidates : (p, p) bool array
        Entry [t, x]: x is among the neighbours that HPC finds of t. An edge needs both entries.
    rule : (p, p) int8 array
        Entry [t, x]: what settled x for t; -1 where no search got so far. MARGINAL: no dependence to begin with;
        SINGLE: DE-PCS; ALONE: too few candidates to ask further; BLANKET: Inter-IAPC; DECENTRALISED: t is a neighbour
        of x among the same variables; REQUIRED, FORBIDDEN: by knowledge, the latter where the tests would join them.
    log_p : (p, p) float64 array
        ln p of the test that settled it; of those held the largest.
    superset, spouses, blanket : (p, p) bool arrays
        PCS, SPS and the Markov blanket of t, in row t.
    searched : (p,) bool array
        Targets whose search came to its end.
    """

    candidates: ByPair
    rule: ByPair
    log_p: ByPair
    superset: ByPair
    spouses: ByPair
    blanket: ByPair
    searched: ByNode


class HPCSearch(TargetwiseSearch):
    """State of a search, and the trace of what happened.

    Parameters
    ----------
    ci_test, alpha, max_cond_size, unreliable, pc_method
        As for `hpc`.
    knowledge : BoundKnowledge
        Required partners are neighbours without a test, forbidden ones never are, but may be spouses.
    targets : sequence of int, optional
        Whose neighbours are sought. Default: of all variables.
    draws : bool
        Whether the trace's graph follows the edges; else it stays empty, and the trace only tells of the tests.
    """

    kind = "hpc"  # see `LearnResult`
    joins = Rule.BOTH_HOLD  # what joins a pair

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
        most = min(p - 2, LARGEST_SET if max_cond_size is None else min(max_cond_size, LARGEST_SET))
        self._rules = Rules(alpha, math.log(alpha), max(most, 0), unreliable == "skip", pc_method == "fdr")
        self._searches: dict[int, TargetSearch] = {}  # of the targets whose search came to its end
        self._n_tests = np.zeros((p, p), dtype=np.int64)
        self._candidates = listed({})

    def run(self, tick: Tick) -> None:
        """All pairs alone, then every target.

        Raises
        ------
        Stopped
            If cancelled; the state holds what was finished.
        """
        try:
            self._test_pairs(self._asked(), tick)
            self._search_targets(tick)
        finally:
            self._candidates = listed({t: one.candidates for t, one in self._searches.items()})
            self._tell_story()

    def _asked(self) -> np.ndarray:
        """(p, p) bool: the pairs of a target that knowledge does not join; those it forbids may be spouses."""
        asked = np.zeros(self.ci_test.p, dtype=bool)
        asked[self.targets] = True
        return ~self.knowledge.joined & (asked | asked[:, None])

    def _search_targets(self, tick: Tick) -> None:
        p = self.ci_test.p
        required, forbidden = _by_node(self.knowledge.joined), _by_node(self.knowledge.apart)
        marginal = self._marginal_tests()
        at_once, tester = max(1, MOST_PAIRS // p), Tester(self.ci_test, self._rules, Memory(p), self._n_tests)
        for begin in range(0, len(self.targets), at_once):

            def telling(done: int, before: int = begin) -> Tick:
                return lambda phase, _done, _total: tick(phase, before + done, len(self.targets))

            some = self.targets[begin : begin + at_once]
            around = {t: TargetSearch(self._rules, t, marginal, required, forbidden.get(t, ())) for t in some}
            searches = list(around.values())
            find_partners(searches, tester, "partners", telling)
            find_spouses(searches, marginal, tester, "spouses", telling)
            rounds = Rounds(around, tester)
            try:
                rounds.run("targets", lambda phase, done, _total: telling(done)(phase, 0, 0))
            finally:
                self._searches |= {t: around[t] for t in sorted(rounds.ended)}

    def _marginal_tests(self) -> MarginalTests:
        """The tests of all pairs given nothing, for the searches."""
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
        """(p, p) bool: entry [t, x] says that t, whose search came to its end, holds x."""
        chosen = self.knowledge.joined.copy()
        chosen[tuple(self._candidates.pairs[self._candidates.held].T)] = True
        return chosen

    @property
    def warnings(self) -> tuple[str, ...]:
        """Says how many pairs were separated without a test, for lack of rows."""
        n_untested = self._n_untested(self._candidates.pairs[~self._candidates.results.tested])
        if not n_untested:
            return ()
        return (
            f"{count(n_untested, 'pair')} {was(n_untested)} separated without a test, for lack of rows; "
            "choose 'skip' for tests without enough rows (unreliable), or for categorical data a smaller rows_per_cell",
        )

    @property
    def sepsets(self) -> Sepsets:
        """The separating set of each pair: of its two ends that with the larger p."""
        log_p, members = self._hardest_of_pairs()
        return Sepsets(members, (log_p > self._rules.log_alpha) & ~self.skeleton)

    @property
    def evidence(self) -> Neighborhoods:
        """The largest p of every pair over both ends, its set, and what settled each candidate."""
        log_phi, members = self._hardest_of_pairs()
        tested = ~np.isnan(log_phi)
        np.fill_diagonal(log_phi, -np.inf)
        p = self.ci_test.p
        superset, spouses, blanket = (np.zeros((p, p), dtype=bool) for _ in range(3))
        for t, around in self._searches.items():
            superset[t, around.partners] = spouses[t, list(around.spouses)] = blanket[t, around.blanket] = True
        searched = np.isin(np.arange(p), list(self._searches))
        arrays = (log_phi, self.chosen, *self._settled(), superset, spouses, blanket, searched)
        for array in arrays:
            array.flags.writeable = False
        log_phi, candidates, rule, log_p, superset, spouses, blanket, searched = arrays
        return Neighborhoods(
            log_phi, Sepsets(members, tested), candidates, rule, log_p, superset, spouses, blanket, searched
        )

    def _settled(self) -> tuple[np.ndarray, np.ndarray]:
        """(p, p) rule and ln p of each candidate."""
        p = self.ci_test.p
        rule, log_p = np.full((p, p), -1, dtype=np.int8), np.full((p, p), np.nan)
        done = self._marginal.n_tests > 0
        (x, y), alone = self._pairs[done].T, self._marginal.log_p[done]
        rule[x, y] = rule[y, x] = np.where(alone > self._rules.log_alpha, MARGINAL, -1)
        log_p[x, y] = log_p[y, x] = alone
        t, x = self._candidates.pairs.T
        rule[t, x], log_p[t, x] = self._candidates.rule, self._candidates.results.log_p
        rule[self.knowledge.joined], log_p[self.knowledge.joined] = REQUIRED, np.nan
        return rule, log_p

    def _hardest_of_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """(p, p) ln of the largest p of both ends, NaN where nothing was tested, and (p, p, k) its set."""
        pairs, rule, _, results = self._candidates
        rows, p = np.flatnonzero(rule != REQUIRED), self.ci_test.p
        members = np.full((p, p, results.cond.shape[1]), -1, dtype=np.int32)
        hardest = results.rows(rows)
        return fill_hardest(self._settled()[1], members, pairs[rows], hardest)

    # --- the trace ------------------------------------------------------------------------------------------------

    def _tell_story(self) -> None:
        """Every pair given nothing, every candidate by what settled it, then the edges, the surest first."""
        pairs, rule, held, results = self._candidates
        counted = self._n_tests.copy()
        counted[tuple(pairs[rule != FORBIDDEN].T)] = 0  # told with the candidate
        done = np.flatnonzero(self._marginal.n_tests > 0)
        done = done[np.argsort(-self._marginal.log_p[done], kind="stable")]
        x, y = self._pairs[done].T
        alone = self._marginal.rows(done)
        alone.n_tests[:] += counted[x, y] + counted[y, x]
        apart = (alone.log_p > self._rules.log_alpha) | self.knowledge.apart[x, y]
        self._record(Phase(Stage.MARGINAL), np.where(apart, Action.APART, Action.KEEP), self._pairs[done], alone)
        for code in (SINGLE, ALONE, BLANKET, DECENTRALISED):
            rows = np.flatnonzero(rule == code)
            rows = rows[np.argsort(-results.log_p[rows], kind="stable")]
            told = results.rows(rows)._replace(n_tests=self._n_tests[tuple(pairs[rows].T)])
            self._record(Phase(STAGES[code]), np.where(held[rows], Action.KEEP, Action.APART), pairs[rows], told)
        if self._draws:
            self._draw_edges()

    def _draw_edges(self) -> None:
        """Tell of the edges by what settled the later of their two ends, then of directions that knowledge gives."""
        rule, (log_p, members) = self._settled()[0], self._hardest_of_pairs()
        x, y = np.nonzero(np.triu(self.skeleton & ~self.knowledge.joined))
        last, hardest = np.maximum(rule[x, y], rule[y, x]), log_p[x, y]
        for code in (ALONE, BLANKET, DECENTRALISED):
            rows = np.flatnonzero(last == code)
            rows = rows[np.argsort(hardest[rows], kind="stable")]
            edges = np.column_stack([x[rows], y[rows]])
            results = empty_results(len(rows), 0)._replace(log_p=hardest[rows], cond=members[x[rows], y[rows]])
            phase = Phase(Stage.EDGES, last=STAGES[code])
            self._record(phase, np.full(len(rows), Action.ADD), edges, results, rule=self.joins)
        self._orient_known(self.skeleton)


def _by_node(pairs: np.ndarray) -> dict[int, set[int]]:
    """The partners of each node that has any."""
    return {t: set(np.flatnonzero(pairs[t]).tolist()) for t in np.flatnonzero(pairs.any(axis=1)).tolist()}
