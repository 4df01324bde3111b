"""Scores of parent sets, and their sums over all subsets of a candidate set.

Sets of candidates of node j are bit masks: bit b stands for ``candidates[j, b]``.
"""

import numpy as np

from ..compiling import kernel
from ..counting.popcount import popcount
from ..scores.families import score_families
from .order_sums import sum_subsets


@kernel
def fill_weights(
    sample, candidates, levels, rows, n_of, room, required, begin, end, table, sets, scores, n_sets, stop, done
):
    """Score the parent sets of some nodes, and sum over subsets.

    Parameters
    ----------
    sample : families of a score
    candidates : (p, k) int64 array
    levels : (p, k) float64 array
        Number of levels of each candidate.
    rows : float
        Sets with more configurations are not allowed, unless the required set has more itself.
    n_of, room : (p,) int64 arrays
        Number of candidates of each node, and maximum number of its parents.
    required : (p,) int64 array
        Masks; sets without all of these candidates are not allowed.
    begin, end : int
        The nodes ``begin .. end - 1``.
    table : (p, 2^k) float64 array
        -inf at the start; becomes ln of the sum over all subsets of each set.
    sets, scores : (p, s) int64 and float64 arrays
        Become the allowed sets and their scores, ascending; s is at least their number.
    n_sets : (p,) int64 array
        Becomes the number of allowed sets.
    stop, done : (1,) int8 and int64 arrays
    """
    for j in range(begin, end):
        most = max(rows, n_configurations(levels[j], required[j]))
        row, n = table[j], 0
        fill_node(sample, j, candidates[j], levels[j], most, n_of[j], room[j], row, stop)
        if stop[0]:
            return
        for mask in range(row.shape[0]):
            if mask & required[j] != required[j]:
                row[mask] = -np.inf
            if row[mask] > -np.inf:
                sets[j, n], scores[j, n] = mask, row[mask]
                n += 1
        n_sets[j] = n
        sum_subsets(row)
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
def name_masks(position, table, index, named):
    """Turn a row indexed by masks of the candidates of a node into one indexed by masks of variables.

    Parameters
    ----------
    position : (m,) int64 array
        Position of each variable among the candidates, -1 if it is none.
    table : (2^k,) float64 array
        As in `fill_weights`.
    index : (2^m,) int64 array
        Scratch: the candidates of each mask.
    named : (2^m,) float64 array
        Becomes `table` of the candidates of the mask.
    """
    index[0] = 0
    for i in range(position.shape[0]):
        half = 1 << i
        bit = 1 << position[i] if position[i] >= 0 else 0
        for mask in range(half):
            index[half + mask] = index[mask] | bit
    for mask in range(index.shape[0]):
        named[mask] = table[index[mask]]
