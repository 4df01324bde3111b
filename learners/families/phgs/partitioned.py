"""The skeleton of pPC: edges within clusters, edges between clusters, and the completion of both.

Huang and Zhou (2022), algorithm 2, lines 3 to 24.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial

import numpy as np

from ...common.progress import Tick
from ...common.step_cache import Once, uncached
from ...graphs.knowledge import BoundKnowledge
from ...independence.ci_test import CITest
from ...independence.set_search import sorted_lists
from ...kernels.ci.pair_pools import PairPools, side_pools, tested_pools, union_pools
from ...kernels.ci.results import CIResults
from ...kernels.graphs.adjacency import open_edges
from ...results.phases import Phase, Stage
from ...search.skeleton_levels import SkeletonSearch, TestedEdges
from .clustering import Partition, partition


class CallKind(Enum):
    """A part of a run whose statistical calls are counted separately, as in Huang and Zhou (2022), section 5.1."""

    PARTITION = "partition"  # marginal tests, and the entropy of each variable
    WITHIN = "within"  # tests inside clusters
    SCREENS = "screens"  # tests between clusters
    COMPLETION = "completion"  # the remaining tests
    TESTS = "tests"  # all tests of a skeleton without clusters
    SOLUTION_PATH = "solution path"  # local score differences of the solutions
    SEARCH = "search"  # local score differences of the tabu search
    POLISH = "polish"  # local score differences of GES after the tabu search
    NO_CONDITION = "no condition"  # marginal tests of PC
    CONDITIONS = "conditions"  # conditional tests of PC


KINDS = (CallKind.PARTITION, CallKind.WITHIN, CallKind.SCREENS, CallKind.COMPLETION)


class PartitionedSearch(SkeletonSearch):
    """A search for a skeleton, cluster by cluster.

    Parameters
    ----------
    ci_test, alpha, knowledge, draws, strongest_first
        As for `SkeletonSearch`.
    labels : (p,) int64 array, optional
        Cluster of each variable. Default: clusters of variables with high mutual information.
    once : Once
        Cache of the clusters for other runs.

    Attributes
    ----------
    labels : (p,) int64 array
    partition : Partition or None
        None if the labels were given.
    calls : dict of CallKind to int
        Statistical calls of each phase begun, as section 5.1 counts them: for the partition the marginal tests, which
        also give the mutual information, and the entropy of each variable unless the clusters were given; for the other
        phases the tests.
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
        # Adjacencies at the start of the two screens; they determine the sets that were tested there.
        self._screened_first = self._screened_second = np.zeros((ci_test.p, ci_test.p), dtype=bool)

    def learn(self, most: int, tick: Tick) -> None:
        """Run the phases of algorithm 2, lines 3 to 24, with conditioning sets of up to `most` variables.

        Raises
        ------
        Stopped
            If cancelled; the search holds what was finished.
        """
        self._most = most
        phases = (self._partition, self._within, self._screens, self._complete)  # lines 3, 5, 7 and 23
        for kind, phase in zip(KINDS, phases, strict=True):
            before = self.ci_test.n_tests
            try:
                phase(tick)
            finally:  # calls of a cancelled run count, too
                # Clustering needs the entropy of each variable; the tests give the mutual information.
                entropies = self.ci_test.p if kind is CallKind.PARTITION and self.partition is not None else 0
                self.calls[kind] = self.ci_test.n_tests - before + entropies

    def _partition(self, tick: Tick) -> None:
        """Test all pairs given nothing, and cluster the variables by their distances: lines 3 and 4, section 3.1.1."""
        self.test_level(Phase(Stage.LEVEL, size=0), self.adjacency.copy(), 0, tick)
        if self.labels is None:
            # The clusters do not depend on alpha, so runs at other levels share them.
            self.partition = self._once("partition", lambda: partition(self.ci_test.distances(self._statistic)))
            self.labels = self.partition.labels
        self._same = self.labels[:, None] == self.labels

    def _within(self, tick: Tick) -> None:
        """Run PC-stable within each cluster: lines 5 and 6."""
        for size in range(1, self._most + 1):
            within = self.adjacency & self._same
            if not self.test_level(Phase(Stage.WITHIN_CLUSTERS, size=size), within, size, tick):
                return

    def _screens(self, tick: Tick) -> None:
        """Screen pairs of different clusters: lines 7 to 22.

        The first screen conditions on the neighbours of both ends (equation 3.3), the second on those of either end
        (equation 3.4).
        """
        self._screened_first = first = self.adjacency & self._same
        self._screen(Phase(Stage.FIRST_SCREEN), self._between(), lambda edges: self._both(edges, first), 0, tick)
        self._screened_second = second = self.adjacency.copy()
        for side in (0, 1):
            pools = lambda edges, side=side: self._side(edges, second, side)  # noqa: E731
            self._screen(Phase(Stage.SECOND_SCREEN), self._between(), pools, 1 + side, tick)

    def _screen(
        self, phase: Phase, edges: np.ndarray, pools_of: Callable[[np.ndarray], PairPools], n_done: int, tick: Tick
    ) -> None:
        """Test each pair given all its candidates, or given all sets of `most` of them if there are more."""
        sizes = np.minimum(np.diff(pools_of(edges).begin), self._most)
        for size in range(1, self._most + 1):
            chosen = edges[sizes == size]
            skip = lambda part, size=size: self._covered(part, size)[:, :n_done]  # noqa: E731
            self.test_pools(phase, chosen, pools_of(chosen), size, skip, tick)

    def _complete(self, tick: Tick) -> None:
        """Run PC-stable on the whole graph with the sets not yet tested: lines 23 and 24, equation 3.5."""
        touched = (self.adjacency & ~self._same).any(axis=1)
        for size in range(1, self._most + 1):
            frozen = self.adjacency.copy()
            edges = open_edges(frozen, self._required, size)
            edges = edges[touched[edges].any(axis=1)]
            if len(edges) == 0:
                break
            phase = Phase(Stage.COMPLETION, size=size)
            covered = partial(self._covered, size=size)
            self.test_pools(phase, edges, self._side(edges, frozen, 0), size, covered, tick)
            edges = edges[self.adjacency[edges[:, 0], edges[:, 1]]]
            skip = lambda part, frozen=frozen, covered=covered: np.concatenate(  # noqa: E731
                [covered(part), frozen[part[:, 0], None]], axis=1
            )
            self.test_pools(phase, edges, self._side(edges, frozen, 1), size, skip, tick)
        self.separate_forbidden(self._most, tick)

    def _side(self, edges: np.ndarray, adjacency: np.ndarray, side: int) -> PairPools:
        """Return the neighbours of one end of each pair, in the order in which sets are drawn from them."""
        return side_pools(edges, *sorted_lists(adjacency, self._neighbor_order), side)

    def _both(self, edges: np.ndarray, adjacency: np.ndarray) -> PairPools:
        """Return the neighbours of the first node of each pair, then the other neighbours of the second node."""
        return union_pools(edges, adjacency, *sorted_lists(adjacency, self._neighbor_order))

    def _between(self) -> np.ndarray:
        """Return (m, 2) adjacent pairs of different clusters that may be separated."""
        return open_edges(self.adjacency & ~self._same, self._required, 0)

    def _covered(self, edges: np.ndarray, size: int) -> np.ndarray:
        """Return (m, 3, p) pools whose sets of `size` members were all tested in earlier phases."""
        return tested_pools(edges, self._same, self._screened_first, self._screened_second, self._most, size)

    def _keep(self, edges: np.ndarray, results: CIResults) -> TestedEdges:
        if CallKind.PARTITION not in self.calls:
            i, j = edges.T
            self._statistic[i, j] = self._statistic[j, i] = results.statistic
        return super()._keep(edges, results)
