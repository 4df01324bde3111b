"""Edges with a probability, or a share of resamples, from the least to the most probable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..evaluation.frequencies import Frequencies
from ..evaluation.posterior import Posterior
from ..graphs.graph import PDAG
from .probable_graph import EVEN, probable_graph

DIGITS = 12  # that count; equal numbers, summed in another order, differ beyond them
MOST_PAIRS = 8_000  # of more, the most probable


@dataclass(frozen=True, eq=False)
class ProbableEdges:
    """The graphs at every cut.

    Attributes
    ----------
    marks : PDAG
        How each pair is drawn where it is joined.
    pairs : (m, 2) int64 array
        i < j, the least probable first.
    probability : (m,) float64 array
        In (0, 1].
    levels : (d,) float64 array
        The different probabilities, rising. At step s the pairs are joined that have at least ``levels[s]``.
    cut : float
        The one to begin with.
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
        """The step of the cut to begin with."""
        return self.step_of(self.cut)

    def step_of(self, cut: float) -> int:
        """The step that joins the pairs with at least this probability; at the latest the last."""
        return max(0, min(int(np.searchsorted(self.levels, cut)), len(self) - 1))

    def graph(self, step: int) -> PDAG:
        """The graph at a step."""
        amat = np.zeros_like(self.marks.amat)
        if len(self):
            i, j = self.pairs[self.probability >= self.levels[step]].T
            amat[i, j], amat[j, i] = self.marks.amat[i, j], self.marks.amat[j, i]
        return PDAG(amat)


def of_posterior(posterior: Posterior) -> ProbableEdges:
    """Edges by their posterior probability.

    They are directed as in `probable_graph`.
    """
    return _sorted(posterior.adjacent, probable_graph(posterior, 0.0), EVEN)


def of_frequencies(frequencies: Frequencies, graph: PDAG, share: float | None = None) -> ProbableEdges:
    """Edges by the share of resamples that have them.

    Parameters
    ----------
    frequencies : Frequencies
    graph : PDAG
        Its pairs are drawn as in it, others as `Frequencies.at` directs them at the lowest share.
    share : float, optional
        What `graph` asked for.
    """
    adjacent = frequencies.adjacent
    amat = np.where(graph.skeleton, graph.amat, frequencies.at(np.finfo(np.float64).tiny).amat)
    return _sorted(adjacent, PDAG(amat), EVEN if share is None else share)


def _sorted(adjacent: np.ndarray, marks: PDAG, cut: float) -> ProbableEdges:
    i, j = np.nonzero(np.triu(adjacent, 1))
    order = np.argsort(adjacent[i, j], kind="stable")[-MOST_PAIRS:]
    probability = np.array([float(f"{value:.{DIGITS}g}") for value in adjacent[i, j][order].tolist()])
    return ProbableEdges(marks, np.column_stack([i, j])[order], probability, np.unique(probability), cut)
