"""The skeleton phase of pPC: within clusters, between them, and what is left.

Huang and Zhou (2022), algorithm 2, lines 3 to 24.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import numpy as np

from ..common.memory import check_memory
from ..common.progress import Tick
from ..common.step_cache import Once, uncached
from ..graphs.knowledge import BoundKnowledge
from ..independence import CITest
from ..independence.walks import lists_in_order
from ..kernels.tests.pair_pools import PairPools, covered_pools, side_pools, union_pools
from ..kernels.tests.results import TestResults
from ..kernels.tests.subsets import open_edges
from ..results.phases import Phase, Stage
from ..search.skeleton import SkeletonSearch
from .clustering import Partition, partition


class CallKind(Enum):
    """A part of a run whose calls are counted by themselves, as Huang and Zhou (2022), section 5.1."""

    PARTITION = "partition"  # tests without a set, and an entropy each variable
    WITHIN = "within"  # tests inside clusters
    SCREENS = "screens"  # tests between clusters
    COMPLETION = "completion"  # tests that clusters had put off
    TESTS = "tests"  # of a skeleton without clusters
    SOLUTION_PATH = "solution path"  # local score differences of the solutions
    SEARCH = "search"  # those of the search that follows
    POLISH = "polish"  # those of GES after it
    NO_CONDITION = "no condition"  # of PC: tests without a set
    CONDITIONS = "conditions"  # of PC: the others


KINDS = (CallKind.PARTITION, CallKind.WITHIN, CallKind.SCREENS, CallKind.COMPLETION)


class PartitionedSearch(SkeletonSearch):
    """A skeleton search that goes cluster by cluster.

    Parameters
    ----------
    ci_test, alpha, knowledge, draws, strongest_first
        As `SkeletonSearch`.
    labels : (p,) int64 array, optional
        Cluster of each variable. Default: clusters of variables that share much of their information.
    once : Once
        Keeps the clusters for other runs.

    Attributes
    ----------
    labels : (p,) int64 array
    partition : Partition or None
        None where the labels were given.
    calls : dict of CallKind to int
        Statistical calls of each phase begun, as section 5.1 counts them: for the partition the tests without a set,
        which measure mutual information too, and an entropy each variable unless the clusters were given; tests for
        the others.
    """

    def __init__(
        self,
        ci_test: CITest,
        alpha: float,
        knowledge: BoundKnowledge,
        labels: np.ndarray | None = None,
        *,
        draws: bool = True,
        strongest_first: bool = True,
        once: Once = uncached,
    ) -> None:
        super().__init__(ci_test, alpha, knowledge, draws=draws, strongest_first=strongest_first)
        self._once = once
        self.labels = labels
        self.partition: Partition | None = None
        self.calls: dict[CallKind, int] = {}
        self._statistic = np.zeros((ci_test.p, ci_test.p))
        self._same = np.ones((ci_test.p, ci_test.p), dtype=bool)
        self._most = 0
        # Adjacencies that the two screens were run on: what they tested need not be tested again.
        self._screened_first = self._screened_second = np.zeros((ci_test.p, ci_test.p), dtype=bool)

    def learn(self, most: int, tick: Tick) -> None:
        """All phases, with sets of up to `most` variables.

        Raises
        ------
        Stopped
            If cancelled; the search holds what was finished.
        """
        self._most = most
        phases = (self._partition, self._within, self._screens, self._complete)
        for kind, phase in zip(KINDS, phases, strict=True):
            before = self.ci_test.n_tests
            try:
                phase(tick)
            finally:  # a run that is stopped made calls too
                # The clusters cost the entropy of each variable; mutual information comes with the tests.
                entropies = self.ci_test.p if kind is CallKind.PARTITION and self.partition is not None else 0
                self.calls[kind] = self.ci_test.n_tests - before + entropies

    def _partition(self, tick: Tick) -> None:
        """Test every pair without a set, and cluster the variables by what those tests saw."""
        self.test_level(Phase(Stage.LEVEL, size=0), self.adjacency.copy(), 0, tick)
        if self.labels is None:
            # The level decides nothing yet, so that runs at other levels have the same clusters.
            self.partition = self._once("partition", lambda: partition(self.ci_test.distances(self._statistic)))
            self.labels = self.partition.labels
        self._same = self.labels[:, None] == self.labels

    def _within(self, tick: Tick) -> None:
        """PC-stable inside each cluster."""
        for size in range(1, self._most + 1):
            within = self.adjacency & self._same
            if not self.test_level(Phase(Stage.WITHIN_CLUSTERS, size=size), within, size, tick):
                return

    def _screens(self, tick: Tick) -> None:
        """Equations 3.3 and 3.4: between clusters, given the neighbours of both ends, then those of either."""
        self._screened_first = first = self.adjacency & self._same
        self._screen(Phase(Stage.FIRST_SCREEN), self._between(), lambda edges: self._both(edges, first), 0, tick)
        self._screened_second = second = self.adjacency.copy()
        for side in (0, 1):
            pools = lambda edges, side=side: self._side(edges, second, side)  # noqa: E731
            self._screen(Phase(Stage.SECOND_SCREEN), self._between(), pools, 1 + side, tick)

    def _screen(
        self, phase: Phase, edges: np.ndarray, pools_of: Callable[[np.ndarray], PairPools], n_done: int, tick: Tick
    ) -> None:
        """Test each pair given all its candidates, or given all sets of `most` of them where they are more."""
        sizes = np.minimum(np.diff(pools_of(edges).begin), self._most)
        for size in range(1, self._most + 1):
            chosen = edges[sizes == size]
            skip = self._covered(chosen, size)[:, :n_done]
            self.test_pools(phase, chosen, pools_of(chosen), size, skip, tick)

    def _complete(self, tick: Tick) -> None:
        """Equation 3.5: PC-stable again, for the sets not tested yet."""
        touched = (self.adjacency & ~self._same).any(axis=1)
        for size in range(1, self._most + 1):
            frozen = self.adjacency.copy()
            edges = open_edges(frozen, self._required, size)
            edges = edges[touched[edges].any(axis=1)]
            if len(edges) == 0:
                return
            phase = Phase(Stage.COMPLETION, size=size)
            self.test_pools(phase, edges, self._side(edges, frozen, 0), size, self._covered(edges, size), tick)
            edges = edges[self.adjacency[edges[:, 0], edges[:, 1]]]
            skip = np.concatenate([self._covered(edges, size), frozen[edges[:, 0], None]], axis=1)
            self.test_pools(phase, edges, self._side(edges, frozen, 1), size, skip, tick)

    def _side(self, edges: np.ndarray, adjacency: np.ndarray, side: int) -> PairPools:
        """Neighbours of one end of each pair, in the order to walk in."""
        return side_pools(edges, *lists_in_order(adjacency, self._neighbor_order), side)

    def _both(self, edges: np.ndarray, adjacency: np.ndarray) -> PairPools:
        """Neighbours of the first node of each pair, then those of the second that are new, each in their order."""
        return union_pools(edges, adjacency, *lists_in_order(adjacency, self._neighbor_order))

    def _between(self) -> np.ndarray:
        """(m, 2) pairs of different clusters that are still joined and may be separated."""
        return open_edges(self.adjacency & ~self._same, self._required, 0)

    def _covered(self, edges: np.ndarray, size: int) -> np.ndarray:
        """(m, 3, p) pools of which all sets of `size` members were tested in the phases before."""
        check_memory(3.0 * len(edges) * self.ci_test.p, f"the sets of {len(edges):,} edges", "lower alpha")
        return covered_pools(edges, self._same, self._screened_first, self._screened_second, self._most, size)

    def _record(self, phase: Phase, edges: np.ndarray, results: TestResults) -> None:
        if CallKind.PARTITION not in self.calls:
            i, j = edges.T
            self._statistic[i, j] = self._statistic[j, i] = results.statistic
        super()._record(phase, edges, results)
