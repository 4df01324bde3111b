"""Fisher's z test of partial correlation for continuous data."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..dataset import Dataset
from ..errors import DataError
from ..kernels.gaussian_separation import fisher_z_edges, fisher_z_pairs, fisher_z_pools, judge_fisher_z
from ..kernels.judging import NormalSample
from ..kernels.max_min import fisher_z_new_sets
from ..kernels.pair_pools import PairPools
from ..kernels.separation import Outcome
from ..kernels.subsets import neighbor_lists
from ..parallel import Kernel
from .base import InKernels
from .compiled import CompiledTest
from .pools import Pools


class FisherZ(CompiledTest):
    """Test of zero partial correlation: z = atanh(r) sqrt(n - |Z| - 3) against the standard normal, two-sided.

    Parameters
    ----------
    dataset : Dataset
        Continuous, at least 4 rows.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Notes
    -----
    Sets that hold a linear combination of their other members are reduced to a basis; a variable that the set
    determines counts as independent of the rest. A set too large for the sample (n - |Z| <= 3) is not tested and
    counts as separating.
    """

    def __init__(self, dataset: Dataset, *, threads: int | None = None) -> None:
        if dataset.kind != "continuous":
            raise DataError("Fisher's z needs continuous columns, found categorical ones; use the G² test")
        if dataset.n < 4:
            raise DataError(f"Fisher's z needs at least 4 rows, found {dataset.n}; load a longer table")
        super().__init__(dataset.names, threads)
        self._corr = dataset.correlation
        self._n = dataset.n

    def _judge(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        log_p, z, tested = judge_fisher_z(self._corr, self._n, min(x, y), max(x, y), cond)
        return log_p, z, math.nan, tested

    def _start(self, edges: np.ndarray, adjacency: np.ndarray, log_alpha: float, outcome: Outcome) -> Kernel:
        if outcome.cond.shape[1] == 0:
            return lambda begin, end, _stop, done: fisher_z_pairs(self._corr, self._n, edges, begin, end, outcome, done)
        lists = neighbor_lists(adjacency)
        return lambda begin, end, stop, done: fisher_z_edges(
            self._corr, self._n, edges, begin, end, adjacency, *lists, log_alpha, outcome, stop, done
        )

    def _start_by_new(self, edges: np.ndarray, pools: Pools, log_alpha: float, outcome: Outcome) -> Kernel:
        most = outcome.cond.shape[1]
        return lambda begin, end, stop, done: fisher_z_new_sets(
            self._corr, self._n, edges, begin, end, *pools, most, log_alpha, outcome, stop, done
        )

    def order(self) -> np.ndarray:
        """Those most correlated with all others first. See `CITest.order`."""
        return np.argsort(-np.round(np.abs(self._corr).sum(axis=1), 9), kind="stable")

    def in_kernels(self) -> InKernels:
        """As `CITest.in_kernels`; no working memory is needed."""
        return InKernels(NormalSample(self._corr, self._n), lambda _: None)

    def _start_pools(
        self, edges: np.ndarray, pools: PairPools, skip: np.ndarray, log_alpha: float, outcome: Outcome
    ) -> Kernel:
        return lambda begin, end, stop, done: fisher_z_pools(
            self._corr, self._n, edges, begin, end, *pools, skip, log_alpha, outcome, stop, done
        )

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:  # noqa: ARG002
        """Rows for each variable, for there is no table. See `CITest.rows_for_each_cell`."""
        return self._n / (2 + len(cond))

    def distances(self, statistic: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """1 - |r|. See `CITest.distances`."""
        distance = 1.0 - np.minimum(np.abs(self._corr), 1.0)
        np.fill_diagonal(distance, 0.0)
        return distance
