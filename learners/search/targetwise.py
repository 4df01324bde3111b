"""What the searches share that look for the neighbours of each variable by itself, and join a pair by both its ends.

A *candidate* is one end of a pair as its target sees it: (t, x) asks whether x is a neighbour of the target t.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from ..common.progress import Stopped, Tick
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..independence import CITest, LevelWalks
from ..kernels.tests.results import TestResults, empty_results
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.rules import Rule
from ..results.trace import TraceBuilder

KNOWLEDGE, MARGINAL = Phase(Stage.KNOWLEDGE), Phase(Stage.MARGINAL)
CANCELLED = "the run was cancelled; only pairs that held each other by then are joined"


class TargetwiseSearch(ABC):
    """State of a search, and the trace of what happened.

    Parameters
    ----------
    ci_test, alpha
        As for `mmpc`.
    knowledge : BoundKnowledge
        Required partners are neighbours without a test, forbidden ones never are.
    draws : bool
        Whether the trace's graph follows the edges; else it stays empty, and the trace only tells of the tests.
    """

    chosen: np.ndarray  # (p, p) bool: [t, x] says that t holds x

    def __init__(self, ci_test: CITest, alpha: float, knowledge: BoundKnowledge, *, draws: bool) -> None:
        self.ci_test = ci_test
        self.alpha = alpha
        self.knowledge = knowledge
        self.trace = TraceBuilder(PDAG.empty(ci_test.p))
        self._draws = draws
        self._log_alpha = math.log(alpha)
        self._pairs, self._marginal = np.empty((0, 2), np.int64), empty_results(0, 0)
        self._tell_knowledge()

    @abstractmethod
    def run(self, tick: Tick) -> None:
        """Do the tests.

        Raises
        ------
        Stopped
            If cancelled; the state holds what was finished.
        """

    def _test_pairs(self, free: np.ndarray, tick: Tick) -> None:
        """Test the pairs of `free` (p, p) bool given nothing; `_marginal` has the results, also if cancelled."""
        self._pairs = np.argwhere(np.triu(free, 1))
        walks = LevelWalks.marginal(self._pairs, self.ci_test.p)
        try:
            self._marginal = self.ci_test.separate(walks, self.alpha, phase=str(MARGINAL), tick=tick)
        except Stopped as stopped:
            self._marginal = stopped.partial or empty_results(len(self._pairs), 0)
            raise

    @property
    def skeleton(self) -> np.ndarray:
        """(p, p) bool, symmetric: the pairs that hold each other."""
        chosen = self.chosen
        return chosen & chosen.T

    @property
    def graph(self) -> PDAG:
        """The skeleton with the directions that knowledge gives."""
        return PDAG(self.skeleton & ~self.knowledge.directions.T)

    def _n_untested(self, candidates: np.ndarray) -> int:
        """Pairs of which a test lacked rows: that given nothing, or one of `candidates` (m, 2)."""
        untested = [self._pairs[~self._marginal.tested], np.sort(candidates, axis=1)]
        return len(np.unique(np.vstack(untested), axis=0))

    # --- the trace ------------------------------------------------------------------------------------------------

    def _tell(
        self, phase: Phase, actions: np.ndarray, pairs: np.ndarray, results: TestResults, *, rule: Rule = Rule.TEST
    ) -> None:
        """One event a pair, with its row of `results`; untested pairs, whose p is 1, are the first of a fall in p."""
        for own, part in ((Rule.UNTESTED, ~results.tested), (rule, results.tested)):
            if part.any():
                part = slice(None) if part.all() else part  # a million rows are not copied for nothing
                self.trace.extend(
                    phase,
                    actions[part],
                    pairs[part],
                    results.cond[part],
                    rule=own,
                    statistic=results.statistic[part],
                    dof=results.dof[part],
                    log_p=results.log_p[part],
                    threshold=np.full(len(pairs[part]), self.alpha),
                    n_tests=results.n_tests[part],
                    n_rows=results.rows_told(part),
                )

    def _tell_knowledge(self) -> None:
        required = np.argwhere(self.knowledge.required)
        apart = np.argwhere(np.triu(self.knowledge.apart))
        for pairs, action, rule in ((required, Action.ORIENT, Rule.REQUIRED), (apart, Action.APART, Rule.FORBIDDEN)):
            if len(pairs) and (self._draws or action == Action.APART):
                self.trace.extend(KNOWLEDGE, action, pairs, np.empty((len(pairs), 0), np.int32), rule=rule)

    def _orient_known(self, drawn: np.ndarray) -> None:
        """Directions that knowledge gives to edges of `drawn` (p, p) that it does not require."""
        known = np.argwhere(self.knowledge.directions & ~self.knowledge.joined & drawn)
        if len(known):
            none = np.empty((len(known), 0), np.int32)
            self.trace.extend(KNOWLEDGE, Action.ORIENT, known, none, rule=Rule.FORBIDDEN)


def fill_hardest(
    log_p: np.ndarray, members: np.ndarray, candidates: np.ndarray, hardest: TestResults
) -> tuple[np.ndarray, np.ndarray]:
    """Put the harder test of each pair's candidates in place, both triangles.

    Parameters
    ----------
    log_p : (p, p) float64 array
        ln p of each pair given nothing, in the upper triangle; NaN where no test was done.
    members : (p, p, k) int32 array
        The sets, all -1.
    candidates : (m, 2) integer array
    hardest : TestResults
        The test of each candidate.
    """
    t, x = candidates.T
    told = np.zeros(log_p.shape, dtype=bool)
    for rows in (np.flatnonzero(t < x), np.flatnonzero(t > x)):
        low, high = np.sort(candidates[rows], axis=1).T
        new, known = hardest.log_p[rows], log_p[low, high]
        # Of equally hard ones that of the first target stays; none is harder than one without a number.
        harder = ~told[low, high] | (new > known) | (np.isnan(new) & ~np.isnan(known))
        low, high, rows = low[harder], high[harder], rows[harder]
        log_p[low, high], members[low, high], told[low, high] = hardest.log_p[rows], hardest.cond[rows], True
    low, high = np.triu_indices(len(log_p), 1)
    log_p[high, low], members[high, low] = log_p[low, high], members[low, high]
    return log_p, members
