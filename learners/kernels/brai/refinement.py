"""One call of RAI on a group of nodes and their exogenous parents: refine and direct.

Arrays of a call with m nodes, in one order for all calls: `nodes` (m,) int32 their numbers in the data; `inside` (m,)
bool which belong to the group, the others being exogenous; `amat` (m, m) bool the graph, in which every edge of an
exogenous node leads into the group; `members` (m, m, k) int32 the separating set of each pair without an edge, in
numbers of the data, padded with -1, and beginning with `NO_SET` where there is none. The potential parents of a node
are its parents and undirected neighbours.
"""

import numpy as np

from ..compiling import kernel
from ..tests.deciding import corrected, decide, evidence, log_p_of
from ..tests.levels import KEPT, SEPARATED, UNTESTED
from ..tests.subsets import fill_set, first_subset, next_subset
from .directions import ENDS, UNCHECKED, direct


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
    n_first = increase_resolution(
        sample, cut, nodes, inside, amat, members, joined, size, wide, False, log, 0, scratch, stop, n_tests
    )
    if size == 0 and check == ENDS:
        check = UNCHECKED  # whoever is still joined has just been found dependent given nothing
    arrows_first = direct(sample, cut, nodes, inside, amat, members, p, check, scratch, stop, n_tests)
    n_edges = increase_resolution(
        sample, cut, nodes, inside, amat, members, joined, size, wide, True, log, n_first, scratch, stop, n_tests
    )
    arrows = direct(sample, cut, nodes, inside, amat, members, p, check, scratch, stop, n_tests)
    return n_first, n_edges, arrows_first, arrows


@kernel
def increase_resolution(
    sample, cut, nodes, inside, amat, members, joined, size, wide, within, log, row, scratch, stop, n_tests
):
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
                while more and fates[here] == KEPT and not stop[0]:
                    fill_set(pool, chosen, cond)
                    more = next_subset(size, n_pool, chosen)
                    if repeated and lies_within(cond, near):
                        continue
                    value, degrees, tested = decide(sample, nodes[i], nodes[j], cond, size, scratch)
                    value = corrected(cut, value, degrees)
                    margin = evidence(cut, sample.n, value, degrees, tested)
                    n_tests_of += 1
                    if n_tests_of == 1 or margin > best:
                        best = margin
                        statistic[here], dof[here] = value, degrees
                        for k in range(size):
                            sets[here, k] = cond[k]
                    if margin > cut.limit:
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
