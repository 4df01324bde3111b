"""PDAG: graphs with directed and undirected edges, and the operations every learner shares.

One convention everywhere: ``i -> j`` iff ``amat[i, j] and not amat[j, i]``, and ``i - j`` iff both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Literal, NamedTuple

import numpy as np

from ..common.errors import ParameterError
from ..kernels.graphs.closure import close

Edge = tuple[int, int]
Mark = Literal["none", "undirected", "forward", "backward"]
Record = Callable[[int, int, str, tuple[int, ...]], None]
SHOWN_EDGES = 40  # edges spelled out by repr
RULES = ("", "R1", "R2", "R3", "R4", "conflict")  # by the number the closure kernel gives them


@dataclass(frozen=True, eq=False)
class PDAG:
    """A graph on the nodes 0 .. p - 1 with at most one edge a pair, directed or undirected.

    Directed cycles are allowed, for a learner may run into them; `is_dag` and `has_directed_cycle` tell.

    Attributes
    ----------
    amat : (p, p) bool array
        Copied and read-only. ``i -> j`` iff ``amat[i, j] and not amat[j, i]``; ``i - j`` iff both.

    Raises
    ------
    ParameterError
        If `amat` is not square, not of truth values, or joins a node to itself.

    Examples
    --------
    >>> PDAG.from_edges(3, directed=[(0, 2), (1, 2)])
    PDAG(p=3: 0->2, 1->2)
    """

    amat: np.ndarray

    def __post_init__(self) -> None:
        amat = np.asarray(self.amat)
        if amat.ndim != 2 or amat.shape[0] != amat.shape[1]:
            raise ParameterError(f"amat must be a square matrix, got shape {amat.shape}")
        if amat.dtype != bool and not np.isin(amat, (0, 1)).all():
            raise ParameterError("amat must hold only truth values (or 0 and 1), got others")
        amat = np.array(amat, dtype=bool, order="C")
        if amat.diagonal().any():
            raise ParameterError(
                f"no node may be joined to itself, got an edge at node {int(amat.diagonal().argmax())}"
            )
        object.__setattr__(self, "amat", _frozen(amat))

    @classmethod
    def from_edges(cls, p: int, *, directed: Iterable[Edge] = (), undirected: Iterable[Edge] = ()) -> PDAG:
        """Graph of `p` nodes with edges ``i -> j`` of `directed` and ``i - j`` of `undirected`.

        Raises
        ------
        ParameterError
            If a node is outside ``0 .. p - 1``, joined to itself, or a pair is given twice.
        """
        amat = np.zeros((p, p), dtype=bool)
        for both, edges in ((False, directed), (True, undirected)):
            for i, j in edges:
                if not (0 <= i < p and 0 <= j < p and i != j):
                    raise ParameterError(f"an edge must join two different nodes of 0 .. {p - 1}, got {(i, j)}")
                if amat[i, j] or amat[j, i]:
                    raise ParameterError(f"each pair must be given once, got {(i, j)} again")
                amat[i, j] = True
                amat[j, i] = both
        return cls(amat)

    @classmethod
    def empty(cls, p: int) -> PDAG:
        """No edge at all."""
        return cls(np.zeros((p, p), dtype=bool))

    @classmethod
    def complete(cls, p: int) -> PDAG:
        """Every pair joined by an undirected edge."""
        return cls(~np.eye(p, dtype=bool))

    @property
    def p(self) -> int:
        """Number of nodes."""
        return len(self.amat)

    @cached_property
    def skeleton(self) -> np.ndarray:
        """(p, p) bool, symmetric, read-only: which pairs are adjacent."""
        return _frozen(self.amat | self.amat.T)

    @cached_property
    def n_edges(self) -> int:
        """Number of adjacent pairs."""
        return int(self.skeleton.sum()) // 2

    @cached_property
    def is_dag(self) -> bool:
        """True if every edge is directed and no directed cycle exists."""
        return not (self.amat & self.amat.T).any() and not self.has_directed_cycle()

    def has_directed_cycle(self) -> bool:
        """True if the directed edges alone contain a cycle."""
        return len(_sorted_nodes(self.amat & ~self.amat.T)) < self.p

    def directed_edges(self) -> list[Edge]:
        """Pairs (i, j) with i -> j, ascending."""
        return _pairs(self.amat & ~self.amat.T)

    def undirected_edges(self) -> list[Edge]:
        """Pairs (i, j) with i - j and i < j, ascending."""
        return _pairs(np.triu(self.amat & self.amat.T))

    def edges(self) -> list[Edge]:
        """Directed and undirected edges together, ascending; `mark` tells them apart."""
        return sorted(self.directed_edges() + self.undirected_edges())

    def parents(self, j: int) -> tuple[int, ...]:
        """Nodes i with i -> j, ascending."""
        return _nodes(self.amat[:, j] & ~self.amat[j])

    def children(self, i: int) -> tuple[int, ...]:
        """Nodes j with i -> j, ascending."""
        return _nodes(self.amat[i] & ~self.amat[:, i])

    def neighbors(self, i: int) -> tuple[int, ...]:
        """Nodes j with i - j, ascending."""
        return _nodes(self.amat[i] & self.amat[:, i])

    def adjacent(self, i: int) -> tuple[int, ...]:
        """Nodes joined to i by any edge, ascending."""
        return _nodes(self.skeleton[i])

    def mark(self, i: int, j: int) -> Mark:
        """State of the pair: "forward" is i -> j, "backward" is j -> i."""
        if self.amat[i, j]:
            return "undirected" if self.amat[j, i] else "forward"
        return "backward" if self.amat[j, i] else "none"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PDAG):
            return NotImplemented
        return np.array_equal(self.amat, other.amat)

    def __hash__(self) -> int:
        return hash((self.p, np.packbits(self.amat).tobytes()))

    def __reduce__(self) -> tuple:
        # Pickling an array forgets that it was read-only; building anew does not.
        return PDAG, (np.array(self.amat),)

    def __repr__(self) -> str:
        edges = self.edges()
        shown = [f"{i}-{j}" if self.amat[j, i] else f"{i}->{j}" for i, j in edges[:SHOWN_EDGES]]
        rest = len(edges) - len(shown)
        text = ", ".join(shown) + (f", and {rest} more" if rest else "")
        return f"PDAG(p={self.p}: {text or 'no edges'})"


class Extension(NamedTuple):
    """A DAG made from a PDAG.

    Attributes
    ----------
    dag : PDAG
    valid : bool
        True if `dag` keeps every arrow and has exactly the v-structures of the PDAG; False if no such DAG exists and
        `dag` is only a stand-in.
    """

    dag: PDAG
    valid: bool


def v_structures(pdag: PDAG) -> list[tuple[int, int, int]]:
    """Triples (i, k, j), i < j, with i -> k <- j and i, j not adjacent; ascending."""
    triples = [
        (int(parents[a]), k, int(parents[b]))
        for k, parents, unshielded in _colliders(pdag)
        for a, b in np.argwhere(np.triu(unshielded))
    ]
    return sorted(triples)


def closure(pdag: PDAG, *, record: Record | None = None, far: bool = False) -> PDAG:
    """Orient all that Meek's rules R1 to R4 imply.

    Each sweep judges every undirected edge on the same graph, then orients those with exactly one implied direction.
    An edge with both directions implied stays undirected.

    Parameters
    ----------
    pdag : PDAG
    record : callable, optional
        ``record(i, j, rule, witnesses)``, called once per orientation i -> j in the order made, with the rule
        ("R1" ... "R4", the first that applies) and the nodes that imply it; then once, as rule "conflict", per edge
        i < j left undirected although a sweep implied both directions, with the witnesses of both.
    far : bool, default False
        Rule R2 takes a directed path of any length from i to j, not of two arrows only. That changes nothing where the
        orientations agree with one another, and else keeps more of them free of cycles.

    Returns
    -------
    PDAG

    Notes
    -----
    The result does not depend on the order of the nodes. On the v-structures of a DAG it is the DAG's CPDAG, and with
    true orientations added it is maximally oriented [1]_.

    References
    ----------
    .. [1] Meek (1995), Causal inference and causal explanation with background knowledge. UAI, theorems 3 and 4.

    Examples
    --------
    >>> closure(PDAG.from_edges(3, directed=[(0, 1)], undirected=[(1, 2)]))
    PDAG(p=3: 0->1, 1->2)
    """
    closed, log = _closed(pdag.amat, far)
    if record is not None:
        for i, j, rule, *witnesses in log.tolist():
            record(i, j, RULES[rule], tuple(k for k in witnesses if k >= 0))
    return PDAG(closed)


def cpdag(dag: PDAG) -> PDAG:
    """The CPDAG of a DAG: an edge is directed iff it points the same way in every equivalent DAG.

    Raises
    ------
    ParameterError
        If `dag` has an undirected edge or a directed cycle.

    Examples
    --------
    >>> cpdag(PDAG.from_edges(3, directed=[(0, 1), (1, 2)]))
    PDAG(p=3: 0-1, 1-2)
    """
    check_dag(dag)
    amat = dag.skeleton.copy()
    for k, parents, unshielded in _colliders(dag):
        amat[k, parents[unshielded.any(axis=1)]] = False
    return PDAG(_closed(amat)[0])


def consistent_extension(pdag: PDAG) -> Extension:
    """A DAG with the skeleton, arrows and v-structures of `pdag`, if there is one.

    Of several possible sinks the smallest is taken. If there is no such DAG the stand-in keeps what was oriented so
    far, then every arrow that closes no cycle with smaller ones (so each cycle loses its largest edge), and orients the
    other edges in index order without closing a cycle.

    Notes
    -----
    `valid` is True iff a consistent extension exists [1]_, also when nothing is undirected: then it says "acyclic".
    The DAG depends on the order of the nodes, its validity does not.

    References
    ----------
    .. [1] Dor and Tarsi (1992), A simple algorithm to construct a consistent extension of a partially oriented graph.
       Technical report R-185, UCLA.
    """
    amat, removed = _peel_sinks(pdag)
    if removed.all():
        return Extension(PDAG(amat), True)
    return Extension(_acyclic(PDAG(amat)), False)


def dags_of_class(cpdag: PDAG, cap: int = 10_000) -> list[PDAG]:
    """Every DAG that `cpdag` stands for: same skeleton, same v-structures, no arrow reversed.

    Parameters
    ----------
    cpdag : PDAG
        A CPDAG, or any PDAG that has a consistent extension.
    cap : int, default 10000
        Most members to list.

    Returns
    -------
    list of PDAG
        Distinct, in a fixed order.

    Raises
    ------
    ParameterError
        If there are more than `cap` members, or none.

    Notes
    -----
    Branches on an undirected edge and closes each branch under Meek's rules, so that no branch is in vain (Meek 1995,
    theorem 4).
    """
    if not consistent_extension(cpdag).valid:
        raise ParameterError("the graph must have a consistent extension, but no DAG has its arrows and v-structures")
    members: list[PDAG] = []
    stack = [_closed(cpdag.amat)[0]]
    while stack:
        amat = stack.pop()
        undirected = np.argwhere(amat & amat.T)
        if not len(undirected):
            members.append(PDAG(amat))
        else:
            i, j = undirected[0]
            for parent, child in ((j, i), (i, j)):
                branch = amat.copy()
                branch[child, parent] = False
                stack.append(_closed(branch)[0])
        if len(members) + len(stack) > cap:  # each branch holds at least one member
            raise ParameterError(f"the class has more than {cap} members; raise the cap or count fewer variables")
    return members


def skeleton_graph(pdag: PDAG) -> PDAG:
    """The same adjacencies, all undirected."""
    return PDAG(pdag.skeleton)


def topological_order(dag: PDAG) -> tuple[int, ...]:
    """Nodes with every parent before its children; of several choices the smallest first.

    Raises
    ------
    ParameterError
        If `dag` has an undirected edge or a directed cycle.
    """
    check_dag(dag)
    return tuple(_sorted_nodes(dag.amat))


def ancestors(pdag: PDAG) -> np.ndarray:
    """(p, p) bool: entry (i, j) is True iff a path of one or more arrows leads from i to j.

    The diagonal is True only for nodes on a directed cycle.
    """
    reach = pdag.amat & ~pdag.amat.T
    for k in range(pdag.p):
        reach[reach[:, k]] |= reach[k]
    return reach


def markov_blanket(pdag: PDAG, i: int) -> tuple[int, ...]:
    """Nodes adjacent to i and the other parents of its children, ascending; the same in a DAG and in its CPDAG."""
    blanket = pdag.skeleton[i].copy()
    for child in pdag.children(i):
        blanket[list(pdag.parents(child))] = True
    blanket[i] = False
    return _nodes(blanket)


def _closed(amat: np.ndarray, far: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The kernel's answer: the closed matrix and the log of what was oriented."""
    rows, adjacent = np.nonzero(amat | amat.T)
    begin = np.searchsorted(rows, np.arange(len(amat) + 1))
    return close(_frozen(np.array(amat)), _frozen(begin), _frozen(adjacent), far)


