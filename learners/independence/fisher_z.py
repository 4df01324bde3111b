"""Fisher's z test of partial correlation for continuous data."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..common.errors import DataError
from ..common.parallel import Kernel
from ..common.validation import Threads, validated
from ..data.dataset import Dataset
from ..data.lacking_type import no_numbers
from ..kernels.ci.fisher_z import GaussianSample, decide_fisher_z
from ..kernels.ci.fisher_z_search import (
    fisher_z_batch_search,
    fisher_z_level_search,
    fisher_z_marginal_tests,
    fisher_z_new_set_search,
    fisher_z_pool_search,
)
from ..kernels.ci.results import CIResults
from .ci_test import KernelTest
from .compiled_test import CompiledTest
from .degenerate_gaussian import DegenerateGaussian
from .set_search import BatchSearch, LevelSearch, NewSetSearch, PoolSearch, SetSearch

MAX_CONDITION = 1e12  # maximum condition number of a correlation matrix that is inverted
MAX_CORRELATION = 1.0 - 1e-15


@validated
class FisherZ(CompiledTest):
    """Test of zero partial correlation: z = atanh(r) sqrt(n - |Z| - 3) against the standard normal, two-sided.

    Parameters
    ----------
    dataset : Dataset
        Continuous, at least 4 rows. Each test uses the rows in which x, y and the whole set are observed.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Notes
    -----
    Sets with linearly dependent members are reduced to a basis; a variable that the set determines counts as
    independent of the rest. A set too large for the sample (n - |Z| <= 3) is not tested and counts as separating.
    """

    def __init__(self, dataset: Dataset, *, threads: Threads | None = None) -> None:
        if dataset.kind != "continuous":
            raise no_numbers("Fisher's z", "correlations", dataset, categories="G2", mixed="DegenerateGaussian")
        if dataset.n < 4:
            raise DataError(f"Fisher's z needs at least 4 rows, found {dataset.n}; load a longer table")
        super().__init__(dataset.names, threads)
        self.dataset, self._n = dataset, dataset.n
        self._available = None
        if dataset.complete:
            self._corr = dataset.correlation
        else:
            self._available = DegenerateGaussian(dataset, threads=threads)
            self._available.share_rows_with(self)
            self._corr = 1.0 - self._available.distances(np.zeros((self.p, self.p)))

    def _compute(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        if self._available:
            return self._available._compute(x, y, cond)
        log_p, z, tested = decide_fisher_z(self._corr, self._n, min(x, y), max(x, y), cond)
        return log_p, z, math.nan, tested

    def _kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        if self._available:
            return self._available._kernel(searches, log_alpha, results)
        given, rest = (self._corr, self._n, searches.pairs), (log_alpha, results)
        match searches:
            case LevelSearch(width=0):
                return lambda begin, end, _stop, done: fisher_z_marginal_tests(*given, begin, end, results, done)
            case LevelSearch(adjacency=adjacency):
                sets, kernel = (adjacency, *searches.lists), fisher_z_level_search
            case NewSetSearch(pools=pools, width=width):
                sets, kernel = (*pools, width), fisher_z_new_set_search
            case PoolSearch(pools=pools, skip=skip):
                sets, kernel = (*pools, skip), fisher_z_pool_search
            case BatchSearch(bases=bases, pools=pools, sizes=sizes, skips_untested=skips):
                sets, kernel = (*bases, *pools, sizes, skips), fisher_z_batch_search
        return lambda begin, end, stop, done: kernel(*given, begin, end, *sets, *rest, stop, done)

    @property
    def repeats_marginal(self) -> bool:
        """See `CITest`: such a test reads one correlation, if no cell is missing."""
        return self._available is None

    def order(self) -> np.ndarray:
        """Return the nodes by decreasing sum of absolute correlations. See `CITest.order`."""
        return np.argsort(-np.round(np.abs(self._corr).sum(axis=1), 9), kind="stable")

    def in_kernels(self) -> KernelTest:
        """See `CITest.in_kernels`; no working memory is needed."""
        if self._available:
            return self._available.in_kernels()
        return KernelTest(GaussianSample(self._corr, self._n), lambda _: None)

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:  # noqa: ARG002
        """Return the rows per variable, since there is no table. See `CITest.rows_for_each_cell`."""
        return self._n / (2 + len(cond))

    def log_p_given_rest(self) -> np.ndarray:
        """Compute ln p from the inverse of the correlations. See `CITest.log_p_given_rest`."""
        from scipy.special import log_ndtr

        if self._available:
            return super().log_p_given_rest()
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
        partial = np.clip(-precision / np.outer(scale, scale), -MAX_CORRELATION, MAX_CORRELATION)
        log_p = math.log(2.0) + log_ndtr(-np.abs(np.arctanh(partial)) * math.sqrt(weight))
        np.fill_diagonal(log_p, -math.inf)
        self.n_tests += self.p * (self.p - 1) // 2
        return np.minimum(log_p, log_p.T)

    def distances(self, statistic: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """Return 1 - |r|. See `CITest.distances`."""
        distance = 1.0 - np.minimum(np.abs(self._corr), 1.0)
        np.fill_diagonal(distance, 0.0)
        return distance


def _inverse(corr: np.ndarray) -> np.ndarray | None:
    """Return the inverse of a correlation matrix; None if it is numerically singular."""
    try:
        inverse = np.linalg.inv(corr)
    except np.linalg.LinAlgError:
        return None
    condition = np.abs(corr).sum(axis=0).max() * np.abs(inverse).sum(axis=0).max()
    return inverse if condition < MAX_CONDITION else None
