"""The clusters of a partitioned run as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from learners.graphs.graph import PDAG
from learners.phgs.clustering import Partition

from ..cluster_marks import mark
from ..text import shorten

COLUMNS = ("cluster", "size", "distance", "edges within", "edges out", "variables")


def cluster_table(names: Sequence[str], partition: Partition, graph: PDAG) -> pd.DataFrame:
    """Return one row per cluster; edges are those of `graph`."""
    labels, rows = partition.labels, []
    for cluster in range(partition.n_clusters):
        own = labels == cluster
        rows.append(
            {
                "cluster": mark(cluster),
                "size": int(own.sum()),
                "variables": ", ".join(shorten(name) for name, mine in zip(names, own, strict=True) if mine),
                "distance": mean_within(partition, own),
                "edges within": int(graph.skeleton[np.ix_(own, own)].sum()) // 2,
                "edges out": int(graph.skeleton[np.ix_(own, ~own)].sum()),
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def mean_within(partition: Partition, own: np.ndarray) -> float:
    """Return the mean distance of two different members; NaN for a single one."""
    n = int(own.sum())
    return float(partition.distance[np.ix_(own, own)].sum() / (n * (n - 1))) if n > 1 else float("nan")


def edges_between(labels: np.ndarray, graph: PDAG) -> int:
    """Count the edges between different clusters."""
    return int((graph.skeleton & (labels[:, None] != labels)).sum()) // 2
