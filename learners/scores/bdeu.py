"""BDeu: the Bayesian score of categorical data with uniform Dirichlet priors."""

from __future__ import annotations

import math

from ..common.checks import check_number, check_open_interval
from ..common.validation import validated
from ..data.dataset import Dataset
from .discrete import discrete_families
from .score import FamilyScore


@validated
class BDeu(FamilyScore):
    """Log marginal likelihood under Dirichlet priors worth `ess` rows, spread evenly over the cells of each family.

    Parameters
    ----------
    dataset : Dataset
        Categorical. Row weights count. With missing values, the gain of parents is computed on the rows of the family,
        with a deduction for the rows that lack it: see `node_average.doubts`.
    ess : float, default 1.0
        Equivalent sample size, positive.
    edge_price : float, default 0.0
        Penalty of each edge, in nats. None for `automatic_edge_price`.

    Raises
    ------
    DataError
        If the data are continuous or have no rows.
    ParameterError
        If `ess` is not positive, or `edge_price` is negative.

    Notes
    -----
    Each cell gets ess / (r q), with q the product of the parents' declared arities. DAGs of one equivalence class have
    the same score, whatever the penalty of an edge: with a penalty for each edge the score is, up to a constant, ln P(G
    | D) under a prior that falls by a factor of e^penalty with each edge. Heckerman et al. use a prior that falls with
    each difference from a given graph.

    References
    ----------
    Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination of knowledge and statistical
    data. Machine Learning 20, equation 42.
    """

    def __init__(self, dataset: Dataset, *, ess: float = 1.0, edge_price: float | None = 0.0) -> None:
        check_open_interval("ess", ess, 0.0, math.inf)
        if edge_price is not None:
            check_number("edge_price", edge_price, 0.0, math.inf, ends="[)")
        self.settings = {"ess": ess, "edge_price": edge_price}
        self.edge_price = automatic_edge_price(dataset.n, dataset.p) if edge_price is None else edge_price
        super().__init__(dataset.names, discrete_families(dataset, "BDeu", ess=ess, edge_price=self.edge_price))


def automatic_edge_price(n: int, p: int) -> float:
    """Return the penalty of a parameter by extended BIC with n rows and p variables: ½ ln n + ln p."""
    return 0.5 * math.log(max(n, 1)) + math.log(p)
