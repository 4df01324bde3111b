"""Possibly causal paths of a graph with undirected edges: causal paths in the DAGs of its class.

Perković, Kalisch and Maathuis (2017), Interpreting and using CPDAGs with background knowledge, UAI. A path is possibly
causal if no edge points back along it and no node may be a collider on it (lemma 3.5); each node that such a path
reaches is the end of an unshielded one (lemma 3.6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from ..graphs.graph import PDAG
from .paths import PathSearch

Step = tuple[int, int]


class PossiblyCausal:
    """Possibly causal steps and paths of a graph.

    Parameters
    ----------
    graph : PDAG
    """

    def __init__(self, graph: PDAG) -> None:
        self.amat, self.adjacent = graph.amat, graph.skeleton
        self.ahead = [np.flatnonzero(row).tolist() for row in graph.amat]  # next along arrows and undirected edges

    def passes(self, a: int, k: int, b: int) -> bool:
        """Return True if a causal path may pass a, k, b."""
        return bool(self.amat[a, k] and self.amat[k, b] and (not self.amat[b, k] or not self.adjacent[a, b]))

    def descendants(self, nodes: Iterable[int], without: Collection[int] = ()) -> set[int]:
        """Return the nodes and their possible descendants, by paths that avoid `without`."""
        nodes = list(nodes)
        begun = [(a, k) for a in nodes for k in self.ahead[a] if k not in without]
        return set(nodes) | {k for _, k in self._steps(begun, without)}

    def between(self, x: int, y: int) -> set[int]:
        """Return the nodes on possibly causal paths from x to y, without x."""
        steps = self._steps([(x, k) for k in self.ahead[x]], (x,))
        steps = {step for step in steps if step[0] != y}
        leads, todo = set(), [step for step in steps if step[1] == y]
        while todo:
            step = todo.pop()
            if step not in leads:
                leads.add(step)
                todo += [one for one in steps if one[1] == step[0] and self.passes(*one, step[1])]
        return {k for _, k in leads}

    def open_starts(self, x: int, y: int) -> list[int]:
        """Return the nodes v with x - v from which a possibly causal path reaches y."""
        lines = np.flatnonzero(self.amat[x] & self.amat[:, x]).tolist()
        return [v for v in lines if y in self.descendants([v], self._behind(x))]

    def path(self, x: int, y: int) -> tuple[int, ...]:
        """Return the shortest possibly causal path from x to its possible descendant y."""
        return next(iter(PathSearch(self.adjacent, x, y, self.passes)))

    def path_by(self, x: int, start: int, y: int) -> tuple[int, ...]:
        """Return the shortest possibly causal path from x to y with the second node `start`, one of `open_starts`."""
        if start == y:
            return x, y
        kept, behind = self.adjacent.copy(), sorted(self._behind(x))
        kept[behind] = kept[:, behind] = False
        return x, *next(iter(PathSearch(kept, start, y, self.passes)))

    def _behind(self, x: int) -> set[int]:
        """Return x and its parents: a path through one of them would close a cycle with x."""
        return {x, *np.flatnonzero(self.amat[:, x] & ~self.amat[x]).tolist()}

    def _steps(self, begun: Iterable[Step], without: Collection[int]) -> set[Step]:
        """Return all steps of the paths that start with the steps `begun`."""
        found = set(begun)
        todo = list(found)
        while todo:
            a, k = todo.pop()
            for b in self.ahead[k]:
                if b not in without and (k, b) not in found and self.passes(a, k, b):
                    found.add((k, b))
                    todo.append((k, b))
        return found
