"""BIC of mixed data, with categorical columns embedded as indicators."""

from __future__ import annotations

from ..common.errors import DataError
from ..common.validation import validated
from ..data.dataset import Dataset
from ..data.embedding import embedded
from ..settings.shared import PENALTY
from .gaussian_bic import embedded_families, penalty_of_parameter
from .score import FamilyScore

MIN_ROWS = 4


@validated
class DegenerateBIC(FamilyScore):
    """-n/2 (ln |S_{v,Pa}| - ln |S_Pa|) minus the penalty of d_v |E(Pa)| + d_v (d_v + 1) / 2 parameters.

    Parameters
    ----------
    dataset : Dataset
        Of any column types, at least 4 rows; row weights count. With missing values, its completed moments, if it has
        any. Else the gain of parents is computed on the rows of the family, with a deduction for the rows that lack it:
        see `node_average.doubts`.
    penalty : float, default 1.0
        Factor of the penalty of a parameter; larger values give sparser graphs.
    extended : bool, default False
        True: extended BIC, which adds ln p to the penalty of a parameter, with p variables [1]_.

    Raises
    ------
    DataError
        If there are too few rows.
    ParameterError
        If `penalty` is not positive.

    Notes
    -----
    The likelihood is that of [2]_. DAGs of one equivalence class have the same score if the data are complete. If all
    columns are continuous it differs from `GaussianBIC` by a constant.

    References
    ----------
    .. [1] Foygel and Drton (2010), Extended Bayesian information criteria for Gaussian graphical models, NeurIPS 23,
       with γ = ½; after Chen and Chen (2008), Biometrika 95.
    .. [2] Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types,
       PMLR 104, equation 4.
    """

    _embed = staticmethod(embedded)
    _extension = 1.0  # share of ln p that extended BIC adds to the penalty of a parameter

    def __init__(self, dataset: Dataset, *, penalty: float = 1.0, extended: bool = False) -> None:
        PENALTY.check(penalty)
        self.settings = {"penalty": penalty, "extended": extended}
        if dataset.n < MIN_ROWS:
            raise DataError(f"a score of numbers needs at least {MIN_ROWS} rows, found {dataset.n}; load more")
        sample = self._embed(dataset)
        per_parameter = penalty_of_parameter(sample.n, dataset.p, penalty, self._extension * extended)
        super().__init__(dataset.names, embedded_families(dataset, sample, per_parameter))
