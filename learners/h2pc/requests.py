"""What the search around a target shares with who does its tests.

The search is a generator: it yields a request, and gets the answer sent back. It never sees the data, and the requests
of all targets can be met side by side, a round at a time. It may end by returning further searches around the target.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Generator
from typing import Any, NamedTuple

import numpy as np

NOBODY = array("i")
UNTESTED = 1.0  # stands for ln p where the rows did not suffice; else ln p <= 0


class Bases(NamedTuple):
    """Many sets one after the other: how many members each has (m,), and all members in a row."""

    sizes: np.ndarray
    members: np.ndarray


class TestRequest(NamedTuple):
    """Are x and each of `partners` independent given the set of `bases` beside it?

    The answer is (3, m) float64: ln p, statistic and dof of each partner. `about` is the node for whose sake it is
    asked, -1 for the partner itself.
    """

    x: int
    partners: np.ndarray
    bases: Bases
    about: int = -1


class WalkRequest(NamedTuple):
    """Are x and a partner independent given `base` and one of the sets of `size` members of a pool?

    The sets are tried up to the first that separates; the answer is the `Association` by the hardest of these tests.
    Pools are arrays of C's int, which many requests put in a row at little cost.
    """

    x: int
    partner: int
    base: tuple[int, ...]
    pool: array[int] = NOBODY
    size: int = 0
    about: int = -1

    @classmethod
    def over(
        cls, x: int, partner: int, pool: array[int], size: int, *, base: tuple[int, ...] = (), about: int = -1
    ) -> WalkRequest:
        """The request for the sets of `size` from a pool; a single set is a base, which can be remembered."""
        if len(pool) == size:
            return cls(x, partner, tuple(sorted((*base, *pool))), about=about)
        return cls(x, partner, base, pool, size, about)


class Rules(NamedTuple):
    """alpha and ln alpha, members of the largest set, whether tests without enough rows separate nothing, and whether
    the false discovery rate of each blanket is controlled.
    """

    alpha: float
    log_alpha: float
    most: int
    skip: bool
    fdr: bool

    def separates(self, log_p: float) -> bool:
        """Returns whether a test takes a partner away."""
        return log_p > self.log_alpha and not (self.skip and log_p >= UNTESTED)


class Association(NamedTuple):
    """How strongly a partner depends on a target, by one test; a tuple, for searches make many.

    Attributes
    ----------
    log_p : float
        `UNTESTED` where the rows did not suffice.
    statistic, dof : float
    cond : tuple of int
        The set of the test.
    """

    log_p: float
    statistic: float
    dof: float
    cond: tuple[int, ...]


Request = TestRequest | WalkRequest
Answer = np.ndarray | Association
Requests = Generator[Request, Answer, Any]


class MarginalTests:
    """The tests of pairs given nothing, done before: what every search shares.

    Parameters
    ----------
    log_p, statistic, dof : (p, p) float64 arrays
        Symmetric; `log_p` is `UNTESTED` where the rows did not suffice, and NaN where nothing was asked.
    """

    def __init__(self, log_p: np.ndarray, statistic: np.ndarray, dof: np.ndarray) -> None:
        self._columns = log_p, statistic, dof

    @property
    def p(self) -> int:
        """Number of variables."""
        return len(self._columns[0])

    def partners(self, t: int) -> np.ndarray:
        """The nodes that were tested with t, ascending."""
        return np.flatnonzero(~np.isnan(self._columns[0][t]))

    def dependent(self, t: int, log_alpha: float) -> np.ndarray:
        """The nodes that depend on t."""
        return np.flatnonzero(self._columns[0][t] <= log_alpha)

    def of_pairs(self, x: int, nodes: np.ndarray) -> np.ndarray:
        """(3, m) ln p, statistic and dof of x and each node."""
        return np.array([column[x, nodes] for column in self._columns])

    def between(self, x: int, y: int) -> Association | None:
        """The test of one pair, if it was done."""
        log_p, statistic, dof = (float(column[x, y]) for column in self._columns)
        return None if math.isnan(log_p) else Association(log_p, statistic, dof, ())


def strongest_first(
    log_p: np.ndarray, statistic: np.ndarray, nodes: np.ndarray, group: np.ndarray | None = None
) -> np.ndarray:
    """The order of tests by ln p, then \\|statistic\\| from the largest down, then node; by group, if given."""
    strength = np.where((log_p == UNTESTED) | np.isnan(statistic), 0.0, np.abs(statistic))
    keys = (nodes, -strength, log_p)
    return np.lexsort(keys if group is None else (*keys, group))
