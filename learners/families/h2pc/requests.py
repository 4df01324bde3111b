"""Requests of a search around one target to the tester, and their answers.

A search is a generator: it yields a request and receives the answer. It never sees the data, so the requests of all
targets can be answered in one batch, a round at a time. It may return further searches around the same target.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np

NO_NODES = array("i")
UNTESTED = 1.0  # takes the place of ln p, which is at most 0, where a test had too few rows


class Bases(NamedTuple):
    """Several conditioning sets: their (m,) sizes, and the members of all in one array."""

    sizes: np.ndarray
    members: np.ndarray


class TestRequest(NamedTuple):
    """Test x and each of `partners` given the set of `bases` at the same position.

    The answer is (3, m) float64: ln p, statistic and dof for each partner. `about` is the node that the tests are
    counted for; -1 means the partner.
    """

    x: int
    partners: np.ndarray
    bases: Bases
    about: int = -1


class SearchRequest(NamedTuple):
    """Test x and a partner given `base` and each subset of `size` members of a pool, up to the first that separates.

    The answer is the `Association` of the test with the largest p-value. Pools are arrays of C int, which are cheap to
    concatenate.
    """

    x: int
    partner: int
    base: tuple[int, ...]
    pool: array[int] = NO_NODES
    size: int = 0
    about: int = -1

    @classmethod
    def over(
        cls, x: int, partner: int, pool: array[int], size: int, *, base: tuple[int, ...] = (), about: int = -1
    ) -> SearchRequest:
        """Return the request for the subsets of a pool; if there is only one, it becomes the base and can be cached."""
        if len(pool) == size:
            return cls(x, partner, tuple(sorted((*base, *pool))), about=about)
        return cls(x, partner, base, pool, size, about)


class HPCRules(NamedTuple):
    """Settings of the tests: their level, their largest set, and the treatment of tests with too few rows.

    Attributes
    ----------
    alpha, log_alpha : float
    most : int
        Size of the largest conditioning set.
    skip : bool
        If True, a test with too few rows separates nothing; otherwise it counts as independence.
    fdr : bool
        If True, the false discovery rate of each blanket is controlled.
    """

    alpha: float
    log_alpha: float
    most: int
    skip: bool
    fdr: bool

    def separates(self, log_p: float) -> bool:
        """Return True if a test with this ln p counts as independence."""
        return log_p > self.log_alpha and not (self.skip and log_p >= UNTESTED)


class Association(NamedTuple):
    """Result of one test of a target and a partner; a tuple, because searches create many.

    Attributes
    ----------
    log_p : float
        `UNTESTED` if there were too few rows.
    statistic, dof : float
    cond : tuple of int
        Conditioning set.
    """

    log_p: float
    statistic: float
    dof: float
    cond: tuple[int, ...]


Request = TestRequest | SearchRequest
Answer = np.ndarray | Association
Requests = Generator[Request, Answer, Any]


class MarginalTests:
    """The marginal tests of all pairs, shared by the searches around all targets.

    Parameters
    ----------
    log_p, statistic, dof : (p, p) float64 arrays
        Symmetric; `log_p` is `UNTESTED` where there were too few rows, and NaN where no test was done.
    """

    def __init__(self, log_p: np.ndarray, statistic: np.ndarray, dof: np.ndarray) -> None:
        self._columns = log_p, statistic, dof

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self._columns[0])

    def partners(self, t: int) -> np.ndarray:
        """Return the nodes tested with t in ascending order."""
        return np.flatnonzero(~np.isnan(self._columns[0][t]))

    def dependent(self, t: int, log_alpha: float) -> np.ndarray:
        """Return the nodes that depend on t."""
        return np.flatnonzero(self._columns[0][t] <= log_alpha)

    def of_pairs(self, x: int, nodes: np.ndarray) -> np.ndarray:
        """Return (3, m) ln p, statistic and dof of x and each node."""
        return np.array([column[x, nodes] for column in self._columns])

    def between(self, x: int, y: int) -> Association | None:
        """Return the test of one pair; None if it was not done."""
        log_p, statistic, dof = (float(column[x, y]) for column in self._columns)
        return None if math.isnan(log_p) else Association(log_p, statistic, dof, ())


def strongest_first(
    log_p: np.ndarray, statistic: np.ndarray, nodes: np.ndarray, group: np.ndarray | None = None
) -> np.ndarray:
    r"""Return the order of tests by ln p, then \|statistic\| from the largest down, then node; within each group."""
    strength = np.where((log_p == UNTESTED) | np.isnan(statistic), 0.0, np.abs(statistic))
    keys = (nodes, -strength, log_p)
    return np.lexsort(keys if group is None else (*keys, group))
