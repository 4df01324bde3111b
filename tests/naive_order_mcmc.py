"""Sums over the DAGs of an order or an ordered partition: readable reference implementation of the kernels."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tests import naive


def log_sum(values) -> float:
    """Return ln of the sum of exponentials."""
    return float(np.logaddexp.reduce(np.array([-np.inf, *values])))


def order_score(local, order) -> float:
    """Return ln of the summed weights of all DAGs that agree with an order."""
    total = 0.0
    for place, j in enumerate(order):
        before = order[:place]
        total += log_sum(local(j, s) for size in range(len(before) + 1) for s in combinations(before, size))
    return total


def parts_of(dag) -> tuple[int, ...]:
    """Return the part of each node: sources are removed repeatedly."""
    part, left, t = [0] * len(dag), set(range(len(dag))), 0
    while left:
        sources = {j for j in left if not any(dag[i, j] for i in left)}
        for j in sources:
            part[j] = t
        left, t = left - sources, t + 1
    return tuple(part)


def agrees(dag, order) -> bool:
    """Return True if all edges point forward."""
    return not np.tril(dag[np.ix_(order, order)]).any()


def averages(dags, weights) -> dict[str, np.ndarray]:
    """Return P(i -> j) and P(i in the Markov blanket of j), by enumeration."""
    weights = np.exp(np.array(weights) - np.max(weights))
    weights /= weights.sum()
    directed, blanket = (np.zeros(dags[0].shape) for _ in range(2))
    for dag, weight in zip(dags, weights, strict=True):
        directed += weight * dag
        family = dag | dag.T | ((dag.astype(int) @ dag.T.astype(int)) > 0)
        np.fill_diagonal(family, False)
        blanket += weight * family
    return {"directed": directed, "blanket": blanket}


def all_dags(p) -> list[np.ndarray]:
    """Return all DAGs as boolean matrices."""
    return [np.array(dag, dtype=bool) for dag in naive.all_dags(p)]
