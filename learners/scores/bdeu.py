"""BDeu: the Bayesian score with uniform Dirichlet priors."""

from __future__ import annotations

import math

from ..common.checks import check_open_interval, check_type
from ..data.dataset import Dataset
from .base import FamilyScore
from .discrete import discrete_families


class BDeu(FamilyScore):
    """Log marginal likelihood under Dirichlet priors worth `ess` rows, spread evenly over the cells of each family.

    Parameters
    ----------
    dataset : Dataset
        Categorical. Row weights count. With missing cells, parents gain what they do on the rows that have the family,
        less a doubt for those that lack it: see `node_average.doubts`.
    ess : float, default 1.0
        Equivalent sample size, positive.

    Raises
    ------
    DataError
        If the data are continuous or have no rows.
    ParameterError
        If `ess` is not positive.

    Notes
    -----
    Each cell gets ess / (r q), with q the product of the parents' declared arities. DAGs of one equivalence class have
    the same score.

    References
    ----------
    Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination of knowledge and statistical
    data. Machine Learning 20, equation 42.
    """

    def __init__(self, dataset: Dataset, *, ess: float = 1.0) -> None:
        check_open_interval("ess", ess, 0.0, math.inf)
        self.settings = {"ess": ess}
        check_type("dataset", dataset, Dataset, "a Dataset")
        super().__init__(dataset.names, discrete_families(dataset, "BDeu", ess=ess, penalty=0.0))
