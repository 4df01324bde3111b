"""Orientation in a call of RAI: v-structures, with the tests that they must pass, and Meek's rules.

Arguments are as in `refinement`.
"""

import numpy as np

from ..arrays import copy_rows
from ..ci.any_test import decide
from ..ci.evidence import corrected_statistic, evidence
from ..compiling import kernel
from ..counting.contingency import PRIME, SPREAD
from ..graphs.meek_rules import CONFLICT, close

NO_SET = -2
UNCHECKED, ENDS, STRICT = 0, 1, 2
V_STRUCTURE = 0  # rule number, in addition to those of `meek`
MAX_REMEMBERED = 1 << 16  # maximum number of cached tests of v-structures (0.6 MB)
MAX_KEYED = 55_000  # maximum number of variables with a cache: the fourth power stays below 2^63


@kernel
def orient_group(sample, threshold, nodes, inside, amat, members, p, check, scratch, stop, n_tests):
    """Orient the edges of the group in place: all v-structures at once, then what Meek's rules imply.

    An edge that two v-structures orient in opposite directions stays undirected.

    Parameters
    ----------
    sample, threshold, nodes, inside, amat, members, check, scratch, stop, n_tests
        As in `refinement.refine`.
    p : int
        Variables of the data.

    Returns
    -------
    (a, 7) int64 array
        As in `meek_rules.close`, with rule `V_STRUCTURE` for v-structures.
    """
    other = propose_v_structures(sample, threshold, nodes, inside, amat, members, p, check, scratch, stop, n_tests)
    m = nodes.shape[0]
    found = np.full((m, 7), -1, np.int64)
    n = 0
    for i in range(m):
        for j in range(m):
            if other[i, j] < 0 or not amat[j, i] or (other[j, i] >= 0 and i > j):
                continue
            if n == found.shape[0]:
                found = np.concatenate((found, np.full_like(found, -1)))
            found[n, 0], found[n, 1], found[n, 2], found[n, 3] = i, j, V_STRUCTURE, other[i, j]
            if other[j, i] >= 0:
                found[n, 2], found[n, 5] = CONFLICT, other[j, i]
            n += 1
    for t in range(n):
        if found[t, 2] == V_STRUCTURE:
            amat[found[t, 1], found[t, 0]] = False
    if not has_arrow(amat):
        return found[:n]
    begin, adjacent = adjacency_lists(amat)
    closed, implied = close(amat, begin, adjacent, False, stop)
    copy_rows(closed, amat)
    return np.concatenate((found[:n], implied))


@kernel
def has_arrow(amat):
    """Return True if an edge is directed; otherwise Meek's rules imply nothing."""
    for i in range(amat.shape[0]):
        for j in range(i):
            if amat[i, j] != amat[j, i]:
                return True
    return False


@kernel
def propose_v_structures(sample, threshold, nodes, inside, amat, members, p, check, scratch, stop, n_tests):
    """Return (m, m) int32: at [i, j] the k of a v-structure i -> j <- k that orients i - j, or -1.

    Parameters
    ----------
    sample, threshold, nodes, inside, amat, members, p, check, scratch, stop, n_tests
        As in `orient_group`.
    """
    m = nodes.shape[0]
    other = np.full((m, m), -1, np.int32)
    cond = np.empty(members.shape[2] + 1, np.int32)
    around = np.empty(m, np.int64)
    room = 16
    while check != UNCHECKED and room < min(m * m, MAX_REMEMBERED):
        room *= 2
    asked, answers = np.full(room, -1, np.int64), np.empty(room, np.bool_)
    for z in range(m):
        if not inside[z]:
            continue
        n = 0
        for k in range(m):
            if amat[k, z]:
                around[n] = k
                n += 1
        for a in range(n):
            if stop[0]:
                return other
            for b in range(a + 1, n):
                x, y = around[a], around[b]
                wanted = (amat[z, x] and other[x, z] < 0) or (amat[z, y] and other[y, z] < 0)
                # Separating sets of two exogenous nodes are unknown here, and no edge is left to orient.
                if not wanted or amat[x, y] or amat[y, x] or members[x, y, 0] == NO_SET:
                    continue
                if stop[0]:
                    return other
                size, holds = 0, False
                for k in range(members.shape[2]):
                    if members[x, y, k] >= 0:
                        cond[size] = members[x, y, k]
                        size += 1
                        holds = holds or members[x, y, k] == nodes[z]
                if holds:
                    continue
                if check != UNCHECKED and not is_collider(
                    sample,
                    threshold,
                    nodes[x],
                    nodes[z],
                    nodes[y],
                    cond,
                    size,
                    check,
                    p,
                    asked,
                    answers,
                    scratch,
                    n_tests,
                ):
                    continue
                for end, partner in ((x, y), (y, x)):
                    if amat[z, end] and other[end, z] < 0:
                        other[end, z] = partner
    return other


