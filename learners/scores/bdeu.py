"""BDeu: the Bayesian score of categorical data with uniform Dirichlet priors; see `kernels.scores.bdeu_and_bic`."""

from __future__ import annotations

import math

from ..common.validation import renamed, validated
from ..data.dataset import Dataset
from ..settings.shared import EDGE_PENALTY, ESS
from .categorical_families import discrete_families
from .score import FamilyScore


@renamed(edge_price="edge_penalty")
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
    edge_penalty : float, default 0.0
        Penalty of each edge, in nats; None is `default_edge_penalty`. The earlier name ``edge_price`` is also accepted.

    Raises
    ------
    DataError
        If the data are continuous or have no rows.
    ParameterError
        If `ess` is not positive, or `edge_penalty` is negative.

    Notes
    -----
    Each cell gets ess / (r q), with q the product of the parents' declared arities. DAGs of one equivalence class have
    the same score, with any penalty of an edge. With the penalty the score is, up to a constant, ln P(G | D) under a
    prior that decreases by a factor of e^penalty with each edge. The prior of Heckerman et al. decreases so with each
    difference from a given graph.

    With many parents of many levels, few rows share a configuration, and BDeu then prefers such parents to none even
    if all columns are independent. With an edge penalty, cells beyond n² therefore cost ½ ln n each, as in BIC,
    in families of three or more columns. Without an edge penalty, the score is that of the reference.

    References
    ----------
    Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination of knowledge and statistical
    data. Machine Learning 20, equation 42.
    """

    def __init__(self, dataset: Dataset, *, ess: float = 1.0, edge_penalty: float | None = 0.0) -> None:
        ESS.check(ess)
        EDGE_PENALTY.check(edge_penalty)
        self.settings = {"ess": ess, "edge_penalty": edge_penalty}
        self.edge_penalty = default_edge_penalty(dataset.n, dataset.p) if edge_penalty is None else edge_penalty
        super().__init__(dataset.names, discrete_families(dataset, "BDeu", ess=ess, edge_penalty=self.edge_penalty))


def default_edge_penalty(n: int, p: int) -> float:
    """Return the default edge penalty, extended BIC's penalty per parameter: ½ ln n + ln p (n rows, p variables)."""
    return 0.5 * math.log(max(n, 1)) + math.log(p)
