"""Fisher's z test of partial correlation for continuous data."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import log_ndtr

from ..common.errors import DataError
from ..common.parallel import Kernel
from ..data.dataset import Dataset
from ..kernels.tests.gaussian_separation import fisher_z_edges, fisher_z_pairs, fisher_z_pools, judge_fisher_z
from ..kernels.tests.judging import NormalSample
from ..kernels.tests.max_min import fisher_z_new_sets
from ..kernels.tests.pair_pools import PairPools
from ..kernels.tests.questions import Answers, Questions, fisher_z_questions
from ..kernels.tests.separation import Outcome
from ..kernels.tests.subsets import neighbor_lists
from .base import InKernels
from .compiled import CompiledTest
from .pools import Pools

LARGEST_CONDITION = 1e12  # of correlations that are inverted
LARGEST_CORRELATION = 1.0 - 1e-15


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

    def _start_questions(self, questions: Questions, answers: Answers) -> Kernel:
        return lambda begin, end, stop, done: fisher_z_questions(
            self._corr, self._n, questions, begin, end, answers, stop, done
        )

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:  # noqa: ARG002
        """Rows for each variable, for there is no table. See `CITest.rows_for_each_cell`."""
        return self._n / (2 + len(cond))

    def log_p_given_rest(self) -> np.ndarray:
        """From the inverse of the correlations. See `CITest.log_p_given_rest`."""
        weight = self._n - (self.p - 2) - 3
        if weight <= 0:
            raise DataError(
                f"tests given all other columns need at least {self.p + 2} rows for {self.p} columns, found {self._n}; "
                "use fewer columns or tests given small sets"
            )
        precision = _inverse(self._corr)
        if precision is None:
            raise DataError(
                "tests given all other columns need linearly independent columns, found some that the others "
                "determine; remove those or use tests given small sets"
            )
        scale = np.sqrt(np.diag(precision))
        partial = np.clip(-precision / np.outer(scale, scale), -LARGEST_CORRELATION, LARGEST_CORRELATION)
        log_p = math.log(2.0) + log_ndtr(-np.abs(np.arctanh(partial)) * math.sqrt(weight))
        np.fill_diagonal(log_p, -math.inf)
        self.n_tests += self.p * (self.p - 1) // 2
        return np.minimum(log_p, log_p.T)

    def distances(self, statistic: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """1 - |r|. See `CITest.distances`."""
        distance = 1.0 - np.minimum(np.abs(self._corr), 1.0)
        np.fill_diagonal(distance, 0.0)
        return distance


def _inverse(corr: np.ndarray) -> np.ndarray | None:
    """Of a correlation matrix; None if it is singular but for rounding."""
    try:
        inverse = np.linalg.inv(corr)
    except np.linalg.LinAlgError:
        return None
    condition = np.abs(corr).sum(axis=0).max() * np.abs(inverse).sum(axis=0).max()
    return inverse if condition < LARGEST_CONDITION else None
