"""Tables of the clusters of a partitioned run, and of the solutions of a path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from learners.evaluation.metrics import jaccard, shd
from learners.families.phgs.alpha_steps import AlphaSteps, path_of
from learners.families.phgs.clustering import Partition
from learners.graphs.cpdag import v_structures
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..cluster_marks import mark
from ..text import shorten
from .words import Solutions, format_level, format_score, score_name

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
    """Return the mean distance between two different members of a cluster; NaN for a single member."""
    n = int(own.sum())
    return float(partition.distance[np.ix_(own, own)].sum() / (n * (n - 1))) if n > 1 else float("nan")


def edges_between(labels: np.ndarray, graph: PDAG) -> int:
    """Count the edges between different clusters."""
    return int((graph.skeleton & (labels[:, None] != labels)).sum()) // 2


def solution_table(
    result: LearnResult, steps: AlphaSteps, solutions: Solutions, truth: PDAG | None = None
) -> pd.DataFrame:
    """Return one row per solution, the densest first; ``step`` counts from 1.

    Columns: step, a star at the chosen solution, alpha, edges, directed, v-structures, fits a DAG (PATH only), score,
    difference of the score from the solution before, SHD and JI if the truth is known.
    """
    path, p, name = path_of(result).path, len(result.names), score_name(result)
    gains = np.diff(path.scores, prepend=np.nan)
    rows = []
    for step, (log_alpha, valid, score) in enumerate(zip(path.log_alphas, path.valid, path.scores, strict=True)):
        graph = steps.at(step, p)
        row = {
            "step": step + 1,
            "": "★" if step == path.choice else "",
            "alpha": format_level(float(log_alpha)),
            "edges": graph.n_edges,
            "directed": len(graph.directed_edges()),
            "v-structures": len(v_structures(graph)),
            "fits a DAG": "yes" if valid else "no",
            name: format_score(float(score)),
            "Δ": _signed(float(gains[step])),
        }
        if truth is not None:
            row |= {"SHD": shd(graph, truth), "JI": jaccard(graph, truth)}
        rows.append(row)
    table = pd.DataFrame(rows)
    return table.drop(columns="fits a DAG") if solutions.begin_search else table


def _signed(value: float) -> str:
    return "" if np.isnan(value) else ("+" if value > 0 else "") + format_score(value)
