"""d-separation in a known DAG, as a test of independence."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..common.errors import ParameterError
from ..common.validation import validated
from ..graphs.d_separation import d_connected
from ..graphs.graph import PDAG
from ..kernels.ci.d_separation import DAGSample
from .ci_test import CIResult, CITest, KernelTest, check_members


@validated
class DSeparation(CITest):
    """Perfect information: p = 1 if `cond` d-separates x and y in the DAG, otherwise 0.

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
        self.dag = dag
        self._amat = dag.amat
        self._parents = [dag.parents(j) for j in range(dag.p)]
        self._children = [dag.children(i) for i in range(dag.p)]

    @validated
    def test(self, x: int, y: int, cond: Sequence[int] = ()) -> CIResult:
        """Return p = 1 if separated, otherwise 0."""
        members = frozenset(check_members(self.p, x, y, cond))
        self.n_tests += 1
        separated = y not in self._connected(x, members)
        return CIResult(math.nan, math.nan, 0.0 if separated else -math.inf, float(separated))

    def in_kernels(self) -> KernelTest:
        """See `CITest.in_kernels`; no working memory is needed."""
        return KernelTest(DAGSample(self._amat), lambda _: None)

    def _connected(self, x: int, cond: frozenset[int]) -> set[int]:
        return d_connected(self._parents, self._children, x, cond)
