"""Degenerate Gaussian test for mixed data, with or without missing values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..common.errors import DataError
from ..common.parallel import Kernel
from ..common.validation import Threads, validated
from ..data.dataset import Dataset
from ..data.embedding import embedded, sample_of
from ..kernels.ci.covariance_cache import CovarianceCache, EmbeddedScratch
from ..kernels.ci.degenerate_gaussian import decide_degenerate, fill_relatedness
from ..kernels.ci.degenerate_gaussian_search import (
    degenerate_level_search,
    degenerate_marginal_tests,
    degenerate_pool_search,
)
from ..kernels.ci.embedded_covariance import ROWS_AT_ONCE
from ..kernels.ci.evidence import log_p_of
from ..kernels.ci.results import CIResults
from .ci_test import KernelTest
from .compiled_test import CompiledTest, generic_kernel
from .set_search import LevelSearch, PoolSearch, SetSearch

MIN_ROWS = 4
MAX_CACHED_SETS, MAX_CACHED_BYTES = 1 << 12, 1 << 23  # limits of the cache of a thread for correlations given a set


@validated
class DegenerateGaussian(CompiledTest):
    """Likelihood-ratio test of normal variables; categorical variables are embedded as indicators of their levels.

    The statistic -m ln Λ, with Wilks' Λ = |S_xyZ| |S_Z| / (|S_xZ| |S_yZ|) and Bartlett's
    m = n - 1 - |E(Z)| - (d_x + d_y + 1) / 2, is compared with χ² of d_x d_y degrees of freedom. If x, y and the set are
    continuous, the test is Fisher's z.

    Parameters
    ----------
    dataset : Dataset
        Of any column types, at least 4 rows; row weights count. Each test uses the rows in which x, y and the whole set
        are observed.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Raises
    ------
    DataError
        If there are too few rows.

    Notes
    -----
    Degrees of freedom are ranks: columns that others determine do not count, and a variable that the set determines is
    independent of all others. A test with no more rows than columns is not done and counts as separating. Between two
    categorical variables with a common continuous cause it rejects too often as n grows.

    References
    ----------
    Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types, PMLR 104
    (the embedding). Bartlett (1938), Further aspects of the theory of multiple regression (the factor m).

    Examples
    --------
    >>> import pandas as pd
    >>> from learners import Dataset, DegenerateGaussian
    >>> frame = pd.DataFrame({"sex": list("fmfmfmfm"), "height": [1.6, 1.8, 1.7, 1.9, 1.6, 1.7, 1.7, None]})
    >>> test = DegenerateGaussian(Dataset.from_frame(frame)).test(0, 1)
    >>> round(test.statistic, 3), test.dof, test.n
    (3.72, 1.0, 7)
    """

    def __init__(self, dataset: Dataset, *, threads: Threads | None = None) -> None:
        if dataset.n < MIN_ROWS:
            raise DataError(f"a test of numbers needs at least {MIN_ROWS} rows, found {dataset.n}; load more")
        super().__init__(dataset.names, threads)
        self.dataset, self._sample = dataset, embedded(dataset)
        self.rows_vary = not dataset.complete

    @classmethod
    def from_correlations(
        cls, corr: np.ndarray, first: Sequence[int], continuous: Sequence[bool], n: int, names: Sequence[str]
    ) -> DegenerateGaussian:
        """Return the test on known correlations.

        Parameters
        ----------
        corr : (q, q) float64 array
            Correlations of the embedded columns.
        first : (p + 1,) integers
            The columns of variable v are ``first[v] .. first[v + 1] - 1``.
        continuous : (p,) bool
        n : int
            Number of rows from which they were computed.
        names : p strings
        """
        test = cls.__new__(cls)
        CompiledTest.__init__(test, tuple(names), None)
        test._sample = sample_of(corr, first, continuous, n)
        return test

    def _compute(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        statistic, dof, tested = decide_degenerate(self._sample, x, y, cond, len(cond), self._scratch(len(cond)))
        return log_p_of(statistic, dof, tested), statistic, dof, tested

    def _kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        sample = self._sample
        given = (sample.first, sample.continuous, sample.corr, sample.n, searches.pairs)
        widest = self._max_columns(searches.width)
        match searches:
            case LevelSearch(width=0) if not self.rows_vary:
                return lambda begin, end, _stop, done: degenerate_marginal_tests(
                    *given, begin, end, results, widest, done
                )
            case LevelSearch(adjacency=adjacency) if not self.rows_vary:
                sets, kernel = (adjacency, *searches.lists), degenerate_level_search
            case PoolSearch(pools=pools, skip=skip) if not self.rows_vary:
                sets, kernel = (*pools, skip), degenerate_pool_search
            case _:
                scratch = self._scratch(searches.width, len(searches) * searches.max_tests)
                return generic_kernel(sample, scratch, searches, log_alpha, results)
        rest = (log_alpha, results, widest)
        return lambda begin, end, stop, done: kernel(*given, begin, end, *sets, *rest, stop, done)

    def order(self) -> np.ndarray:
        """Return the nodes by decreasing sum of their relatedness to all others. See `CITest.order`."""
        return np.argsort(-np.round(self._relatedness().sum(axis=1), 9), kind="stable")

    def in_kernels(self) -> KernelTest:
        """See `CITest.in_kernels`."""
        return KernelTest(self._sample, self._scratch)

    def rows_for_each_cell(self, x: int, y: int, cond: Sequence[int]) -> float:
        """Return the rows per embedded column, since there is no table. See `CITest.rows_for_each_cell`."""
        return self._sample.n / max(int(np.diff(self._sample.first)[[x, y, *cond]].sum()), 1)

    def distances(self, statistic: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """Return 1 - r, where r is |correlation|, or √(1 - Λ^(1/d)) if a variable has several columns.

        d is the smaller of the numbers of columns of the two variables.

        See `CITest.distances`.
        """
        distance = 1.0 - self._relatedness()
        np.fill_diagonal(distance, 0.0)
        return distance

    def _relatedness(self) -> np.ndarray:
        """Return (p, p): 0 for unrelated variables, 1 for equivalent ones and on the diagonal."""
        related = np.eye(self.p)
        fill_relatedness(self._sample, np.empty(0, dtype=np.int32), self._scratch(0), related)
        return related

    def _max_columns(self, size: int) -> int:
        """Return the largest number of columns of x, y and a set of `size` members."""
        return int(np.sort(np.diff(self._sample.first))[-(size + 2) :].sum())

    def _scratch(self, size: int, tests: int = 1) -> EmbeddedScratch:
        sample = self._sample
        most = self._max_columns(size) + 1
        square = [np.empty((most, most)) for _ in range(3)]
        return EmbeddedScratch(
            nodes=np.empty(size + 2, dtype=np.int64),
            columns=np.empty(most, dtype=np.int64),
            basis=np.empty(most, dtype=np.int64),
            block=square[0],
            chol=square[1],
            left=square[2],
            words=np.empty((3, sample.absent.shape[1]), dtype=np.uint64),
            gathered=np.empty((most, ROWS_AT_ONCE)),
            values=np.empty(most),
            positions=np.empty(most, dtype=np.int64),
            rows=self._row_counter(),
            kept=self._cache(size, most, tests),
        )

    def _cache(self, size: int, most: int, tests: int) -> CovarianceCache:
        """Return a cache with room for the sets of about `tests` tests.

        Complete data get room for one set, since no set is cached.
        """
        triangle = most * (most + 1) // 2
        room = min(tests, MAX_CACHED_SETS, MAX_CACHED_BYTES // (8 * triangle)) if self.rows_vary else 1
        places = 1 << max(room.bit_length() - 1, 0)
        return CovarianceCache(
            members=np.zeros((places, size + 2), dtype=np.int32),
            rows=np.empty(places, dtype=np.int64),
            corr=np.empty((places, triangle)),
            ascending=np.empty(size + 2, dtype=np.int64),
            order=np.empty(most, dtype=np.int64),
        )
