"""G² test of categorical data with missing values: each test counts the rows in which x, y and the set are observed."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.available_cases import available_codes_g2, available_planes_g2, mark_available, pick_rows
from ..counting.contingency import n_cells
from ..counting.cost_model import planes_win
from .embedded_covariance import record_rows
from .g2 import DiscreteSample, DiscreteScratch, dof_of, g2


class IncompleteSample(NamedTuple):
    """Categorical data with missing values.

    Attributes
    ----------
    counted : DiscreteSample
        The codes; a missing cell has the code after the last level.
    missing_index, observed : arrays
        As in `counting.available_cases`.
    n : int
        Number of all rows.
    """

    counted: DiscreteSample
    missing_index: np.ndarray
    observed: np.ndarray
    n: int


class IncompleteScratch(NamedTuple):
    """Working memory of one thread.

    Attributes
    ----------
    counting : DiscreteScratch
    mask : (words,) uint64 array
    picked : (n,) int64 array
    rows : (3,) int64 array
        Rows of the last test, and the fewest and most rows of any test.
    """

    counting: DiscreteScratch
    mask: np.ndarray
    picked: np.ndarray
    rows: np.ndarray


@kernel
def decide_available(sample, x, y, cond, size, scratch):
    """Perform one test; return (G², degrees of freedom, tested).

    Parameters
    ----------
    sample : IncompleteSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : IncompleteScratch
    """
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on the order of the arguments
    counted, counting, mask = sample.counted, scratch.counting, scratch.mask
    if not mark_available(sample.missing_index, sample.observed, x, y, cond, size, mask):
        n = counted.n
        half, seen = g2(counted, x, y, cond[:size], size, counting)
    elif planes_win(counted.arity, counted.first, mask.shape[0], False, counted.codes.shape[1], x, y, cond, size):
        n, half, seen = available_planes_g2(counted, x, y, cond, size, mask, counting)
    else:
        m, units = pick_rows(mask, counted.weights, scratch.picked)
        n = int(round(units * counted.unit))
        half, seen = available_codes_g2(
            counted.codes, counted.arity, counted.weights, x, y, cond, size, counted.xlogx, scratch.picked[:m],
            counting.z,
        )  # fmt: skip
        half *= counted.unit
    record_rows(scratch.rows, n)
    dof, _ = dof_of(counted, x, y, cond, size, seen)
    enough = n >= counted.rows_per_cell * n_cells(counted.arity, x, y, cond, size)
    return max(2.0 * half, 0.0), dof, n > 0 and enough
