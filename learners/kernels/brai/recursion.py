"""One call of RAI on a group of nodes and their exogenous parents: refine, direct, split.

Arrays of a call with m nodes, in one order for all calls: `nodes` (m,) int32 their numbers in the data; `inside` (m,)
bool which belong to the group, the others being exogenous; `amat` (m, m) bool the graph, in which every edge of an
exogenous node leads into the group; `members` (m, m, k) int32 the separating set of each pair without an edge, in
numbers of the data, padded with -1, and beginning with `NO_SET` where there is none. The potential parents of a node
are its parents and undirected neighbours.
"""

import numpy as np

from ..compiling import kernel
from ..counting.contingency import PRIME, SPREAD
from ..graphs.closure import CONFLICT, close
from ..tests.judging import evidence, judge, log_p_of
from ..tests.levels import KEPT, SEPARATED, UNTESTED
from ..tests.subsets import fill_set, first_subset, next_subset

NO_SET = -2
UNCHECKED, ENDS, STRICT = 0, 1, 2
V_STRUCTURE = 0  # rule number of arrows beside those of `closure`
MOST_REMEMBERED = 1 << 16  # answers of tests of v-structures (0.6 MB)
WIDEST_KEY = 55_000  # variables whose fourth power stays below 2^63


@kernel
def refine(sample, cut, nodes, inside, amat, members, joined, size, wide, check, log, scratch, stop, n_tests):
    """Stages A and B of RAI on `amat` and `members`, in place: test, direct, test, direct.

    Sets have `size` members, `members` room for them. `joined` (p, p) bool are pairs not to be tested, `wide` whether
    sets may hold children, `check` what a v-structure must pass: `UNCHECKED`, `ENDS` or `STRICT`. `log` is an `Outcome`
    without `tested`, with `fates` and `pairs` in front: two rows or more, enough for each edge, or one row if none is
    to be kept. `n_tests` (2,) counts tests of edges and of v-structures.

    Returns
    -------
    n_first, n_edges : int
        Rows of `log` filled by stage A, and by both.
    arrows_first, arrows : (a, 7) int64 arrays
        What the two stages directed, as `closure.close` tells it; rule 0 is a v-structure with the other parent.
    """
    p = joined.shape[0]
    n_first = thin(sample, cut, nodes, inside, amat, members, joined, size, wide, False, log, 0, scratch, stop, n_tests)
    if size == 0 and check == ENDS:
        check = UNCHECKED  # whoever is still joined has just been found dependent given nothing
    arrows_first = direct(sample, cut, nodes, inside, amat, members, p, check, scratch, stop, n_tests)
    n_edges = thin(
        sample, cut, nodes, inside, amat, members, joined, size, wide, True, log, n_first, scratch, stop, n_tests
    )
    arrows = direct(sample, cut, nodes, inside, amat, members, p, check, scratch, stop, n_tests)
    return n_first, n_edges, arrows_first, arrows


