"""Merge the results of a level of tests into the evidence of all pairs, and rank its edges by strength."""

import numpy as np

from ..arrays import copy
from ..compiling import kernel

# Fates of an edge; an untested one is separated without a test, for lack of rows.
SEPARATED, UNTESTED, KEPT, NOT_REACHED = 0, 1, 2, 3
DIGIT_BITS = 8  # bits of a digit of the radix sort
DIGITS = 8


@kernel
def weakest_first(log_p, part, n_parts):
    """Sort by part, within a part by falling ``log_p <= 0``; ties keep their order.

    Parameters
    ----------
    log_p : (m,) float64 array
    part : (m,) uint8 array
        Below `n_parts`.
    n_parts : int

    Returns
    -------
    order : (m,) int64 array
        Positions.
    end : (n_parts,) int64 array
        Where each part ends.
    """
    m = log_p.shape[0]
    key, order = np.abs(log_p).view(np.uint64), np.arange(m)  # positive floats are ordered like their bits
    spare_key, spare_order = np.empty_like(key), np.empty_like(order)
    starts = digit_starts(key)
    mask = np.uint64((1 << DIGIT_BITS) - 1)
    for digit in range(DIGITS):
        start, shift = starts[digit], np.uint64(DIGIT_BITS * digit)
        if start[-1] < 0:
            continue
        for t in range(m):
            value = (key[t] >> shift) & mask
            place = start[value]
            start[value] += 1
            spare_key[place], spare_order[place] = key[t], order[t]
        key, spare_key = spare_key, key
        order, spare_order = spare_order, order
    end = np.zeros(n_parts, np.int64)
    for t in range(m):
        end[part[t]] += 1
    end = np.cumsum(end)
    place = np.zeros(n_parts, np.int64)
    copy(end[:-1], place[1:])
    for t in range(m):
        which = part[order[t]]
        spare_order[place[which]] = order[t]
        place[which] += 1
    return spare_order, end


@kernel
def digit_starts(key):
    """Return where the keys with each value of a digit begin, (`DIGITS`, 2 ** `DIGIT_BITS`) int64.

    A row ends in -1 if all keys agree in its digit.
    """
    m = key.shape[0]
    starts = np.zeros((DIGITS, 1 << DIGIT_BITS), np.int64)
    mask = np.uint64((1 << DIGIT_BITS) - 1)
    for t in range(m):
        for digit in range(DIGITS):
            starts[digit, (key[t] >> np.uint64(DIGIT_BITS * digit)) & mask] += 1
    for digit in range(DIGITS):
        begin = 0
        row = starts[digit]
        agree = False
        for value in range(1 << DIGIT_BITS):
            n = row[value]
            agree = agree or n == m
            row[value] = begin
            begin += n
        if agree:
            row[-1] = -1
    return starts


@kernel
def write_sorted_set(cond, members):
    """Write the members of a set to a row, ascending, padded with -1."""
    for k in range(members.shape[0]):
        value = cond[k] if k < cond.shape[0] else -1
        at = k
        while value >= 0 and at > 0 and members[at - 1] > value:
            members[at] = members[at - 1]
            at -= 1
        members[at] = value


@kernel
def record_level(edges, results, begin, end, log_alpha, adjacency, separated, log_phi, members, fate):
    """Record the hardest test of each edge ``begin <= e < end``, and whether it separated the pair.

    Parameters
    ----------
    edges : (m, 2) int64 array
    results : CIResults
    begin, end : int
    log_alpha : float
    adjacency, separated : (p, p) bool arrays
        Updated, both triangles.
    log_phi : (p, p) float64 array
        Largest ln p of each pair so far, NaN before the first test; updated.
    members : (p, p, k) int32 array
        Set of that test, padded with -1; updated.
    fate : (m,) uint8 array
        Filled with `SEPARATED`, `UNTESTED`, `KEPT` or `NOT_REACHED`.
    """
    for e in range(begin, end):
        if results.n_tests[e] == 0:
            fate[e] = NOT_REACHED
            continue
        x, y = edges[e, 0], edges[e, 1]
        if not (results.log_p[e] <= log_phi[x, y]):
            log_phi[x, y] = log_phi[y, x] = results.log_p[e]
            write_sorted_set(results.cond[e], members[x, y])
            copy(members[x, y], members[y, x])
        fate[e] = KEPT
        if results.log_p[e] > log_alpha:
            fate[e] = SEPARATED if results.tested[e] else UNTESTED
            adjacency[x, y] = adjacency[y, x] = False
            separated[x, y] = separated[y, x] = True


@kernel
def fill_ranked(edges, results, order, begin, end, ranked_edges, ranked):
    """Write the rows ``order[begin:end]`` of `edges` and `results` to the positions ``begin .. end - 1`` of the ranked
    ones.

    Parameters
    ----------
    edges : (m, 2) int64 array
    results : CIResults
    order : (m,) int64 array
    begin, end : int
    ranked_edges : (m, 2) int64 array
    ranked : CIResults
    """
    for t in range(begin, end):
        e = order[t]
        ranked_edges[t, 0], ranked_edges[t, 1] = edges[e, 0], edges[e, 1]
        ranked.log_p[t], ranked.statistic[t], ranked.dof[t] = results.log_p[e], results.statistic[e], results.dof[e]
        ranked.tested[t], ranked.n_tests[t] = results.tested[e], results.n_tests[e]
        for k in range(results.cond.shape[1]):
            ranked.cond[t, k] = results.cond[e, k]
        if results.n_rows.shape[0]:
            ranked.n_rows[t] = results.n_rows[e]
