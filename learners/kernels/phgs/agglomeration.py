"""Agglomerative merging of small clusters."""

import numpy as np

from ..compiling import kernel


@kernel
def merge_small_clusters(total, size, large):
    """Merge the two closest clusters by average distance of which one is small, until no cluster is small.

    Parameters
    ----------
    total : (k, k) float64 array
        Sum of the distances between the members of two clusters. Overwritten.
    size : (k,) float64 array
        Number of members of each cluster. Overwritten.
    large : int
        Clusters with fewer members are small.

    Returns
    -------
    (k,) int64 array
        The cluster that each one ends up in.
    """
    k = total.shape[0]
    into = np.arange(k)
    while True:
        a, b, least = -1, -1, np.inf
        for i in range(k):
            for j in range(i + 1, k):
                if into[i] == i and into[j] == j and not (size[i] >= large and size[j] >= large):
                    mean = total[i, j] / (size[i] * size[j])
                    if mean < least:
                        a, b, least = i, j, mean
        if a < 0:
            return into
        for i in range(k):
            total[a, i] += total[b, i]
        for i in range(k):
            total[i, a] += total[i, b]
            if into[i] == b:
                into[i] = a
        size[a] += size[b]
