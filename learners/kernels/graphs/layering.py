"""Layers of the nodes of a directed acyclic graph, by the network simplex method.

Gansner, Koutsofios, North and Vo (1993), A technique for drawing directed graphs, section 2. A tree of edges that span
one layer each determines all layers. A step replaces one edge of the tree.
"""

import numpy as np

from ..compiling import kernel
from .rows import TINY

MAX_STEPS = 50  # maximum number of steps for each edge; the usual number is below one


@kernel
def shortest_layers(p, edges, weights):
    """Return the (p,) int64 layers for which the weighted sum of the spans of edges is smallest, each at least one.

    Parameters
    ----------
    p : int
        Number of nodes of a connected graph.
    edges : (m, 2) int64 array
        Start and end of each edge, without cycles.
    weights : (m,) float64 array
    """
    layer = _longest_paths(p, edges)
    in_tree = _tight_tree(edges, layer)
    net = np.zeros(p)  # weight of the edges that leave a node, less that of those that enter it
    for e in range(edges.shape[0]):
        net[edges[e, 0]] += weights[e]
        net[edges[e, 1]] -= weights[e]
    below = np.zeros(p, np.bool_)
    for _ in range(MAX_STEPS * edges.shape[0]):
        order, tree_edge = _rooted(edges, in_tree, p)
        leaving = _leaving_edge(edges, net, order, tree_edge)
        if leaving < 0:
            break
        _mark_below(edges, order, tree_edge, leaving, below)
        entering, shift = _entering_edge(edges, layer, below, below[edges[leaving, 0]])
        moved_down = not below[edges[leaving, 0]]  # the part with the end of the leaving edge moves down
        for i in range(p):
            layer[i] += shift * (below[i] == moved_down)
        in_tree[leaving], in_tree[entering] = False, True
    return layer - layer.min()


@kernel
def _longest_paths(p, edges):
    """Return the (p,) int64 number of edges of the longest path to each node.

    Parameters
    ----------
    p : int
    edges : (m, 2) int64 array
    """
    layer = np.zeros(p, np.int64)
    for _ in range(p):
        changed = False
        for e in range(edges.shape[0]):
            if layer[edges[e, 1]] <= layer[edges[e, 0]]:
                layer[edges[e, 1]] = layer[edges[e, 0]] + 1
                changed = True
        if not changed:
            break
    return layer


@kernel
def _tight_tree(edges, layer):
    """Return the (m,) bool edges of a spanning tree that span one layer each; layers change in place.

    Parameters
    ----------
    edges : (m, 2) int64 array
    layer : (p,) int64 array
    """
    p = layer.shape[0]
    reached, in_tree = np.zeros(p, np.bool_), np.zeros(edges.shape[0], np.bool_)
    reached[0] = True
    for _ in range(p - 1):
        nearest, least = -1, p * p
        for e in range(edges.shape[0]):
            slack = layer[edges[e, 1]] - layer[edges[e, 0]] - 1
            if reached[edges[e, 0]] != reached[edges[e, 1]] and slack < least:
                nearest, least = e, slack
        shift = least if reached[edges[nearest, 0]] else -least
        for i in range(p):
            layer[i] += shift * reached[i]
        in_tree[nearest] = reached[edges[nearest, 0]] = reached[edges[nearest, 1]] = True
    return in_tree


@kernel
def _rooted(edges, in_tree, p):
    """Return the nodes from the root to the leaves, and the edge from each to its parent, -1 for the root.

    Parameters
    ----------
    edges : (m, 2) int64 array
    in_tree : (m,) bool array
    p : int

    Returns
    -------
    order, tree_edge : (p,) int64 array
    """
    begin = np.zeros(p + 1, np.int64)
    for e in range(edges.shape[0]):
        begin[edges[e, 0] + 1] += in_tree[e]
        begin[edges[e, 1] + 1] += in_tree[e]
    begin = np.cumsum(begin)
    free, near = begin.copy(), np.empty(begin[p], np.int64)
    for e in range(edges.shape[0]):
        if in_tree[e]:
            for k in range(2):
                near[free[edges[e, k]]] = e
                free[edges[e, k]] += 1
    order, tree_edge = np.zeros(p, np.int64), np.full(p, -1)
    n = 1
    for k in range(p):
        i = order[k]
        for e in near[begin[i] : begin[i + 1]]:
            if e != tree_edge[i]:
                order[n] = edges[e, 0] + edges[e, 1] - i
                tree_edge[order[n]] = e
                n += 1
    return order, tree_edge


@kernel
def _leaving_edge(edges, net, order, tree_edge):
    """Return the edge of the tree whose lengthening saves most, or -1 if none saves.

    Parameters
    ----------
    edges : (m, 2) int64 array
    net : (p,) float64 array
        Weight of the edges that leave a node, less that of those that enter it.
    order, tree_edge
        See `_rooted`.
    """
    below = net.copy()  # the same for all nodes below an edge together
    leaving, lowest = -1, -TINY
    for k in range(order.shape[0] - 1, 0, -1):
        i = order[k]
        e = tree_edge[i]
        cut = below[i] if edges[e, 0] == i else -below[i]
        if cut < lowest:
            leaving, lowest = e, cut
        below[edges[e, 0] + edges[e, 1] - i] += below[i]
    return leaving


@kernel
def _mark_below(edges, order, tree_edge, leaving, below):
    """Mark the nodes below an edge of the tree in `below`.

    Parameters
    ----------
    edges : (m, 2) int64 array
    order, tree_edge
        See `_rooted`.
    leaving : int
        The edge.
    below : (p,) bool array
    """
    below[order[0]] = False
    for k in range(1, order.shape[0]):
        i = order[k]
        e = tree_edge[i]
        below[i] = e == leaving or below[edges[e, 0] + edges[e, 1] - i]


@kernel
def _entering_edge(edges, layer, below, start_below):
    """Return the shortest edge from the part with the end of the leaving edge to the other part, and its slack.

    Parameters
    ----------
    edges : (m, 2) int64 array
    layer : (p,) int64 array
    below : (p,) bool array
        The two parts.
    start_below : bool
        True if the leaving edge starts below.
    """
    entering, least = -1, layer.shape[0] ** 2
    for e in range(edges.shape[0]):
        slack = layer[edges[e, 1]] - layer[edges[e, 0]] - 1
        if below[edges[e, 0]] != start_below and below[edges[e, 1]] == start_below and slack < least:
            entering, least = e, slack
    return entering, least
