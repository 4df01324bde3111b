"""Node-average BIC and BDeu of a categorical variable given its parents, on the rows that have the family."""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.available import mark_available, pick_rows
from .discrete_families import cell_term, label_rows, stratum_term, terms_of


class HoledFamilies(NamedTuple):
    """As `DiscreteFamilies`, with holes.

    A missing cell has the code one past the last level; `states` (p,) int64 are the codes of each variable. `hole` and
    `there` are as in `counting.available`. `penalty` is the price of a free parameter beyond what the score charges by
    itself, which is nothing for BIC and for BDeu, in the long run, ½ ln n.
    """

    codes: np.ndarray
    arity: np.ndarray
    states: np.ndarray
    weights: np.ndarray
    unit: float
    n: int
    xlogx: np.ndarray
    hole: np.ndarray
    there: np.ndarray
    ess: float
    penalty: float


@kernel
def score_holed(sample, child, parents, candidates, out):
    """n times the mean score a row of those that have the family, less the penalty; 0 rows explain nothing."""
    n_rows, words = sample.codes.shape[1], sample.there.shape[1]
    mask, picked, label = np.empty(words, np.uint64), np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    family = np.empty(parents.shape[0] + 1, np.int64)
    family[: parents.shape[0]] = parents
    r, codes = sample.arity[child], sample.codes[child]
    for c in range(candidates.shape[0]):
        m = parents.shape[0]
        if candidates[c] >= 0:
            family[m] = candidates[c]
            m += 1
        given = family[:m]
        if not mark_available(sample.hole, sample.there, child, child, given, m, mask):
            mask[:] = ~np.uint64(0)
            mask[words - 1] = ~np.uint64(0) >> np.uint64(64 * words - n_rows)
        found, units = pick_rows(mask, sample.weights, picked)
        q = label_rows(sample.codes, sample.states, given, label)
        declared = 1.0
        for k in given:
            declared *= sample.arity[k]
        total, shown = sum_terms(sample, codes, r, label, q, declared, picked[:found])
        price = sample.penalty * (r - 1) * (declared if sample.ess == 0.0 else shown)
        out[c] = total * sample.n / (max(units, 1) * sample.unit) - price


@kernel
def sum_terms(sample, codes, r, label, q, declared, picked):
    """(BIC's or BDeu's terms of the rows picked, configurations of the parents that they show)."""
    table = np.zeros(q * r, np.int64)
    for t in picked:
        table[label[t] * r + codes[t]] += sample.weights[t] if sample.weights.shape[0] else 1
    terms = terms_of(sample.ess, r, declared, sample.unit)
    total, shown = 0.0, 0
    for z in range(q):
        margin = 0
        for k in range(r):
            margin += table[z * r + k]
            total += cell_term(terms, table[z * r + k], sample.xlogx)
        total -= stratum_term(terms, margin, sample.xlogx)
        shown += margin > 0
    return total, shown
