"""Closure of a partially directed graph under Meek's four rules, sweep by sweep.

Meek (1995), Causal inference and causal explanation with background knowledge. UAI, figure 1.
"""

import numpy as np

from ..compiling import kernel

CONFLICT = 5  # rule number of an edge left undirected because both directions were implied


@kernel
def close(amat, begin, adjacent, far, stop):
    """Orient what Meek's rules imply, all edges of a sweep at once.

    Parameters
    ----------
    amat : (p, p) bool array
        ``i -> j`` iff ``amat[i, j] and not amat[j, i]``; both set is undirected.
    begin, adjacent : (p + 1,) and (2 n_edges,) int64 arrays
        Nodes adjacent to i, ascending: ``adjacent[begin[i]:begin[i + 1]]``.
    far : bool
        True: rule R2 takes directed paths of any length.
    stop : (1,) int8 array
        Once it is set the kernel returns early, with fewer orientations.

    Returns
    -------
    closed : (p, p) bool array
    log : (m, 7) int64 array
        One row ``i, j, rule, w0, w1, w2, w3`` for each orientation i -> j in the order made, rule 1 .. 4; then one for
        each edge i < j left undirected in spite of evidence for both directions, rule `CONFLICT`. Absent witnesses are
        -1.
    """
    closed = amat.copy()
    return closed, close_in_place(closed, begin, adjacent, far, stop)


@kernel
def close_in_place(closed, begin, adjacent, far, stop):
    """Orient in `closed` (p, p) what Meek's rules imply; return the log.

    Parameters
    ----------
    closed : (p, p) bool array
        The graph; updated.
    begin, adjacent, far, stop
        As in `close`.
    """
    edges = _undirected(closed, begin, adjacent)
    log = np.full((len(edges), 7), -1, dtype=np.int64)
    disputed = np.full((len(edges), 7), -1, dtype=np.int64)  # row e: the latest conflict over edge e
    stale = np.ones(len(closed), dtype=np.bool_)
    n_before, n_log = -1, 0
    while n_before < n_log and not stop[0]:
        n_before = n_log
        n_log = _sweep(closed, begin, adjacent, edges, stale, disputed, log, n_log, far, stop)
        # A path may lead anywhere, so one new arrow concerns all edges.
        stale[:] = far
        for e in range(n_before, n_log):
            closed[log[e, 1], log[e, 0]] = False
            _mark_stale(stale, closed, begin, adjacent, log[e, 0], log[e, 1])
    for e in range(len(edges)):
        if disputed[e, 2] == CONFLICT and closed[edges[e, 0], edges[e, 1]] and closed[edges[e, 1], edges[e, 0]]:
            log[n_log] = disputed[e]
            n_log += 1
    return log[:n_log]


@kernel
def _sweep(amat, begin, adjacent, edges, stale, disputed, log, n_log, far, stop):
    """Judge the undirected edges near a change without modifying the graph; return the new length of `log`.

    Parameters
    ----------
    amat, begin, adjacent, far, stop
        As in `close`.
    edges : (m, 2) int64 array
        The edges that were undirected at the start.
    stale : (p,) bool array
        Nodes near a change.
    disputed : (m, 7) int64 array
        Row e: the last conflict over edge e.
    log : (m, 7) int64 array
    n_log : int
        Rows of `log` that are filled.
    """
    for e in range(len(edges)):
        if stop[0]:
            break
        i, j = edges[e, 0], edges[e, 1]
        # Only what is near the ends implies a direction: if nothing changed there, the verdict is the same.
        if not (stale[i] or stale[j]) or not (amat[i, j] and amat[j, i]):
            continue
        forward, a, b = _implied(amat, begin, adjacent, i, j, far)
        backward, c, d = _implied(amat, begin, adjacent, j, i, far)
        if forward and backward:
            _write(disputed[e], i, j, CONFLICT, a, b)
            disputed[e, 5], disputed[e, 6] = c, d
        elif forward:
            _write(log[n_log], i, j, forward, a, b)
            n_log += 1
        elif backward:
            _write(log[n_log], j, i, backward, c, d)
            n_log += 1
    return n_log


