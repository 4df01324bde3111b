"""G² test of complete categorical data."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.contingency import n_cells, scalar_g2
from ..counting.cost_model import planes_win
from ..counting.strata import planes_g2
from .tail_probabilities import log_chi2_sf


class DiscreteSample(NamedTuple):
    """Categorical data in kernel form; shapes as in `contingency` and `bit_planes`.

    Attributes
    ----------
    codes, arity : arrays
        Levels of the rows, and number of levels of each variable.
    weights : (n,) int64 array
        Whole row weights; empty if all are 1.
    unit : float
        Rows that a weight of 1 stands for: 1 unless the data have survey weights.
    n : int
        Number of rows, weighted.
    xlogx, planes, first, counts, pairs, seen, joint : arrays
        As in `bit_planes`.
    adjusted : bool
        True: states that a stratum does not show do not count in its degrees of freedom.
    rows_per_cell : float
        Power rule: minimum number of rows per cell of a test; 0 for no rule.
    """

    codes: np.ndarray
    arity: np.ndarray
    weights: np.ndarray
    unit: float
    n: int
    xlogx: np.ndarray
    planes: np.ndarray
    first: np.ndarray
    counts: np.ndarray
    pairs: np.ndarray
    seen: np.ndarray
    joint: np.ndarray
    adjusted: bool
    rows_per_cell: float


class DiscreteScratch(NamedTuple):
    """Working memory of one thread for G²: see `contingency.scalar_g2` and `strata.strata_g2`."""

    z: np.ndarray
    cells: np.ndarray
    rest: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    shared: np.ndarray
    masks: np.ndarray
    state: np.ndarray
    pair: np.ndarray


@kernel
def dof_of(sample, x, y, cond, size, seen):
    """Return the degrees of freedom of a test, and True if there are enough rows for it.

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` count.
    seen : int
        Adjusted degrees of freedom.
    """
    dof = float(seen) if sample.adjusted else declared_dof(sample.arity, x, y, cond, size)
    return dof, sample.rows_per_cell <= 0.0 or enough_rows(sample, n_cells(sample.arity, x, y, cond, size))


@kernel
def declared_dof(arity, x, y, cond, size):
    """Return (r_x - 1)(r_y - 1) Π r_z, the degrees of freedom if all declared states count.

    Parameters
    ----------
    arity : (p,) int64 array
        Number of levels.
    x, y, cond, size
        As in `dof_of`.
    """
    dof = (float(arity[x]) - 1.0) * (float(arity[y]) - 1.0)
    for k in range(size):
        dof *= float(arity[cond[k]])
    return dof


@kernel
def enough_rows(sample, cells):
    """Return True if the power rule of the sample allows a test with this number of cells."""
    return rows_suffice(sample.n, sample.rows_per_cell, cells)


@kernel
def rows_suffice(n, rows_per_cell, cells):
    """Return True if n >= rows_per_cell · cells, the power rule; 0 rows per cell allows all tests."""
    return rows_per_cell <= 0.0 or n >= rows_per_cell * cells


@kernel
def g2(sample, x, y, cond, size, scratch):
    """Return (G²/2, adjusted degrees of freedom) of x < y by the cheaper method of counting.

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : DiscreteScratch
    """
    known = sample.pairs.shape[0] > 0
    words, n_rows = sample.planes.shape[1], sample.codes.shape[1]
    if planes_win(sample.arity, sample.first, words, known, n_rows, x, y, cond, size):
        return planes_g2(sample, x, y, cond, size, scratch)
    half, seen = scalar_g2(sample.codes, sample.arity, sample.weights, x, y, cond, size, sample.xlogx, scratch.z)
    return half * sample.unit, seen


@kernel
def decide_g2(sample, x, y, cond, scratch):
    """Perform one test; return (ln p, G², degrees of freedom, tested).

    A pair that is not tested, for lack of rows, counts as independent: ln p = 0.

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    cond : (k,) int32 array
    scratch : DiscreteScratch
    """
    # In index order, so that rounding does not depend on the order of the arguments.
    x, y = min(x, y), max(x, y)
    half, seen = g2(sample, x, y, cond, cond.shape[0], scratch)
    dof, tested = dof_of(sample, x, y, cond, cond.shape[0], seen)
    statistic = max(2.0 * half, 0.0)
    return (log_chi2_sf(statistic, dof) if tested else 0.0), statistic, dof, tested


@kernel
def decide_discrete(sample, x, y, cond, size, scratch):
    """Perform one test; return (G², degrees of freedom, tested), see `any_test.decide`.

    Parameters
    ----------
    sample : DiscreteSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : DiscreteScratch
    """
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on the order of the arguments
    half, seen = g2(sample, x, y, cond[:size], size, scratch)
    dof, tested = dof_of(sample, x, y, cond, size, seen)
    return max(2.0 * half, 0.0), dof, tested
