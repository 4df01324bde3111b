"""BIC and BDeu of a categorical variable: families of many candidate parents at a time.

The rows of each configuration of the parents are computed once for all candidates (see `configurations`). Each
configuration (stratum) is then counted for each candidate by the cheaper method: by ANDs of bit masks with the
candidate's planes, or row by row.
"""

import math
from typing import NamedTuple

import numpy as np

from ..arrays import copy
from ..compiling import kernel
from ..counting.popcount import count_grid
from .configurations import MAX_MASK_BYTES, masks_are_cheaper, need_masks, place_masks, stratify

# Codes beyond this size do not fit the cache: reading rows from them costs more than reading the candidate's
# planes, if there are few of them, because a plane has an eighth of the size.
MAX_CACHED_CODES, MAX_PLANE_LEVELS = 1 << 21, 4


class DiscreteFamilies(NamedTuple):
    """Categorical data and the constants of a score that sums over cells.

    Attributes
    ----------
    codes : (p, n_rows) integer array
    arity : (p,) int64 array
    weights : (n_rows,) int64 array
        Positive; empty if all are 1.
    unit : float
        Rows that a weight of 1 stands for.
    n : int
        Sum of the weights in rows.
    xlogx : float64 array
        ``xlogx[c]`` = c ln c.
    planes : (m, words) uint64 array
        A bit for each row with level v of variable k, in row ``first_plane[k] + v``.
    first_plane : (p,) int64 array
        -1 for variables without planes.
    ess : float
        Equivalent sample size of BDeu; 0 for BIC.
    penalty : float
        Penalty of a free parameter, for BIC; 0 for BDeu.
    edge_penalty : float
        Penalty of each parent.
    rising : (cells, counts) float64 array
        Entry [m, c] is ln Γ(ess / m + c · unit) - ln Γ(ess / m), and entry [m, 0] is ln Γ(ess / m), as far as kernels
        have needed them; 0 otherwise. Threads may write an entry at the same time, since they write the same number.
        No counts for BIC.
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
    edge_penalty: float
    rising: np.ndarray


class CountTerms(NamedTuple):
    """Constants of the terms that counts add to a score.

    Attributes
    ----------
    cell, stratum : float
        Dirichlet parameters of BDeu; 0 for BIC.
    ln_gamma_cell, ln_gamma_stratum : float
    unit : float
        Rows that a count of 1 stands for.
    of_cells, of_strata : float64 arrays
        Rows of `DiscreteFamilies.rising` for these parameters; without entries for BIC and for many cells.
    """

    cell: float
    stratum: float
    ln_gamma_cell: float
    ln_gamma_stratum: float
    unit: float
    of_cells: np.ndarray
    of_strata: np.ndarray


@kernel
def fill_planes(codes, first_plane, planes):
    """Set the bit of every row in the plane of its level; `planes` are zeros at the start."""
    one = np.uint64(1)
    for k in range(codes.shape[0]):
        if first_plane[k] >= 0:
            row = codes[k]
            for t in range(row.shape[0]):
                planes[first_plane[k] + row[t], t >> 6] |= one << np.uint64(t & 63)


@kernel
def terms_of(ess, rising, r, q, unit):
    """Return the constants of a family whose child has r levels and whose parents have q configurations.

    Parameters
    ----------
    ess : float
    rising : (cells, counts) float64 array
        As in `DiscreteFamilies`.
    r : int
    q : float
    unit : float
    """
    if ess == 0.0:
        return CountTerms(0.0, 0.0, 0.0, 0.0, unit, rising[0, :0], rising[0, :0])
    cell, stratum = ess / (q * r), ess / q
    of_cells, of_strata = terms_by_count(rising, q * r), terms_by_count(rising, q)
    return CountTerms(cell, stratum, ln_gamma(of_cells, cell), ln_gamma(of_strata, stratum), unit, of_cells, of_strata)


@kernel
def terms_by_count(rising, cells):
    """Return the row of `rising` for a number of cells; no entries if it has none."""
    return rising[np.int64(cells)] if cells < rising.shape[0] else rising[0, :0]


@kernel
def ln_gamma(by_count, parameter):
    """Return ln Γ of a Dirichlet parameter, from entry 0 of its row of `rising` where known."""
    if by_count.shape[0] == 0:
        return math.lgamma(parameter)
    if by_count[0] == 0.0:
        by_count[0] = math.lgamma(parameter)
    return by_count[0]


@kernel
def rising_term(by_count, parameter, ln_gamma_parameter, count, unit):
    """Return ln Γ(parameter + count · unit) - ln Γ(parameter).

    Parameters
    ----------
    by_count : float64 array
        Row of `DiscreteFamilies.rising` for this parameter; a term that is not in it yet is added if there is room.
    parameter, ln_gamma_parameter : float
        Dirichlet parameter, and ln Γ of it.
    count : int
    unit : float
        Rows that a count of 1 stands for.
    """
    if count >= by_count.shape[0]:
        return math.lgamma(parameter + unit * count) - ln_gamma_parameter
    if by_count[count] == 0.0:
        by_count[count] = math.lgamma(parameter + unit * count) - ln_gamma_parameter
    return by_count[count]


@kernel
def cell_term(terms, count, xlogx):
    """Return count · ln(count) for BIC, ln Γ(a + count) - ln Γ(a) for BDeu; 0 for an empty cell."""
    if count == 0:
        return 0.0
    if terms.cell > 0.0:
        return rising_term(terms.of_cells, terms.cell, terms.ln_gamma_cell, count, terms.unit)
    return terms.unit * (xlogx[count] if count < xlogx.shape[0] else count * math.log(count))


@kernel
def stratum_term(terms, count, xlogx):
    """Return the term of a configuration of the parents, which is subtracted."""
    if count == 0:
        return 0.0
    if terms.stratum > 0.0:
        return rising_term(terms.of_strata, terms.stratum, terms.ln_gamma_stratum, count, terms.unit)
    return terms.unit * (xlogx[count] if count < xlogx.shape[0] else count * math.log(count))


@kernel
def sum_by_planes(masks, counts, planes, terms, xlogx, left, cells):
    """Return the sum of the terms of one stratum, split by a candidate's levels, from bit planes.

    Parameters
    ----------
    masks : (r, words) uint64 array
        A bit for each row of the stratum with each level of the child.
    counts : (r,) int64 array
        Numbers of these rows.
    planes : (r_candidate - 1, words) uint64 array
        All but the candidate's last level, which follows by subtraction.
    terms : CountTerms
    xlogx : float64 array
    left : (r,) int64 array
        Scratch.
    cells : (r, widest) int64 array
        Scratch.
    """
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
    """Return the sum of the terms of one stratum, split by a candidate's levels, row by row.

    Only cells that occur are visited.

    Parameters
    ----------
    rows : int32 array
        Rows of the stratum.
    child : integer array
        Codes of the child in these rows.
    r_child : int
    codes : (n,) integer array
        Codes of the candidate.
    planes : uint64 array
        Planes of the candidate but the last, read in place of the codes if there are any.
    weights : int64 array
    terms : CountTerms
    xlogx : float64 array
    table, margins : int64 arrays
        Scratch: zeros before and after.
    seen, levels : int64 arrays
        Scratch, with an entry for each cell that can occur.
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
    """Return the level of row t, from the planes of all levels but the last."""
    last, word, bit = planes.shape[0], t >> 6, np.uint64(t & 63)
    level = last
    for v in range(last):
        level -= (last - v) * np.int64(planes[v, word] >> bit & np.uint64(1))
    return level