def _colliders(pdag: PDAG) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """For each node k in the middle of a v-structure: its parents and which pairs of them are not adjacent."""
    into = np.ascontiguousarray((pdag.amat & ~pdag.amat.T).T)
    for k in np.flatnonzero(into.sum(axis=1) > 1):
        parents = np.flatnonzero(into[k])
        unshielded = ~pdag.skeleton[np.ix_(parents, parents)]
        np.fill_diagonal(unshielded, False)
        if unshielded.any():
            yield int(k), parents, unshielded


def _peel_sinks(pdag: PDAG) -> tuple[np.ndarray, np.ndarray]:
    """Dor and Tarsi: take sinks away one by one, pointing their undirected edges at them; and which nodes went."""
    amat = np.array(pdag.amat)
    adjacent, neighbors, children = (
        [set(row) for row in rows_of(mask)] for mask in (pdag.skeleton, amat & amat.T, amat & ~amat.T)
    )

    def is_sink(j: int) -> bool:
        return not children[j] and all(adjacent[j] - {i} <= adjacent[i] for i in neighbors[j])

    # Taking a node away can only make others sinks, so each node is queued once.
    queued = np.array([is_sink(j) for j in range(pdag.p)], dtype=bool)
    removed = np.zeros(pdag.p, dtype=bool)
    sinks = np.flatnonzero(queued).tolist()
    while sinks:
        j = heappop(sinks)
        removed[j] = True
        amat[j, list(neighbors[j])] = False
        for i in adjacent[j]:
            adjacent[i].discard(j)
            neighbors[i].discard(j)
            children[i].discard(j)
        for i in adjacent[j]:
            if not queued[i] and is_sink(i):
                queued[i] = True
                heappush(sinks, i)
    return amat, removed


