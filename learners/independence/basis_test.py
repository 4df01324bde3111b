"""Test for nonlinear relations of numbers, by basis functions of their ranks."""

from __future__ import annotations

from ..common.validation import validated
from ..data.basis_functions import in_basis
from .degenerate_gaussian import DegenerateGaussian


@validated
class BasisTest(DegenerateGaussian):
    """The test of `DegenerateGaussian` on three polynomials of the ranks of each number, and indicators of levels.

    It finds curved dependences, such as squares and sines, which Fisher's z misses. It adjusts for sums of curves of
    the set, but not for products of its members.

    Parameters
    ----------
    dataset : Dataset
        Of any column types, at least 4 rows; row weights count. Missing cells as for `DegenerateGaussian`; completed
        cells are averaged over the drawn tables.
    threads : int, optional
        Default: the cores available. The result does not depend on it.

    Raises
    ------
    DataError
        If there are too few rows.

    Notes
    -----
    Two numbers have nine degrees of freedom, so that a weak linear relation needs more rows than with Fisher's z.
    Monotone transformations of a column change nothing.

    References
    ----------
    Andrews, Ramsey and Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types, PMLR 104
    (the test of several columns a variable). The basis is our choice, see `data.basis_functions`.

    Examples
    --------
    >>> import numpy as np
    >>> from learners import BasisTest, Dataset, FisherZ
    >>> x, noise = np.linspace(-1, 1, 500), np.random.default_rng(0).normal(0, 0.1, 500)
    >>> data = Dataset.from_values(np.column_stack([x, x**2 + noise]), ["x", "y"])
    >>> FisherZ(data).test(0, 1).p_value > 0.05, BasisTest(data).test(0, 1).p_value < 1e-9
    (True, True)
    """

    _embed = staticmethod(in_basis)
