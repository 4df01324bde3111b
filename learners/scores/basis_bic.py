"""BIC for nonlinear relations of numbers, by basis functions of their ranks."""

from __future__ import annotations

from ..common.validation import validated
from ..data.basis_functions import DEGREE, for_scores
from .degenerate_bic import DegenerateBIC


@validated
class BasisBIC(DegenerateBIC):
    """The score of `DegenerateBIC` on three polynomials of the ranks of each number, and indicators of levels.

    Parameters
    ----------
    dataset : Dataset
        Of any column types, at least 4 rows; row weights count. Missing cells as for `DegenerateBIC`; completed cells
        are averaged over the drawn tables.
    penalty : float, default 1.0
        Factor of the penalty of a parameter; larger values give sparser graphs.
    extended : bool, default False
        True: extended BIC, which adds (ln p) / 3 to the penalty of a parameter, with p variables. So the regression of
        each polynomial of the child pays ln p for a numeric parent, not for each polynomial of it.

    Raises
    ------
    DataError
        If there are too few rows.
    ParameterError
        If `penalty` is not positive.

    Notes
    -----
    DAGs of one equivalence class have the same score if the data are complete. Monotone transformations of a column
    change nothing, and the score of numbers is not that of their own units. It follows sums of curves of the parents,
    but no products.

    References
    ----------
    Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types, PMLR 104
    (the score of several columns a variable). The basis is our choice, see `data.basis_functions`.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import BasisBIC, Dataset, GaussianBIC
    >>> x, noise = np.linspace(-1, 1, 500), np.random.default_rng(0).normal(0, 0.1, 500)
    >>> data = Dataset.from_values(np.column_stack([x, x**2 + noise]), ["x", "y"])
    >>> [score.local(1, [0]) > score.local(1) for score in (GaussianBIC(data), BasisBIC(data))]
    [False, True]
    """

    _embed = staticmethod(for_scores)
    _extension = 1.0 / DEGREE
