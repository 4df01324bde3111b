"""Agreement of an answer with the truth and with our answer."""

from __future__ import annotations

from typing import Any

from learners import PDAG, Dataset
from learners.evaluation.metrics import jaccard, skeleton_confusion
from learners.graphs.consistent_extension import consistent_extension, has_extension
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import skeleton_graph
from learners.scores import BIC, GaussianBIC

from .problem import Answer, Problem


def agreement(answer: Answer | None, ours: Answer | None, problem: Problem | None) -> dict[str, Any]:
    """Count the edges of an answer, the edges shared with our answer, and the errors.

    Returns
    -------
    dict
        `edges`; `same`, the Jaccard index of its skeleton and ours (1 = equal); `tp`, `fp`, `fn` of its skeleton and
        `ji`, the Jaccard index of its CPDAG, against the truth. Empty without a graph.
    """
    if answer is None or answer.amat is None:
        return {}
    graph, truth = PDAG(answer.amat), PDAG(problem.truth)
    confusion = skeleton_confusion(graph, truth)
    figures = {
        "edges": graph.n_edges,
        "tp": confusion.tp,
        "fp": confusion.fp,
        "fn": confusion.fn,
        "ji": jaccard(graph, cpdag(truth)),
    }
    if ours is not None and ours.amat is not None:
        figures["same"] = jaccard(skeleton_graph(graph), skeleton_graph(PDAG(ours.amat)))
    return figures


def by_score(answer: Answer | None, ours: Answer | None, problem: Problem | None) -> dict[str, Any]:
    """Return `agreement` and the BIC, as we compute it, of a DAG in the class of the graph."""
    figures = agreement(answer, ours, problem)
    if figures and has_extension(PDAG(answer.amat)):
        names = [f"v{j}" for j in range(problem.p)]
        dag = consistent_extension(PDAG(answer.amat)).dag
        if problem.arity is None:
            score = GaussianBIC(Dataset.from_values(problem.data, names))
        else:
            score = BIC(Dataset.from_codes(problem.data, problem.arity, names))
        figures["score"] = score.network(dag)
    return figures
