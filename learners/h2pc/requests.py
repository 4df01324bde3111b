"""What the search around a target shares with who does its tests.

The search is a generator: it yields a `TestRequest`, and gets `TestResults` sent back, a row for each partner. It never
sees the data, and the requests of all targets can be met side by side, a round at a time.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.tests.results import TestResults

UNTESTED = 1.0  # stands for ln p where the rows did not suffice; else ln p <= 0


class Bases(NamedTuple):
    """Many sets one after the other: how many members each has (m,), and all members in a row."""

    sizes: np.ndarray
    members: np.ndarray

    @classmethod
    def around(cls, x: int, m: int, others: Mapping[int, tuple[int, ...]]) -> Bases:
        """m sets with x alone in each, but for those at some places, which have others beside it; each ascending."""
        sizes = np.ones(m, dtype=np.int64)
        for place, cond in others.items():
            sizes[place] += len(cond)
        members, ends = np.full(int(sizes.sum()), x, dtype=np.int32), np.cumsum(sizes)
        for place, cond in others.items():
            members[ends[place] - sizes[place] : ends[place]] = sorted((x, *cond))
        return cls(sizes, members)


class TestRequest(NamedTuple):
    """Are x and each of `partners` independent given the set of `bases` beside it?

    With a `pool` there is one partner, tested given its base with each set of `size` members of the pool, up to the
    first that separates. `about` is the node for whose sake it is asked, -1 for the partner itself.
    """

    x: int
    partners: Sequence[int] | np.ndarray
    bases: Sequence[tuple[int, ...]] | Bases
    pool: Sequence[int] = ()
    size: int = 0
    about: int = -1

    @classmethod
    def walk(
        cls, x: int, partner: int, pool: Sequence[int], size: int, *, base: tuple[int, ...] = (), about: int = -1
    ) -> TestRequest:
        """The request for the sets of `size` from a pool; a single set is a base, which can be remembered."""
        if len(pool) == size:
            return cls(x, (partner,), (tuple(sorted((*base, *pool))),), about=about)
        return cls(x, (partner,), (base,), pool, size, about)


Requests = Generator[TestRequest, TestResults, None]


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
    """How strongly a partner depends on a target, by one test; a tuple, for searches make and rank many.

    Attributes
    ----------
    log_p : float
        `UNTESTED` where the rows did not suffice.
    strength : float
        \\|statistic\\|, 0 where there is none.
    statistic, dof : float
    cond : tuple of int
        The set of the test.
    """

    log_p: float
    strength: float
    statistic: float
    dof: float
    cond: tuple[int, ...]

    @classmethod
    def by(cls, log_p: float, statistic: float, dof: float, cond: tuple[int, ...]) -> Association:
        """The association that a test shows."""
        strength = 0.0 if log_p == UNTESTED or statistic != statistic else abs(statistic)
        return cls(log_p, strength, statistic, dof, cond)

    @classmethod
    def hardest(cls, results: TestResults) -> Association:
        """The association that the only walk shows."""
        cond = tuple(k for k in results.cond[0].tolist() if k >= 0)
        return cls.by(float(results.log_p[0]), float(results.statistic[0]), float(results.dof[0]), cond)

    def key(self, node: int) -> tuple[float, float, int]:
        """The smaller, the stronger the association of the node: by ln p, strength, then number."""
        return self.log_p, -self.strength, node


class MarginalTests:
    """The tests of pairs given nothing, done before: what every search shares.

    Parameters
    ----------
    log_p, statistic, dof : (p, p) float64 arrays
        Symmetric; `log_p` is `UNTESTED` where the rows did not suffice, and NaN where nothing was asked.
    """

    def __init__(self, log_p: np.ndarray, statistic: np.ndarray, dof: np.ndarray) -> None:
        self._columns = log_p, statistic, dof

    def partners(self, t: int) -> np.ndarray:
        """The nodes that were tested with t, ascending."""
        return np.flatnonzero(~np.isnan(self._columns[0][t]))

    def dependent(self, t: int, log_alpha: float) -> dict[int, Association]:
        """The tests of t and each node that depends on it."""
        nodes = np.flatnonzero(self._columns[0][t] <= log_alpha).tolist()
        rows = zip(*(column[t, nodes].tolist() for column in self._columns), strict=True)
        return {x: Association.by(*row, ()) for x, row in zip(nodes, rows, strict=True)}

    def of_pairs(self, x: int, nodes: np.ndarray) -> np.ndarray:
        """(3, m) ln p, statistic and dof of x and each node."""
        return np.array([column[x, nodes] for column in self._columns])

    def between(self, x: int, y: int) -> Association | None:
        """The test of one pair, if it was done."""
        log_p, statistic, dof = (float(column[x, y]) for column in self._columns)
        return None if math.isnan(log_p) else Association.by(log_p, statistic, dof, ())
