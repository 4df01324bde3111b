"""How many DAGs a CPDAG stands for, and in how many of them each edge points which way, without listing them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from .cpdags import closure
from .graph import PDAG

Counts = tuple[int, dict[tuple[int, int], int]]  # members, and members with i -> j for each undirected edge both ways


def class_size(pdag: PDAG) -> int:
    """Number of DAGs that a CPDAG stands for; known directions beside it leave fewer.

    Parameters
    ----------
    pdag : PDAG
        A CPDAG, or one with further arrows, closed under Meek's rules.

    Examples
    --------
    >>> class_size(PDAG.complete(4)), class_size(PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    (24, 3)
    """
    known: dict[bytes, Counts] = {}
    return math.prod(_within(pdag.amat, part, known)[0] for part in _components(pdag.amat & pdag.amat.T))


def direction_shares(pdag: PDAG) -> np.ndarray:
    """(p, p) float64: the share of the DAGs counted by `class_size` in which i -> j.

    Notes
    -----
    Nodes that undirected edges join are directed apart from all others. Where no arrow is among them, one of them is
    the only source; with it chosen, Meek's rules direct some edges and leave smaller components, which are counted in
    the same way (He, Jia and Yu 2015, Counting and exploring sizes of Markov equivalence classes of directed acyclic
    graphs, JMLR 16). Else an edge is tried both ways.
    """
    shares = (pdag.amat & ~pdag.amat.T).astype(np.float64)
    known: dict[bytes, Counts] = {}
    for part in _components(pdag.amat & pdag.amat.T):
        size, forward = _within(pdag.amat, part, known)
        for (i, j), n in forward.items():
            shares[part[i], part[j]] = n / size
    return shares


def _within(amat: np.ndarray, part: list[int], known: dict[bytes, Counts]) -> Counts:
    """Counts of the nodes of one component, numbered anew."""
    amat = amat[np.ix_(part, part)]
    m = len(amat)
    edges = [(int(i), int(j)) for i, j in np.argwhere(amat & amat.T)]
    plain = bool((amat == amat.T).all())
    if plain and len(edges) == m * (m - 1):  # complete: every order of the nodes, and each edge either way in half
        size = math.factorial(m)
        return size, dict.fromkeys(edges, size // 2)
    if plain and len(edges) == 2 * (m - 1):
        return m, _of_tree(amat, edges)
    key = np.packbits(amat).tobytes() + m.to_bytes(4, "big")
    if key not in known:
        known[key] = _summed(_by_source(amat) if plain else _by_edge(amat, *edges[0]), edges, known)
    return known[key]


def _of_tree(amat: np.ndarray, edges: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """In a tree i -> j iff the source is on i's side: as many members as there are nodes on that side."""
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
    """The graphs that have each node as the only source."""
    for source in range(len(amat)):
        rooted = amat.copy()
        rooted[:, source] = False
        yield closure(PDAG(rooted)).amat


def _by_edge(amat: np.ndarray, i: int, j: int) -> Iterator[np.ndarray]:
    """The graphs that have an edge either way."""
    for parent, child in ((i, j), (j, i)):
        pointed = amat.copy()
        pointed[child, parent] = False
        yield closure(PDAG(pointed)).amat


def _summed(cases: Iterable[np.ndarray], edges: list[tuple[int, int]], known: dict[bytes, Counts]) -> Counts:
    """Counts over graphs that share out the members."""
    total, forward = 0, dict.fromkeys(edges, 0)
    for amat in cases:
        parts = [(part, *_within(amat, part, known)) for part in _components(amat & amat.T)]
        size = math.prod(n for _, n, _ in parts)
        total += size
        for i, j in edges:
            if not amat[j, i]:
                forward[i, j] += size
        for part, n, counts in parts:
            for (i, j), share in counts.items():
                forward[part[i], part[j]] += share * (size // n)
    return total, forward


def _components(lines: np.ndarray) -> list[list[int]]:
    """Connected components of more than one node."""
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
