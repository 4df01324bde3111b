"""One test of independence, chosen by the type of the sample, for kernels that work with all tests."""

from numba import types
from numba.extending import overload

from .basis_functions import BasisSample, decide_basis
from .d_separation import DAGSample, decide_d_separation
from .degenerate_gaussian import decide_degenerate
from .embedded_covariance import EmbeddedSample
from .fisher_z import GaussianSample, decide_gaussian
from .g2 import DiscreteSample, decide_discrete
from .g2_available import IncompleteSample, decide_available
from .regression import RegressionSample, decide_regression


def decide(sample, x, y, cond, size, scratch):
    """Perform one test, chosen by the type of the sample.

    Parameters
    ----------
    sample : DiscreteSample, IncompleteSample, GaussianSample, EmbeddedSample, RegressionSample, BasisSample, DAGSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : tuple of arrays, or None
        Working memory for that test.

    Returns
    -------
    statistic, dof : float
        `dof` is NaN where the statistic is Fisher's z.
    tested : bool
        False if there are too few rows.
    """
    return TESTS[type(sample)](sample, x, y, cond, size, scratch)


# Inlined, because this function is not a kernel: a call would count references to each array (see `borrowing`).
@overload(decide, inline="always")
def _decide(sample, x, y, cond, size, scratch):  # noqa: ARG001  (numba matches by name)
    if not isinstance(sample, types.NamedTuple):
        return None
    decide_kind = TESTS[sample.instance_class]
    return lambda sample, x, y, cond, size, scratch: decide_kind(sample, x, y, cond, size, scratch)


TESTS = {
    DiscreteSample: decide_discrete,
    IncompleteSample: decide_available,
    GaussianSample: decide_gaussian,
    EmbeddedSample: decide_degenerate,
    RegressionSample: decide_regression,
    BasisSample: decide_basis,
    DAGSample: decide_d_separation,
}
