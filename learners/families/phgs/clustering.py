"""The partition of the variables for pPC: clusters by the share of mutual information in the joint entropy.

Huang and Zhou (2022), section 3.1.1, after Gu and Zhou (2020).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from ...common.arrays import frozen
from ...common.relabeling import ByPair, by_node
from ...kernels.phgs.agglomeration import merge_small_clusters

LARGE_SHARE = 0.05  # minimum share of the variables in a large cluster
MIN_LARGE = 3
MAX_CLUSTERS = 20


def _clusters(labels: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Renumber the variables of clusters; clusters are again numbered by first appearance."""
    return frozen(_by_appearance(by_node(labels, new)))


def _merges(tree: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Renumber the variables of merges; numbers from p on denote merges."""
    p = len(new)
    below = tree[:, :2].astype(np.int64)
    below = np.where(below < p, new[np.minimum(below, p - 1)], below)
    return frozen(np.column_stack([below, tree[:, 2:]]).astype(np.float64))


Labels = Annotated[np.ndarray, _clusters]


@dataclass(frozen=True, eq=False)
class Partition:
    """Clusters of variables, and the tree from which they were cut.

    Attributes
    ----------
    labels : (p,) int64 array
        Cluster of each variable, numbered by first appearance.
    distance : (p, p) float64 array
        1 - I / H of each pair for categorical data, 1 - |r| for continuous data; 0 on the diagonal.
    tree : (p - 1, 4) float64 array
        Average linkage, with rows as in `scipy.cluster.hierarchy.linkage`.
    n_cut : int
        Number of clusters at the cut, before small ones were merged.
    large : int
        Smallest number of variables in a large cluster.
    """

    labels: Labels
    distance: ByPair
    tree: Annotated[np.ndarray, _merges]
    n_cut: int
    large: int

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.labels.max()) + 1


def partition(distance: np.ndarray) -> Partition:
    """Cut the average-linkage tree at the highest cut with the most large clusters, and merge the small ones.

    Parameters
    ----------
    distance : (p, p) float64 array
        Symmetric, 0 on the diagonal.
    """
    p = len(distance)
    large = max(MIN_LARGE, math.ceil(LARGE_SHARE * p))
    tree = linkage(squareform(distance, checks=False), "average") if p > 1 else np.empty((0, 4))
    n_cut = _best_cut(tree, large)
    labels = _merged(labels_at(tree, n_cut), distance, large)
    for array in (labels, distance, tree):
        array.flags.writeable = False
    return Partition(labels, distance, tree, n_cut, large)


def labels_at(tree: np.ndarray, n_clusters: int) -> np.ndarray:
    """Return (p,) labels after the first ``p - n_clusters`` merges of a tree, numbered by first appearance."""
    p = len(tree) + 1
    parent = np.arange(2 * p - 1)
    for merge in range(p - n_clusters):
        parent[tree[merge, :2].astype(int)] = p + merge
    root = parent
    while not np.array_equal(root, parent[root]):
        root = parent[root]
    return _by_appearance(root[:p])


def large_by_cut(tree: np.ndarray, large: int) -> np.ndarray:
    """Return the number of large clusters after cutting a tree into 1, 2, … clusters.

    It ends before the first cut without a large cluster, or with more than `MAX_CLUSTERS`.
    """
    p = len(tree) + 1
    size = np.concatenate([np.ones(p), tree[:, 3]])
    # Cutting into k clusters undoes the last k - 1 merges; count the large clusters after each.
    n_large = int(p >= large)
    counts = [n_large]
    for k in range(2, p):
        merge = tree[p - k]
        halves = int((size[merge[:2].astype(int)] >= large).sum())
        n_large += halves - int(merge[3] >= large)
        if n_large == 0 or n_large > MAX_CLUSTERS:
            break
        counts.append(n_large)
    return np.array(counts)


def _best_cut(tree: np.ndarray, large: int) -> int:
    """Return the smallest number of clusters with the maximum number of large ones, searching from the root."""
    return 1 + int(np.argmax(large_by_cut(tree, large)))


def _merged(labels: np.ndarray, distance: np.ndarray, large: int) -> np.ndarray:
    """Merge the two closest clusters of which at least one is small, until no cluster is small."""
    k = int(labels.max()) + 1
    member = np.zeros((k, len(labels)))
    member[labels, np.arange(len(labels))] = 1.0
    into = merge_small_clusters(member @ distance @ member.T, member.sum(axis=1), large)
    return _by_appearance(into[labels])


def _by_appearance(labels: np.ndarray) -> np.ndarray:
    """Renumber the clusters in the order of their first members."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]
