"""Graphs of consecutive steps, stored as one small code per pair."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ..common.arrays import frozen
from ..common.relabeling import as_nodes
from ..graphs.graph import PDAG

ALONG, AGAINST, CONFLICT = 1, 2, 4  # bits of a code; an undirected edge has the first two
OPEN = ALONG | AGAINST
AS_TURNED = np.array([0, 2, 1, 3, 4, 6, 5, 7], dtype=np.uint8)  # each code after an exchange of i and j


@dataclass(frozen=True, eq=False)
class StepGraphs:
    """The CPDAG at each of the steps ``first .. first + len(codes) - 1``.

    Attributes
    ----------
    pairs : (m, 2) int64 array
        All pairs i < j that are adjacent at some step.
    first : int
    codes : (k, m) uint8 array
        Per step and pair: 0 if not adjacent, else the sum of `ALONG` (allows i -> j), `AGAINST` and `CONFLICT`.
    """

    pairs: np.ndarray
    first: int
    codes: np.ndarray

    def relabeled(self, new: np.ndarray) -> StepGraphs:
        """Relabel the pairs and sort each again; see `common.relabeling`."""
        pairs = as_nodes(self.pairs, new)
        turned = AS_TURNED[self.codes]
        codes = np.where(pairs[:, 0] < pairs[:, 1], self.codes, turned)
        return StepGraphs(frozen(np.sort(pairs, axis=1)), self.first, frozen(codes))

    def knows(self, step: int) -> bool:
        """Return True if the graph of the step was computed."""
        return self.first <= step < self.first + len(self.codes)

    def at(self, step: int, p: int) -> PDAG:
        """Return the graph of a computed step."""
        (i, j), code = self.pairs.T, self.codes[step - self.first]
        amat = np.zeros((p, p), dtype=bool)
        amat[i, j], amat[j, i] = code & ALONG > 0, code & AGAINST > 0
        return PDAG(amat)


def coded(graph: PDAG, pairs: np.ndarray, conflicts: Collection[tuple[int, int]]) -> np.ndarray:
    """Return the (m,) uint8 codes of a graph whose edges are among `pairs`; `conflicts` are pairs i < j."""
    i, j = pairs.T
    codes = (ALONG * graph.amat[i, j] + AGAINST * graph.amat[j, i]).astype(np.uint8)
    if conflicts:
        codes[[tuple(pair) in conflicts for pair in pairs.tolist()]] |= CONFLICT
    return codes
