"""Tests of ordered neighbour lists, pools of pairs and ranked v-structures against reference implementations."""

from __future__ import annotations

import numpy as np
import pytest

from learners.kernels.ci.pair_pools import PairPools, side_pools, union_pools
from learners.kernels.graphs.adjacency import neighbor_lists, open_edges, ordered_lists
from learners.kernels.graphs.colliders import find_colliders, ranked_colliders

NEVER = [-np.inf, np.nan]  # the lowest rank, shared by both values


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw a symmetric adjacency matrix and symmetric ranks with many ties."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 12))
    adjacency = np.triu(rng.random((p, p)) < 0.6, 1)
    ranks = np.triu(rng.choice([*NEVER, -700.5, -3.0, -0.5, -0.0, 0.0], size=(p, p)), 1)
    return adjacency | adjacency.T, ranks + ranks.T


def lists_of(begin: np.ndarray, members: np.ndarray) -> list[list[int]]:
    """Return the concatenated lists."""
    return [members[a:b].tolist() for a, b in zip(begin[:-1], begin[1:], strict=True)]


@pytest.mark.parametrize("seed", range(20))
def test_neighbours_come_by_their_rank_and_pools_keep_that_order(seed):
    """Neighbours are in descending order of rank; NaN counts as -inf, and ties are in ascending order of the node.

    A pool of both ends appends those neighbours of the second end that are not in the list of the first.
    """
    adjacency, ranks = drawn(seed)
    value = np.where(np.isnan(ranks), -np.inf, ranks)
    twin = [
        sorted(np.flatnonzero(row).tolist(), key=lambda k, v=v: (value[v, k], k)) for v, row in enumerate(adjacency)
    ]
    lists = ordered_lists(adjacency, ranks)
    assert lists_of(*lists) == twin
    edges = open_edges(adjacency, np.zeros_like(adjacency), 0)
    for side in (0, 1):
        pools = side_pools(edges, *lists, side)
        own = [(edge[side], edge[1 - side]) for edge in edges.tolist()]
        assert lists_of(*pools) == [[k for k in twin[x] if k != y] for x, y in own]
    both = union_pools(edges, adjacency, *lists)
    assert isinstance(both, PairPools)
    assert lists_of(*both) == [
        [k for k in twin[x] if k != y] + [k for k in twin[y] if k != x and not adjacency[x, k]]
        for x, y in edges.tolist()
    ]
    assert pools.begin[-1] == len(pools.members)
    assert both.begin[-1] == len(both.members)


def test_a_pool_leaves_out_a_partner_that_is_no_neighbour():
    """A pool leaves out the partner; the lists need not contain it, as those of blankets do not."""
    lists = neighbor_lists(np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool))
    assert lists_of(*side_pools(np.array([[0, 1], [2, 0]]), *lists, 0)) == [[2], [1]]


@pytest.mark.gate_cases(5)
@pytest.mark.parametrize("seed", range(20))
def test_colliders_are_ranked_by_the_p_of_their_ends_then_by_their_nodes(seed):
    """V-structures are ranked by the p-value of their ends, the largest first, then by their nodes."""
    adjacency, ranks = drawn(seed)
    log_phi = np.where(np.isnan(ranks), -9.0, ranks)
    members = np.full((*adjacency.shape, 1), -1, dtype=np.int32)
    given = (adjacency, *neighbor_lists(adjacency), ~adjacency, members)
    found = find_colliders(*given).tolist()
    assert ranked_colliders(*given, log_phi).tolist() == sorted(found, key=lambda t: (-log_phi[t[0], t[2]], t))
