"""Dependence by tests other than those of correlations: the squared correlation with the same p.

A test of x and y given a set has a p-value. LMM takes in its place the squared partial correlation that has the same p
with one degree of freedom, -m ln(1 - ρ²) = z² with m = n - |Z| - 5/2, and then uses its own equations. For two
continuous variables given continuous ones it takes the partial correlation itself.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from ..ci.any_test import decide
from ..ci.evidence import log_p_of
from ..ci.tail_probabilities import log_normal_two_sided
from ..compiling import kernel
from .dependence import DependenceEvidence

MAX_STEPS = 50  # maximum number of steps of Newton's method
CLOSE = 1e-13  # relative change of z at which Newton's method ends
ROUNDING = 1e-6  # far above the relative errors of ln p and of Newton's method
LN_SQRT_2_PI = 0.5 * math.log(2.0 * math.pi)


class TestedEvidence(NamedTuple):
    """Dependence of each pair given each set, from a test of independence.

    Attributes
    ----------
    corr : (p, p) float64 array
        Absolute correlations with the p of each pair given nothing.
    intercept, slope : (m + 1,) float64 arrays
        As in `DependenceEvidence`.
    separated : (1, 1, 0) bool array
        Empty.
    rows : float
        Number of rows n.
    sample, scratch : tuples of arrays
        As in `ci.any_test.decide`, for sets of up to m members.
    cond : (m,) int32 array
        Scratch.
    """

    corr: np.ndarray
    intercept: np.ndarray
    slope: np.ndarray
    separated: np.ndarray
    rows: float
    sample: tuple
    scratch: tuple
    cond: np.ndarray

    __test__ = False


@kernel
def squared_normal(log_p):
    """Return z² with ln P(|Z| > z) = `log_p` for a standard normal Z, by Newton's method."""
    if log_p >= 0.0:
        return 0.0
    if log_p == -np.inf:
        return np.inf
    z = math.sqrt(-2.0 * log_p)  # above the root; Newton's steps on a concave function stay above it
    for _ in range(MAX_STEPS):
        tail = log_normal_two_sided(z)
        # The derivative of ln P(|Z| > z) is minus the hazard 2 φ(z) / P(|Z| > z).
        step = (tail - log_p) / math.exp(math.log(2.0) - 0.5 * z * z - LN_SQRT_2_PI - tail)
        z = max(z + step, 0.0)
        if abs(step) <= CLOSE * z:
            break
    return z * z


@kernel
def squared_of_test(rows, size, statistic, dof, tested):
    """Return the squared partial correlation, given `size` variables, with the p of a test; 0 if it was not done.

    Parameters
    ----------
    rows : float
    size : int
    statistic, dof : float
        Fisher's z if the degrees of freedom are NaN.
    tested : bool
    """
    return squared_below(np.inf, rows, size, statistic, dof, tested)


@kernel
def squared_below(bound, rows, size, statistic, dof, tested):
    """Return `squared_of_test` if it is below the bound; otherwise the same, or infinity.

    Most sets lower nothing, and a comparison of ln p is far cheaper than the correlation that belongs to it.

    Parameters
    ----------
    bound, rows : float
    size, statistic, dof, tested
        As in `squared_of_test`.
    """
    if not tested or dof == 0.0:
        return 0.0
    if math.isnan(dof):  # the correlation itself, from z = atanh(ρ) √(n - |Z| - 3)
        return math.tanh(statistic / math.sqrt(rows - size - 3.0)) ** 2
    m, squared = rows - size - 2.5, statistic
    if dof != 1.0:
        log_p = log_p_of(statistic, dof, tested)
        if bound < 1.0:
            log_p_at_bound = log_normal_two_sided(math.sqrt(-m * math.log1p(-bound)))
            if log_p < log_p_at_bound * (1.0 + ROUNDING):
                return np.inf
        squared = squared_normal(log_p)
    return -math.expm1(-squared / m)


@kernel
def fill_squared(rows, statistic, dof, tested, squared):
    """Fill `squared` with the squared correlation of each marginal test, see `squared_of_test`.

    Parameters
    ----------
    rows : float
    statistic, dof : (m,) float64 arrays
    tested : (m,) bool array
    squared : (m,) float64 array
        Filled.
    """
    for e in range(squared.shape[0]):
        squared[e] = squared_of_test(rows, 0, statistic[e], dof[e], tested[e])