@kernel
def fit_discrete(sample, child, parents, candidates, out):
    """Compute the log-likelihood at the best parameters, or BDeu, which uses the declared levels.

    Parameters
    ----------
    sample : DiscreteFamilies
    child, parents, candidates, out
        As in `families.fit_families`.
    """
    strata = stratify(sample, child, parents, candidates)
    no_floors = np.full(candidates.shape[0], -np.inf)
    sum_strata(sample, child, parents, candidates, strata, strata.turns, no_floors, MAX_MASK_BYTES, out)


@kernel
def fit_discrete_above(sample, child, parents, candidates, floors, out):
    """Compute `fit_discrete` where the fit is above its floor; elsewhere `out` may become -inf.

    The term of each stratum is the logarithm of a probability, so a sum over some strata is an upper bound of the fit.
    Large strata come first, because their terms are low.

    Parameters
    ----------
    sample, child, parents, candidates, out
        As in `fit_discrete`.
    floors : (m,) float64 array
    """
    strata = stratify(sample, child, parents, candidates)
    by_size = np.argsort(strata.begin[:-1] - strata.begin[1:])
    sum_strata(sample, child, parents, candidates, strata, by_size, floors, MAX_MASK_BYTES, out)


@kernel
def sum_strata(sample, child, parents, candidates, strata, turns, floors, max_bytes, out):
    """Compute `fit_discrete` from sorted rows, stratum by stratum.

    Parameters
    ----------
    sample, child, parents, candidates, out
        As in `fit_discrete`.
    strata : Strata
    turns : (q,) int64 array
        Order in which strata are computed, unless masks are made here; their terms are always added in the order of
        `Strata.turns`.
    floors : (m,) float64 array
        ``out[c]`` becomes -inf once it is known to be below ``floors[c]``.
    max_bytes : int
        Maximum size of the masks that are made here, if the strata have none; those of one stratum are always made.
    """
    r = sample.arity[child]
    widest = 1
    for k in candidates:
        if k >= 0:
            widest = max(widest, sample.arity[k])
    table = np.zeros(widest * r, np.int64)
    margins = np.zeros(widest, np.int64)
    occurring = min(widest * r, strata.order.shape[0])
    seen, levels = np.empty(occurring, np.int64), np.empty(occurring, np.int64)
    left, cells = np.empty(strata.counts.shape[1], np.int64), np.empty((strata.counts.shape[1], widest), np.int64)
    nothing = np.zeros(sample.codes.shape[1] if -1 in candidates else 0, sample.codes.dtype)
    is_far = sample.codes.size > MAX_CACHED_CODES
    q_parents = 1.0
    for k in parents:
        q_parents *= sample.arity[k]
    masks, place = strata.masks, strata.slot
    is_in_groups = need_masks(candidates) and masks.shape[0] > 0 and masks.shape[2] == 0
    if is_in_groups:
        masks, place, turns = room_for_masks(sample, r, max_bytes), strata.slot.copy(), strata.turns
    fits = np.empty(turns.shape[0])
    out[:] = 0.0
    start, stop = 0, turns.shape[0]
    while start < turns.shape[0]:
        if is_in_groups:
            stop = place_masks(sample, child, parents, strata, start, place, masks)
        for c in range(candidates.shape[0]):
            k, most = candidates[c], out[c]
            if most == -np.inf:  # known from an earlier group
                continue
            r_candidate = sample.arity[k] if k >= 0 else 1
            first = sample.first_plane[k] if k >= 0 else 0
            planes = sample.planes[max(first, 0) : first + r_candidate - 1 if first >= 0 else 0]
            levels_from = planes if is_far and r_candidate <= MAX_PLANE_LEVELS else planes[:0]
            codes = sample.codes[k] if k >= 0 else nothing
            terms = terms_of(sample.ess, sample.rising, r, q_parents * r_candidate, sample.unit)
            for z in turns[start:stop]:
                begin, end, s = strata.begin[z], strata.begin[z + 1], strata.slot[z]
                if s >= 0 and first >= 0 and masks_are_cheaper(sample, child, end - begin, r_candidate):
                    counts = strata.counts[s]
                    fits[z] = sum_by_planes(masks[place[z]], counts, planes, terms, sample.xlogx, left, cells)
                else:
                    fits[z] = sum_by_rows(
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
                most += fits[z]
                if most < floors[c]:
                    break
            if most < floors[c]:
                out[c] = -np.inf
            else:
                for z in strata.turns[start:stop]:
                    out[c] += fits[z]
        start = stop


@kernel
def room_for_masks(sample, r, max_bytes):
    """Return an array for the masks of as many strata as `max_bytes` permits, but at least one.

    Parameters
    ----------
    sample : DiscreteFamilies
    r : int
        Number of levels of the child.
    max_bytes : int
    """
    words = sample.planes.shape[1]
    return np.empty((max(1, max_bytes // (8 * r * words)), r, words), np.uint64)


@kernel
def penalize_discrete(sample, child, parents, candidates, out):
    """Subtract BIC's penalty, the edge penalty of each parent and, with an edge penalty, that of a sparse table.

    The configurations of the parents are counted by the declared levels, observed or not.

    Parameters
    ----------
    sample, child, parents, candidates, out
        As in `fit_discrete`.
    """
    q_parents = 1.0
    for k in parents:
        q_parents *= sample.arity[k]
    for c in range(candidates.shape[0]):
        r_candidate = sample.arity[candidates[c]] if candidates[c] >= 0 else 1
        out[c] -= sample.penalty * (sample.arity[child] - 1) * q_parents * r_candidate
        out[c] -= sample.edge_penalty * (parents.shape[0] + (candidates[c] >= 0))
        if sample.edge_penalty > 0.0:
            configurations = q_parents * r_candidate
            out[c] -= sparse_penalty(sample, sample.arity[child] * configurations)
            out[c] += sparse_penalty(sample, configurations)


@kernel
def sparse_penalty(sample, cells):
    """Return BIC's penalty of the cells beyond n², for n rows; it is 0 for a table of two columns.

    Where hardly any two rows share a configuration of the parents, BDeu is -ln r per row, whatever the data are, and
    many parents of many levels score better than no parents, which cost about ½ (r - 1) ln n. In a table of n² equally
    likely cells, r / 2 pairs of rows share a configuration by chance, and each costs about 2 ln n, so that no parents
    score better. The penalty of a family is that of its cells minus that of its parents' cells, so DAGs of one
    equivalence class have equal penalties.

    Parameters
    ----------
    sample : DiscreteFamilies or IncompleteFamilies
    cells : float
    """
    free = float(sample.n) * float(sample.n)
    if cells <= free:
        return 0.0
    widest = float(sample.arity.max())
    return 0.5 * math.log(sample.n) * max(cells - max(free, widest * widest), 0.0)
