"""Variables in a row such that those that are joined stand near one another."""

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
    """(p,) int: the variables, neighbours near one another; group by group if there are `groups`.

    The leaves of an average-linkage tree over the numbers of steps between them in the skeleton; what cannot be reached
    is further away than anything that can.
    """
    if graph.p < 3:
        order = np.arange(graph.p)
    else:
        steps = shortest_path(csr_array(graph.skeleton.astype(np.int8)), unweighted=True, directed=False)
        steps[np.isinf(steps)] = graph.p
        order = leaves_list(linkage(squareform(steps, checks=False), "average"))
    return order if groups is None else order[np.argsort(groups[order], kind="stable")]


def alphabetical(names: Sequence[str]) -> np.ndarray:
    """(p,) int: the variables by name, case aside, numbers in names by their size: x2 before x10."""
    return np.array(sorted(range(len(names)), key=lambda k: _sortable(names[k])), dtype=np.int64)


def _sortable(name: str) -> list[tuple[int, int, str]]:
    parts = re.findall(r"[0-9]+|[^0-9]+", name.casefold())
    return [(0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in parts]
