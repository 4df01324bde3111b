"""Horizontal positions in a layered drawing: near the mean of the neighbours, in the order of each row."""

import numpy as np

from ..compiling import kernel


@kernel
def place_rows(order, begin, offsets, joined_begin, joined, pulls, weights, sweeps):
    """Return the (n,) float64 x of each node and bend point, after sweeps down and up by turns.

    Parameters
    ----------
    order, begin
        Nodes row by row; see `rows`.
    offsets : (n,) float64 array
        For each place in `order`, the least distance from the first node of its row.
    joined_begin : (n + 1,) int64 array
        The neighbours of node i are ``joined[joined_begin[i] : joined_begin[i + 1]]``.
    joined : (m,) int64 array
    pulls : (m,) float64 array
        Weight of each neighbour.
    weights : (n,) float64 array
        Weight of each node in its row.
    sweeps : int
    """
    x, n_rows = np.empty(order.shape[0]), begin.shape[0] - 1
    for row in range(n_rows):
        first, last = begin[row], begin[row + 1]
        for k in range(first, last):
            x[order[k]] = offsets[k] - offsets[last - 1] / 2
    wish = np.empty(order.shape[0])
    for sweep in range(sweeps):
        for step in range(n_rows):
            row = step if sweep % 2 == 0 else n_rows - 1 - step
            first, last = begin[row], begin[row + 1]
            for k in range(first, last):
                wish[k] = _pulled(order[k], x, joined_begin, joined, pulls) - offsets[k]
            _place_increasing(order[first:last], wish[first:last], offsets[first:last], weights, x)
    return x


@kernel
def _pulled(i, x, joined_begin, joined, pulls):
    """Return the weighted mean position of the neighbours of a node; without neighbours, its own position.

    Parameters
    ----------
    i : int
        The node.
    x : (n,) float64 array
    joined_begin, joined, pulls
        See `place_rows`.
    """
    total = weight = 0.0
    for m in range(joined_begin[i], joined_begin[i + 1]):
        total += x[joined[m]] * pulls[m]
        weight += pulls[m]
    return x[i] if weight == 0 else total / weight


@kernel
def _place_increasing(nodes, wish, offsets, weights, x):
    """Place the nodes of a row by the weighted isotonic regression of `wish`, pooling adjacent violators.

    Parameters
    ----------
    nodes : (r,) int64 array
    wish, offsets : (r,) float64 array
        Wanted position less the offset, and the offset.
    weights, x : (n,) float64 array
        `x` is changed.
    """
    value, load, length = np.empty(nodes.shape[0]), np.empty(nodes.shape[0]), np.empty(nodes.shape[0], np.int64)
    n = 0
    for k in range(nodes.shape[0]):
        value[n], load[n], length[n] = wish[k], weights[nodes[k]], 1
        n += 1
        while n > 1 and value[n - 2] > value[n - 1]:
            n -= 1
            both = load[n - 1] + load[n]
            value[n - 1] = (value[n - 1] * load[n - 1] + value[n] * load[n]) / both
            load[n - 1] = both
            length[n - 1] += length[n]
    k = 0
    for block in range(n):
        for _ in range(length[block]):
            x[nodes[k]] = value[block] + offsets[k]
            k += 1
