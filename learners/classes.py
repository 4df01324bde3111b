"""How many DAGs a CPDAG stands for, and in how many of them each edge points which way, without listing them."""

from __future__ import annotations

import math

import numpy as np

from .graph import PDAG, closure

Counts = tuple[int, dict[tuple[int, int], int]]  # members, and members with i -> j for each undirected edge both ways


def class_size(pdag: PDAG) -> int:
    """Number of DAGs of the equivalence class of a CPDAG.

    Examples
    --------
    >>> class_size(PDAG.complete(4)), class_size(PDAG.from_edges(3, undirected=[(0, 1), (1, 2)]))
    (24, 3)
    """
    return math.prod(_counts(pdag.amat & pdag.amat.T, part)[0] for part in _components(pdag.amat & pdag.amat.T))


def direction_shares(pdag: PDAG) -> np.ndarray:
    """(p, p) float64: the share of the DAGs of a CPDAG's class in which i -> j.

    Notes
    -----
    Each chain component is directed on its own. One of its nodes is the only source; with it chosen, Meek's rules
    direct some edges and leave smaller components, which are counted in the same way (He, Jia and Yu 2015, Counting and
    exploring sizes of Markov equivalence classes of directed acyclic graphs, JMLR 16).
    """
    shares = (pdag.amat & ~pdag.amat.T).astype(np.float64)
    lines = pdag.amat & pdag.amat.T
    for part in _components(lines):
        size, forward = _counts(lines, part)
        for (i, j), n in forward.items():
            shares[i, j] = n / size
    return shares


def _counts(lines: np.ndarray, part: list[int]) -> Counts:
    """Counts of one connected chordal component."""
    amat = lines[np.ix_(part, part)]
    size, forward = _chordal(amat, {})
    return size, {(part[i], part[j]): n for (i, j), n in forward.items()}


def _chordal(amat: np.ndarray, known: dict[bytes, Counts]) -> Counts:
    m = len(amat)
    edges = [(int(i), int(j)) for i, j in np.argwhere(amat)]
    if len(edges) == m * (m - 1):  # complete: every order of the nodes, and each edge either way in half of them
        size = math.factorial(m)
        return size, dict.fromkeys(edges, size // 2)
    if len(edges) == 2 * (m - 1):
        return m, _of_tree(amat, edges)
    key = np.packbits(amat).tobytes() + m.to_bytes(4, "big")
    if key not in known:
        known[key] = _by_source(amat, edges, known)
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


def _by_source(amat: np.ndarray, edges: list[tuple[int, int]], known: dict[bytes, Counts]) -> Counts:
    total, forward = 0, dict.fromkeys(edges, 0)
    for source in range(len(amat)):
        rooted = amat.copy()
        rooted[:, source] = False
        rooted = closure(PDAG(rooted)).amat
        lines = rooted & rooted.T
        parts = [(part, *_chordal(lines[np.ix_(part, part)], known)) for part in _components(lines)]
        size = math.prod(n for _, n, _ in parts)
        total += size
        for i, j in np.argwhere(rooted & ~rooted.T).tolist():
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
