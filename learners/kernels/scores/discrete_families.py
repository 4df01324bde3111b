"""BIC and BDeu of a categorical variable given its parents, many candidate parents at a time.

What depends on the parents alone, the rows of each of their configurations, is found once (see `configurations`). Each
configuration (stratum) is then counted, candidate by candidate, by whichever is cheaper: ANDs of bit masks with the
candidate's planes, or its rows one by one.
"""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..counting.popcount import count_grid
from .configurations import masks_win, stratify

# Codes beyond this size lie outside the cache: rows picked from them cost more than the same rows of the candidate's
# planes, if these are few, for a plane is an eighth of the codes.
NEAR, FEW_LEVELS = 1 << 21, 4


class DiscreteFamilies(NamedTuple):
    """Codes and the constants of a score that sums over cells.

    `codes` (p, n_rows), `arity` (p,) int64, `weights` (n_rows,) positive int64 or empty for ones, of which one stands
    for `unit` rows, `n` their sum in rows, `xlogx[c]` = c ln c. `planes` (m, n_rows / 64 rounded up) uint64 has a bit a
    row for level v of variable k in row ``first_plane[k] + v``; -1 there for variables without planes. BDeu: `ess` > 0
    and no `penalty`. BIC: `ess` = 0 and `penalty` a free parameter. Each parent costs `edge_price`.
    """

    codes: np.ndarray
    arity: np.ndarray
    weights: np.ndarray
    unit: float
    n: int
    xlogx: np.ndarray
    planes: np.ndarray
    first_plane: np.ndarray
    ess: float
    penalty: float
    edge_price: float


class Terms(NamedTuple):
    """What a count adds to the score: `cell`, `stratum` are the Dirichlet parameters of BDeu, 0 for BIC.

    A count of 1 stands for `unit` rows.
    """

    cell: float
    stratum: float
    ln_gamma_cell: float
    ln_gamma_stratum: float
    unit: float


@kernel
def fill_planes(codes, first_plane, planes):
    """Set the bit of every row in the plane of its level; `planes` comes in as zeros."""
    one = np.uint64(1)
    for k in range(codes.shape[0]):
        if first_plane[k] >= 0:
            row = codes[k]
            for t in range(row.shape[0]):
                planes[first_plane[k] + row[t], t >> 6] |= one << np.uint64(t & 63)


@kernel
def terms_of(ess, r, q, unit):
    """Constants of a family whose child has r levels and whose parents have q configurations."""
    if ess == 0.0:
        return Terms(0.0, 0.0, 0.0, 0.0, unit)
    return Terms(ess / (q * r), ess / q, math.lgamma(ess / (q * r)), math.lgamma(ess / q), unit)


@kernel
def cell_term(terms, count, xlogx):
    """Count · ln(count) for BIC, ln Γ(a + count) - ln Γ(a) for BDeu; 0 for an empty cell."""
    if count == 0:
        return 0.0
    if terms.cell > 0.0:
        return math.lgamma(terms.cell + terms.unit * count) - terms.ln_gamma_cell
    return terms.unit * (xlogx[count] if count < xlogx.shape[0] else count * math.log(count))


@kernel
def stratum_term(terms, count, xlogx):
    """The same of a configuration of the parents; it is subtracted."""
    if count == 0:
        return 0.0
    if terms.stratum > 0.0:
        return math.lgamma(terms.stratum + terms.unit * count) - terms.ln_gamma_stratum
    return terms.unit * (xlogx[count] if count < xlogx.shape[0] else count * math.log(count))


@kernel
def sum_by_planes(masks, counts, planes, terms, xlogx, left, cells):
    """Terms of one stratum split by a candidate's levels, all with planes but the last, which is what they leave."""
    copy(counts, left)
    count_grid(masks, planes, cells)
    total = 0.0
    for v in range(planes.shape[0] + 1):
        margin = 0
        for s in range(counts.shape[0]):
            count = left[s]
            if v < planes.shape[0]:
                count = cells[s, v]
                left[s] -= count
            margin += count
            total += cell_term(terms, count, xlogx)
        total -= stratum_term(terms, margin, xlogx)
    return total


