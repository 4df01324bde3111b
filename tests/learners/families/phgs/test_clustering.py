"""Tests of the clusters of pPC, and of the conditioning sets tested before the completion phase."""

from itertools import combinations

import numpy as np
import pytest

from learners.families.phgs.clustering import MAX_CLUSTERS, _merged, labels_at, large_by_cut, partition
from learners.kernels.ci import pair_pools


def _naive_merged(labels: list[int], distance: np.ndarray, large: int) -> set[frozenset[int]]:
    """Merge the closest two clusters, one of them small, by the mean distance over all pairs of members."""
    clusters = [frozenset(np.flatnonzero(np.array(labels) == k).tolist()) for k in range(max(labels) + 1)]
    while len(clusters) > 1:
        open_pairs = [pair for pair in combinations(clusters, 2) if min(map(len, pair)) < large]
        if not open_pairs:
            break
        closest = min(open_pairs, key=lambda pair: distance[np.ix_(list(pair[0]), list(pair[1]))].mean())
        clusters = [c for c in clusters if c not in closest] + [closest[0] | closest[1]]
    return set(clusters)


@pytest.mark.parametrize("seed", range(20))
def test_small_clusters_are_merged_closest_first(seed):
    """Clusters equal those of a reference that recomputes all distances; no small cluster remains."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 30))
    distance = rng.random((p, p))
    distance = np.triu(distance, 1) + np.triu(distance, 1).T
    labels = np.unique(rng.integers(rng.integers(1, p + 1), size=p), return_inverse=True)[1]
    large = int(rng.integers(1, 8))
    merged = _merged(labels, distance, large)
    found = {frozenset(np.flatnonzero(merged == k).tolist()) for k in range(merged.max() + 1)}
    assert found == _naive_merged(labels.tolist(), distance, large)
    assert min(map(len, found)) >= min(large, p)


def test_partition_separates_two_distant_groups():
    """Two groups of four, with small distances within and large ones between them, remain two clusters."""
    distance = np.where(np.kron(np.eye(2), np.ones((4, 4))) > 0, 0.1, 0.9)
    np.fill_diagonal(distance, 0.0)
    assert partition(distance).labels.tolist() == [0] * 4 + [1] * 4


@pytest.mark.parametrize("seed", range(10))
def test_large_groups_are_counted_at_each_cut_and_the_tree_is_cut_at_the_first_maximum(seed):
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 40))
    distance = rng.random((p, p))
    distance = np.triu(distance, 1) + np.triu(distance, 1).T
    found = partition(distance)
    counted = large_by_cut(found.tree, found.large)
    sizes = [np.bincount(labels_at(found.tree, k)) for k in range(1, p)] or [np.array([p])]
    expected = [int((one >= found.large).sum()) for one in sizes]
    assert counted.tolist() == expected[: len(counted)]
    assert all(n == 0 or n > MAX_CLUSTERS for n in expected[len(counted) : len(counted) + 1])
    assert found.n_cut == 1 + counted.tolist().index(counted.max())


@pytest.mark.parametrize("seed", range(10))
def test_covered_pools_hold_the_sets_that_the_phases_before_tested(seed):
    """Pairs in a cluster get its members; other pairs, the pools of both screens whose largest sets have this size."""
    rng = np.random.default_rng(seed)
    p, most = 9, 3
    labels = rng.integers(3, size=p)
    same = labels[:, None] == labels
    first, second = (np.triu(rng.random((p, p)) < 0.3, 1) for _ in range(2))
    first, second = first | first.T, second | second.T
    edges = np.array(list(combinations(range(p), 2)))
    for size in range(1, most + 1):
        pools = pair_pools.tested_pools(edges, same, first, second, most, size)
        for (i, j), rows in zip(edges.tolist(), pools, strict=True):
            if same[i, j]:
                expected = [set(np.flatnonzero(same[i]).tolist()), set(), set()]
            else:
                tested = [first[i] | first[j], second[i], second[j]]
                expected = [set(np.flatnonzero(row).tolist()) - {i, j} for row in tested]
                expected = [pool if min(len(pool), most) == size else set() for pool in expected]
            assert [set(np.flatnonzero(row).tolist()) for row in rows] == expected
