"""The skeleton of LMM for learners that continue from it.

LMM adds pairs in the order of their joint CPPD and eliminates the weakest again (Mahdi and Mezey 2013, algorithms 1
and 2). For both ends of a pair it finds the set of neighbours that lowers the dependence most. A test given this set
decides whether the pair stays adjacent. Pairs that LMM did not add are tested given sets of the neighbours that are
left.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from ...common.errors import ParameterError
from ...common.progress import Tick
from ...graphs.knowledge import BoundKnowledge
from ...independence import DSeparation
from ...independence.ci_test import CITest
from ...independence.dependence import DependenceOracle, DependencePosterior
from ...independence.selection import dependence_for
from ...independence.set_search import LevelSearch
from ...independence.tested_dependence import TestedDependence
from ...kernels.ci.pair_pools import PairPools
from ...kernels.lmm.dependence import DependenceEvidence
from ...kernels.lmm.state import ELIMINATED, LMMRules
from ...results.phases import Phase, Stage
from ...search.restriction import Restriction, by_sepsets
from ...search.skeleton_levels import SkeletonSearch
from .ranking import key_of
from .resumable_run import Elimination

MARGIN = 0.05  # factor by which forward selection exceeds the level, because tests differ slightly in p
OMEGA, MAX_COND_SIZE, OPT_EVERY, COOLDOWN = 1e-6, 4, 3, 10  # defaults of LMM


class LMMSearch(SkeletonSearch):
    """A search whose tests are given the sets that LMM finds."""

    def run(self, max_cond_size: int | None, knowledge: BoundKnowledge, tick: Tick) -> None:
        """Run LMM, then test its pairs given their hardest sets, and other pairs given sets of neighbours.

        The tests of LMM itself are not counted.

        Raises
        ------
        Stopped
            If cancelled; the state has the tests done so far.
        """
        size = MAX_COND_SIZE if max_cond_size is None else max_cond_size
        pairs, sets = ranked_pairs(self.ci_test, self.alpha, size, knowledge, tick)
        selected = self._graph_of(pairs)
        others = self.adjacency & ~selected & ~knowledge.joined
        self._test_selected(pairs, sets, tick)
        kept = self.adjacency & (selected | knowledge.joined)
        for width in range(size + 1):
            left = np.argwhere(np.triu(others & self.adjacency, 1))
            if len(left):
                self.separate(LevelSearch(left, kept, width, self._neighbor_order), _phase(width), tick)
        self.separate_forbidden(max_cond_size, tick)

    def _test_selected(self, pairs: np.ndarray, sets: np.ndarray, tick: Tick) -> None:
        """Test the pairs of a ranking, each given its set, the smallest sets first."""
        sizes = (sets >= 0).sum(axis=1)
        for size in range(sets.shape[1] + 1):
            own = np.flatnonzero(sizes == size)
            if size == 0:
                self.test_level(_phase(0), self._graph_of(pairs[own]), 0, tick)
                continue
            members = np.ascontiguousarray(sets[own, :size].ravel(), dtype=np.int32)
            pools = PairPools(np.arange(len(own) + 1) * size, members)
            self.test_pools(_phase(size), pairs[own], pools, size, self._no_sets, tick)

    def _no_sets(self, pairs: np.ndarray) -> np.ndarray:
        """Return (m, 0, p) bool: each pair has one set, so none was tested before."""
        return np.zeros((len(pairs), 0, self.ci_test.p), dtype=bool)

    def _graph_of(self, pairs: np.ndarray) -> np.ndarray:
        """Return the (p, p) bool symmetric graph of (m, 2) pairs."""
        graph = np.zeros_like(self.adjacency)
        graph[pairs[:, 0], pairs[:, 1]] = graph[pairs[:, 1], pairs[:, 0]] = True
        return graph


def lmm_skeleton(
    ci_test: CITest, alpha: float, max_cond_size: int | None, knowledge: BoundKnowledge, *, draws: bool
) -> Restriction:
    """Return the search of LMM, not started, for a learner that continues from its skeleton."""
    search = LMMSearch(ci_test, alpha, knowledge, draws=draws)
    return Restriction(search, partial(search.run, max_cond_size, knowledge), partial(by_sepsets, search))


def ranked_pairs(
    ci_test: CITest, alpha: float, max_cond_size: int, knowledge: BoundKnowledge, tick: Tick
) -> tuple[np.ndarray, np.ndarray]:
    """Run LMM and return the pairs that it eliminated, each with the set that separated it best.

    Forward selection ends when no pair is left whose p-value may be at most `alpha`.

    Returns
    -------
    (m, 2) int64 array
        Pairs i < j.
    (m, k) int16 array
        Ascending, padded with -1.

    Raises
    ------
    Stopped
        If cancelled.
    """
    dependence, size = dependence_of(ci_test), max(max_cond_size, 1)
    n_pairs, product = ci_test.p * (ci_test.p - 1) // 2, True
    gamma = least_joint(dependence.stored_evidence(size), alpha)
    rules = LMMRules(OMEGA, key_of(gamma), n_pairs, max_cond_size, OPT_EVERY, COOLDOWN, product, knowledge.joined)
    moves, _ = Elimination(dependence.evidence(size), rules, knowledge).finish(tick)
    at = np.flatnonzero(moves.what == ELIMINATED)
    sets = moves.hardest[at, moves.one_sided[at].argmin(axis=1)]
    last = np.iinfo(sets.dtype).max
    sets = np.sort(np.where(sets < 0, last, sets), axis=1)
    return np.column_stack([moves.i[at], moves.j[at]]), np.where(sets == last, -1, sets)


def dependence_of(ci_test: CITest) -> DependencePosterior | TestedDependence | DependenceOracle:
    """Return the evidence of LMM on the data of a test.

    Raises
    ------
    ParameterError
        If the test does not state its data.
    """
    if isinstance(ci_test, DSeparation):
        return DependenceOracle(ci_test.dag, ci_test.names)
    dataset = getattr(ci_test, "dataset", None)
    if dataset is None:
        raise ParameterError("the skeleton of LMM needs a test with its data; use FisherZ, G2 or DegenerateGaussian")
    return dependence_for(dataset)


def least_joint(evidence: DependenceEvidence, alpha: float) -> float:
    """Return a joint CPPD that every pair exceeds whose p-values given the sets of both ends are at most `alpha`."""
    from scipy.special import expit, ndtri

    if evidence.separated.shape[2]:  # perfect information
        return 0.5
    z_squared = ndtri(alpha / 2) ** 2
    # The inverse of `ranking._log_p`: the log-odds at which p is alpha, by size of the set.
    odds = evidence.intercept + evidence.slope * z_squared / (2 * evidence.slope + 1.5)
    least = float(expit(odds.min())) ** 2
    return max(least * (1.0 - MARGIN), math.ulp(0.0))


def _phase(size: int) -> Phase:
    return Phase(Stage.LEVEL, size=size)
