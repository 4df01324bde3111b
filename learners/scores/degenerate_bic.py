"""BIC of columns of both kinds, categorical ones embedded as indicators."""

from __future__ import annotations

import math

from ..common.checks import check_open_interval
from ..common.errors import DataError
from ..common.validation import validated
from ..data.dataset import Dataset
from ..data.embedding import embedded
from ..kernels.scores.degenerate_gaussian import EmbeddedFamilies
from .base import FamilyScore
from .node_average import doubts

LEAST_ROWS = 4


@validated
class DegenerateBIC(FamilyScore):
    """-n/2 (ln |S_{v,Pa}| - ln |S_Pa|) less the price of d_v |E(Pa)| + d_v (d_v + 1) / 2 parameters.

    Parameters
    ----------
    dataset : Dataset
        Of any kind, at least 4 rows; row weights count. With missing cells, parents gain what they do on the rows that
        have the family, less a doubt for those that lack it: see `node_average.doubts`.
    penalty : float, default 1.0
        Factor of the price of a parameter; more gives sparser graphs.
    extended : bool, default False
        Whether a parameter costs ln p more, with p variables: extended BIC [1]_.

    Raises
    ------
    DataError
        If the rows are too few.
    ParameterError
        If `penalty` is not positive.

    Notes
    -----
    The likelihood is that of [2]_. DAGs of one equivalence class have the same score where no cell is missing. Where
    all columns are continuous it differs from `GaussianBIC` by a constant.

    References
    ----------
    .. [1] Foygel and Drton (2010), Extended Bayesian information criteria for Gaussian graphical models, NeurIPS 23,
       with γ = ½; after Chen and Chen (2008), Biometrika 95.
    .. [2] Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types,
       PMLR 104, equation 4.
    """

    def __init__(self, dataset: Dataset, *, penalty: float = 1.0, extended: bool = False) -> None:
        check_open_interval("penalty", penalty, 0.0, math.inf)
        self.settings = {"penalty": penalty, "extended": extended}
        if dataset.n < LEAST_ROWS:
            raise DataError(f"a score of numbers needs at least {LEAST_ROWS} rows, found {dataset.n}; load more")
        price = penalty * (0.5 * math.log(dataset.n) + extended * math.log(dataset.p))
        super().__init__(dataset.names, EmbeddedFamilies(embedded(dataset), dataset.n, price, doubts(dataset)))
