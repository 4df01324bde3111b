"""Node-average BIC and BDeu of a categorical variable, on the rows in which the family is observed."""

import math
from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from ..counting.available_cases import mark_available, pick_rows
from .bdeu_and_bic import cell_term, stratum_term, terms_of
from .configurations import label_rows


class IncompleteFamilies(NamedTuple):
    """Categorical data with missing values, and the constants of a score.

    Attributes
    ----------
    codes, arity, weights, unit, n, xlogx, ess, penalty, edge_penalty, rising
        As in `DiscreteFamilies`; a missing cell has the code one past the last level.
    states : (p,) int64 array
        Number of codes of each variable.
    missing_index, observed : arrays
        As in `counting.available_cases`.
    doubts : (p,) float64 array
        Amount that each parent subtracts from the gain, in standard deviations of the gain by row, times sqrt(n); see
        `scores.node_average`.
    """

    codes: np.ndarray
    arity: np.ndarray
    states: np.ndarray
    weights: np.ndarray
    unit: float
    n: int
    xlogx: np.ndarray
    missing_index: np.ndarray
    observed: np.ndarray
    ess: float
    penalty: float
    edge_penalty: float
    doubts: np.ndarray
    rising: np.ndarray


@kernel
def fit_incomplete(sample, child, parents, candidates, out):
    """Return the score of the child in its rows plus the gain of the parents in the rows of the family.

    Parameters
    ----------
    sample : IncompleteFamilies
    child, parents, candidates, out
        As in `families.fit_families`.
    """
    n_rows, words = sample.codes.shape[1], sample.observed.shape[1]
    mask, picked, label = np.empty(words, np.uint64), np.empty(n_rows, np.int32), np.empty(n_rows, np.int32)
    family = np.empty(parents.shape[0] + 1, np.int64)
    family[: parents.shape[0]] = parents
    r, codes = sample.arity[child], sample.codes[child]
    found, units = pick_family(sample, child, family[:0], mask, picked)
    label[:] = 0
    table = count_cells(sample, codes, r, label, 1, picked[:found])
    alone = child_terms(sample, table, r) * sample.n / (max(units, 1) * sample.unit)
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
            out[c] += parents_gain(sample, table, r, declared, units * sample.unit, sum_over(sample.doubts, given))


@kernel
def varies(sample, k, picked):
    """Return True if some of the picked rows differ in variable k.

    A parent that does not vary would thin the prior of BDeu in spite of its levels.
    """
    level = -1
    for t in picked:
        if sample.weights.shape[0] == 0 or sample.weights[t] > 0:
            if level >= 0 and sample.codes[k, t] != level:
                return True
            level = sample.codes[k, t]
    return False


@kernel
def pick_family(sample, child, parents, mask, picked):
    """Return (number of rows in which child and parents are observed, their weight).

    Parameters
    ----------
    sample : IncompleteFamilies
    child : int
    parents : int64 array
    mask : (words,) uint64 array
        Scratch.
    picked : (n,) int32 array
        Filled with these rows.
    """
    if not mark_available(sample.missing_index, sample.observed, child, child, parents, parents.shape[0], mask):
        mask[:] = ~np.uint64(0)
        spare = 64 * mask.shape[0] - sample.codes.shape[1]
        mask[mask.shape[0] - 1] = ~np.uint64(0) >> np.uint64(spare)
    return pick_rows(mask, sample.weights, picked)


@kernel
def count_cells(sample, codes, r, label, q, picked):
    """Return the picked rows by configuration of the parents and level of the child, (q, r) int64.

    Parameters
    ----------
    sample : IncompleteFamilies
    codes : (n,) integer array
        Levels of the child.
    r : int
    label : (n,) int32 array
        Configuration of each row.
    q : int
    picked : int32 array
    """
    table = np.zeros((q, r), np.int64)
    for t in picked:
        table[label[t], codes[t]] += sample.weights[t] if sample.weights.shape[0] else 1
    return table


@kernel
def child_terms(sample, table, r):
    """Return the BIC or BDeu score of the child without parents."""
    terms = terms_of(sample.ess, sample.rising, r, 1.0, sample.unit)
    total, n = 0.0, 0
    for k in range(r):
        own = 0
        for z in range(table.shape[0]):
            own += table[z, k]
        n += own
        total += cell_term(terms, own, sample.xlogx)
    return total - stratum_term(terms, n, sample.xlogx)


@kernel
def parents_gain(sample, table, r, declared, n, doubt):
    """Return the gain per row of the parents over the child alone, times the number of all rows.

    `doubt` standard deviations of the gain by row, times sqrt(n), are subtracted. A child that does not vary on these
    rows gains nothing; with BDeu it would gain by the prior.

    Parameters
    ----------
    sample : IncompleteFamilies
    table : (q, r) int64 array
    r : int
    declared : float
        Configurations of the parents by declared levels.
    n : float
        Rows of the table.
    doubt : float
    """
    of_child = np.zeros(r)
    for z in range(table.shape[0]):
        for k in range(r):
            of_child[k] += table[z, k]
    if (of_child > 0).sum() < 2:
        return 0.0
    terms = terms_of(sample.ess, sample.rising, r, declared, sample.unit)
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
    gain = (total - child_terms(sample, table, r)) * sample.n / n
    return gain - doubt * math.sqrt(max(square - mean * mean, 0.0) * sample.n)


@kernel
def sum_over(values, nodes):
    """Return the sum of the values of some nodes."""
    total = 0.0
    for k in nodes:
        total += values[k]
    return total
