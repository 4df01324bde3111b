"""Exact inference for many draws of the probability tables of one network, all at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...common.errors import DataError
from ...graphs.graph import PDAG
from .elimination import Factor, aligned
from .evidence import Evidence, States

DRAW = -1  # axis of the draws, as if it were a node
MIN_DRAWS = 80  # fewer would leave the limits of 95 % intervals to two or three draws
QUICK_CELLS = 4_000_000  # with more cells in all cluster tables of all draws, fewer draws are used: about 0.1 s
MAX_CELLS = 40_000_000  # maximum number of these cells with the fewest draws: about 1 s, 320 MB


class EliminationCluster(NamedTuple):
    """The product of the factors of one variable when it is eliminated: its node, its table, and its message."""

    node: int
    factor: Factor
    message: Factor


def drawn_beliefs(
    dag: PDAG, states: States, tables: Sequence[np.ndarray], evidence: Evidence, order: Sequence[int]
) -> list[np.ndarray]:
    """Return the distribution of each variable given the evidence, for each draw of the tables.

    Parameters
    ----------
    dag : PDAG
    states : tuple of tuple of str
    tables : sequence of (n, q_j, r_j) float64 arrays
        Draws of the tables; (1, q_j, r_j) for a table without uncertainty.
    evidence : Evidence
    order : sequence of int
        Elimination order of all nodes; it affects the cost only.

    Returns
    -------
    list of (m, r_j) float64 arrays
        By node, for the first m of the n draws, m at least 80; NaN for a draw in which the evidence is impossible.

    Raises
    ------
    DataError
        If the tables of the clusters would be too large.

    Notes
    -----
    A cluster tree of variable elimination, with a pass to its root and one back (Koller and Friedman 2009,
    Probabilistic graphical models, chapter 10).
    """
    cells = cluster_cells(dag, states, order, evidence)
    if MIN_DRAWS * cells > MAX_CELLS:
        raise DataError(
            f"intervals of answers need tables of {cells:,.0f} cells in this network, at most "
            f"{MAX_CELLS // MIN_DRAWS:,} are possible; add evidence, or use a sparser graph"
        )
    n = min(max(len(table) for table in tables), max(MIN_DRAWS, int(QUICK_CELLS / cells)))
    left = _factors(dag, states, [table[:n] for table in tables], evidence)
    clusters: list[EliminationCluster] = []
    parent: list[int] = []
    sender = [-1] * len(left)  # the cluster that a factor is the message of; -1 for a table
    for j in order:
        if j in evidence.known:
            continue
        own = [k for k, (nodes, _) in enumerate(left) if j in nodes]
        nodes = tuple(sorted({DRAW, j}.union(*(left[k][0] for k in own))))
        table = np.ones(1)
        for k in own:
            table = _scaled(table * aligned(left[k], nodes))
        message = _summed((nodes, table), [i for i in nodes if i != j])
        for k in own:
            if sender[k] >= 0:
                parent[sender[k]] = len(clusters)
        clusters.append(EliminationCluster(j, (nodes, table), message))
        parent.append(-1)
        others = [k for k in range(len(left)) if k not in own]
        left = [*(left[k] for k in others), message]
        sender = [*(sender[k] for k in others), len(clusters) - 1]
    return _back(clusters, parent, states, evidence, n)


def _back(
    clusters: Sequence[EliminationCluster], parent: Sequence[int], states: States, evidence: Evidence, n: int
) -> list[np.ndarray]:
    """Return the distributions, from the last cluster back to the first."""
    found = [np.empty(0)] * len(states)
    for j, level in evidence.known.items():
        found[j] = np.tile(np.eye(len(states[j]))[int(level)], (n, 1))
    beliefs: list[Factor | None] = [None] * len(clusters)
    for k in range(len(clusters) - 1, -1, -1):
        j, (nodes, table), (separator, message) = clusters[k]
        if parent[k] >= 0:
            above = _scaled(_summed(beliefs[parent[k]], separator)[1])
            ratio = np.divide(above, message, out=np.zeros(np.broadcast(above, message).shape), where=message > 0)
            table = table * aligned((separator, ratio), nodes)
        beliefs[k] = nodes, table
        own = _summed(beliefs[k], [DRAW, j])[1]
        with np.errstate(invalid="ignore"):
            found[j] = np.broadcast_to(own / own.sum(axis=1, keepdims=True), (n, len(states[j])))
    return found


def _factors(dag: PDAG, states: States, tables: Sequence[np.ndarray], evidence: Evidence) -> list[Factor]:
    """Return the tables and the likelihoods, restricted to the known levels, with the draws as their first axis."""
    found = []
    for j, table in enumerate(tables):
        scope = (*dag.parents(j), j)
        whole = table.reshape(len(table), *(len(states[i]) for i in scope))
        known = tuple(int(evidence.known[i]) if i in evidence.known else slice(None) for i in scope)
        found.append(((DRAW, *(i for i in scope if i not in evidence.known)), whole[(slice(None), *known)]))
    return found + [((DRAW, j), likely[None, :]) for j, likely in evidence.likely.items()]


def cluster_cells(dag: PDAG, states: States, order: Sequence[int], evidence: Evidence) -> float:
    """Return the number of cells of the tables of all clusters, for one draw."""
    left = [frozenset((*dag.parents(j), j)) - evidence.known.keys() for j in range(len(states))]
    cells = 0.0
    for j in order:
        if j not in evidence.known:
            scope = frozenset({j}).union(*(nodes for nodes in left if j in nodes))
            left = [nodes for nodes in left if j not in nodes] + [scope - {j}]
            cells += math.prod(float(len(states[i])) for i in scope)
    return max(cells, 1.0)


def _summed(factor: Factor, nodes: Sequence[int]) -> Factor:
    """Return the factor summed over all its nodes but these."""
    gone = tuple(axis for axis, i in enumerate(factor[0]) if i not in nodes)
    return tuple(i for i in factor[0] if i in nodes), factor[1].sum(axis=gone)


def _scaled(table: np.ndarray) -> np.ndarray:
    """Return the table with 1 as the largest entry of each draw, so that products do not underflow."""
    most = table.max(axis=tuple(range(1, table.ndim)), keepdims=True)
    return table / np.where(most > 0, most, 1.0)
