"""Leaves of a tree of calls: extension to a DAG, and scores.

Arguments are as in `refinement`.
"""

import numpy as np

from ..compiling import kernel
from ..scores.families import local_score

ARROW, LINE, TURNED = 0, 1, 2  # arrow, undirected edge, arrow that the DAG reverses
DIRECTED, REQUIRED, ARROWS, LINES = 1, 2, 3, 4  # turns of `without_cycles`; the first two mark known edges


@kernel
def leaf_edges(nodes, inside, amat, known):
    """Return (edges, kinds, valid) of the edges into the group; nodes have the indices of the data.

    `edges` (e, 2) int32 are parent and child in the DAG, sorted by child, then parent. `kinds` (e,) uint8 are their
    marks in the graph: `ARROW`, `LINE` or `TURNED`. If `valid` is False, no consistent extension exists, and the DAG
    only approximates one; edges that it lacks are left out.

    Parameters
    ----------
    nodes, inside, amat
        As in `refinement`.
    known : (m, m) int8 array
        `REQUIRED` for a required edge i -> j, `DIRECTED` for another known direction, 0 otherwise.
    """
    dag, valid = extend_group(inside, amat, known)
    m = nodes.shape[0]
    n = 0
    for i in range(m):
        for j in range(m):
            n += amat[i, j] and (i < j or not amat[j, i])
    edges, kinds = np.empty((n, 2), np.int32), np.empty(n, np.uint8)
    n = 0
    for j in range(m):
        for i in range(m):
            if not (amat[i, j] or amat[j, i]):
                continue
            line = amat[i, j] and amat[j, i]
            if dag[i, j]:
                edges[n, 0], edges[n, 1] = nodes[i], nodes[j]
                kinds[n] = LINE if line else ARROW if amat[i, j] else TURNED
                n += 1
    return edges[:n], kinds[:n], valid


@kernel
def extend_group(inside, amat, known):
    """Return (dag, valid): remove sinks of the group one by one and orient undirected edges into them.

    Dor and Tarsi (1992). If no sink is left, the DAG is that of `without_cycles`.

    Parameters
    ----------
    inside, amat
        As in `refinement`.
    known
        As in `leaf_edges`.
    """
    m = inside.shape[0]
    dag, left = amat.copy(), inside.copy()
    n_left = inside.sum()
    while n_left:
        sink = -1
        for j in range(m):
            if left[j] and is_sink(dag, inside, left, j):
                sink = j
                break
        if sink < 0:
            return without_cycles(dag, known), False
        left[sink] = False
        n_left -= 1
        for i in range(m):
            if dag[i, sink] and dag[sink, i]:
                dag[sink, i] = False
    return dag, True


@kernel
def is_sink(amat, inside, left, j):
    """Return True if j has no child left and each undirected neighbor is adjacent to all other nodes around j.

    Parameters
    ----------
    amat, inside
        As in `refinement`.
    left : (m,) bool array
        Nodes that are not removed.
    j : int
    """
    m = inside.shape[0]
    for i in range(m):
        if amat[j, i] and left[i]:
            if not amat[i, j]:
                return False
            for k in range(m):
                around = amat[k, j] and (left[k] or not inside[k])
                if around and k != i and not (amat[i, k] or amat[k, i]):
                    return False
    return True


@kernel
def without_cycles(amat, known):
    """Return a DAG of the known arrows, the required ones first, then the other arrows, then the undirected edges.

    An edge that would close a cycle is reversed; a known one is left out instead. Required edges never close one.

    Parameters
    ----------
    amat
        As in `refinement`.
    known
        As in `leaf_edges`.
    """
    m = amat.shape[0]
    dag = np.zeros((m, m), np.bool_)
    reach = np.eye(m, dtype=np.bool_)
    for turn in (REQUIRED, DIRECTED, ARROWS, LINES):
        for i in range(m):
            for j in range(m):
                line = amat[i, j] and amat[j, i]
                if not amat[i, j] or (line and i > j):
                    continue
                if turn != (LINES if line else known[i, j] if known[i, j] else ARROWS):
                    continue
                a, b = i, j
                if reach[j, i]:
                    if turn in (REQUIRED, DIRECTED):
                        continue
                    a, b = j, i
                dag[a, b] = True
                for k in range(m):
                    if reach[k, a]:
                        reach[k] |= reach[b]
    return dag


@kernel
def score_leaves(sample, cache, node_begin, nodes, edge_begin, edges, leaves, scores):
    """Sum the local scores of each leaf's nodes.

    Parameters
    ----------
    sample : families of a score
    cache : FamilyCache
        With room for a score for each node.
    node_begin, nodes : int64 and int32 arrays
        Leaf l has the nodes ``nodes[node_begin[l]:node_begin[l + 1]]``.
    edge_begin, edges : int64 and (e, 2) int32 arrays
        Its edges, likewise.
    leaves : int64 array
        Leaves that are scored.
    scores : float64 array
        Filled at the numbers of the leaves.
    """
    for l in leaves:
        total = 0.0
        for t in range(node_begin[l], node_begin[l + 1]):
            n = 0
            for e in range(edge_begin[l], edge_begin[l + 1]):
                n += edges[e, 1] == nodes[t]
            parents = np.empty(n, np.int64)
            n = 0
            for e in range(edge_begin[l], edge_begin[l + 1]):
                if edges[e, 1] == nodes[t]:
                    parents[n] = edges[e, 0]
                    n += 1
            parents.sort()
            total += local_score(sample, cache, np.int64(nodes[t]), parents)
        scores[l] = total
