"""The leaf of a tree of calls: its edges, pointed as in a DAG that can be scored. Arrays as in `autonomy`."""

import numpy as np

from ..compiling import kernel

ARROW, LINE, TURNED = 0, 1, 2  # an arrow of the graph, an undirected edge, an arrow that the DAG turns


@kernel
def leaf_edges(nodes, inside, amat):
    """(edges, kinds, valid): the edges into the group, in numbers of the data.

    `edges` (e, 2) int32 are parent and child in the DAG, sorted by child, then parent; `kinds` (e,) uint8 what each is
    in the graph. Not `valid`: no DAG has the arrows and v-structures of the graph, and a stand-in is told.
    """
    dag, valid = extend(inside, amat)
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
    return edges, kinds, valid


@kernel
def extend(inside, amat):
    """(dag, valid): sinks of the group are taken away one by one, lines pointed at them; Dor and Tarsi (1992).

    Where that gets stuck, arrows are kept in ascending order, but turned where they close a cycle, then lines are
    pointed.
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
            return without_cycles(dag), False
        left[sink] = False
        n_left -= 1
        for i in range(m):
            if dag[i, sink] and dag[sink, i]:
                dag[sink, i] = False
    return dag, True


@kernel
def is_sink(amat, inside, left, j):
    """Whether no arrow leaves j, and each line there ends in a node joined to all others around j."""
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
def without_cycles(amat):
    """Arrows in ascending order, turned if they close a cycle with those before, then lines, as closes none."""
    m = amat.shape[0]
    dag = np.zeros((m, m), np.bool_)
    reach = np.eye(m, dtype=np.bool_)
    for lines in range(2):
        for i in range(m):
            for j in range(m):
                line = amat[i, j] and amat[j, i]
                if not amat[i, j] or line != (lines == 1) or (line and i > j):
                    continue
                a, b = i, j
                if reach[j, i]:
                    a, b = j, i
                dag[a, b] = True
                for k in range(m):
                    if reach[k, a]:
                        reach[k] |= reach[b]
    return dag
