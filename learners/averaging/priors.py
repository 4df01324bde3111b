"""What probabilities hang on beside the data: which orders, DAGs or classes are as likely beforehand."""

from __future__ import annotations

import numpy as np

from ..evaluation.posterior import Posterior, RankedClass, compelled_shares
from ..graphs.classes import class_size
from ..graphs.cpdags import cpdag
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge

PRIORS = ("orders", "dags", "classes")


def by_class(posterior: Posterior, knowledge: BoundKnowledge) -> tuple[Posterior, float]:
    """DAGs drawn with every DAG as likely beforehand, averaged as if every class was.

    Returns
    -------
    posterior : Posterior
        Over the classes of the DAGs: each weighs what its draws do over the number of its DAGs, which are all as
        probable where the score is the same for all of them.
    left : float
        The share of the draws that as many independent ones of even weight would be, (Σ w)² / Σ w² (Kish 1965).
    """
    shares: dict[PDAG, float] = {}
    for share, one in zip(posterior.shares.tolist(), posterior.classes, strict=True):
        graph = cpdag(one.graph)
        shares[graph] = shares.get(graph, 0.0) + share
    drawn = np.array(list(shares.values()))
    sizes = np.array([float(class_size(graph)) for graph in shares])
    weights = drawn / sizes
    order = np.argsort(-weights, kind="stable")
    graphs = list(shares)
    classes = [RankedClass(graphs[t], np.nan) for t in order.tolist()]
    left = float(weights.sum() ** 2 / (drawn.sum() * (weights / sizes).sum()))
    shares_of_classes = weights[order] / weights.sum()
    compelled = compelled_shares((one.graph for one in classes), shares_of_classes, knowledge)
    return Posterior(classes, shares_of_classes, {"compelled": compelled}), left
