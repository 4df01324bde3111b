"""BIC of categorical data, computed by `kernels.scores.bdeu_and_bic`."""

from __future__ import annotations

import math

from ..common.validation import validated
from ..data.dataset import Dataset
from ..settings.shared import PENALTY
from .categorical_families import discrete_families
from .score import FamilyScore


@validated
class BIC(FamilyScore):
    """Log-likelihood minus ½ ln n for each free parameter: Σ n_jk ln(n_jk / n_j) - ½ ln(n) (r - 1) q.

    Parameters
    ----------
    dataset : Dataset
        Categorical. Row weights count. With missing values, the gain of parents is computed on the rows of the family,
        with a deduction for the rows that lack it: see `node_average.doubts`.
    penalty : float, default 1.0
        Factor of the penalty of a parameter; larger values give sparser graphs.

    Raises
    ------
    DataError
        If the data are continuous or have no rows.
    ParameterError
        If `penalty` is not positive.

    Notes
    -----
    q is the product of the parents' declared arities, so configurations without rows count as well. DAGs of one
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
        PENALTY.check(penalty)
        self.settings = {"penalty": penalty}
        per_parameter = penalty * 0.5 * math.log(max(dataset.n, 1))
        super().__init__(dataset.names, discrete_families(dataset, "BIC", penalty=per_parameter))
