"""BIC of categorical data."""

from __future__ import annotations

import math

from ..common.checks import check_open_interval
from ..common.validation import validated
from ..data.dataset import Dataset
from .base import FamilyScore
from .discrete import discrete_families


@validated
class BIC(FamilyScore):
    """Log-likelihood less ½ ln n for each free parameter: Σ n_jk ln(n_jk / n_j) - ½ ln(n) (r - 1) q.

    Parameters
    ----------
    dataset : Dataset
        Categorical. Row weights count. With missing cells, parents gain what they do on the rows that have the family,
        less a doubt for those that lack it: see `node_average.doubts`.
    penalty : float, default 1.0
        Factor of the price of a parameter; more gives sparser graphs.

    Raises
    ------
    DataError
        If the data are continuous or have no rows.
    ParameterError
        If `penalty` is not positive.

    Notes
    -----
    q is the product of the parents' declared arities, so configurations that no row shows cost as well. DAGs of one
    equivalence class have the same score.

    References
    ----------
    Schwarz (1978), Estimating the dimension of a model. Annals of Statistics 6.

    Examples
    --------
    >>> from learners import BIC, load_sample
    >>> score = BIC(load_sample("asia").dataset)
    >>> gain = score.local(1, (0,)) - score.local(1)
    >>> abs(gain - (score.local(0, (1,)) - score.local(0))) < 1e-9
    True
    """

    def __init__(self, dataset: Dataset, *, penalty: float = 1.0) -> None:
        check_open_interval("penalty", penalty, 0.0, math.inf)
        self.settings = {"penalty": penalty}
        price = penalty * 0.5 * math.log(max(dataset.n, 1))
        super().__init__(dataset.names, discrete_families(dataset, "BIC", penalty=price))
