"""Estimate of the seconds that the completion of a table takes."""

from __future__ import annotations

from ..data.dataset import Dataset
from ..scores.bdeu import BDeu
from ..search.cost import cost_of_orders
from .tables import ESS, effort_for

THREADS = 2  # assumed number of threads of the chains, a low guess


def cost_of_completion(dataset: Dataset) -> float:
    """Estimate the seconds of the searches for networks from a probe; 0 for moments, which take far less."""
    if dataset.kind != "categorical":
        return 0.0
    effort = effort_for(dataset)
    once = cost_of_orders(BDeu(dataset.compact(), ess=ESS, edge_penalty=None), restarts=1)
    return effort.chains * (effort.rounds + 1) * once / THREADS