@kernel
def thin(sample, cut, nodes, inside, amat, members, joined, size, wide, within, log, row, scratch, stop, n_tests):
    """Remove edges `within` the group, or from exogenous nodes into it, that a set of potential parents explains away.

    If `wide`, the set may hold children too. A removal counts at once. Rohekar et al. (2018), IncreaseResolution;
    Yehezkel and Lerner (2009), stages A and B.
    """
    fates, pairs, log_p, statistic, dof, sets, tests = log
    m = nodes.shape[0]
    pool, near = np.empty(m, np.int32), np.zeros(joined.shape[0], np.bool_)
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    keeps = log_p.shape[0] > 1
    for i in range(m):
        for j in range(i + 1, m):
            if not (amat[i, j] or amat[j, i]) or (inside[i] and inside[j]) != within:
                continue
            if stop[0]:
                return row
            if joined[nodes[i], nodes[j]]:
                continue
            n_tests_of, best = 0, -np.inf
            here = row if keeps else 0
            fates[here] = KEPT
            for side in range(2):
                # What is around the child, and for an undirected edge what is around its other end.
                child, parent = (j, i) if side == 0 else (i, j)
                if not amat[parent, child] or fates[here] != KEPT:
                    continue
                n_pool = pool_of(nodes, amat, child, parent, wide, pool) if size else 0
                repeated = side == 1 and n_tests_of > 0
                first_subset(size, chosen)
                more = n_pool >= size
                while more and fates[here] == KEPT:
                    fill_set(pool, chosen, cond)
                    more = next_subset(size, n_pool, chosen)
                    if repeated and lies_within(cond, near):
                        continue
                    value, degrees, tested = judge(sample, nodes[i], nodes[j], cond, size, scratch)
                    speaks = evidence(cut, sample.n, value, degrees, tested)
                    n_tests_of += 1
                    if n_tests_of == 1 or speaks > best:
                        best = speaks
                        statistic[here], dof[here] = value, degrees
                        for k in range(size):
                            sets[here, k] = cond[k]
                    if speaks > cut.limit:
                        fates[here] = SEPARATED if tested else UNTESTED
                if side == 0:
                    for k in range(n_pool):
                        near[pool[k]] = True
            for k in range(m if size else 0):
                near[nodes[k]] = False
            n_tests[0] += n_tests_of
            if n_tests_of == 0:
                continue
            if fates[here] != KEPT:
                amat[i, j] = amat[j, i] = False
                for k in range(members.shape[2]):
                    members[i, j, k] = members[j, i, k] = sets[here, k] if k < size else -1
            if keeps:
                pairs[here, 0], pairs[here, 1] = i, j
                log_p[here] = log_p_of(statistic[here], dof[here], fates[here] != UNTESTED)
                tests[here] = n_tests_of
                row += 1
    return row


@kernel
def pool_of(nodes, amat, child, other, wide, pool):
    """Numbers in the data of the potential parents of `child`, if `wide` of its children too, into `pool`; how many.

    `other` is not among them.
    """
    n = 0
    for k in range(nodes.shape[0]):
        if (amat[k, child] or (wide and amat[child, k])) and k != other:
            pool[n] = nodes[k]
            n += 1
    return n


@kernel
def lies_within(cond, near):
    """Whether every member of the set is marked."""
    for k in cond:  # noqa: SIM110  (no generators in a kernel)
        if not near[k]:
            return False
    return True


@kernel
def direct(sample, cut, nodes, inside, amat, members, p, check, scratch, stop, n_tests):
    """Direct the edges of the group, in place: v-structures, all at once, then what Meek's rules imply.

    An edge that two v-structures direct in opposite ways stays undirected.
    """
    other = propose(sample, cut, nodes, inside, amat, members, p, check, scratch, stop, n_tests)
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
    if not any_arrow(amat):
        return found[:n]
    begin, adjacent = adjacency_lists(amat)
    closed, implied = close(amat, begin, adjacent, False)
    amat[:] = closed
    return np.concatenate((found[:n], implied))


@kernel
def any_arrow(amat):
    """Whether an edge is directed; no rule has anything to say else."""
    for i in range(amat.shape[0]):
        for j in range(i):
            if amat[i, j] != amat[j, i]:
                return True
    return False


@kernel
def propose(sample, cut, nodes, inside, amat, members, p, check, scratch, stop, n_tests):
    """(m, m) int32: at [i, j] the k of a v-structure i -> j <- k that directs the undirected edge i - j, or -1."""
    m = nodes.shape[0]
    other = np.full((m, m), -1, np.int32)
    cond = np.empty(members.shape[2] + 1, np.int32)
    around = np.empty(m, np.int64)
    room = 16
    while check != UNCHECKED and room < min(m * m, MOST_REMEMBERED):
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
            for b in range(a + 1, n):
                x, y = around[a], around[b]
                wanted = (amat[z, x] and other[x, z] < 0) or (amat[z, y] and other[y, z] < 0)
                # Of two exogenous nodes nothing is known here, and no edge is left to direct.
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
                    sample, cut, nodes[x], nodes[z], nodes[y], cond, size, check, p, asked, answers, scratch, n_tests
                ):
                    continue
                for end, partner in ((x, y), (y, x)):
                    if amat[z, end] and other[end, z] < 0:
                        other[end, z] = partner
    return other


