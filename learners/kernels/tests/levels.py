"""What a level of tests leaves behind: its edges folded into what is known of all pairs, and ranked by strength."""

import numpy as np

from ..compiling import kernel
from ..copying import copy

SEPARATED, UNTESTED, KEPT, NOT_REACHED = 0, 1, 2, 3  # fates of an edge; untested: separated without a test
BITS = 8  # of a digit
DIGITS = 8


@kernel
def weakest_first(log_p, part, n_parts):
    """Positions sorted by part, within a part by falling ``log_p <= 0``, ties in their order; and where each part ends.

    `part` (m,) uint8 is below `n_parts`. Returns (m,) int64 and (n_parts,) int64.
    """
    m = log_p.shape[0]
    key, order = np.abs(log_p).view(np.uint64), np.arange(m)  # floats above 0 are ordered as their bits are
    spare_key, spare_order = np.empty_like(key), np.empty_like(order)
    starts = digit_starts(key)
    mask = np.uint64((1 << BITS) - 1)
    for digit in range(DIGITS):
        start, shift = starts[digit], np.uint64(BITS * digit)
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
    """(DIGITS, 2 ** BITS) int64: where the keys with each value of a digit begin.

    A row ends in -1 if all keys agree in its digit.
    """
    m = key.shape[0]
    starts = np.zeros((DIGITS, 1 << BITS), np.int64)
    mask = np.uint64((1 << BITS) - 1)
    for t in range(m):
        for digit in range(DIGITS):
            starts[digit, (key[t] >> np.uint64(BITS * digit)) & mask] += 1
    for digit in range(DIGITS):
        begin = 0
        row = starts[digit]
        agree = False
        for value in range(1 << BITS):
            n = row[value]
            agree = agree or n == m
            row[value] = begin
            begin += n
        if agree:
            row[-1] = -1
    return starts


@kernel
def keep_set(cond, members):
    """Write the members of a set to a row, ascending, and -1 after them."""
    for k in range(members.shape[0]):
        value = cond[k] if k < cond.shape[0] else -1
        at = k
        while value >= 0 and at > 0 and members[at - 1] > value:
            members[at] = members[at - 1]
            at -= 1
        members[at] = value


@kernel
def absorb(edges, outcome, begin, end, log_alpha, adjacency, separated, log_phi, members, fate):
    """Fold edges ``begin <= e < end`` into what is known of pairs: the hardest test, and whether it separated them.

    Both triangles are filled. `fate` (m,) uint8 is set to what became of each edge.
    """
    for e in range(begin, end):
        if outcome.n_tests[e] == 0:
            fate[e] = NOT_REACHED
            continue
        x, y = edges[e, 0], edges[e, 1]
        if not (outcome.log_p[e] <= log_phi[x, y]):
            log_phi[x, y] = log_phi[y, x] = outcome.log_p[e]
            keep_set(outcome.cond[e], members[x, y])
            copy(members[x, y], members[y, x])
        fate[e] = KEPT
        if outcome.log_p[e] > log_alpha:
            fate[e] = SEPARATED if outcome.tested[e] else UNTESTED
            adjacency[x, y] = adjacency[y, x] = False
            separated[x, y] = separated[y, x] = True


@kernel
def gather(edges, outcome, order, begin, end, ranked_edges, ranked):
    """Write the rows ``order[begin:end]`` of `edges` and `outcome` to the places ``begin .. end - 1`` of the ranked."""
    for t in range(begin, end):
        e = order[t]
        ranked_edges[t, 0], ranked_edges[t, 1] = edges[e, 0], edges[e, 1]
        ranked.log_p[t], ranked.statistic[t], ranked.dof[t] = outcome.log_p[e], outcome.statistic[e], outcome.dof[e]
        ranked.tested[t], ranked.n_tests[t] = outcome.tested[e], outcome.n_tests[e]
        for k in range(outcome.cond.shape[1]):
            ranked.cond[t, k] = outcome.cond[e, k]
        if outcome.n_rows.shape[0]:
            ranked.n_rows[t] = outcome.n_rows[e]
