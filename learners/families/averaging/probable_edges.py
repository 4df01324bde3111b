"""Graphs at each cut of the probability of an edge, or of its share of resamples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...evaluation.frequencies import Frequencies
from ...evaluation.posterior import Posterior
from ...evaluation.probable_graph import EVEN, probable_graph
from ...graphs.graph import PDAG

DIGITS = 12  # significant digits; further ones depend on the order of summation
MAX_PAIRS = 8_000  # maximum number of pairs; the most probable are kept


@dataclass(frozen=True, eq=False)
class ProbableEdges:
    """Edges ranked by their probability, and the graph at each cut of the probability.

    Attributes
    ----------
    marks : PDAG
        The mark of each edge.
    pairs : (m, 2) int64 array
        i < j, the least probable first.
    probability : (m,) float64 array
        In (0, 1].
    levels : (d,) float64 array
        The distinct probabilities, increasing. Step s has the edges with at least ``levels[s]``.
    cut : float
        The default cut.
    """

    marks: PDAG
    pairs: np.ndarray
    probability: np.ndarray
    levels: np.ndarray
    cut: float

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def choice(self) -> int:
        """The step of the default cut."""
        return self.step_of(self.cut)

    def step_of(self, cut: float) -> int:
        """Return the step with the edges of at least this probability, or the last step."""
        return max(0, min(int(np.searchsorted(self.levels, cut)), len(self) - 1))

    def graph(self, step: int) -> PDAG:
        """Return the graph at a step."""
        amat = np.zeros_like(self.marks.amat)
        if len(self):
            i, j = self.pairs[self.probability >= self.levels[step]].T
            amat[i, j], amat[j, i] = self.marks.amat[i, j], self.marks.amat[j, i]
        return PDAG(amat)


def of_posterior(posterior: Posterior) -> ProbableEdges:
    """Return the edges sorted by posterior probability, directed as in `probable_graph`."""
    return _sorted(posterior.adjacent, probable_graph(posterior, 0.0), EVEN)


def of_frequencies(frequencies: Frequencies, graph: PDAG, share: float | None = None) -> ProbableEdges:
    """Return the edges sorted by the share of resamples that contain them.

    Parameters
    ----------
    frequencies : Frequencies
    graph : PDAG
        Its edges keep their marks; others have those of `Frequencies.at` at the lowest share.
    share : float, optional
        The cut of `graph`.
    """
    adjacent = frequencies.adjacent
    amat = np.where(graph.skeleton, graph.amat, frequencies.at(np.finfo(np.float64).tiny).amat)
    return _sorted(adjacent, PDAG(amat), EVEN if share is None else share)


def _sorted(adjacent: np.ndarray, marks: PDAG, cut: float) -> ProbableEdges:
    i, j = np.nonzero(np.triu(adjacent, 1))
    order = np.argsort(adjacent[i, j], kind="stable")[-MAX_PAIRS:]
    probability = np.array([float(f"{value:.{DIGITS}g}") for value in adjacent[i, j][order].tolist()])
    return ProbableEdges(marks, np.column_stack([i, j])[order], probability, np.unique(probability), cut)
