"""Searches for the neighbours of each variable separately, whose results are then combined pair by pair.

The *target* t is the variable whose neighbours are sought. The *candidate* (t, x) is the question whether x is one of
them; each pair has two candidates, one from either end.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from ..common.progress import Stopped, Tick
from ..common.run_warning import RunWarning
from ..common.sentences import say
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.rules import Rule
from ..independence.ci_test import CITest
from ..independence.set_search import LevelSearch
from ..kernels.ci.results import CIResults, empty_results
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.trace import TraceBuilder

KNOWLEDGE, MARGINAL = Phase(Stage.KNOWLEDGE), Phase(Stage.MARGINAL)
CANCELLED = RunWarning(
    "cancelled", say("the run was cancelled; the graph has only the pairs that had chosen each other by then")
)


class TargetwiseSearch(ABC):
    """State of a search, and its trace.

    Parameters
    ----------
    ci_test, alpha
        As for `mmpc`.
    knowledge : BoundKnowledge
        Required partners are neighbours without a test; forbidden partners are never neighbours.
    draws : bool
        If True, the graph of the trace has the edges found; otherwise it has none, and the trace only records the
        tests.
    """

    chosen: np.ndarray  # (p, p) bool: entry [t, x] is True if x is among the neighbours found for t

    def __init__(self, ci_test: CITest, alpha: float, knowledge: BoundKnowledge, *, draws: bool) -> None:
        self.ci_test = ci_test
        self.alpha = alpha
        self.knowledge = knowledge
        self.trace = TraceBuilder(PDAG.empty(ci_test.p))
        self._draws = draws
        self._log_alpha = math.log(alpha)
        self._pairs, self._marginal = np.empty((0, 2), np.int64), empty_results(0, 0)
        self._record_knowledge()

    @abstractmethod
    def run(self, tick: Tick) -> None:
        """Run the tests.

        Raises
        ------
        Stopped
            If cancelled; the state has the tests done so far.
        """

    def _test_pairs(self, free: np.ndarray, tick: Tick) -> None:
        """Test the pairs of `free` (p, p) bool marginally; `_marginal` has the results, partial ones if cancelled."""
        self._pairs = np.argwhere(np.triu(free, 1))
        searches = LevelSearch.marginal(self._pairs, self.ci_test.p)
        try:
            self._marginal = self.ci_test.separate(searches, self.alpha, phase=str(MARGINAL), tick=tick)
        except Stopped as stopped:
            self._marginal = stopped.partial or empty_results(len(self._pairs), 0)
            raise

    @property
    def apart(self) -> np.ndarray:
        """(p, p) bool: the pairs that background knowledge forbids in both directions."""
        return self.knowledge.apart

    @property
    def skeleton(self) -> np.ndarray:
        """(p, p) bool, symmetric: the pairs that chose each other."""
        chosen = self.chosen
        return chosen & chosen.T

    @property
    def graph(self) -> PDAG:
        """The skeleton with the directions of background knowledge."""
        return PDAG(self.skeleton & ~self.knowledge.directions.T)

    def _n_untested(self, candidates: np.ndarray) -> int:
        """Return the number of pairs with a test that lacked rows: a marginal one, or one of `candidates` (m, 2)."""
        untested = [self._pairs[~self._marginal.tested], np.sort(candidates, axis=1)]
        return len(np.unique(np.vstack(untested), axis=0))

    # --- the trace ------------------------------------------------------------------------------------------------

    def _record(
        self, phase: Phase, actions: np.ndarray, pairs: np.ndarray, results: CIResults, *, rule: Rule = Rule.TEST
    ) -> None:
        """Record one event per pair with its row of `results`; untested pairs, whose p is 1, come first."""
        for own_rule, rows in ((Rule.UNTESTED, ~results.tested), (rule, results.tested)):
            if rows.any():
                rows = slice(None) if rows.all() else rows  # avoids a copy of a million rows
                self.trace.extend(
                    phase,
                    actions[rows],
                    pairs[rows],
                    results.cond[rows],
                    rule=own_rule,
                    statistic=results.statistic[rows],
                    dof=results.dof[rows],
                    log_p=results.log_p[rows],
                    threshold=np.full(len(pairs[rows]), self.alpha),
                    n_tests=results.n_tests[rows],
                    n_rows=results.row_counts(rows),
                )

    def _record_knowledge(self) -> None:
        """Record the forbidden pairs and, if the trace draws edges, the required edges."""
        required = np.argwhere(self.knowledge.required)
        forbidden = np.argwhere(np.triu(self.knowledge.apart))
        for pairs, action, rule in (
            (required, Action.ORIENT, Rule.REQUIRED),
            (forbidden, Action.APART, Rule.FORBIDDEN),
        ):
            if len(pairs) and (self._draws or action == Action.APART):
                self.trace.extend(KNOWLEDGE, action, pairs, np.empty((len(pairs), 0), np.int32), rule=rule)

    def _orient_known(self, drawn: np.ndarray) -> None:
        """Record the directions of background knowledge for edges of `drawn` (p, p) that it does not require."""
        known = np.argwhere(self.knowledge.directions & ~self.knowledge.joined & drawn)
        if len(known):
            no_sets = np.empty((len(known), 0), np.int32)
            self.trace.extend(KNOWLEDGE, Action.ORIENT, known, no_sets, rule=Rule.FORBIDDEN)


def fill_hardest(
    log_p: np.ndarray, members: np.ndarray, candidates: np.ndarray, hardest: CIResults
) -> tuple[np.ndarray, np.ndarray]:
    """Write the test with the larger p-value of each pair's two candidates into both triangles.

    Parameters
    ----------
    log_p : (p, p) float64 array
        ln p of the marginal test of each pair, in the upper triangle; NaN where no test was done.
    members : (p, p, k) int32 array
        All -1.
    candidates : (m, 2) integer array
    hardest : CIResults
        The hardest test of each candidate.

    Returns
    -------
    log_p, members
        The same arrays, filled with p-values and conditioning sets.
    """
    t, x = candidates.T
    is_filled = np.zeros(log_p.shape, dtype=bool)
    for rows in (np.flatnonzero(t < x), np.flatnonzero(t > x)):
        low, high = np.sort(candidates[rows], axis=1).T
        new, known = hardest.log_p[rows], log_p[low, high]
        # Equal p-values keep the first candidate; NaN counts as larger than every number.
        harder = ~is_filled[low, high] | (new > known) | (np.isnan(new) & ~np.isnan(known))
        low, high, rows = low[harder], high[harder], rows[harder]
        log_p[low, high], members[low, high], is_filled[low, high] = hardest.log_p[rows], hardest.cond[rows], True
    low, high = np.triu_indices(len(log_p), 1)
    log_p[high, low], members[high, low] = log_p[low, high], members[low, high]
    return log_p, members