def _acyclic(pdag: PDAG) -> PDAG:
    """Arrows in ascending order unless they close a cycle, then undirected edges whichever way does not."""
    amat = np.zeros_like(pdag.amat)
    reach = np.eye(pdag.p, dtype=bool)
    for edges, reversible in ((pdag.directed_edges(), False), (pdag.undirected_edges(), True)):
        for i, j in edges:
            if reach[j, i]:
                if not reversible:
                    continue
                i, j = j, i
            amat[i, j] = True
            reach[reach[:, i]] |= reach[j]
    return PDAG(amat)


def _sorted_nodes(directed: np.ndarray) -> list[int]:
    """Topological order over arrows alone, smallest first; nodes on or behind a cycle are missing."""
    waiting = directed.sum(axis=0).tolist()
    children = rows_of(directed)
    ready = [j for j, n in enumerate(waiting) if n == 0]  # ascending, hence a heap
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
    if not dag.is_dag:
        found = "a directed cycle" if dag.has_directed_cycle() else "undirected edges"
        raise ParameterError(f"the graph must be a DAG, but it has {found}; extend or orient it first")


def _pairs(matrix: np.ndarray) -> list[Edge]:
    rows, columns = np.nonzero(matrix)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def rows_of(mask: np.ndarray) -> list[list[int]]:
    """For each row of a matrix the columns where it is True, ascending."""
    columns, ends = np.nonzero(mask)[1].tolist(), mask.sum(axis=1).cumsum().tolist()
    return [columns[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def _nodes(mask: np.ndarray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(mask).tolist())


def _frozen(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
