"""Test by regression for mixed data, with or without missing values."""

from __future__ import annotations

import numpy as np

from ..common.arrays import frozen_copy
from ..common.parallel import Kernel
from ..common.run_warning import RunWarning
from ..common.sentences import Count, say
from ..common.validation import Threads, validated
from ..data.bit_planes import incomplete_positions, presence_bits
from ..data.dataset import Dataset
from ..data.embedding import standardized_cells
from ..kernels.ci.evidence import log_p_of
from ..kernels.ci.g2_available import IncompleteSample, IncompleteScratch
from ..kernels.ci.logistic_regression import LogisticScratch
from ..kernels.ci.regression import MAX_COEFFICIENTS, FitCache, RegressionSample, RegressionScratch, decide_regression
from ..kernels.ci.results import CIResults
from ..kernels.tiles import BLOCK, SIDE
from .ci_test import KernelTest
from .compiled_test import generic_kernel
from .degenerate_gaussian import DegenerateGaussian
from .g2 import G2
from .set_search import SetSearch

# Minimum number of rows per cell for G²; with the usual 5, it rejects true independence up to six times too often if
# cells are uneven.
ROWS_PER_CELL = 100.0
SLOTS = 512  # number of cached fits, shared by tests


@validated
class Regression(DegenerateGaussian):
    """Likelihood-ratio test by the regression that the column types of x and y require, against χ².

    If x or y is continuous: its linear regression on the other and the set, as `DegenerateGaussian`. If both are
    categorical: G² if the set is categorical too and there are a hundred rows per cell of the table; otherwise
    multinomial logistic regression of the one with fewer levels on the set, with and without the other.

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
    The likelihood ratio of logistic regression is too large by about as much as that of linear regression, so
    Bartlett's factor of `DegenerateGaussian` is applied to both (`python -m benchmarks.type_one` measures the levels
    reached). Fits use a ridge of 1e-6 and at most 25 Newton steps of bounded length: if levels can be predicted with
    certainty, the fit ends there, and `warnings` reports it. A regression with more than 200 coefficients, or with
    fewer than ten rows for each, is not fitted; Λ of the indicators is used in its place.

    References
    ----------
    Tsagris, Borboudakis, Lagani and Tsamardinos (2018), Constraint-based causal discovery with mixed data,
    International Journal of Data Science and Analytics 6. Sur, Chen and Candès (2019), The likelihood ratio test in
    high-dimensional logistic regression is asymptotically a rescaled chi-square, Probability Theory and Related Fields
    175. Peduzzi, Concato, Kemper, Holford and Feinstein (1996), A simulation study of the number of events per variable
    in logistic regression analysis, Journal of Clinical Epidemiology 49.

    Examples
    --------
    >>> import pandas as pd
    >>> from learners import Dataset, Regression
    >>> frame = pd.DataFrame({"a": list("xyxyxxyy") * 9, "b": list("uvvuuvuv") * 9, "z": [0.1, 0.9, 0.4] * 24})
    >>> test = Regression(Dataset.from_frame(frame)).test(0, 1, (2,))
    >>> test.dof, test.p_value > 0.01
    (1.0, True)
    """

    def __init__(self, dataset: Dataset, *, threads: Threads | None = None) -> None:
        super().__init__(dataset, threads=threads)
        self._fit_counts: list[np.ndarray] = []
        self._certain = 0
        counts = G2(_coded(dataset), rows_per_cell=ROWS_PER_CELL, threads=threads)
        self._counts = counts
        self._full = RegressionSample(
            embedded=self._sample,
            counted=IncompleteSample(counts._sample, incomplete_positions(dataset), presence_bits(dataset), dataset.n),
            cells=standardized_cells(dataset),
            shares=frozen_copy(np.ones(dataset.n_rows) if dataset.shares is None else dataset.shares, np.float64),
            n=dataset.n,
        )

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """Warnings about the tests done so far."""
        certain = self._certain + sum(int(noted[-1]) for noted in self._fit_counts)
        if not certain:
            return ()
        sentence = say(
            "{regressions} of a categorical column did not converge, because other columns predict a level with "
            "certainty; merge rare levels if those edges matter",
            regressions=Count(certain, "regression"),
        )
        return (RunWarning("not_converged", sentence),)

    def _compute(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        statistic, dof, tested = decide_regression(self._full, x, y, cond, len(cond), self._full_scratch(len(cond)))
        return log_p_of(statistic, dof, tested), statistic, dof, tested

    def _kernel(self, searches: SetSearch, log_alpha: float, results: CIResults) -> Kernel:
        scratch = self._full_scratch(searches.width, len(searches) * searches.max_tests)
        return generic_kernel(self._full, scratch, searches, log_alpha, results)

    def in_kernels(self) -> KernelTest:
        """See `CITest.in_kernels`."""
        return KernelTest(self._full, self._full_scratch)

    def count_as_own(self, other: Regression) -> None:
        """See `CITest.count_as_own`."""
        super().count_as_own(other)
        self._certain += other._certain

    def _collect_rows(self) -> None:
        super()._collect_rows()
        self._certain += sum(int(noted[-1]) for noted in self._fit_counts)
        self._fit_counts.clear()

    def _full_scratch(self, size: int, tests: int = 1) -> RegressionScratch:
        embedded = self._scratch(size, tests)
        counted = self._full.counted
        most, arity = len(embedded.columns), counted.counted.arity
        levels = int(arity.max())
        m = min((levels - 1) * most, MAX_COEFFICIENTS)
        picked = np.empty(counted.counted.codes.shape[1], dtype=np.int64)
        mask = np.empty(counted.observed.shape[1], dtype=np.uint64)
        certain = np.zeros(SLOTS + 1, dtype=np.int64)
        self._fit_counts.append(certain)
        return RegressionScratch(
            embedded=embedded,
            counting=IncompleteScratch(self._counts._scratch(size), mask, picked, embedded.rows),
            logistic=LogisticScratch(
                gathered=np.zeros((most + 2, BLOCK)),
                weighted=np.zeros((most + 2, BLOCK)),
                shares=np.zeros((levels, BLOCK)),
                spare=np.empty((2, BLOCK)),
                own_log_odds=np.empty(BLOCK),
                odds=np.empty(BLOCK),
                sums=np.empty(4 * SIDE),
                hessian=np.empty((m, m)),
                gradient=np.empty(m),
                step=np.empty(m),
                coefs=np.empty(m),
                label=np.empty(levels, dtype=np.int64),
                own=np.empty(len(picked) + BLOCK),
                counts=np.empty(len(picked) + BLOCK),
            ),
            fits=FitCache(np.full((SLOTS, size + 2), -1), np.empty((SLOTS, m)), np.empty(SLOTS), certain),
            rows=embedded.rows,
        )


def _coded(dataset: Dataset) -> Dataset:
    """Return the data set with each continuous variable replaced by a constant, so that positions stay the same."""
    codes = np.zeros((dataset.p, dataset.n_rows), dtype=np.int64)
    arity = np.ones(dataset.p, dtype=np.int64)
    for j, kind in enumerate(dataset.kinds):
        if kind == "categorical":
            k = dataset.place[j]
            arity[j] = dataset.arity[k]
            codes[j] = np.where(dataset.is_there(j), dataset.codes[k].astype(np.int64), -1)
    return Dataset.from_codes(codes, arity, dataset.names, weights=dataset.weights)
