"""Degenerate Gaussian score of a variable given its parents, on the rows in which the family is observed."""

import math
from typing import NamedTuple

import numpy as np

from ..ci.degenerate_gaussian import whiten_row
from ..ci.embedded_covariance import ROWS_AT_ONCE, EmbeddedSample, add_columns, fill_available, fill_correlations
from ..ci.partial_correlation import TINY_VARIANCE
from ..compiling import kernel
from .determinant import MIN_SAFE_VARIANCE, log_determinant
from .node_average import sum_over

SPARE_PAIR_ROWS = 4  # subtracted from the rows of a pair, since so few rows determine no correlation
MIN_PAIR_ROWS = 0.5  # minimum of the difference, so that pairs never observed together have a finite penalty
MIN_SPARE_ROWS = 1  # minimum rows beyond the columns of a family; with fewer the parents explain nothing


class EmbeddedFamilies(NamedTuple):
    """Embedded data in kernel form.

    Attributes
    ----------
    columns : EmbeddedSample
    n : int
        Number of rows.
    penalty : float
        Penalty of one parameter, in nats.
    doubts : (p,) float64 array
        As in `IncompleteFamilies`.
    rank : (q,) int64 array
        Ranks of the embedded columns by the names of their variables.
    """

    columns: EmbeddedSample
    n: int
    penalty: float
    doubts: np.ndarray
    rank: np.ndarray


@kernel
def family_gain(sample, rank, child, parents, n_parents, work, words, gathered, values, positions, nodes, columns):
    """Return (log-likelihood per row of the child alone, gain per row of the parents, columns of parents, of child).

    Both are computed on the rows in which the family is observed.

    Parameters
    ----------
    sample : EmbeddedSample
    rank : (q,) int64 array
        As in `EmbeddedFamilies`.
    child : int
    parents : int64 array
    n_parents : int
        The first `n_parents` of `parents` count.
    work : (2, m + 1, m + 1) float64 array
        Scratch, as are the following.
    words, gathered, values, positions
        As in `EmbeddedScratch`.
    nodes : int64 array
    columns : (2, m + 1) int64 array
    """
    block, chosen = work[0], columns[0]
    nodes[n_parents] = child
    m = 0
    for k in range(n_parents):
        nodes[k] = parents[k]
        m = add_columns(sample.first, parents[k], chosen, m)
    begin = m
    m = add_columns(sample.first, child, chosen, m)
    n, incomplete = sample.n, sample.sums.shape[0] > 0
    if incomplete:
        family = nodes[: n_parents + 1]
        n = fill_available(
            sample.sums, sample.missing_index, sample.absent, sample.absent_sums, sample.begin, sample.both_absent,
            sample.cell_row, sample.cells, sample.ones, family, sample.first, chosen, m, block, words, gathered, values,
            positions,
        )  # fmt: skip
    else:
        fill_correlations(sample.corr, chosen, m, block)
    own = m - begin
    alone, _ = log_generalized_variance(block[begin:, begin:], work[1], columns[1], 0, own)
    given = alone
    if n - 1 - m >= MIN_SPARE_ROWS:
        given, smallest = log_generalized_variance(block, work[1], columns[1], begin, m)
        if smallest < MIN_SAFE_VARIANCE and not incomplete:
            of_parents = log_determinant(sample.corr, rank, chosen, begin, work[1])
            add_columns(sample.first, child, chosen, begin)
            given = log_determinant(sample.corr, rank, chosen, m, work[1]) - of_parents
    total = own * (math.log(2.0 * math.pi) + 1.0) + alone
    if incomplete:
        for i in range(begin, m):
            if block[m, i] > 0.0:
                total -= 2.0 * math.log(block[m, i])
    return -0.5 * total, 0.5 * (alone - given), begin, own


@kernel
def sort_by_name(nodes, m, first, rank):
    """Sort the first `m` of some variables by the ranks of their columns, so that sums of rounded numbers agree.

    Parameters
    ----------
    nodes : int64 array
    m : int
    first : (p + 1,) int64 array
        The columns of variable v are ``first[v] .. first[v + 1] - 1``; variables without a column come first.
    rank : (q,) int64 array
        As in `EmbeddedFamilies`.
    """
    for i in range(1, m):
        v, at = nodes[i], i
        key = rank[first[v]] if first[v] < first[v + 1] else -1
        while at > 0:
            u = nodes[at - 1]
            if (rank[first[u]] if first[u] < first[u + 1] else -1) <= key:
                break
            nodes[at] = u
            at -= 1
        nodes[at] = v