@kernel
def is_collider(sample, threshold, x, z, y, cond, size, check, p, asked, answers, scratch, n_tests):
    """Return True if x and y each depend on z given the set that separated them.

    If `STRICT`, x and y must also depend on each other given that set and z.

    Parameters
    ----------
    sample, threshold, check, p, scratch, n_tests
        As in `orient_group`.
    x, z, y : int
        Numbers in the data.
    cond : int32 array
        The separating set, with room for one more member.
    size : int
        Number of its members.
    asked, answers : (2^b,) int64 and bool arrays
        Cache, as in `is_independent`.
    """
    if is_independent(sample, threshold, x, z, cond, size, p, asked, answers, scratch, n_tests):
        return False
    if is_independent(sample, threshold, y, z, cond, size, p, asked, answers, scratch, n_tests):
        return False
    if check != STRICT:
        return True
    n_tests[1] += 1
    cond[size] = z
    statistic, dof, tested = decide(sample, x, y, cond, size + 1, scratch)
    return evidence(threshold, sample.n, corrected_statistic(threshold, statistic, dof), dof, tested) <= threshold.limit


@kernel
def is_independent(sample, threshold, x, z, cond, size, p, asked, answers, scratch, n_tests):
    """Test whether x and z are independent given the set, and count the test.

    The same middle node is tested repeatedly, so answers for sets of at most two variables are cached.

    Parameters
    ----------
    sample, threshold, p, scratch, n_tests
        As in `orient_group`.
    x, z, cond, size
        As in `is_collider`.
    asked, answers : (2^b,) int64 and bool arrays
        Keys and answers; a newer answer replaces an older one in the same slot.
    """
    n_tests[1] += 1
    at, key = 0, np.int64(-1)
    if size <= 2 and p <= MAX_KEYED:
        key = np.int64(min(x, z)) * p + max(x, z)
        for k in range(2):
            key = key * (p + 1) + (cond[k] + 1 if k < size else 0)
        at = ((key % PRIME) * SPREAD >> 24) & (asked.shape[0] - 1)
        if asked[at] == key:
            return answers[at]
    statistic, dof, tested = decide(sample, x, z, cond, size, scratch)
    free = evidence(threshold, sample.n, corrected_statistic(threshold, statistic, dof), dof, tested) > threshold.limit
    if key >= 0:
        asked[at], answers[at] = key, free
    return free


@kernel
def adjacency_lists(amat):
    """Return (begin, adjacent): the nodes adjacent to each node, ascending, as in `meek_rules.close`."""
    m = amat.shape[0]
    begin = np.zeros(m + 1, np.int64)
    for i in range(m):
        begin[i + 1] = begin[i]
        for j in range(m):
            begin[i + 1] += amat[i, j] or amat[j, i]
    adjacent = np.empty(begin[m], np.int64)
    t = 0
    for i in range(m):
        for j in range(m):
            if amat[i, j] or amat[j, i]:
                adjacent[t] = j
                t += 1
    return begin, adjacent
