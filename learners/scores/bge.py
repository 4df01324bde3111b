"""BGe: the Bayesian score of continuous data, computed by `kernels.scores.bge`."""

from __future__ import annotations

import math

import numpy as np

from ..common.checks import check_open_interval
from ..common.errors import DataError
from ..common.validation import renamed, validated
from ..data.completed_data import completed_moments
from ..data.dataset import Dataset
from ..data.lacking_type import no_numbers
from ..kernels.scores.bge import BGeFamilies
from ..settings.shared import EDGE_PENALTY
from .score import FamilyScore

MIN_ROWS = 4


@renamed(edge_price="edge_penalty")
@validated
class BGe(FamilyScore):
    """Log marginal likelihood of linear regressions with normal noise, under a normal-Wishart prior.

    Parameters
    ----------
    dataset : Dataset
        Continuous, at least 4 rows, complete or with completed moments. Columns are standardized, so that units do
        not matter.
    mean_weight : float, default 1.0
        alpha_mu: number of rows that the prior mean is worth. The Wishart prior has alpha_w = p + alpha_mu + 1 degrees
        of freedom and the scale matrix T0 = t I with t = alpha_mu (alpha_w - p - 1) / (alpha_mu + 1).
    edge_penalty : float, default 0.0
        Penalty of each edge, in nats. The earlier name ``edge_price`` is also accepted.

    Raises
    ------
    DataError
        If the data are not continuous, have missing values or have too few rows.
    ParameterError
        If `mean_weight` is not positive, or `edge_penalty` is negative.

    Notes
    -----
    DAGs of one equivalence class have the same score. T0 keeps all determinants positive, whatever the columns.

    References
    ----------
    Geiger and Heckerman (2002), Parameter priors for directed acyclic graphical models. Annals of Statistics 30.
    Kuipers, Moffa and Heckerman (2014), Addendum on the scoring of Gaussian directed acyclic graphical models. Annals
    of Statistics 42.
    """

    def __init__(self, dataset: Dataset, *, mean_weight: float = 1.0, edge_penalty: float = 0.0) -> None:
        check_open_interval("mean_weight", mean_weight, 0.0, math.inf)
        EDGE_PENALTY.check(edge_penalty)
        self.settings = {"mean_weight": mean_weight, "edge_penalty": edge_penalty}
        completed = completed_moments(dataset)
        if dataset.kind != "continuous":
            raise no_numbers("BGe", "covariances", dataset, categories="BDeu", mixed="DegenerateBIC")
        if not dataset.complete and not completed:
            raise DataError("BGe has a formula for complete rows only, found missing cells. Use GaussianBIC instead")
        if dataset.n < MIN_ROWS:
            raise DataError(f"BGe needs at least {MIN_ROWS} rows, found {dataset.n}; load a longer table")
        prior = mean_weight * mean_weight / (mean_weight + 1.0)
        n = completed.min_n if completed else dataset.n
        scale = n * dataset.correlation + prior * np.eye(dataset.p)
        scale.flags.writeable = False
        super().__init__(
            dataset.names, BGeFamilies(scale, n, mean_weight + 1.0, prior, mean_weight, float(edge_penalty))
        )


def default_edge_penalty(_n: int, p: int) -> float:
    """Return the edge penalty of probabilities of edges between p continuous variables, half of ln p."""
    return 0.5 * math.log(p)