@kernel
def log_generalized_variance(block, chol, basis, begin, m):
    """Return (ln of the generalized variance of the columns from `begin` on given those before, smallest pivot of all).

    A pivot counts as at least 1e-12 in the first.

    Parameters
    ----------
    block, chol, basis
        As in `ci.degenerate_gaussian`.
    begin, m : int
        The columns are ``begin .. m - 1``.
    """
    rank, total, smallest = 0, 0.0, 1.0
    for i in range(m):
        left = whiten_row(block, chol, basis, rank, i)
        smallest = min(smallest, left)
        if i >= begin:
            total += math.log(max(left, TINY_VARIANCE))
        if left >= TINY_VARIANCE:
            chol[i, rank] = math.sqrt(left)
            basis[rank] = i
            rank += 1
    return total, smallest


@kernel
def fit_embedded(sample, child, parents, candidates, out):
    """Compute n times the mean log-likelihood per row: the node average where values are missing.

    The child alone is scored on its own rows, the gain of the parents on the rows of the family. A family with too few
    rows gains nothing.

    Parameters
    ----------
    sample : EmbeddedFamilies
    child, parents, candidates, out
        As in `families.fit_families`.
    """
    embedded = sample.columns
    widest = 0
    for v in range(embedded.first.shape[0] - 1):
        widest = max(widest, embedded.first[v + 1] - embedded.first[v])
    size = (parents.shape[0] + 2) * widest + 1
    work, columns = np.empty((2, size, size)), np.empty((2, size), np.int64)
    nodes = np.empty(parents.shape[0] + 2, np.int64)
    words, gathered = np.empty((3, embedded.absent.shape[1]), np.uint64), np.empty((size + 1, ROWS_AT_ONCE))
    values, positions = np.empty(size + 1), np.empty(size + 1, np.int64)
    family = np.empty(parents.shape[0] + 1, np.int64)
    family[: parents.shape[0]] = parents
    alone, _, _, own = family_gain(
        embedded, sample.rank, child, family, 0, work, words, gathered, values, positions, nodes, columns
    )  # fmt: skip
    for c in range(candidates.shape[0]):
        m = parents.shape[0]
        family[:m] = parents
        if candidates[c] >= 0:
            family[m] = candidates[c]
            m += 1
        if embedded.sums.shape[0]:
            sort_by_name(family, m, embedded.first, sample.rank)
        _, gain, _, own = family_gain(
            embedded, sample.rank, child, family, m, work, words, gathered, values, positions, nodes, columns
        )  # fmt: skip
        out[c] = sample.n * (alone + gain)
        if embedded.sums.shape[0]:
            # Σ ρ² of the canonical correlations, at most d (1 - Λ^(1/d)), is the variance of the gain by row.
            spread = own * -math.expm1(-2.0 * gain / max(own, 1))
            out[c] -= sum_over(sample.doubts, family[:m]) * math.sqrt(max(spread, 0.0) * sample.n)


@kernel
def penalize_embedded(sample, child, parents, candidates, out):
    """Subtract the penalty of each parameter: d c + d (d + 1) / 2 for d columns given c.

    With completed correlations, the parameters of an edge are penalized n / (n_xy - 4) times, where n_xy rows have both
    of its ends: the gain is computed from n rows, but the correlation has the error of n_xy.

    Parameters
    ----------
    sample, child, parents, candidates, out
        As in `fit_embedded`.
    """
    first = sample.columns.first
    own, others = first[child + 1] - first[child], 0.0
    for k in parents:
        others += (first[k + 1] - first[k]) * penalty_factor(sample, child, k)
    for c in range(candidates.shape[0]):
        k = candidates[c]
        given = others + ((first[k + 1] - first[k]) * penalty_factor(sample, child, k) if k >= 0 else 0.0)
        out[c] -= sample.penalty * (own * given + 0.5 * own * (own + 1))


@kernel
def penalty_factor(sample, child, parent):
    """Return n / (n_xy - `SPARE_PAIR_ROWS`) for completed correlations, 1 for others.

    Parameters
    ----------
    sample : EmbeddedFamilies
    child, parent : int
    """
    rows = sample.columns.pair_rows
    return sample.n / max(rows[child, parent] - SPARE_PAIR_ROWS, MIN_PAIR_ROWS) if rows.shape[0] else 1.0