@kernel
def _undirected(amat, begin, adjacent):
    """Return the undirected edges i < j in ascending order, (m, 2)."""
    edges = np.empty((len(adjacent) // 2, 2), dtype=np.int64)
    n = 0
    for i in range(len(amat)):
        for j in adjacent[begin[i] : begin[i + 1]]:
            if i < j and amat[i, j] and amat[j, i]:
                edges[n, 0], edges[n, 1] = i, j
                n += 1
    return edges[:n]


@kernel
def _implied(amat, begin, adjacent, i, j, far):
    """Return (rule, witness, witness) of the first of Meek's rules that orients i - j as i -> j; rule 0 if none does.

    Parameters
    ----------
    amat, begin, adjacent, far
        As in `close`.
    i, j : int
    """
    near_i = adjacent[begin[i] : begin[i + 1]]
    near_j = adjacent[begin[j] : begin[j + 1]]
    for k in near_i:  # R1: k -> i, k and j not adjacent
        if not amat[i, k] and k != j and not amat[k, j] and not amat[j, k]:
            return 1, k, -1
    for k in near_j:  # R2: i -> k -> j
        if not amat[j, k] and amat[i, k] and not amat[k, i]:
            return 2, k, -1
    if far:
        k = _last_before(amat, begin, adjacent, i, j)
        if k >= 0:
            return 2, k, -1
    for k in near_j:  # R3: i - k -> j and i - l -> j, k and l not adjacent
        if amat[j, k] or not (amat[i, k] and amat[k, i]):
            continue
        for l in near_j:
            if l > k and not amat[j, l] and amat[i, l] and amat[l, i] and not amat[k, l] and not amat[l, k]:
                return 3, k, l
    for l in near_j:  # R4: i - k -> l -> j, i adjacent to l, k and j not adjacent
        if amat[j, l] or l == i or not (amat[i, l] or amat[l, i]):
            continue
        for k in adjacent[begin[l] : begin[l + 1]]:
            if not amat[l, k] and amat[i, k] and amat[k, i] and k != j and not amat[k, j] and not amat[j, k]:
                return 4, k, l
    return 0, -1, -1


@kernel
def _last_before(amat, begin, adjacent, i, j):
    """Return the node before j on a directed path from i to j; -1 if there is no path.

    Parameters
    ----------
    amat, begin, adjacent
        As in `close`.
    i, j : int
    """
    seen = np.zeros(len(amat), dtype=np.bool_)
    todo = np.empty(len(amat), dtype=np.int64)
    todo[0], n = i, 1
    seen[i] = True
    while n:
        n -= 1
        v = todo[n]
        for k in adjacent[begin[v] : begin[v + 1]]:
            if amat[v, k] and not amat[k, v]:
                if k == j:
                    return v
                if not seen[k]:
                    seen[k] = True
                    todo[n] = k
                    n += 1
    return -1


@kernel
def _mark_stale(stale, amat, begin, adjacent, i, j):
    """Mark an end of every edge whose verdict the new arrow i -> j may change.

    In R1 the arrow points at the edge; in the other rules it forms a triangle with one of the edge's ends.

    Parameters
    ----------
    stale : (p,) bool array
    amat, begin, adjacent
        As in `close`.
    i, j : int
    """
    stale[j] = True
    for k in adjacent[begin[i] : begin[i + 1]]:
        if amat[k, j] or amat[j, k]:
            stale[k] = True


@kernel
def _write(row, i, j, rule, a, b):
    """Write an orientation i -> j by `rule`, with the witnesses a and b, to a row of the log.

    Parameters
    ----------
    row : (7,) int64 array
    i, j, rule, a, b : int
    """
    row[:] = -1
    row[0], row[1], row[2], row[3], row[4] = i, j, rule, a, b
