"""Survival map: the values at which each edge exists."""

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
    """Pairs that are adjacent in some graph, the most robust first.

    Attributes
    ----------
    pairs : (m, 2) int64 array
        i < j.
    marks : (m, k) uint8 array
        The mark of each pair at each value: `ABSENT`, `OPEN` (i - j), `FORWARD` (i -> j), `BACKWARD` (i <- j), or
        `MISSING` if there is no graph yet.
    """

    pairs: np.ndarray
    marks: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """(m,) share of the available graphs in which each pair is adjacent."""
        done = self.marks != MISSING
        return ((self.marks != ABSENT) & done).sum(axis=1) / np.maximum(done.sum(axis=1), 1)


@validated
def survival(graphs: Sequence[PDAG | None]) -> Survival:
    """Return the survival of the edges along graphs over the same variables; None for missing graphs.

    Notes
    -----
    An edge may disappear and return: skeletons of PC at increasing alpha are not nested, since more neighbours allow
    more conditioning sets.
    """
    known = [graph for graph in graphs if graph is not None]
    joined = sum((graph.skeleton for graph in known), start=np.zeros((0, 0), dtype=bool) if not known else False)
    pairs = np.argwhere(np.triu(joined)) if known else np.empty((0, 2), dtype=np.int64)
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
