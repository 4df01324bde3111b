"""Scores of parent sets, and their sums over all subsets of a candidate set.

Sets of candidates of node j are bit masks: bit b stands for ``candidates[j, b]``.
"""

import numpy as np

from ..compiling import kernel
from ..counting.popcount import popcount
from ..scores.families import score_families
from .order_sums import sum_subsets


@kernel
def fill_local(sample, candidates, levels, rows, n_of, max_parents, required, begin, end, local, table, stop, done):
    """Score the parent sets of some nodes, and sum over subsets.

    Parameters
    ----------
    sample : families of a score
    candidates : (p, k) int64 array
    levels : (p, k) float64 array
        Number of levels of each candidate.
    rows : float
        Sets with more configurations get -inf, unless the required set has more itself.
    n_of : (p,) int64 array
        Candidates of each node.
    max_parents : int
    required : (p,) int64 array
        Masks; sets without all of these candidates get -inf.
    begin, end : int
        The nodes ``begin .. end - 1``.
    local : (p, 2^k) float64 array
        Score of each set; -inf at the start.
    table : (p, 2^k) float64 array
        ln of the sum over all subsets of each set.
    stop, done : (1,) int8 and int64 arrays
    """
    for j in range(begin, end):
        most = max(rows, n_configurations(levels[j], required[j]))
        fill_node(sample, j, candidates[j], levels[j], most, n_of[j], max_parents, local[j], stop)
        if stop[0]:
            return
        for mask in range(local.shape[1]):
            if mask & required[j] != required[j]:
                local[j, mask] = -np.inf
            table[j, mask] = local[j, mask]
        sum_subsets(table[j])
        done[0] += 1


@kernel
def n_configurations(levels, mask):
    """Return the number of configurations of the variables of a mask, as a float."""
    n = 1.0
    for b in range(len(levels)):
        if mask >> b & 1:
            n *= levels[b]
    return n


@kernel
def fill_node(sample, j, candidates, levels, most, n, max_parents, row, stop):
    """Score the sets of one node, each once: a smaller set, and candidates after its last member.

    Parameters
    ----------
    sample : families of a score
    j : int
    candidates : (k,) int64 array
    levels : (k,) float64 array
        Number of levels of each candidate.
    most : float
        Sets with more configurations are not scored.
    n : int
        The first n candidates count.
    max_parents : int
    row : (2^k,) float64 array
        -inf at the start; filled.
    stop : (1,) int8 array
    """
    parents, out = np.empty(max_parents, np.int64), np.empty(n + 1)
    added, bits = np.empty(n, np.int64), np.empty(n, np.int64)
    score_families(sample, j, parents[:0], np.array([-1]), out)
    row[0] = out[0]
    for mask in range(1 << n):
        if stop[0]:
            return
        if np.int64(popcount(np.uint64(mask))) >= max_parents:
            continue
        m, after, configurations = 0, 0, 1.0
        for b in range(n):
            if mask >> b & 1:
                parents[m] = candidates[b]
                m, after = m + 1, b + 1
                configurations *= levels[b]
        n_added = 0
        for b in range(after, n):
            if configurations * levels[b] <= most:
                added[n_added], bits[n_added] = candidates[b], 1 << b
                n_added += 1
        if n_added:
            score_families(sample, j, parents[:m], added[:n_added], out)
            for c in range(n_added):
                row[mask | bits[c]] = out[c]


@kernel
def log_weight(row, before, needed):
    """Return the ln weight of the parent sets within `before` that have a member in `needed`; of all if that is 0."""
    if needed == 0:
        return row[before]
    whole, without = row[before], row[before & ~needed]
    if not without < whole - 1e-12:
        return -np.inf
    return whole + np.log1p(-np.exp(without - whole))


@kernel
def name_masks(position, local, table, index, local_of, sums_of):
    """Turn rows indexed by masks of the candidates of a node into rows indexed by masks of all variables.

    Parameters
    ----------
    position : (p,) int64 array
        Position of each variable among the candidates, -1 if it is none.
    local, table : (2^k,) float64 arrays
        As in `fill_local`.
    index : (2^p,) int64 array
        Scratch: the candidates of each mask.
    local_of : (2^p,) float64 array
        Becomes `local` where all members are candidates; the others stay.
    sums_of : (2^p,) float64 array
        Becomes `table` of the candidates of the mask.
    """
    index[0], others = 0, 0
    for i in range(position.shape[0]):
        half, bit = 1 << i, 0
        if position[i] >= 0:
            bit = 1 << position[i]
        else:
            others |= half
        for mask in range(half):
            index[half + mask] = index[mask] | bit
    for mask in range(index.shape[0]):
        sums_of[mask] = table[index[mask]]
        if mask & others == 0:
            local_of[mask] = local[index[mask]]
