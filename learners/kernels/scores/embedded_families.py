"""Degenerate Gaussian score of a variable given its parents, on the rows that have the family."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..tests.degenerate import whiten_row
from ..tests.embedded import ROWS_AT_ONCE, EmbeddedSample, add_columns, fill_available, fill_known
from ..tests.partial_correlation import TINY_VARIANCE
from .holed_families import sum_over

FEWEST_SPARE = 1  # rows beside the columns of a family, without which it explains nothing


class EmbeddedFamilies(NamedTuple):
    """The embedded columns, all rows, the price of a parameter in nats, and `doubts` as in `holed_families`."""

    columns: EmbeddedSample
    n: int
    penalty: float
    doubts: np.ndarray


@kernel
def family_gain(sample, child, parents, n_parents, work, words, gathered, values, places, nodes, columns):
    """(log-likelihood a row of the child alone, what the parents gain a row, columns of the parents, of the child).

    Both on the rows that have the family. `work` (2, m + 1, m + 1) is scratch, as are `words`, `gathered`, `values` and
    `places` of an `EmbeddedScratch`, `nodes` and `columns` (2, m + 1).
    """
    block, chosen = work[0], columns[0]
    nodes[n_parents] = child
    m = 0
    for k in range(n_parents):
        nodes[k] = parents[k]
        m = add_columns(sample.first, parents[k], chosen, m)
    begin = m
    m = add_columns(sample.first, child, chosen, m)
    n, lost = sample.n, sample.sums.shape[0] > 0
    if lost:
        family = nodes[: n_parents + 1]
        n = fill_available(
            sample.sums, sample.hole, sample.absent, sample.lost, sample.begin, sample.both, sample.place, sample.cells,
            sample.ones, family, sample.first, chosen, m, block, words, gathered, values, places,
        )  # fmt: skip
    else:
        fill_known(sample.corr, chosen, m, block)
    own = m - begin
    alone = log_spread(block[begin:, begin:], work[1], columns[1], 0, own)
    given = alone
    if n - 1 - m >= FEWEST_SPARE:
        given = log_spread(block, work[1], columns[1], begin, m)
    total = own * (math.log(2.0 * math.pi) + 1.0) + alone
    if lost:
        for i in range(begin, m):
            if block[m, i] > 0.0:
                total -= 2.0 * math.log(block[m, i])
    return -0.5 * total, 0.5 * (alone - given), begin, own


@kernel
def log_spread(block, chol, basis, begin, m):
    """ln of the generalised variance of the columns from `begin` on, given those before; a pivot is at least 1e-12."""
    rank, total = 0, 0.0
    for i in range(m):
        left = whiten_row(block, chol, basis, rank, i)
        if i >= begin:
            total += math.log(max(left, TINY_VARIANCE))
        if left >= TINY_VARIANCE:
            chol[i, rank] = math.sqrt(left)
            basis[rank] = i
            rank += 1
    return total


@kernel
def fit_embedded(sample, child, parents, candidates, out):
    """n times the mean log-likelihood a row: node-average where cells are missing.

    The child alone counts on its own rows; what parents gain over it, on the rows of the family. One for which the rows
    do not suffice gains nothing.
    """
    embedded = sample.columns
    widest = 0
    for v in range(embedded.first.shape[0] - 1):
        widest = max(widest, embedded.first[v + 1] - embedded.first[v])
    size = (parents.shape[0] + 2) * widest + 1
    work, columns = np.empty((2, size, size)), np.empty((2, size), np.int64)
    nodes = np.empty(parents.shape[0] + 2, np.int64)
    words, gathered = np.empty((3, embedded.absent.shape[1]), np.uint64), np.empty((size + 1, ROWS_AT_ONCE))
    values, places = np.empty(size + 1), np.empty(size + 1, np.int64)
    family = np.empty(parents.shape[0] + 1, np.int64)
    family[: parents.shape[0]] = parents
    alone, _, _, own = family_gain(
        embedded, child, family, 0, work, words, gathered, values, places, nodes, columns
    )  # fmt: skip
    for c in range(candidates.shape[0]):
        m = parents.shape[0]
        if candidates[c] >= 0:
            family[m] = candidates[c]
            m += 1
        _, gain, _, own = family_gain(
            embedded, child, family, m, work, words, gathered, values, places, nodes, columns
        )  # fmt: skip
        out[c] = sample.n * (alone + gain)
        if embedded.sums.shape[0]:
            # Σ ρ² of the canonical correlations, at most d (1 - Λ^(1/d)), is the variance of the gain by row.
            spread = own * -math.expm1(-2.0 * gain / max(own, 1))
            out[c] -= sum_over(sample.doubts, family[:m]) * math.sqrt(max(spread, 0.0) * sample.n)


@kernel
def price_embedded(sample, child, parents, candidates, out):
    """The penalty of each parameter off each fit: a family of d columns given c has d c + d (d + 1) / 2."""
    first = sample.columns.first
    own, others = first[child + 1] - first[child], 0
    for k in parents:
        others += first[k + 1] - first[k]
    for c in range(candidates.shape[0]):
        k = candidates[c]
        given = others + (first[k + 1] - first[k] if k >= 0 else 0)
        out[c] -= sample.penalty * (own * given + 0.5 * own * (own + 1))
