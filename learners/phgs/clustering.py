"""Partition of the variables for pPC: clusters by how much of their joint entropy two variables share.

Huang and Zhou (2022), section 3.1.1, after Gu and Zhou (2020).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from ..common.arrays import frozen
from ..common.relabeling import ByPair, by_node
from ..kernels.phgs.merging import merge_small

LARGE = 0.05  # share of the variables that makes a cluster a large one
LEAST_LARGE = 3
MOST_CLUSTERS = 20


def _clusters(labels: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The same clusters of variables that are numbered otherwise, again by first appearance."""
    return frozen(_by_appearance(by_node(labels, new)))


def _merges(tree: np.ndarray, new: np.ndarray) -> np.ndarray:
    """The same merges of variables that are numbered otherwise; a number from p on is that of a merge."""
    p = len(new)
    below = tree[:, :2].astype(np.int64)
    below = np.where(below < p, new[np.minimum(below, p - 1)], below)
    return frozen(np.column_stack([below, tree[:, 2:]]).astype(np.float64))


Labels = Annotated[np.ndarray, _clusters]


@dataclass(frozen=True, eq=False)
class Partition:
    """Clusters of variables, and the tree they were cut from.

    Attributes
    ----------
    labels : (p,) int64 array
        Cluster of each variable, numbered by first appearance.
    distance : (p, p) float64 array
        1 - I / H of each pair for categorical data, 1 - |r| for numbers; 0 on the diagonal.
    tree : (p - 1, 4) float64 array
        Average linkage, rows as `scipy.cluster.hierarchy.linkage` gives them.
    n_cut : int
        Clusters at the cut, before small ones were merged.
    large : int
        Variables that make a cluster a large one.
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
    """Cut the average-linkage tree where it has the most large clusters, highest first, and merge the small ones.

    Parameters
    ----------
    distance : (p, p) float64 array
        Symmetric, 0 on the diagonal.
    """
    p = len(distance)
    large = max(LEAST_LARGE, math.ceil(LARGE * p))
    tree = linkage(squareform(distance, checks=False), "average") if p > 1 else np.empty((0, 4))
    n_cut = _best_cut(tree, large)
    labels = _merged(labels_at(tree, n_cut), distance, large)
    for array in (labels, distance, tree):
        array.flags.writeable = False
    return Partition(labels, distance, tree, n_cut, large)


def labels_at(tree: np.ndarray, n_clusters: int) -> np.ndarray:
    """(p,) labels when a tree's first ``p - n_clusters`` merges are done, numbered by first appearance."""
    p = len(tree) + 1
    parent = np.arange(2 * p - 1)
    for merge in range(p - n_clusters):
        parent[tree[merge, :2].astype(int)] = p + merge
    root = parent
    while not np.array_equal(root, parent[root]):
        root = parent[root]
    return _by_appearance(root[:p])


def _best_cut(tree: np.ndarray, large: int) -> int:
    """The smallest number of clusters at which as many as ever are large, from the root down until none is."""
    p = len(tree) + 1
    size = np.concatenate([np.ones(p), tree[:, 3]])
    # Cutting into k clusters undoes the last k - 1 merges: follow how many clusters are large as they come apart.
    n_large = best = int(p >= large)
    cut = 1
    for k in range(2, p):
        merge = tree[p - k]
        halves = int((size[merge[:2].astype(int)] >= large).sum())
        n_large += halves - int(merge[3] >= large)
        if n_large == 0 or n_large > MOST_CLUSTERS:
            break
        if n_large > best:
            best, cut = n_large, k
    return cut


def _merged(labels: np.ndarray, distance: np.ndarray, large: int) -> np.ndarray:
    """Merge the closest two clusters of which one is small, until none is small."""
    k = int(labels.max()) + 1
    member = np.zeros((k, len(labels)))
    member[labels, np.arange(len(labels))] = 1.0
    into = merge_small(member @ distance @ member.T, member.sum(axis=1), large)
    return _by_appearance(into[labels])


def _by_appearance(labels: np.ndarray) -> np.ndarray:
    """The same clusters numbered in the order in which their first members come."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]
