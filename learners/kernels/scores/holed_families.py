"""Node-average BIC and BDeu of a categorical variable given its parents, on the rows that have the family."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.available import mark_available, pick_rows
from .configurations import label_rows
from .discrete_families import cell_term, stratum_term, terms_of


class HoledFamilies(NamedTuple):
    """As `DiscreteFamilies`, with holes.

    A missing cell has the code one past the last level; `states` (p,) int64 are the codes of each variable. `hole` and
    `there` are as in `counting.available`. `doubts` (p,) is what each parent takes from the gain, in standard
    deviations of the gain by row, times sqrt(n): see `scores.node_average`.
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
    edge_price: float
    doubts: np.ndarray


@kernel
def fit_holed(sample, child, parents, candidates, out):
    """The child alone on its own rows, and what the parents gain over that on the rows of the family; see `gain_of`."""
    n_rows, words = sample.codes.shape[1], sample.there.shape[1]
    mask, picked, label = np.empty(words, np.uint64), np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    family = np.empty(parents.shape[0] + 1, np.int64)
    family[: parents.shape[0]] = parents
    r, codes = sample.arity[child], sample.codes[child]
    found, units = pick_family(sample, child, family[:0], mask, picked)
    label[:] = 0
    table = count_cells(sample, codes, r, label, 1, picked[:found])
    alone = terms_of_child(sample, table, r) * sample.n / (max(units, 1) * sample.unit)
    for c in range(candidates.shape[0]):
        m = parents.shape[0]
        if candidates[c] >= 0:
            family[m] = candidates[c]
            m += 1
        given = family[:m]
        out[c] = alone
        if m:
            found, units = pick_family(sample, child, given, mask, picked)
            declared = 1.0
            for k in given:
                declared *= sample.arity[k] if varies(sample, k, picked[:found]) else 1
            q = label_rows(sample.codes, sample.states, given, label)
            table = count_cells(sample, codes, r, label, q, picked[:found])
            out[c] += gain_of(sample, table, r, declared, units * sample.unit, sum_over(sample.doubts, given))


@kernel
def varies(sample, k, picked):
    """Whether some of the rows picked differ. Parents that do not, though they have levels, would thin BDeu's prior."""
    level = -1
    for t in picked:
        if sample.weights.shape[0] == 0 or sample.weights[t] > 0:
            if level >= 0 and sample.codes[k, t] != level:
                return True
            level = sample.codes[k, t]
    return False


@kernel
def pick_family(sample, child, parents, mask, picked):
    """(rows that have the child and the parents, their weight); `picked` gets which they are."""
    if not mark_available(sample.hole, sample.there, child, child, parents, parents.shape[0], mask):
        mask[:] = ~np.uint64(0)
        spare = 64 * mask.shape[0] - sample.codes.shape[1]
        mask[mask.shape[0] - 1] = ~np.uint64(0) >> np.uint64(spare)
    return pick_rows(mask, sample.weights, picked)


@kernel
def count_cells(sample, codes, r, label, q, picked):
    """(q, r): the rows picked, by configuration of the parents and level of the child."""
    table = np.zeros((q, r), np.int64)
    for t in picked:
        table[label[t], codes[t]] += sample.weights[t] if sample.weights.shape[0] else 1
    return table


@kernel
def terms_of_child(sample, table, r):
    """BIC's or BDeu's terms of the child alone."""
    terms = terms_of(sample.ess, r, 1.0, sample.unit)
    total, n = 0.0, 0
    for k in range(r):
        own = 0
        for z in range(table.shape[0]):
            own += table[z, k]
        n += own
        total += cell_term(terms, own, sample.xlogx)
    return total - stratum_term(terms, n, sample.xlogx)


@kernel
def gain_of(sample, table, r, declared, n, doubt):
    """What the parents gain a row over the child alone, both on the `n` rows of the table, times all rows.

    Less `doubt` standard deviations of the gain by row, times sqrt(n). A child that does not vary in them gains
    nothing: by BDeu it would by the prior alone, and as much again for the rows that are not there.
    """
    of_child = np.zeros(r)
    for z in range(table.shape[0]):
        for k in range(r):
            of_child[k] += table[z, k]
    if (of_child > 0).sum() < 2:
        return 0.0
    terms = terms_of(sample.ess, r, declared, sample.unit)
    units = of_child.sum()
    total, mean, square = 0.0, 0.0, 0.0
    for z in range(table.shape[0]):
        margin = 0
        for k in range(r):
            margin += table[z, k]
        total -= stratum_term(terms, margin, sample.xlogx)
        for k in range(r):
            count = table[z, k]
            if count:
                total += cell_term(terms, count, sample.xlogx)
                ratio = math.log(count * units / (of_child[k] * margin))
                mean += count / units * ratio
                square += count / units * ratio * ratio
    gain = (total - terms_of_child(sample, table, r)) * sample.n / n
    return gain - doubt * math.sqrt(max(square - mean * mean, 0.0) * sample.n)


@kernel
def sum_over(values, nodes):
    """The sum of the values of some nodes."""
    total = 0.0
    for k in nodes:
        total += values[k]
    return total
