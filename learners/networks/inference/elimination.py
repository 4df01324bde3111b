"""Variable elimination in logarithms: the most probable assignment, and the sum over all assignments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

Factor = tuple[tuple[int, ...], np.ndarray]  # nodes, and ln of a table with an axis for each


def most_probable_assignment(factors: Iterable[Factor], order: Sequence[int]) -> tuple[dict[int, int], float]:
    """Return the assignment that maximizes the sum of the factors, as a level by node, and that maximum.

    Parameters
    ----------
    factors : iterable of (nodes, array)
        Logarithms, with one axis for each node.
    order : sequence of int
        Elimination order of all nodes that occur; it affects the cost only.

    Notes
    -----
    Max-product elimination (Dechter 1999, Bucket elimination: a unifying framework for reasoning, Artificial
    Intelligence 113). Ties go to the first level.
    """
    left = list(factors)
    kept: list[tuple[int, tuple[int, ...], np.ndarray]] = []
    for j in order:
        own = [one for one in left if j in one[0]]
        if not own:
            continue
        left = [one for one in left if j not in one[0]]
        nodes, table = _sum(own, j)
        kept.append((j, nodes, table.argmax(axis=-1)))
        left.append((nodes, table.max(axis=-1)))
    best: dict[int, int] = {}
    for j, nodes, choice in reversed(kept):
        best[j] = int(choice[tuple(best[i] for i in nodes)])
    return best, float(sum(table for _, table in left))


def log_total(factors: Iterable[Factor], order: Sequence[int]) -> float:
    """Return the log of the sum, over all assignments, of the product of the factors; -inf if it is 0."""
    left = list(factors)
    for j in order:
        if own := [one for one in left if j in one[0]]:
            nodes, table = _sum(own, j)
            left = [one for one in left if j not in one[0]] + [(nodes, np.logaddexp.reduce(table, axis=-1))]
    return float(sum(table for _, table in left))


def _sum(factors: Sequence[Factor], last: int) -> Factor:
    """Return the sum of the factors over the union of their nodes, with `last` as the last axis and not listed."""
    nodes = tuple(sorted({i for scope, _ in factors for i in scope} - {last}))
    return nodes, sum((aligned(factor, (*nodes, last)) for factor in factors), np.zeros(1))


def aligned(factor: Factor, nodes: Sequence[int]) -> np.ndarray:
    """Return the table with an axis for each of `nodes`, of length 1 where it does not have the node."""
    scope, table = factor
    ordered = table.transpose(np.argsort([nodes.index(i) for i in scope]))
    present = set(scope)
    sizes = iter(ordered.shape)
    return ordered.reshape([next(sizes) if i in present else 1 for i in nodes])
