"""Scores of the leaves of a tree of calls."""

import numpy as np

from ..compiling import kernel
from ..scores.families import local_score


@kernel
def score_leaves(sample, cache, node_begin, nodes, edge_begin, edges, leaves, scores):
    """Sum of the local scores of each leaf's nodes, into `scores` at the number of the leaf.

    Leaf l has the nodes ``nodes[node_begin[l]:node_begin[l + 1]]``, and edges likewise; the cache must have room for a
    score a node.
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