@kernel
def lower_entry(low, chain, size, squared, members, path, length):
    """Lower one entry of `low` and record its set.

    Parameters
    ----------
    low, chain, members, path
        A row of `low` and of `chain`, the pool and the set.
    size : int
        Size of the whole set.
    squared : float
    length : int
        Number of members of B.
    """
    if squared < low[size]:
        low[size] = squared
        for t in range(length):
            chain[size, t] = members[path[t]]
        chain[size, length:] = -1


@kernel
def squared_given(evidence, x, y, members, path, size, more, bound):
    """Return the squared correlation of x and y with the p of their test given the members of the path, and `more`.

    If it is not below `bound`, the result may be infinity instead.

    Parameters
    ----------
    evidence : TestedEvidence
    x, y : int
    members, path : int64 arrays
    size : int
        Number of members of the path.
    more : int
        One more variable, or -1 for none.
    bound : float
    """
    total = size + (1 if more >= 0 else 0)
    cond = evidence.cond
    for t in range(total):
        node = more if t == size else members[path[t]]
        place = t
        while place and cond[place - 1] > node:
            cond[place] = cond[place - 1]
            place -= 1
        cond[place] = node
    statistic, dof, tested = decide(evidence.sample, min(x, y), max(x, y), cond, total, evidence.scratch)
    return squared_below(bound, evidence.rows, total, statistic, dof, tested)


@kernel
def lower_by_tests(evidence, heads, members, path, size, low, chain):
    """Run `set_search._lower_by_table` with the tests of a `TestedEvidence`.

    Parameters
    ----------
    evidence : TestedEvidence
    heads, members, path, size, low, chain
        As there.
    """
    squared = squared_given(evidence, heads[0], heads[1], members, path, size, -1, low[0, size])
    lower_entry(low[0], chain[0], size, squared, members, path, size)
    if heads.shape[0] == 2:
        return 1
    squared = squared_given(evidence, heads[0], heads[1], members, path, size, heads[2], low[1, size + 1])
    lower_entry(low[1], chain[1], size + 1, squared, members, path, size)
    return 2


@kernel
def lower_by_table(evidence, heads, members, path, size, low, chain):
    """Lower `low` with perfect information: 0 where a set separates, 1 where it does not.

    Parameters
    ----------
    evidence : DependenceEvidence
    heads, members, path, low, chain
        As in `set_search`.
    size : int
        Number of members of the set.
    """
    bits = 0
    for t in range(size):
        bits |= 1 << members[path[t]]
    separated = evidence.separated[heads[0], heads[1]]
    lower_entry(low[0], chain[0], size, 0.0 if separated[bits] else 1.0, members, path, size)
    if heads.shape[0] == 2:
        return 1
    lower_entry(low[1], chain[1], size + 1, 0.0 if separated[bits | (1 << heads[2])] else 1.0, members, path, size)
    return 2


def has_correlations(evidence):
    """Return True if the dependence given a set follows from the correlations."""
    return isinstance(evidence, DependenceEvidence) and evidence.separated.shape[2] == 0


def lower_one_by_one(evidence, heads, members, path, size, low, chain):
    """Lower `low` by one set, by the table or the tests of the evidence; return the number of sets."""
    return LOWER[type(evidence)](evidence, heads, members, path, size, low, chain)


@overload(has_correlations, inline="always")
def _has_correlations(evidence):
    if evidence.instance_class is DependenceEvidence:
        return lambda evidence: evidence.separated.shape[2] == 0
    return lambda evidence: False  # noqa: ARG005


# Inlined as `ci.any_test.decide` is.
@overload(lower_one_by_one, inline="always")
def _lower_one_by_one(evidence, heads, members, path, size, low, chain):  # noqa: ARG001  (numba matches by name)
    if not isinstance(evidence, types.NamedTuple):
        return None
    lower = LOWER[evidence.instance_class]
    return lambda evidence, heads, members, path, size, low, chain: lower(
        evidence, heads, members, path, size, low, chain
    )


LOWER = {DependenceEvidence: lower_by_table, TestedEvidence: lower_by_tests}
