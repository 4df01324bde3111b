"""The most probable case, and the sum of all, by eliminating variables one after the other; in logarithms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

Factor = tuple[tuple[int, ...], np.ndarray]  # nodes, and ln of a table with an axis for each


def most_probable_assignment(factors: Iterable[Factor], order: Sequence[int]) -> tuple[dict[int, int], float]:
    """By node the level of a case for which the factors add up to most, and that sum.

    Parameters
    ----------
    factors : iterable of (nodes, array)
        Logarithms, with an axis for each node.
    order : sequence of int
        All nodes that occur, in the order in which they are eliminated; it decides on the cost alone.

    Notes
    -----
    Max-product elimination (Dechter 1999, Bucket elimination: a unifying framework for reasoning, Artificial
    Intelligence 113). Of several best levels the first is taken.
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
    """ln of the sum over all cases of the product of the factors, however small; -inf if it is 0."""
    left = list(factors)
    for j in order:
        if own := [one for one in left if j in one[0]]:
            nodes, table = _sum(own, j)
            left = [one for one in left if j not in one[0]] + [(nodes, np.logaddexp.reduce(table, axis=-1))]
    return float(sum(table for _, table in left))


def _sum(factors: Sequence[Factor], last: int) -> Factor:
    """Their sum over all of their nodes, `last` on the last axis and not named."""
    nodes = tuple(sorted({i for scope, _ in factors for i in scope} - {last}))
    total = np.zeros(1)
    for scope, table in factors:
        wide = (*nodes, last)
        ordered = table.transpose(np.argsort([wide.index(i) for i in scope]))
        present = set(scope)
        sizes = iter(ordered.shape)
        total = total + ordered.reshape([next(sizes) if i in present else 1 for i in wide])
    return nodes, total
