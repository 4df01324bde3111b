"""Fisher's z test of partial correlation."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .partial_correlation import partial_correlation
from .tail_probabilities import log_normal_two_sided


class GaussianSample(NamedTuple):
    """Continuous data in kernel form.

    Attributes
    ----------
    corr : (p, p) float64 array
        Correlations.
    n : int
        Number of rows.
    """

    corr: np.ndarray
    n: int


@kernel
def decide_gaussian(sample, x, y, cond, size, scratch):  # noqa: ARG001  (all kinds are called alike)
    """Perform one test; return (z, NaN, tested), see `any_test.decide`.

    Parameters
    ----------
    sample : GaussianSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : None
        Unused.
    """
    rho, rank = partial_correlation(sample.corr, min(x, y), max(x, y), cond[:size], size)
    room = sample.n - rank - 3
    if room <= 0:
        return 0.0, np.nan, False
    return math.atanh(rho) * math.sqrt(room), np.nan, True


@kernel
def decide_fisher_z(corr, n, x, y, cond):
    """Perform one test; return (ln p, z, tested) with z = atanh(ρ) sqrt(n - |Z| - 3), |Z| the rank of the set.

    Parameters
    ----------
    corr : (p, p) float64 array
    n : int
        Number of rows.
    x, y : int
    cond : (k,) int32 array
    """
    rho, rank = partial_correlation(corr, x, y, cond, cond.shape[0])
    return fisher_z_log_p(n, rho, rank)


@kernel
def fisher_z_log_p(n, rho, rank):
    """Return (ln p, z, tested) of a partial correlation `rho` given a set of that rank, from `n` rows."""
    room = n - rank - 3
    if room <= 0:
        return 0.0, 0.0, False
    z = math.atanh(rho) * math.sqrt(room)
    return log_normal_two_sided(z), z, True
