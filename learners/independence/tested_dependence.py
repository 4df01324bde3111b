"""Dependence of any columns, from tests, on the scale of LMM's partial correlations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..common.errors import DataError
from ..common.validation import validated
from ..common.wording import count
from ..data.completed_data import completed_moments
from ..data.dataset import Dataset
from ..kernels.lmm.dependence import DependenceEvidence
from ..kernels.lmm.tested import TestedEvidence, fill_squared
from .ci_test import check_members
from .degenerate_gaussian import DegenerateGaussian
from .dependence import MIN_ROWS, estimated_prior, given_prior, log_constant, log_odds_given
from .g2 import G2
from .set_search import LevelSearch

GAMMA_OF_CATEGORIES, GAMMA_OF_MIXED = 0.003, 0.03  # default thresholds of the graph if a run only ranks pairs


@validated
class TestedDependence:
    """Dependence of categorical and mixed columns by the p-values of tests.

    The p-value of G² with adjusted degrees of freedom, or of the degenerate Gaussian test for mixed data, becomes the
    squared partial correlation that has the same p-value with one degree of freedom; it enters the equations of
    `DependencePosterior`. The results rank pairs, but are not probabilities.

    Parameters
    ----------
    dataset : Dataset
        Categorical or mixed, without missing cells or with completed ones; row weights count.
    prior : float, optional
        pi_A, in (0, 1). Default: estimated.

    Raises
    ------
    DataError
        If a cell is missing, or there are fewer than 5 rows.
    ParameterError
        If `prior` is out of range.

    References
    ----------
    Mahdi and Mezey (2013), Sub-local constraint-based learning of Bayesian networks using a joint dependence criterion.
    JMLR 14. The paper covers continuous data only.

    Examples
    --------
    >>> from learners import TestedDependence, load_sample
    >>> asia = TestedDependence(load_sample("asia").dataset)
    >>> asia.log_odds(0, 1) > asia.log_odds(0, 1, (2, 3))
    True
    """

    __test__ = False
    is_probability = False

    def __init__(self, dataset: Dataset, *, prior: float | None = None) -> None:
        completed = completed_moments(dataset)
        if not dataset.complete and not completed:
            raise DataError("LMM needs every cell, found some missing; drop those rows or impute the cells")
        if dataset.n < MIN_ROWS:
            raise DataError(f"LMM needs at least {MIN_ROWS} rows, found {dataset.n}; load a longer table")
        self.names, self.n = dataset.names, completed.min_n if completed else dataset.n
        self._test = G2(dataset) if dataset.kind == "categorical" else DegenerateGaussian(dataset)
        self.usual_gamma = GAMMA_OF_CATEGORIES if dataset.kind == "categorical" else GAMMA_OF_MIXED
        self.usual_orientation = "boss" if dataset.kind == "categorical" else "lmm_eo"  # see benchmarks/README.md
        self._corr = self._marginal_correlations()
        self.prior = estimated_prior(self._corr, self.n) if prior is None else given_prior(prior, self._corr, self.n)

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self.names)

    def _marginal_correlations(self) -> np.ndarray:
        """Return (p, p) absolute correlations that have the marginal p-values of the pairs."""
        i, j = np.triu_indices(self.p, 1)
        results = self._test.separate(LevelSearch.marginal(np.column_stack([i, j]), self.p), 0.5)
        corr, squared = np.eye(self.p), np.empty(len(i))
        fill_squared(float(self.n), results.statistic, results.dof, results.tested, squared)
        corr[i, j] = corr[j, i] = np.sqrt(squared)
        return corr

    def evidence(self, max_cond_size: int) -> TestedEvidence:
        """Return the evidence in kernel form, for sets of up to `max_cond_size` variables."""
        stored, kernel = self.stored_evidence(max_cond_size), self._test.in_kernels()
        return TestedEvidence(
            corr=stored.corr,
            intercept=stored.intercept,
            slope=stored.slope,
            separated=stored.separated,
            rows=float(self.n),
            sample=kernel.sample,
            scratch=kernel.scratch(max_cond_size),
            cond=np.empty(max_cond_size, dtype=np.int32),
        )

    def stored_evidence(self, max_cond_size: int) -> DependenceEvidence:
        """Return the evidence without the data: the marginal evidence of the pairs."""
        if self.n < max_cond_size + 4:
            raise DataError(
                f"sets of {count(max_cond_size, 'variable')} need at least {max_cond_size + 4} rows, found {self.n}; "
                "lower max_cond_size or load a longer table"
            )
        size = np.arange(max_cond_size + 1)
        prior = self.prior.dependent
        intercept = math.log(prior / 2) - math.log1p(-prior) - log_constant(self.n - size - 1)
        return DependenceEvidence(self._corr, intercept, (self.n - size - 4) / 2, np.zeros((1, 1, 0), dtype=bool))

    @validated
    def log_odds(self, x: int, y: int, cond: Sequence[int] = ()) -> float:
        """Return the log-odds of dependence given `cond`."""
        members = check_members(self.p, x, y, cond)
        return log_odds_given(self.evidence(max(len(members), 1)), x, y, members)
