"""At which values each edge lives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.arrays import frozen
from ..common.validation import validated
from ..graphs.graph import PDAG

ABSENT, OPEN, FORWARD, BACKWARD, MISSING = range(5)
MARKS = {"none": ABSENT, "undirected": OPEN, "forward": FORWARD, "backward": BACKWARD}


@dataclass(frozen=True, eq=False)
class Survival:
    """Pairs that some graph joins, the most robust first.

    Attributes
    ----------
    pairs : (m, 2) int64 array
        i < j.
    marks : (m, k) uint8 array
        Of each pair at each value: `ABSENT`, `OPEN` (i - j), `FORWARD` (i -> j), `BACKWARD` (i <- j), or `MISSING`
        where the graph is not there yet.
    """

    pairs: np.ndarray
    marks: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """(m,) share of the values done at which each pair is joined."""
        done = self.marks != MISSING
        return ((self.marks != ABSENT) & done).sum(axis=1) / np.maximum(done.sum(axis=1), 1)


@validated
def survival(graphs: Sequence[PDAG | None]) -> Survival:
    """Along graphs over the same variables; None for those that are missing.

    Notes
    -----
    An edge may come, go and come again: skeletons of PC at rising alpha are not nested, for with more neighbours more
    sets are tried.
    """
    there = [graph for graph in graphs if graph is not None]
    joined = sum((graph.skeleton for graph in there), start=np.zeros((0, 0), dtype=bool) if not there else False)
    pairs = np.argwhere(np.triu(joined)) if there else np.empty((0, 2), dtype=np.int64)
    i, j = pairs.T
    marks = np.full((len(pairs), len(graphs)), MISSING, dtype=np.uint8)
    for k, graph in enumerate(graphs):
        if graph is not None:
            forward, backward = graph.amat[i, j], graph.amat[j, i]
            marks[:, k] = np.where(
                forward & backward, OPEN, np.where(forward, FORWARD, np.where(backward, BACKWARD, ABSENT))
            )
    order = np.argsort(-((marks != ABSENT) & (marks != MISSING)).sum(axis=1), kind="stable")
    return Survival(frozen(pairs[order]), frozen(marks[order]))
