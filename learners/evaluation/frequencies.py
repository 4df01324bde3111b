"""Graphs of resamples: the frequency of each kind of edge, with confidence limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.relabeling import ByPair
from ..common.run_warning import RunWarning
from ..common.sentences import Count, Sentence, say
from ..graphs.consistent_extension import consistent_extension
from ..graphs.cpdag import cpdag
from ..graphs.graph import PDAG, acyclic_arrows
from ..graphs.meek_closure import closure
from .posterior import Posterior, RankedClass

Z = 1.959963984540054  # normal quantile of a 95 % interval


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Graphs of resamples, with their frequencies.

    Attributes
    ----------
    learner : str
        Key of the learner.
    graphs : tuple of PDAG
        The distinct graphs, the most frequent first.
    which : (l,) int64 array
        The position of the graph of each resample.
    scores : (l,) float64 array
        Score on the data of a DAG of the graph of each resample.
    directions : (p, p) bool array, optional
        The only direction that background knowledge allows an edge; see `BoundKnowledge.directions`.
    """

    learner: str
    graphs: tuple[PDAG, ...]
    which: np.ndarray
    scores: np.ndarray
    directions: ByPair | None = None

    @property
    def n(self) -> int:
        """Number of resamples."""
        return len(self.which)

    n_draws = n

    @cached_property
    def forward(self) -> np.ndarray:
        """(p, p): share of resamples with i -> j."""
        return self._share(lambda amat: amat & ~amat.T)

    @cached_property
    def undirected(self) -> np.ndarray:
        """(p, p) symmetric: share of resamples with i - j."""
        return self._share(lambda amat: amat & amat.T)

    @property
    def adjacent(self) -> np.ndarray:
        """(p, p) symmetric: share of resamples with any edge."""
        return self._share(lambda amat: amat | amat.T)

    @property
    def direction_shares(self) -> np.ndarray:
        """(p, p): share with i -> j of the resamples with an edge; 0 if there is no edge."""
        adjacent = self.adjacent
        return np.divide(self.forward, adjacent, out=np.zeros_like(adjacent), where=adjacent > 0.0)

    def types(self, i: int, j: int) -> dict[str, float]:
        """Return the shares of i -> j, i <- j, i - j and no edge; they sum to 1."""
        shares = {"->": self.forward[i, j], "<-": self.forward[j, i], "-": self.undirected[i, j]}
        return {**{mark: float(share) for mark, share in shares.items()}, "none": float(1.0 - self.adjacent[i, j])}

    def first(self, n: int) -> Frequencies:
        """Return the first n resamples."""
        return Frequencies(self.learner, self.graphs, self.which[:n], self.scores[:n], self.directions)

    def at(self, cut: float) -> PDAG:
        """Return the edges in at least a share `cut` of the resamples.

        An edge is directed i -> j if this is more frequent than i <- j and at least as frequent as i - j; see
        `with_surest_arrows`.
        """
        joined = np.triu((self.adjacent >= cut) & (self.adjacent > 0.0), 1)
        amat = joined | joined.T
        wanted = amat & (self.forward > self.forward.T) & (self.forward >= self.undirected)
        only = np.zeros_like(amat) if self.directions is None else self.directions & amat
        return with_surest_arrows(amat, wanted | only, self.forward + only, only)

    def best(self) -> PDAG:
        """Return the graph with the highest score on the data, the first of equal ones."""
        return self.graphs[self.which[np.argmax(self.scores)]]

    def posterior(self) -> Posterior:
        """Average over the DAGs of the classes, weighted by their scores instead of their frequencies."""
        classes: dict[PDAG, RankedClass] = {}
        for graph, score in zip(self.which.tolist(), self.scores.tolist(), strict=True):
            extension = consistent_extension(self.graphs[graph])
            one = cpdag(extension.dag)
            classes.setdefault(one, RankedClass(one, score, (), extension.valid))
        return Posterior(sorted(classes.values(), key=lambda one: -one.score))

    def averaged(self) -> Posterior:
        """Average over the resamples, and over the DAGs of each graph."""
        times = np.bincount(self.which, minlength=len(self.graphs))
        return Posterior([RankedClass(_extendable(graph), math.nan) for graph in self.graphs], times / self.n)

    def _share(self, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        times = np.bincount(self.which, minlength=len(self.graphs))
        return sum(n * of(graph.amat) for n, graph in zip(times.tolist(), self.graphs, strict=True)) / max(self.n, 1)


def _extendable(graph: PDAG) -> PDAG:
    """Return the graph, or if no DAG has its arrows, the class of a DAG with the same skeleton."""
    extension = consistent_extension(graph)
    return closure(graph) if extension.valid else cpdag(extension.dag)


def with_surest_arrows(joined: np.ndarray, wanted: np.ndarray, values: np.ndarray, only: np.ndarray) -> PDAG:
    """Return edges with arrows in order of decreasing values, without those that close a directed cycle.

    Parameters
    ----------
    joined : (p, p) bool array
        The edges. Symmetric.
    wanted : (p, p) bool array
        Arrows of these edges.
    values : (p, p) float64 array
    only : (p, p) bool array
        The arrows whose reverse is impossible. An edge is left out if this arrow would close a cycle; any
        other edge without an arrow is undirected.
    """
    surest = sorted(np.argwhere(wanted).tolist(), key=lambda arrow: (-values[tuple(arrow)], arrow))
    arrows = acyclic_arrows(len(joined), surest)
    lost = only & ~arrows
    return PDAG(joined & ~arrows.T & ~(lost | lost.T))


def left_out(graph: PDAG, joined: np.ndarray) -> tuple[RunWarning, ...]:
    """Return a warning if `with_surest_arrows` left some of the edges in `joined` out of a graph."""
    n = int(np.triu(joined & ~graph.skeleton, 1).sum())
    if not n:
        return ()
    sentence = say(
        "{edges} left out, because the only direction that background knowledge allows would close a cycle",
        edges=Count(n, "edge is", "edges are"),
    )
    return (RunWarning("left_out", sentence),)


def wilson(share: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the limits of the 95 % confidence interval of a share of n draws.

    Parameters
    ----------
    share : float array
        In [0, 1]; NaN stays NaN. For a mean of n numbers in [0, 1] the interval is conservative.
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


def interval_clause(share: float, n: int, form: str = ".2f") -> Sentence:
    """Return a clause with the 95% interval of a share or mean probability over n draws; 0 draws mean exact."""
    if n == 0:
        return say("exact")
    low, high = wilson(np.array(share), n)
    return say("95% interval: {low} to {high}", low=f"{low:{form}}", high=f"{high:{form}}")
