"""Graphs drawn repeatedly: how often each kind of edge occurs, and the confidence limits of such a share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..graphs.consistent_extension import consistent_extension
from ..graphs.cpdag import cpdag
from ..graphs.graph import PDAG, acyclic_arrows
from ..graphs.meek import closure
from .posterior import Posterior, RankedClass

Z = 1.959963984540054  # of 95 %


@dataclass(frozen=True, eq=False)
class Frequencies:
    """What the resamples came to.

    Attributes
    ----------
    learner : str
        Key of the learner that was run on each.
    graphs : tuple of PDAG
        The different graphs found, the most frequent first.
    which : (l,) int64 array
        Of each resample: the position of its graph.
    scores : (l,) float64 array
        Score on the data themselves of a DAG of each resample's graph.
    """

    learner: str
    graphs: tuple[PDAG, ...]
    which: np.ndarray
    scores: np.ndarray

    @property
    def n(self) -> int:
        """Resamples done."""
        return len(self.which)

    n_draws = n

    @cached_property
    def forward(self) -> np.ndarray:
        """(p, p): share of the resamples with i -> j."""
        return self._share(lambda amat: amat & ~amat.T)

    @cached_property
    def undirected(self) -> np.ndarray:
        """(p, p) symmetric: share with i - j."""
        return self._share(lambda amat: amat & amat.T)

    @property
    def adjacent(self) -> np.ndarray:
        """(p, p) symmetric: share with any edge."""
        return self._share(lambda amat: amat | amat.T)

    @property
    def direction_shares(self) -> np.ndarray:
        """(p, p): of the resamples with an edge the part with i -> j; 0 where none has one."""
        adjacent = self.adjacent
        return np.divide(self.forward, adjacent, out=np.zeros_like(adjacent), where=adjacent > 0.0)

    def types(self, i: int, j: int) -> dict[str, float]:
        """Shares of i -> j, i <- j, i - j and no edge; they sum to 1."""
        shares = {"->": self.forward[i, j], "<-": self.forward[j, i], "-": self.undirected[i, j]}
        return {**{mark: float(share) for mark, share in shares.items()}, "none": float(1.0 - self.adjacent[i, j])}

    def first(self, n: int) -> Frequencies:
        """What the first n resamples came to."""
        return Frequencies(self.learner, self.graphs, self.which[:n], self.scores[:n])

    def at(self, cut: float) -> PDAG:
        """The pairs joined in at least a share `cut` of the resamples.

        One points i -> j if that came up more often than i <- j, and not less often than i - j; the surest arrows
        first, unless one closes a directed cycle.
        """
        joined = np.triu((self.adjacent >= cut) & (self.adjacent > 0.0), 1)
        amat = joined | joined.T
        wanted = amat & (self.forward > self.forward.T) & (self.forward >= self.undirected)
        return PDAG(amat & ~surest_arrows(wanted, self.forward).T)

    def best(self) -> PDAG:
        """The graph with the highest score on the data themselves; of equal ones the earliest."""
        return self.graphs[self.which[np.argmax(self.scores)]]

    def posterior(self) -> Posterior:
        """Averages over the DAGs of the classes found, each DAG weighted by its score, not by how often it came up."""
        classes: dict[PDAG, RankedClass] = {}
        for graph, score in zip(self.which.tolist(), self.scores.tolist(), strict=True):
            extension = consistent_extension(self.graphs[graph])
            one = cpdag(extension.dag)
            classes.setdefault(one, RankedClass(one, score, (), extension.valid))
        return Posterior(sorted(classes.values(), key=lambda one: -one.score))

    def averaged(self) -> Posterior:
        """Averages over the resamples; where a graph leaves a direction open, over its DAGs."""
        times = np.bincount(self.which, minlength=len(self.graphs))
        return Posterior([RankedClass(_extendable(graph), math.nan) for graph in self.graphs], times / self.n)

    def _share(self, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        times = np.bincount(self.which, minlength=len(self.graphs))
        return sum(n * of(graph.amat) for n, graph in zip(times.tolist(), self.graphs, strict=True)) / max(self.n, 1)


def _extendable(graph: PDAG) -> PDAG:
    """The graph, or where no DAG has its arrows the class of the DAG that stands in, which joins the same pairs."""
    extension = consistent_extension(graph)
    return closure(graph) if extension.valid else cpdag(extension.dag)


def surest_arrows(wanted: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(p, p) bool: those of the wanted arrows that close no cycle with larger ones."""
    surest = sorted(np.argwhere(wanted).tolist(), key=lambda arrow: (-values[tuple(arrow)], arrow))
    return acyclic_arrows(len(wanted), surest)


def wilson(share: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Limits of the 95 % interval of a share of n draws.

    Parameters
    ----------
    share : float array
        In [0, 1]; NaN stays NaN. A mean of n numbers in [0, 1] will do: its interval is then no wider than this one.
    n : int
        At least 1.

    References
    ----------
    Wilson (1927), Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22.

    Examples
    --------
    >>> low, high = wilson(np.array([0.0, 0.5, 1.0]), 50)
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.0, 0.37, 0.93], [0.07, 0.63, 1.0])
    """
    centre = share + Z * Z / (2 * n)
    half = Z * np.sqrt(np.maximum(share * (1 - share), 0.0) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    return np.clip((centre - half) / scale, 0.0, share), np.clip((centre + half) / scale, share, 1.0)