@kernel
def sum_by_rows(rows, child, r_child, codes, planes, weights, terms, xlogx, table, margins, seen, levels):
    """The same row by row, by the planes if there are any, else by the codes.

    `table`, `margins` come and leave as zeros; only cells that occur are visited.
    """
    n_seen = 0
    for position in range(rows.shape[0]):
        t = rows[position]
        level = level_at(planes, t) if planes.shape[0] else np.int64(codes[t])
        cell = level * r_child + child[position]
        if table[cell] == 0:
            seen[n_seen], levels[n_seen] = cell, level
            n_seen += 1
        table[cell] += weights[t] if weights.shape[0] else 1
    total = 0.0
    for c in range(n_seen):
        count = table[seen[c]]
        total += cell_term(terms, count, xlogx)
        margins[levels[c]] += count
        table[seen[c]] = 0
    for c in range(n_seen):
        total -= stratum_term(terms, margins[levels[c]], xlogx)
        margins[levels[c]] = 0
    return total


@kernel
def level_at(planes, t):
    """Level of a row, from the planes of all levels but the last."""
    last, word, bit = planes.shape[0], t >> 6, np.uint64(t & 63)
    level = last
    for v in range(last):
        level -= (last - v) * np.int64(planes[v, word] >> bit & np.uint64(1))
    return level


@kernel
def fit_discrete(sample, child, parents, candidates, out):
    """Log-likelihood at the best parameters, or BDeu, of the families; BDeu takes the declared levels."""
    sum_strata(sample, child, parents, candidates, stratify(sample, child, parents, candidates), out)


@kernel
def sum_strata(sample, child, parents, candidates, strata, out):
    """`fit_discrete`, stratum by stratum."""
    r = sample.arity[child]
    widest = 1
    for k in candidates:
        if k >= 0:
            widest = max(widest, sample.arity[k])
    table = np.zeros(widest * r, np.int64)
    margins = np.zeros(widest, np.int64)
    seen, levels = np.empty(strata.order.shape[0], np.int64), np.empty(strata.order.shape[0], np.int64)
    left, cells = np.empty(strata.counts.shape[1], np.int64), np.empty((strata.counts.shape[1], widest), np.int64)
    nothing = np.zeros(sample.codes.shape[1] if -1 in candidates else 0, sample.codes.dtype)
    is_far = sample.codes.size > NEAR
    q_parents = 1.0
    for k in parents:
        q_parents *= sample.arity[k]
    for c in range(candidates.shape[0]):
        k = candidates[c]
        r_candidate = sample.arity[k] if k >= 0 else 1
        first = sample.first_plane[k] if k >= 0 else 0
        planes = sample.planes[max(first, 0) : first + r_candidate - 1 if first >= 0 else 0]
        levels_from = planes if is_far and r_candidate <= FEW_LEVELS else planes[:0]
        codes = sample.codes[k] if k >= 0 else nothing
        terms = terms_of(sample.ess, r, q_parents * r_candidate, sample.unit)
        total = 0.0
        for z in strata.turns:
            begin, end, s = strata.begin[z], strata.begin[z + 1], strata.slot[z]
            if s >= 0 and first >= 0 and masks_win(sample, child, end - begin, r_candidate):
                total += sum_by_planes(strata.masks[s], strata.counts[s], planes, terms, sample.xlogx, left, cells)
            else:
                total += sum_by_rows(
                    strata.order[begin:end],
                    strata.child[begin:end],
                    r,
                    codes,
                    levels_from,
                    sample.weights,
                    terms,
                    sample.xlogx,
                    table,
                    margins,
                    seen,
                    levels,
                )
        out[c] = total


@kernel
def price_discrete(sample, child, parents, candidates, out):
    """BIC's penalty and the price of each parent off each fit; unobserved configurations of the parents count as the
    declared levels say."""
    q_parents = 1.0
    for k in parents:
        q_parents *= sample.arity[k]
    for c in range(candidates.shape[0]):
        r_candidate = sample.arity[candidates[c]] if candidates[c] >= 0 else 1
        out[c] -= sample.penalty * (sample.arity[child] - 1) * q_parents * r_candidate
        out[c] -= sample.edge_price * (parents.shape[0] + (candidates[c] >= 0))
