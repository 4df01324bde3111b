"""What is to be said of a network that stands for others."""

from __future__ import annotations

from learners.data.dataset import Dataset
from learners.graphs.graph import PDAG

from ..text import count

ALIKE = "All of them give the same probabilities under the same evidence."
OF_BOTH_KINDS = "With columns of both kinds the others give nearly the same probabilities: their regressions differ."
WITH_HOLES = "As cells are missing, the others give nearly the same probabilities: each counts other rows."


def member_sentence(graph: PDAG, dataset: Dataset) -> str:
    """That one DAG of a class was fitted, and whether the others would have given the same answers."""
    told = WITH_HOLES if not dataset.complete else OF_BOTH_KINDS if dataset.kind == "mixed" else ALIKE
    n = count(len(graph.undirected_edges()), "direction")
    return f"The graph leaves {n} open: one DAG of those that it stands for is drawn and fitted. {told}"
