"""d-separation in a known DAG, as one more test of independence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..common.errors import ParameterError
from ..common.validation import validated
from ..graphs.graph import PDAG
from ..kernels.ci.d_separation import DAGSample
from .base import CIResult, CITest, InKernels, checked_members


@validated
class DSeparation(CITest):
    """Perfect information: p = 1 if `cond` d-separates x and y in the DAG, else 0.

    Parameters
    ----------
    dag : PDAG
        A directed acyclic graph.
    names : sequence of str, optional
        Default: "0", "1", ...
    """

    def __init__(self, dag: PDAG, names: Sequence[str] | None = None) -> None:
        if not dag.is_dag:
            raise ParameterError(
                "d-separation needs a DAG, got a graph with undirected edges or a cycle; extend it first"
            )
        self.names = tuple(str(k) for k in range(dag.p)) if names is None else tuple(names)
        self.n_tests = 0
        self._amat = dag.amat
        self._parents = [dag.parents(j) for j in range(dag.p)]
        self._children = [dag.children(i) for i in range(dag.p)]

    @validated
    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """p = 1 if separated, else 0."""
        members = frozenset(checked_members(self.p, x, y, cond))
        self.n_tests += 1
        separated = y not in self._reachable(x, members)
        return CIResult(math.nan, math.nan, 0.0 if separated else -math.inf, float(separated))

    def in_kernels(self) -> InKernels:
        """As `CITest.in_kernels`; no working memory is needed."""
        return InKernels(DAGSample(self._amat), lambda _: None)

    def _reachable(self, x: int, cond: frozenset[int]) -> set[int]:
        """Nodes with an active trail from x (Koller and Friedman 2009, algorithm 3.1)."""
        opened = self._ancestors(cond)
        todo = [(x, True)]  # (node, whether the trail arrives from a child)
        visited: set[tuple[int, bool]] = set()
        reached: set[int] = set()
        while todo:
            node, from_child = todo.pop()
            if (node, from_child) in visited:
                continue
            visited.add((node, from_child))
            if node not in cond:
                reached.add(node)
                todo.extend((child, False) for child in self._children[node])
            if (node not in cond) if from_child else (node in opened):
                todo.extend((parent, True) for parent in self._parents[node])
        return reached

    def _ancestors(self, cond: frozenset[int]) -> set[int]:
        """`cond` and everything above it: the colliders that it opens."""
        todo, found = list(cond), set(cond)
        while todo:
            for parent in self._parents[todo.pop()]:
                if parent not in found:
                    found.add(parent)
                    todo.append(parent)
        return found
