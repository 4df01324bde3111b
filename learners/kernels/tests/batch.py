"""Many test requests at once: walk w tests pair w given its base with each set of ``sizes[w]`` members of its pool.

Bases and pools are lists one after another: those of walk w are ``bases[base_begin[w]:base_begin[w + 1]]``, ascending,
and ``pools[pool_begin[w]:pool_begin[w + 1]]``. A walk ends at the first set that separates.
"""

import numpy as np

from ..compiling import kernel
from ..copying import copy
from ..counting.contingency import n_cells
from ..counting.cost_model import planes_win
from ..counting.strata import one_variable_g2, share_masks
from .gaussian_separation import decide_fisher_z
from .separation import decide_g2
from .subsets import first_subset, next_subset
from .tails import log_chi2_sf


@kernel
def fill_around(base, pool, chosen, cond):
    """The members of `base` and those of `pool` at the positions `chosen`, ascending, into `cond`."""
    n_base = base.shape[0]
    copy(base, cond)
    for k in range(n_base, cond.shape[0]):
        node = pool[chosen[k - n_base]]
        place = k
        while place and cond[place - 1] > node:
            cond[place] = cond[place - 1]
            place -= 1
        cond[place] = node


@kernel
def fold(results, w, cond, log_p, statistic, dof, tested, skips_untested, log_alpha):
    """Take one more test of walk w into account; whether it ends the walk.

    With `skips_untested` a test that lacked rows ends none, and is kept only where all lacked them.
    """
    passed_over = skips_untested and not tested
    harder = log_p > results.log_p[w] or (skips_untested and not results.tested[w])
    if results.n_tests[w] == 0 or (harder and not passed_over):
        results.log_p[w], results.statistic[w], results.dof[w] = log_p, statistic, dof
        results.tested[w] = tested
        results.cond[w, : cond.shape[0]] = cond
    results.n_tests[w] += 1
    return log_p > log_alpha and not passed_over


@kernel
def g2_batch(
    sample,
    pairs,
    begin,
    end,
    base_begin,
    bases,
    pool_begin,
    pools,
    sizes,
    skips_untested,
    log_alpha,
    results,
    scratch,
    stop,
    done,
):
    """The walks ``begin <= w < end`` by G². A test for which the rows do not suffice is not even counted."""
    width = results.cond.shape[1]
    members, chosen = np.empty(width, np.int32), np.empty(width, np.int64)
    # Taken apart at once: most tests are given one variable, and handing tuples of arrays down costs more than they do.
    planes, first, known, seen, joint = sample.planes, sample.first, sample.pairs, sample.seen, sample.joint
    arity, xlogx, n, rows_per_cell = sample.arity, sample.xlogx, sample.n, sample.rows_per_cell
    words, n_rows, adjusted = planes.shape[1], sample.codes.shape[1], sample.adjusted
    pair, shared, rest, columns = scratch.pair, scratch.shared, scratch.rest, scratch.columns
    for w in range(begin, end):
        x, y = min(pairs[w, 0], pairs[w, 1]), max(pairs[w, 0], pairs[w, 1])
        base, pool = bases[base_begin[w] : base_begin[w + 1]], pools[pool_begin[w] : pool_begin[w + 1]]
        cond, size = members[: base.shape[0] + sizes[w]], sizes[w]
        single = cond.shape[0] == 1 and known.shape[0] > 0 and adjusted
        first_subset(size, chosen)
        more = pool.shape[0] >= size
        while more and not stop[0]:
            fill_around(base, pool, chosen, cond)
            more = next_subset(size, pool.shape[0], chosen)
            log_p, statistic, dof = 0.0, np.nan, np.nan
            tested = n >= rows_per_cell * n_cells(arity, x, y, cond, cond.shape[0])
            if tested and single and planes_win(arity, first, words, True, n_rows, x, y, cond, 1):
                share_masks(planes, first, x, y, pair, shared)
                half, n_free = one_variable_g2(
                    planes, first, known, seen, joint, xlogx, x, y, cond[0], shared, rest, columns
                )
                statistic, dof = max(2.0 * half, 0.0), float(n_free)
                log_p = log_chi2_sf(statistic, dof)
            elif tested:
                log_p, statistic, dof, tested = decide_g2(sample, x, y, cond, scratch)
            if fold(results, w, cond, log_p, statistic, dof, tested, skips_untested, log_alpha):
                break
        if stop[0]:
            return
        done[0] += 1


@kernel
def fisher_z_batch(
    corr,
    n,
    pairs,
    begin,
    end,
    base_begin,
    bases,
    pool_begin,
    pools,
    sizes,
    skips_untested,
    log_alpha,
    results,
    stop,
    done,
):
    """The walks ``begin <= w < end`` by Fisher's z."""
    width = results.cond.shape[1]
    members, chosen = np.empty(width, np.int32), np.empty(width, np.int64)
    for w in range(begin, end):
        x, y = min(pairs[w, 0], pairs[w, 1]), max(pairs[w, 0], pairs[w, 1])
        base, pool = bases[base_begin[w] : base_begin[w + 1]], pools[pool_begin[w] : pool_begin[w + 1]]
        cond, size = members[: base.shape[0] + sizes[w]], sizes[w]
        first_subset(size, chosen)
        more = pool.shape[0] >= size
        while more and not stop[0]:
            fill_around(base, pool, chosen, cond)
            more = next_subset(size, pool.shape[0], chosen)
            log_p, z, tested = decide_fisher_z(corr, n, x, y, cond)
            if fold(results, w, cond, log_p, z, np.nan, tested, skips_untested, log_alpha):
                break
        if stop[0]:
            return
        done[0] += 1