@kernel
def is_collider(sample, cut, x, z, y, cond, size, check, p, asked, answers, scratch, n_tests):
    """Whether x and y each depend on z given the set that separated them, and, if `STRICT`, on one another given z too.

    `cond` has room for one more.
    """
    if is_apart(sample, cut, x, z, cond, size, p, asked, answers, scratch, n_tests):
        return False
    if is_apart(sample, cut, y, z, cond, size, p, asked, answers, scratch, n_tests):
        return False
    if check != STRICT:
        return True
    n_tests[1] += 1
    cond[size] = z
    statistic, dof, tested = judge(sample, x, y, cond, size + 1, scratch)
    return evidence(cut, sample.n, statistic, dof, tested) <= cut.limit


@kernel
def is_apart(sample, cut, x, z, cond, size, p, asked, answers, scratch, n_tests):
    """Whether x and z are independent given the set, told by a test that is counted.

    One middle is asked for again and again: answers for sets of at most two of p variables are remembered under their
    key in `asked`, both a power of two long, until another comes in their place.
    """
    n_tests[1] += 1
    at, key = 0, np.int64(-1)
    if size <= 2 and p <= WIDEST_KEY:
        key = np.int64(min(x, z)) * p + max(x, z)
        for k in range(2):
            key = key * (p + 1) + (cond[k] + 1 if k < size else 0)
        at = ((key % PRIME) * SPREAD >> 24) & (asked.shape[0] - 1)
        if asked[at] == key:
            return answers[at]
    statistic, dof, tested = judge(sample, x, z, cond, size, scratch)
    free = evidence(cut, sample.n, statistic, dof, tested) > cut.limit
    if key >= 0:
        asked[at], answers[at] = key, free
    return free


@kernel
def adjacency_lists(amat):
    """(begin, adjacent) of nodes adjacent to each node, ascending, as `closure.close` takes them."""
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


@kernel
def split(inside, amat):
    """(label, n_groups): the autonomous group of each node, -1 for exogenous ones; the descendant group is the last.

    The descendants are the chain components without an arrow to another; the components of what is left are the
    ancestor groups. If arrows lead round in a circle all nodes are descendants.
    """
    m = inside.shape[0]
    chain = components(inside, amat, True)
    leaves = np.ones(m, np.bool_)  # by chain component
    for i in range(m):
        for j in range(m):
            if inside[i] and inside[j] and chain[i] != chain[j] and amat[i, j]:
                leaves[chain[i]] = False
    above = inside.copy()
    any_leaf = False
    for i in range(m):
        if inside[i] and leaves[chain[i]]:
            above[i] = False
            any_leaf = True
    if not any_leaf:
        above[:] = False
    label = components(above, amat, False)
    n_groups = label.max() + 1 if m else 0
    for i in range(m):
        if inside[i] and not above[i]:
            label[i] = n_groups
    return label, n_groups + 1


@kernel
def components(of, amat, undirected):
    """(m,) int64: numbers of the components of the nodes `of`, by undirected or by any edges; -1 for other nodes."""
    m = of.shape[0]
    label = np.full(m, -1, np.int64)
    todo = np.empty(m, np.int64)
    n_found = 0
    for start in range(m):
        if not of[start] or label[start] >= 0:
            continue
        label[start] = n_found
        todo[0], n = start, 1
        while n:
            n -= 1
            v = todo[n]
            for k in range(m):
                near = (amat[v, k] and amat[k, v]) if undirected else (amat[v, k] or amat[k, v])
                if near and of[k] and label[k] < 0:
                    label[k] = n_found
                    todo[n] = k
                    n += 1
        n_found += 1
    return label


@kernel
def fan_in(inside, amat, label, n_groups):
    """(n_groups,) int64: the most potential parents of a node of each group."""
    most = np.zeros(n_groups, np.int64)
    for j in range(inside.shape[0]):
        if inside[j] and label[j] >= 0:
            n = 0
            for k in range(inside.shape[0]):
                n += amat[k, j]
            most[label[j]] = max(most[label[j]], n)
    return most
