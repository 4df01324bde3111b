"""What a search around a target shares with who answers its questions.

The search is a generator: it yields an `Ask`, and gets an `Answer` for each walk of tests sent back. It never sees the
data, and the searches of all targets can be answered side by side, a round at a time.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import NamedTuple

import numpy as np

UNTESTED = 1.0  # stands for ln p where the rows did not suffice; else ln p <= 0


class Ask(NamedTuple):
    """Are x and each of `partners` independent given the set beside it?

    One walk if `first` is true: the partners are all the same, and the first test that separates ends it. Else each
    test is a walk of its own. `about` is the node for whose sake it is asked, -1 for the partner itself.
    """

    x: int
    partners: Sequence[int]
    sets: Sequence[tuple[int, ...]]
    first: bool
    about: int = -1


class Answer(NamedTuple):
    """The hardest test of a walk: ln p, |statistic|, statistic, degrees of freedom, and its place in the walk."""

    log_p: float
    size: float
    statistic: float
    dof: float
    at: int


Inquiry = Generator[Ask, list[Answer], None]


class Rules(NamedTuple):
    """ln alpha, members of the largest set, whether tests without enough rows separate nothing, and whether the false
    discovery rate of each blanket is controlled.
    """

    log_alpha: float
    most: int
    skip: bool
    fdr: bool

    def separates(self, log_p: float) -> bool:
        """Whether a test takes a partner away."""
        return log_p > self.log_alpha and not (self.skip and log_p >= UNTESTED)


class Told(NamedTuple):
    """A test with its set. The numbers are those of `Answer`."""

    log_p: float
    size: float
    statistic: float
    dof: float
    cond: tuple[int, ...]

    @classmethod
    def by(cls, answer: Answer, cond: tuple[int, ...]) -> Told:
        """The answer, with the set that it was given for."""
        return cls(*answer[:4], cond)

    def key(self, node: int) -> tuple[float, float, int]:
        """The smaller, the stronger the association of the node: by ln p, |statistic|, then number."""
        return self.log_p, -self.size, node


class Alone:
    """The tests of pairs given nothing, done before: what every search shares.

    Parameters
    ----------
    log_p, statistic, dof : (p, p) float64 arrays
        Symmetric; `log_p` is `UNTESTED` where the rows did not suffice, and NaN where nothing was asked.
    """

    def __init__(self, log_p: np.ndarray, statistic: np.ndarray, dof: np.ndarray) -> None:
        size = np.where(log_p == UNTESTED, 0.0, np.abs(np.nan_to_num(statistic)))
        self._columns = log_p, size, statistic, dof

    def of(self, t: int) -> dict[int, Told]:
        """The tests of t and each other node."""
        nodes = np.flatnonzero(~np.isnan(self._columns[0][t])).tolist()
        rows = zip(*(column[t, nodes].tolist() for column in self._columns), strict=True)
        return {x: Told(*row, ()) for x, row in zip(nodes, rows, strict=True)}

    def between(self, x: int, y: int) -> Told | None:
        """The test of one pair, if it was done."""
        told = Told(*(float(column[x, y]) for column in self._columns), ())
        return None if math.isnan(told.log_p) else told
