"""Expand the noisy-MAX nodes of GeNIe into probability tables.

Each parent alone would give the node a level, and so would a leak; the node takes the strongest of these levels. The
first level of the node is the strongest, and the last one means that nothing acts. A level of a parent is called absent
if it has no effect.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..common.memory import check_memory
from ..common.wording import quoted
from ..networks.network import ROUNDING
from .declared import TABLE, failing, rescaled


def noisy_max_table(
    name: str, n_levels: int, sizes: Sequence[int], strengths: Sequence[float], parameters: Sequence[float], form: str
) -> np.ndarray:
    """Return the probabilities of a noisy-MAX node, flat: the first parent varies slowest, the node itself fastest.

    Parameters
    ----------
    name : str
        Identifier of the node.
    n_levels : int
    sizes : sequence of int
        Number of levels of each parent.
    strengths : sequence of float
        For each parent, the positions of its levels from the strongest to the absent one.
    parameters : sequence of float
        P(node | one parent has this level, all others are absent, no leak) for each level of each parent; then P(node |
        leak alone). Source: Diez, "Parameter adjustment in Bayes networks: the generalized noisy OR-gate", UAI 1993.
    form : str
        Format of the file, for messages.

    Raises
    ------
    DataError
        If numbers are missing, are no probabilities, or an absent level has an effect; or if the table is too large.
    """
    fail, ends = failing(form), np.cumsum([0, *sizes])
    if len(parameters) != (wanted := (int(ends[-1]) + 1) * n_levels):
        fail(f"the noisy-MAX node {quoted([name])} must hold {wanted:,} parameters, found {len(parameters):,}. Fix it")
    columns = rescaled(np.array(parameters, dtype=np.float64).reshape(-1, n_levels), name, fail)
    orders = [[*strengths[begin:end]] for begin, end in zip(ends, ends[1:], strict=False)]
    if len(strengths) != ends[-1] or any(sorted(order) != [*range(len(order))] for order in orders):
        fail(f"the strengths of {quoted([name])} must list each level of each parent once. Fix them")
    if any(columns[begin + int(order[-1]), -1] < 1 - ROUNDING for begin, order in zip(ends, orders, strict=False)):
        fail(
            f"the last strength of a parent must have no effect, another has in {quoted([name])}. Change the type of "
            "the node to General in GeNIe"
        )
    check_memory(TABLE * math.prod(map(float, sizes)) * n_levels, f"the table of {quoted([name])}", "choose another")
    below = columns[:, ::-1].cumsum(axis=1)[:, ::-1]  # P(level as strong as this one or weaker)
    table = below[-1:]
    for begin, end in zip(ends, ends[1:], strict=False):
        table = (table[:, None] * below[begin:end]).reshape(-1, n_levels)
    stronger = np.concatenate([table[:, 1:], np.zeros((len(table), 1))], axis=1)
    return np.maximum(table - stronger, 0).ravel()
