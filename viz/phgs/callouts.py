"""Callouts of runs with clusters or a solution path."""

from __future__ import annotations

from learners.families.phgs.alpha_steps import path_of
from learners.families.phgs.ppc import PartitionedEvidence
from learners.results.result import LearnResult

from ..text import count
from .words import Solutions, format_level, score_name


def path_callout(result: LearnResult, solutions: Solutions) -> str:
    """Count the graphs of the path, and name the chosen one."""
    path = path_of(result).path
    first, last = (format_level(float(path.log_alphas[k])) for k in (0, -1))
    chosen = format_level(float(path.log_alphas[path.choice]))
    then = "; the search begins there" if solutions.begin_search else ""
    return (
        f"One run of tests gives the graphs at {count(len(path.graphs), 'level')} of alpha from {first} to {last}. The "
        f"graph at alpha = {chosen} has the best {score_name(result)}{then}."
    )


def clusters_callout(found: PartitionedEvidence | None) -> str | None:
    """Count the clusters of a partitioned run."""
    if found is None or found.partition.n_clusters < 2:
        return None
    return (
        f"The {len(found.labels):,} variables form {count(found.partition.n_clusters, 'cluster')} of strongly "
        f"associated "
        "variables. Tests begin within clusters, which saves tests between them."
    )
