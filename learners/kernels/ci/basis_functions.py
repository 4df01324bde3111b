"""Test for curved relations: Wilks' Λ of lines and curves of x and y, adjusted for lines and curves of the set."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .covariance_cache import EmbeddedScratch
from .degenerate_gaussian import bartlett, wilks
from .embedded_covariance import EmbeddedSample, record_rows


class BasisSample(NamedTuple):
    """p variables, each with three sets of columns: variables v, p + v and 2p + v of the embedded sample.

    Attributes
    ----------
    embedded : EmbeddedSample
        The line, which is the number itself or the indicators of levels; then line and curves; then what is adjusted
        for if the variable is in the set.
    p : int
    n : int
        Number of all rows.
    """

    embedded: EmbeddedSample
    p: int
    n: int


class BasisScratch(NamedTuple):
    """Working memory of one thread.

    Attributes
    ----------
    embedded : EmbeddedScratch
    given : (k,) int32 array
    rows : (3,) int64 array
        The same array as in `embedded`.
    """

    embedded: EmbeddedScratch
    given: np.ndarray
    rows: np.ndarray


@kernel
def decide_basis(sample, x, y, cond, size, scratch):
    """Perform one test; return (statistic, degrees of freedom, tested).

    The statistic is the sum of three that are independent if x and y are, given the set: of the lines of x and y; of x
    and the curves of y, given the line of y as well; and of y and the curves of x, given the line of x as well.

    Parameters
    ----------
    sample : BasisSample
    x, y : int
    cond : (k,) int32 array
    size : int
        The first `size` members of `cond` are the conditioning set.
    scratch : BasisScratch
    """
    x, y = min(x, y), max(x, y)  # in index order, so that rounding does not depend on the order of the arguments
    embedded, own, given, p = sample.embedded, scratch.embedded, scratch.given, sample.p
    for k in range(size):
        given[k] = 2 * p + cond[k]
    n, of_lines, rank, rank_x, rank_y, _ = wilks(embedded, x, y, given, size, own)
    record_rows(scratch.rows, n)
    statistic, dof, tested = bartlett(n, of_lines, rank, rank_x, rank_y)
    for effect, cause, line in ((x, y, rank_y), (y, x, rank_x)):
        # Λ of line and curves is that of the line times that of the curves given the line.
        _, of_all, _, rank_effect, whole, _ = wilks(embedded, effect, p + cause, given, size, own)
        more, further, enough = bartlett(n, of_all - of_lines, rank + line, rank_effect, whole - line)
        if further > 0.0:
            statistic, dof, tested = statistic + more, dof + further, tested and enough
    return statistic, dof, tested
