"""Equivalence classes: the number of DAGs of a CPDAG, the shares of directions, and the DAGs themselves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from ..common.errors import ParameterError
from ..common.validation import validated
from .consistent_extension import consistent_extension
from .graph import PDAG
from .meek_closure import close_adjacencies, closure

Counts = tuple[int, dict[tuple[int, int], int]]  # number of members, and of those with i -> j, per undirected edge


def class_size(pdag: PDAG) -> int:
    """Return the number of DAGs that a CPDAG represents; additional arrows reduce it.

    Parameters
    ----------
    pdag : PDAG
        A CPDAG, or a CPDAG with additional arrows, closed under Meek's rules.

    Examples
    --------
    >>> class_size(PDAG.complete(4)), class_size(PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    (24, 3)
    """
    known: dict[bytes, Counts] = {}
    return math.prod(_within(pdag.amat, part, known)[0] for part in components(pdag.amat & pdag.amat.T))


def direction_shares(pdag: PDAG) -> np.ndarray:
    """Return (p, p) float64: the share of the DAGs counted by `class_size` in which i -> j.

    Notes
    -----
    Components connected by undirected edges are directed independently. If a component has no arrow, one of its nodes
    is the only source; given this node, Meek's rules direct some edges and leave smaller components, which are counted
    in the same way (He, Jia and Yu 2015, Counting and exploring sizes of Markov equivalence classes of directed acyclic
    graphs, JMLR 16). Otherwise both directions of an edge are tried.
    """
    shares = (pdag.amat & ~pdag.amat.T).astype(np.float64)
    known: dict[bytes, Counts] = {}
    for part in components(pdag.amat & pdag.amat.T):
        size, forward = _within(pdag.amat, part, known)
        for (i, j), n in forward.items():
            shares[part[i], part[j]] = n / size
    return shares


def _within(amat: np.ndarray, part: list[int], known: dict[bytes, Counts]) -> Counts:
    """Return the counts of the nodes of one component, renumbered."""
    amat = amat[np.ix_(part, part)]
    m = len(amat)
    edges = [(int(i), int(j)) for i, j in np.argwhere(amat & amat.T)]
    plain = bool((amat == amat.T).all())
    if plain and len(edges) == m * (m - 1):  # complete: each order of the nodes is a DAG, and i -> j in half of them
        size = math.factorial(m)
        return size, dict.fromkeys(edges, size // 2)
    if plain and len(edges) == 2 * (m - 1):
        return m, _of_tree(amat, edges)
    key = np.packbits(amat).tobytes() + m.to_bytes(4, "big")
    if key not in known:
        known[key] = _summed(_by_source(amat) if plain else _by_edge(amat, *edges[0]), edges, known)
    return known[key]


def _of_tree(amat: np.ndarray, edges: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """Return the counts of a tree, in which i -> j iff the source is on i's side."""
    order, parent = [0], {0: -1}
    for v in order:
        for k in np.flatnonzero(amat[v]).tolist():
            if k != parent[v]:
                parent[k] = v
                order.append(k)
    below = dict.fromkeys(order, 1)
    for v in reversed(order[1:]):
        below[parent[v]] += below[v]
    m = len(order)
    return {(i, j): below[i] if parent[i] == j else m - below[j] for i, j in edges}


def _by_source(amat: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the graphs that have each node as the only source."""
    for source in range(len(amat)):
        rooted = amat.copy()
        rooted[:, source] = False
        yield closure(PDAG(rooted)).amat


def _by_edge(amat: np.ndarray, i: int, j: int) -> Iterator[np.ndarray]:
    """Yield the graphs with either direction of an edge."""
    for parent, child in ((i, j), (j, i)):
        pointed = amat.copy()
        pointed[child, parent] = False
        yield closure(PDAG(pointed)).amat


def _summed(cases: Iterable[np.ndarray], edges: list[tuple[int, int]], known: dict[bytes, Counts]) -> Counts:
    """Return the counts over graphs that partition the members."""
    total, forward = 0, dict.fromkeys(edges, 0)
    for amat in cases:
        parts = [(part, *_within(amat, part, known)) for part in components(amat & amat.T)]
        size = math.prod(n for _, n, _ in parts)
        total += size
        for i, j in edges:
            if not amat[j, i]:
                forward[i, j] += size
        for part, n, counts in parts:
            for (i, j), share in counts.items():
                forward[part[i], part[j]] += share * (size // n)
    return total, forward


def components(lines: np.ndarray) -> list[list[int]]:
    """Return the connected components with more than one node."""
    left = set(np.flatnonzero(lines.any(axis=1)).tolist())
    parts = []
    while left:
        part, todo = set(), [min(left)]
        while todo:
            v = todo.pop()
            if v not in part:
                part.add(v)
                todo += np.flatnonzero(lines[v]).tolist()
        left -= part
        parts.append(sorted(part))
    return parts


@validated
def dags_of_class(cpdag: PDAG, cap: int = 10_000) -> list[PDAG]:
    """Return every DAG that `cpdag` represents: same skeleton, same v-structures, no arrow reversed.

    Parameters
    ----------
    cpdag : PDAG
        A CPDAG, or any PDAG that has a consistent extension.
    cap : int, default 10000
        Largest number of members.

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
    Branches on an undirected edge and closes each branch under Meek's rules, so that every branch has members (Meek
    1995, theorem 4).
    """
    members = list(islice(each_dag(cpdag), cap + 1))
    if not members:
        raise ParameterError("the graph must have a consistent extension, but no DAG has its arrows and v-structures")
    if len(members) > cap:
        raise ParameterError(f"the class has more than {cap} members; raise the cap or count fewer variables")
    return members


def each_dag(cpdag: PDAG) -> Iterator[PDAG]:
    """Yield the DAGs of `dags_of_class`, if there are any."""
    stack = [close_adjacencies(cpdag.amat)[0]] if consistent_extension(cpdag).valid else []
    while stack:
        amat = stack.pop()
        undirected = np.argwhere(amat & amat.T)
        if not len(undirected):
            yield PDAG(amat)
            continue
        i, j = undirected[0]
        for parent, child in ((j, i), (i, j)):
            branch = amat.copy()
            branch[child, parent] = False
            stack.append(close_adjacencies(branch)[0])


def first_dags(cpdag: PDAG, most: int) -> list[PDAG]:
    """Return the first DAGs of `dags_of_class`, at most `most`, if there are any."""
    return list(islice(each_dag(cpdag), most))
