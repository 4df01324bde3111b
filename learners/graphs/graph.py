"""PDAG: graphs with directed and undirected edges, and the operations that all learners share.

One convention everywhere: ``i -> j`` iff ``amat[i, j] and not amat[j, i]``, and ``i - j`` iff both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Literal

import numpy as np

from ..common.arrays import as_array
from ..common.checks import as_pairs, check_count, check_positions, check_type, is_position
from ..common.errors import ParameterError
from ..common.memory import check_memory
from ..common.relabeling import ByPair
from ..common.wording import shown_value
from ..kernels.graphs.paths import has_cycle

Edge = tuple[int, int]
Mark = Literal[
    "none", "undirected", "forward", "backward", "circles", "circle-forward", "circle-backward", "bidirected"
]  # the last four occur only in a `PAG`
SHOWN_EDGES = 40  # maximum number of edges spelled out by repr


@dataclass(frozen=True, eq=False)
class PDAG:
    """A graph on the nodes 0 .. p - 1 with at most one edge for each pair, directed or undirected.

    Directed cycles are allowed, because learners may produce them; see `is_dag` and `has_directed_cycle`.

    Attributes
    ----------
    amat : (p, p) bool array
        Copied and read-only. ``i -> j`` iff ``amat[i, j] and not amat[j, i]``; ``i - j`` iff both.

    Raises
    ------
    ParameterError
        If `amat` is not square, has values other than truth values, or has an edge from a node to itself.

    Examples
    --------
    >>> PDAG.from_edges(3, directed=[(0, 2), (1, 2)])
    PDAG(p=3: 0->2, 1->2)
    """

    amat: ByPair

    def __post_init__(self) -> None:
        amat = self.amat
        if not isinstance(amat, np.ndarray) or amat.dtype != bool:
            amat = as_array("amat", amat, "biuf", "truth values (or 0 and 1)")
        if amat.ndim != 2 or amat.shape[0] != amat.shape[1]:
            raise ParameterError(f"amat must be a square matrix, got shape {amat.shape}")
        if amat.dtype != bool and not np.isin(amat, (0, 1)).all():
            raise ParameterError("amat must hold only truth values (or 0 and 1), got others")
        amat = np.array(amat, dtype=bool, order="C")
        if amat.diagonal().any():
            raise ParameterError(f"no node may have an edge to itself, got one at node {int(amat.diagonal().argmax())}")
        amat.flags.writeable = False
        object.__setattr__(self, "amat", amat)

    @classmethod
    def from_edges(cls, p: int, *, directed: Iterable[Edge] = (), undirected: Iterable[Edge] = ()) -> PDAG:
        """Return a graph of `p` nodes with edges ``i -> j`` of `directed` and ``i - j`` of `undirected`.

        Raises
        ------
        ParameterError
            If a node is outside ``0 .. p - 1``, an edge joins a node to itself, or a pair is given twice.
        """
        amat = _blank(p)
        for both, name, edges in ((False, "directed", directed), (True, "undirected", undirected)):
            for i, j in as_pairs(name, edges):
                if not (is_position(i, p) and is_position(j, p) and i != j):
                    shown = shown_value((i, j))
                    raise ParameterError(f"an edge must connect two different nodes of 0 .. {p - 1}, got {shown}")
                if amat[i, j] or amat[j, i]:
                    raise ParameterError(f"each pair must be given once, got {(i, j)} again")
                amat[i, j] = True
                amat[j, i] = both
        return cls._of(amat)

    @classmethod
    def empty(cls, p: int) -> PDAG:
        """Return a graph without edges."""
        return cls._of(_blank(p))

    @classmethod
    def complete(cls, p: int) -> PDAG:
        """Return a graph with an undirected edge between every pair."""
        amat = ~_blank(p)
        np.fill_diagonal(amat, False)
        return cls._of(amat)

    @classmethod
    def of_skeleton(cls, adjacency: np.ndarray) -> PDAG:
        """Return the graph with these adjacencies, a symmetric (p, p) bool array, and no direction."""
        return cls._of(np.asarray(adjacency))

    @classmethod
    def _of(cls, amat: np.ndarray) -> PDAG:
        return cls(amat)

    @property
    def p(self) -> int:
        """Number of nodes."""
        return len(self.amat)

    @cached_property
    def skeleton(self) -> np.ndarray:
        """(p, p) bool, symmetric, read-only: True for adjacent pairs."""
        adjacent = self.amat | self.amat.T
        adjacent.flags.writeable = False
        return adjacent

    @cached_property
    def n_edges(self) -> int:
        """Number of adjacent pairs."""
        return int(np.count_nonzero(self.skeleton)) // 2

    @cached_property
    def is_dag(self) -> bool:
        """True if every edge is directed and there is no directed cycle."""
        return not (self.amat & self.amat.T).any() and not self.has_directed_cycle()

    def has_directed_cycle(self) -> bool:
        """Return True if the directed edges contain a cycle."""
        return has_cycle(self.amat)

    def directed_edges(self) -> list[Edge]:
        """Return the pairs (i, j) with i -> j, ascending."""
        return _pairs(self.amat & ~self.amat.T)

    def undirected_edges(self) -> list[Edge]:
        """Return the pairs (i, j) with i - j and i < j, ascending."""
        return _pairs(np.triu(self.amat & self.amat.T))

    def edges(self) -> list[Edge]:
        """Return directed and undirected edges together, ascending; `mark` distinguishes them."""
        return sorted(self.directed_edges() + self.undirected_edges())

    def parents(self, j: int) -> tuple[int, ...]:
        """Return the nodes i with i -> j, ascending; ParameterError if there is no node j."""
        self._check(j)
        return _nodes(self.amat[:, j] & ~self.amat[j])

    def children(self, i: int) -> tuple[int, ...]:
        """Return the nodes j with i -> j, ascending; ParameterError if there is no node i."""
        self._check(i)
        return _nodes(self.amat[i] & ~self.amat[:, i])

    def neighbors(self, i: int) -> tuple[int, ...]:
        """Return the nodes j with i - j, ascending; ParameterError if there is no node i."""
        self._check(i)
        return _nodes(self.amat[i] & self.amat[:, i])

    def adjacent(self, i: int) -> tuple[int, ...]:
        """Return the nodes adjacent to i, ascending; ParameterError if there is no node i."""
        self._check(i)
        return _nodes(self.skeleton[i])

    def mark(self, i: int, j: int) -> Mark:
        """Return the state of the pair; "forward" is i -> j, "backward" j -> i. ParameterError if a node is unknown."""
        self._check(i, j)
        if self.amat[i, j]:
            return "undirected" if self.amat[j, i] else "forward"
        return "backward" if self.amat[j, i] else "none"

    def _check(self, *nodes: object) -> None:
        check_positions("a node", nodes, len(self.amat))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PDAG):
            return NotImplemented
        return np.array_equal(self.amat, other.amat)

    def __hash__(self) -> int:
        return hash((self.p, np.packbits(self.amat).tobytes()))

    def __reduce__(self) -> tuple:
        # Pickling loses the read-only flag of an array; the constructor sets it.
        return PDAG, (np.array(self.amat),)

    def __repr__(self) -> str:
        edges = self.edges()
        shown = [f"{i}-{j}" if self.amat[j, i] else f"{i}->{j}" for i, j in edges[:SHOWN_EDGES]]
        rest = len(edges) - len(shown)
        text = ", ".join(shown) + (f", and {rest} more" if rest else "")
        return f"PDAG(p={self.p}: {text or 'no edges'})"


def skeleton_graph(pdag: PDAG) -> PDAG:
    """Return the graph with the same adjacencies, all undirected."""
    return PDAG(pdag.skeleton)


def topological_order(dag: PDAG) -> tuple[int, ...]:
    """Return the nodes with every parent before its children; of several choices the smallest first.

    Raises
    ------
    ParameterError
        If `dag` has an undirected edge or a directed cycle.
    """
    check_dag(dag)
    return tuple(_sorted_nodes(dag.amat))


def ancestors(pdag: PDAG) -> np.ndarray:
    """Return (p, p) bool: entry (i, j) is True iff a path of one or more arrows leads from i to j.

    The diagonal is True only for nodes on a directed cycle.
    """
    arrows = pdag.amat & ~pdag.amat.T
    order = _sorted_nodes(arrows)
    if len(order) < pdag.p:  # a directed cycle
        reach = arrows
        for k in range(pdag.p):
            reach[reach[:, k]] |= reach[k]
        return reach
    children, reach = rows_of(arrows), np.packbits(arrows, axis=1)  # bits, because p may be thousands
    for i in reversed(order):
        if children[i]:
            reach[i] |= np.bitwise_or.reduce(reach[list(children[i])], axis=0)
    return np.unpackbits(reach, axis=1, count=pdag.p).view(bool)


def acyclic_arrows(p: int, arrows: Iterable[tuple[int, int]]) -> np.ndarray:
    """Return (p, p) bool: the arrows, in their order, that close no directed cycle with earlier arrows."""
    taken, reach = np.zeros((p, p), dtype=bool), np.eye(p, dtype=bool)
    for i, j in arrows:
        if not reach[j, i]:
            taken[i, j] = True
            if not reach[i, j]:
                reach[reach[:, i]] |= reach[j]
    return taken


def markov_blanket(pdag: PDAG, i: int) -> tuple[int, ...]:
    """Return the nodes adjacent to i and the other parents of its children, ascending.

    The blanket is the same in a DAG and in its CPDAG.
    """
    blanket = pdag.skeleton[i].copy()
    for child in pdag.children(i):
        blanket[list(pdag.parents(child))] = True
    blanket[i] = False
    return _nodes(blanket)


def _sorted_nodes(directed: np.ndarray) -> list[int]:
    """Return a topological order of the arrows, smallest first; nodes on or after a cycle are missing."""
    waiting = directed.sum(axis=0).tolist()
    children = rows_of(directed)
    ready = [j for j, n in enumerate(waiting) if n == 0]  # ascending, so it is already a heap
    order = []
    while ready:
        i = heappop(ready)
        order.append(i)
        for j in children[i]:
            waiting[j] -= 1
            if waiting[j] == 0:
                heappush(ready, j)
    return order


def check_dag(dag: PDAG) -> None:
    """Raise ParameterError if `dag` has an undirected edge or a directed cycle."""
    check_type("the graph", dag, PDAG, "a PDAG")
    if not dag.is_dag:
        found = "a directed cycle" if dag.has_directed_cycle() else "undirected edges"
        raise ParameterError(f"the graph must be a DAG, but it has {found}; extend or orient it first")


def _blank(p: int) -> np.ndarray:
    check_count("p", p)
    check_memory(float(p) ** 2, f"a graph of {p:,} nodes", "use fewer nodes")
    return np.zeros((p, p), dtype=bool)


def _pairs(matrix: np.ndarray) -> list[Edge]:
    rows, columns = np.nonzero(matrix)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def rows_of(mask: np.ndarray) -> list[list[int]]:
    """Return for each row of a matrix the columns where it is True, ascending."""
    columns, ends = np.nonzero(mask)[1].tolist(), mask.sum(axis=1).cumsum().tolist()
    return [columns[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def _nodes(mask: np.ndarray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(mask).tolist())
