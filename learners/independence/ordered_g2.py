"""Test of categorical data that also tests for a trend between columns with ordered levels."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ..common.validation import Threads, validated
from ..data.dataset import Dataset
from ..data.level_ranks import midranks
from ..kernels.ci.g2 import rows_suffice
from ..kernels.ci.permuted_x2 import fitted_chi2, permuted_x2
from ..kernels.ci.tail_probabilities import log_chi2_sf
from ..kernels.ci.trend import linear_by_linear
from ..kernels.counting.contingency import n_cells
from .g2 import G2
from .permutation_and_x2 import SingleTest
from .set_search import LevelSearch

TREND_WEIGHT = 2 / 3  # share of alpha that the trend takes of the two tests of a pair; chosen in benchmarks/README.md


@validated
class OrderedG2(SingleTest):
    """G², or for pairs with ordered levels Pearson's X² and the linear-by-linear association, given the set.

    A pair is tested for a trend if the levels of one variable are ordered, and the other has ordered levels too or only
    two. Its p-value is the smaller of 1.5 times that of the trend and 3 times that of X², at most 1 (weighted
    Bonferroni); statistic and degrees of freedom are those of the test that it comes from. Other pairs are tested by G²
    alone. Levels are scored by their midranks.

    Both tests compare the table with permutations of its rows within each stratum, so that they also hold in sparse
    tables: the trend by the mean and variance of its sum, and X² by a χ² distribution with its mean, variance and third
    moment, shifted and scaled. Strata without a choice, such as single rows, do not count.

    Parameters
    ----------
    dataset : Dataset
        Categorical, with ordered levels (`Dataset.with_ordered_levels`).
    dof, rows_per_cell, threads
        As for `G2`. `dof` concerns pairs without a trend: the degrees of freedom of X² follow from its moments, and the
        trend has 1. If the power rule forbids a test of the table, the trend decides alone. With survey weights, or
        rows that count less than 1, G² takes the place of X², since there are no whole rows to permute.

    References
    ----------
    Dawson (1954), A simplified expression for the variance of the χ²-function on a contingency table. Biometrika 41.
    Genovese, Roeder and Wasserman (2006), False discovery control with p-value weighting. Biometrika 93.
    Mantel (1963), Chi-square tests with one degree of freedom. Journal of the American Statistical Association 58.
    Landis, Heyman and Koch (1978), Average partial association in three-way contingency tables. International
    Statistical Review 46.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import Dataset, G2, OrderedG2
    >>> rows = [5, 3, 2, 1, 3, 3, 3, 2, 2, 3, 3, 3, 1, 2, 3, 5]  # per cell of the 4 x 4 table
    >>> dose, pain = np.divmod(np.arange(16).repeat(rows), 4)
    >>> data = Dataset.from_codes(np.array([dose, pain]), [4, 4], ["dose", "pain"])
    >>> data = data.with_ordered_levels(data.names)
    >>> round(G2(data).test(0, 1).p_value, 2), round(OrderedG2(data).test(0, 1).p_value, 2)
    (0.64, 0.02)
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        dof: Literal["adjusted", "plain"] = "adjusted",
        rows_per_cell: float = 0.0,
        threads: Threads | None = None,
    ) -> None:
        super().__init__(dataset, dof=dof, rows_per_cell=rows_per_cell, threads=threads)
        self._scores = [midranks(dataset, j) for j in range(dataset.p)]
        self._has_order = np.array([name in dataset.ordered for name in dataset.names])
        self._states = np.ascontiguousarray(dataset.states, dtype=np.int64)

    def has_trend(self, x: int, y: int) -> bool:
        """Return True if x and y are tested for a trend as well."""
        return bool(self._has_order[x] and self._may_rise(y)) or bool(self._has_order[y] and self._may_rise(x))

    def _may_rise(self, j: int) -> bool:
        return bool(self._has_order[j]) or self._sample.arity[j] == 2

    def _compute(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        if not self.has_trend(x, y):
            return G2._compute(self, x, y, cond)
        return self._compute_complete(x, y, cond) if self._incomplete else self._remembered(x, y, cond)

    def _compute_complete(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on the order of the arguments
        found, sample = self._table_test(x, y, cond), self._sample
        statistic, dof = linear_by_linear(
            sample.codes, sample.arity, self._states, sample.weights, sample.unit, self._scores[x], self._scores[y],
            x, y, cond,
        )  # fmt: skip
        log_p = float(log_chi2_sf(statistic, dof))
        if not found[3]:
            return log_p, statistic, dof, True
        log_p, any_log_p = log_p - math.log(TREND_WEIGHT), found[0] - math.log(1.0 - TREND_WEIGHT)
        if log_p <= any_log_p:
            return min(log_p, 0.0), statistic, dof, True
        return min(any_log_p, 0.0), *found[1:]

    def _table_test(self, x: int, y: int, cond: np.ndarray) -> tuple[float, float, float, bool]:
        """Return ln p, statistic, degrees of freedom and whether the rows allow a test for dependence of any kind."""
        sample = self._sample
        if sample.unit != 1.0:
            return G2._compute(self, x, y, cond)
        *moments, rows = permuted_x2(sample.codes, sample.arity, self._states, sample.weights, x, y, cond)
        self._row_counter()[:] = rows
        cells = n_cells(sample.arity, x, y, cond, len(cond))
        if rows == 0 or not rows_suffice(rows, sample.rows_per_cell, cells):
            return 0.0, 0.0, 0.0, False
        return *fitted_chi2(*moments), True

    def distances(self, statistic: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """Return the distances of `G2.distances`, from the G² of all pairs. See `CITest.distances`."""
        plain = G2(self.dataset, **self.settings, threads=self._threads)
        pairs = np.column_stack(np.triu_indices(self.p, 1))
        own = np.zeros((self.p, self.p))
        own[tuple(pairs.T)] = plain.separate(LevelSearch.marginal(pairs, self.p), 0.5).statistic
        return plain.distances(own + own.T)
