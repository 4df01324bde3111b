"""One call of RAI on a group of nodes and their exogenous parents: refine and direct.

Yehezkel and Lerner (2009), Bayesian network structure learning by recursive autonomy identification, JMLR 10. Rohekar
et al. (2018), Bayesian structure learning by recursive bootstrap, NeurIPS 31.

The potential parents of a node are its parents and undirected neighbors.

Arguments of all functions here
-------------------------------
sample, scratch
    As in `ci.any_test.decide`.
threshold : Threshold
nodes : (m,) int32 array
    Numbers in the data of the nodes of the call, in one order for all calls.
inside : (m,) bool array
    The nodes that belong to the group; the others are exogenous.
amat : (m, m) bool array
    The graph, in which every edge of an exogenous node points into the group.
members : (m, m, k) int32 array
    Separating set of each pair without an edge, in numbers of the data, padded with -1; begins with `NO_SET` for a pair
    that background knowledge forbids and no test has separated yet. Such a pair has an edge until then: v-structures
    and Meek's rules are only right for separated pairs whose set is known.
required : (p, p) bool array
    Pairs that are not tested.
size : int
    Number of members of each set.
wide : bool
    True: sets may contain children.
stop : (1,) int8 array
    Set by another thread to end early.
n_tests : (2,) int64 array
    Counts the tests of edges and of v-structures.
"""

import numpy as np

from ..ci.any_test import decide
from ..ci.evidence import corrected_statistic, evidence, log_p_of
from ..ci.level_results import KEPT, SEPARATED, UNTESTED
from ..ci.subsets import fill_set, first_subset, next_subset
from ..compiling import kernel
from .orientation import ENDS, NO_SET, UNCHECKED, orient_group


@kernel
def refine(sample, threshold, nodes, inside, amat, members, required, size, wide, check, log, scratch, stop, n_tests):
    """Run stages A and B of RAI in place on `amat` and `members`: test, direct, test, direct.

    Parameters
    ----------
    sample, threshold, nodes, inside, amat, members, required, size, wide, scratch, stop, n_tests
        As in the module's docstring.
    check : int
        Test of v-structures: `UNCHECKED`, `ENDS` or `STRICT`.
    log : tuple of arrays
        Fates and pairs, then columns of `CIResults` but `tested` and `n_rows`: at least two rows, enough for each edge,
        or one row if no record is kept.

    Returns
    -------
    n_first, n_edges : int
        Rows of `log` filled by stage A, and by both stages.
    arrows_first, arrows : (a, 7) int64 arrays
        Orientations of the two stages, as in `meek_rules.close`; rule 0 is a v-structure with the other parent.
    """
    p = required.shape[0]
    n_first = increase_resolution(
        sample, threshold, nodes, inside, amat, members, required, size, wide, False, log, 0, scratch, stop, n_tests
    )
    if size == 0 and check == ENDS:
        check = UNCHECKED  # the remaining adjacent pairs were just found marginally dependent
    arrows_first = orient_group(sample, threshold, nodes, inside, amat, members, p, check, scratch, stop, n_tests)
    n_edges = increase_resolution(
        sample,
        threshold,
        nodes,
        inside,
        amat,
        members,
        required,
        size,
        wide,
        True,
        log,
        n_first,
        scratch,
        stop,
        n_tests,
    )
    arrows = orient_group(sample, threshold, nodes, inside, amat, members, p, check, scratch, stop, n_tests)
    return n_first, n_edges, arrows_first, arrows


@kernel
def increase_resolution(
    sample, threshold, nodes, inside, amat, members, required, size, wide, within, log, row, scratch, stop, n_tests
):
    """Remove edges that a set of potential parents explains; a removal takes effect at once.

    Procedure IncreaseResolution of Rohekar et al. (2018); stages A and B of Yehezkel and Lerner (2009).

    Parameters
    ----------
    sample, threshold, nodes, inside, amat, members, required, size, wide, scratch, stop, n_tests
        As in the module's docstring.
    within : bool
        True: edges within the group; False: edges from exogenous nodes into it.
    log
        As in `refine`.
    row : int
        First free row of `log`.

    Returns
    -------
    int
        First free row of `log` afterwards.
    """
    fates, pairs, log_p, statistic, dof, sets, tests = log
    m = nodes.shape[0]
    pool, near = np.empty(m, np.int32), np.zeros(required.shape[0], np.bool_)
    cond, chosen = np.empty(size, np.int32), np.empty(size, np.int64)
    keeps = log_p.shape[0] > 1
    for i in range(m):
        for j in range(i + 1, m):
            if not (amat[i, j] or amat[j, i]) or (inside[i] and inside[j]) != within:
                continue
            if stop[0]:
                return row
            if required[nodes[i], nodes[j]]:
                continue
            n_tests_of, best = 0, -np.inf
            here = row if keeps else 0
            fates[here] = KEPT
            for side in range(2):
                # Neighbors of the child and, for an undirected edge, of its other end.
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
                    if repeated and is_subset(cond, near):
                        continue
                    value, degrees, tested = decide(sample, nodes[i], nodes[j], cond, size, scratch)
                    value = corrected_statistic(threshold, value, degrees)
                    margin = evidence(threshold, sample.n, value, degrees, tested)
                    n_tests_of += 1
                    if n_tests_of == 1 or margin > best:
                        best = margin
                        statistic[here], dof[here] = value, degrees
                        for k in range(size):
                            sets[here, k] = cond[k]
                    if margin > threshold.limit:
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
            if keeps and not (fates[here] == KEPT and members[i, j, 0] == NO_SET):
                pairs[here, 0], pairs[here, 1] = i, j
                log_p[here] = log_p_of(statistic[here], dof[here], fates[here] != UNTESTED)
                tests[here] = n_tests_of
                row += 1
    return row


@kernel
def pool_of(nodes, amat, child, other, wide, pool):
    """Write the potential parents of `child`, in numbers of the data, to `pool`; return their number.

    Parameters
    ----------
    nodes, amat, wide
        As in the module's docstring; if `wide`, children are included.
    child : int
    other : int
        Node that is left out.
    pool : (m,) int32 array
    """
    n = 0
    for k in range(nodes.shape[0]):
        if (amat[k, child] or (wide and amat[child, k])) and k != other:
            pool[n] = nodes[k]
            n += 1
    return n


@kernel
def is_subset(cond, near):
    """Return True if every member of the set is marked in `near` (p,) bool."""
    for k in cond:  # noqa: SIM110  (no generators in a kernel)
        if not near[k]:
            return False
    return True
