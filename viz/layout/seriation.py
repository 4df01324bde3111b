"""Linear orders of the variables, for matrices and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import squareform

from learners.graphs.graph import PDAG


def seriate(graph: PDAG, groups: np.ndarray | None = None) -> np.ndarray:
    """Return a (p,) int order in which adjacent variables are close, group by group if `groups` are given.

    The order is that of the leaves of an average-linkage tree over shortest-path distances in the skeleton. Unreachable
    nodes have distance p.
    """
    if graph.p < 3:
        order = np.arange(graph.p)
    else:
        steps = shortest_path(csr_array(graph.skeleton.astype(np.int8)), unweighted=True, directed=False)
        steps[np.isinf(steps)] = graph.p
        order = leaves_list(linkage(squareform(steps, checks=False), "average"))
    return order if groups is None else order[np.argsort(groups[order], kind="stable")]


def alphabetical(names: Sequence[str]) -> np.ndarray:
    """Return the (p,) int alphabetical order, case-insensitive, with numbers in names sorted by value (x2, x10)."""
    return np.array(sorted(range(len(names)), key=lambda k: _sortable(names[k])), dtype=np.int64)


def _sortable(name: str) -> list[tuple[int, int, str]]:
    parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return [(0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in parts]
