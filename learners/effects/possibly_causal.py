"""Where arrows may lead in a graph that leaves some edges open: the causal paths of the DAGs that it stands for.

Perković, Kalisch and Maathuis (2017), Interpreting and using CPDAGs with background knowledge, UAI. A path is possibly
causal if no edge of it points back and none of its nodes is left open to be a collider (lemma 3.5); each node that such
a path can lead to is the end of an unshielded one (lemma 3.6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from ..graphs.graph import PDAG
from .paths import PathSearch

Step = tuple[int, int]


class PossiblyCausal:
    """Steps and paths that may be causal in some DAG of a graph.

    Parameters
    ----------
    graph : PDAG
    """

    def __init__(self, graph: PDAG) -> None:
        self.amat, self.adjacent = graph.amat, graph.skeleton
        self.ahead = [np.flatnonzero(row).tolist() for row in graph.amat]  # along arrows and lines

    def passes(self, a: int, k: int, b: int) -> bool:
        """Whether a causal path may run a, k, b."""
        return bool(self.amat[a, k] and self.amat[k, b] and (not self.amat[b, k] or not self.adjacent[a, b]))

    def descendants(self, nodes: Iterable[int], without: Collection[int] = ()) -> set[int]:
        """The nodes, and all that a path which keeps out of `without` leads to."""
        nodes = list(nodes)
        begun = [(a, k) for a in nodes for k in self.ahead[a] if k not in without]
        return set(nodes) | {k for _, k in self._steps(begun, without)}

    def between(self, x: int, y: int) -> set[int]:
        """Nodes on paths from x to y, without x."""
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
        """Nodes v with x - v from which a path leads on to y."""
        lines = np.flatnonzero(self.amat[x] & self.amat[:, x]).tolist()
        return [v for v in lines if y in self.descendants([v], self._behind(x))]

    def path(self, x: int, y: int) -> tuple[int, ...]:
        """The shortest path from x to y; y is one of the descendants of x."""
        return next(iter(PathSearch(self.adjacent, x, y, self.passes)))

    def path_by(self, x: int, start: int, y: int) -> tuple[int, ...]:
        """The shortest path from x to y whose second node is one of `open_starts`."""
        if start == y:
            return x, y
        kept, behind = self.adjacent.copy(), sorted(self._behind(x))
        kept[behind] = kept[:, behind] = False
        return x, *next(iter(PathSearch(kept, start, y, self.passes)))

    def _behind(self, x: int) -> set[int]:
        """x and its parents: a path that comes by one of those cannot begin at x, or there were a cycle."""
        return {x, *np.flatnonzero(self.amat[:, x] & ~self.amat[x]).tolist()}

    def _steps(self, begun: Iterable[Step], without: Collection[int]) -> set[Step]:
        """All steps of the paths that begin with these."""
        found = set(begun)
        todo = list(found)
        while todo:
            a, k = todo.pop()
            for b in self.ahead[k]:
                if b not in without and (k, b) not in found and self.passes(a, k, b):
                    found.add((k, b))
                    todo.append((k, b))
        return found
