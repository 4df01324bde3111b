"""Lists of nodes that are pruned side by side: who goes that another of the list separates from the target.

Each list is gone through from its weakest member up. The walk of a member tests it given each other one, and given the
base of the list if it has one.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel


class Lists(NamedTuple):
    """Lists under way, and what is known of their candidates.

    Of list q: `target` and `base` (m,) int64, -1 for none; its members are the candidates ``members[begin[q] :
    begin[q] + length[q]]``, the strongest first, and ``turn[q]`` is the place of whose turn it is, -1 once it is done.
    Of candidate c: `node`, `fixed` where no test takes it away, its test by `log_p`, `statistic` and `dof`, and
    `given`, the node in the set of that test, -1 for none; all (n,).
    """

    target: np.ndarray
    base: np.ndarray
    begin: np.ndarray
    length: np.ndarray
    turn: np.ndarray
    members: np.ndarray
    node: np.ndarray
    fixed: np.ndarray
    log_p: np.ndarray
    statistic: np.ndarray
    dof: np.ndarray
    given: np.ndarray


@kernel
def find_turns(lists):
    """Let each list come to its first turn."""
    for q in range(lists.turn.shape[0]):
        lists.turn[q] = lists.length[q] - 1
        to_next(lists, q)


@kernel
def to_next(lists, q):
    """Pass over members that nothing is asked of."""
    while lists.turn[q] >= 0:
        if lists.length[q] > 1 and not lists.fixed[lists.members[lists.begin[q] + lists.turn[q]]]:
            return
        lists.turn[q] -= 1


@kernel
def walks_of(lists, some):
    """(pairs, base_begin, bases, pool_begin, pools, sizes) for `Batch`, of whose turn it is in `some` (k,) lists.

    The only other member is part of the base, so that the test can be remembered.
    """
    n, n_bases, n_pools = some.shape[0], 0, 0
    for w in range(n):
        others = lists.length[some[w]] - 1
        n_bases += lists.base[some[w]] >= 0
        n_bases += others == 1
        n_pools += others if others > 1 else 0
    pairs, sizes = np.empty((n, 2), np.int64), np.empty(n, np.int64)
    base_begin, bases = np.zeros(n + 1, np.int64), np.empty(n_bases, np.int32)
    pool_begin, pools = np.zeros(n + 1, np.int64), np.empty(n_pools, np.int32)
    for w in range(n):
        q = some[w]
        first, length = lists.begin[q], lists.length[q]
        one = lists.members[first + lists.turn[q]]
        pairs[w, 0], pairs[w, 1] = lists.target[q], lists.node[one]
        sizes[w] = length > 2
        a, b = base_begin[w], pool_begin[w]
        if lists.base[q] >= 0:
            bases[a] = lists.base[q]
            a += 1
        for c in lists.members[first : first + length]:
            if c == one:
                continue
            if length > 2:
                pools[b] = lists.node[c]
                b += 1
            else:
                bases[a] = lists.node[c]
                a += 1
        if a - base_begin[w] == 2 and bases[a - 2] > bases[a - 1]:
            bases[a - 2], bases[a - 1] = bases[a - 1], bases[a - 2]
        base_begin[w + 1], pool_begin[w + 1] = a, b
    return pairs, base_begin, bases, pool_begin, pools, sizes


@kernel
def take_in(lists, some, log_p, statistic, dof, cond, untested, log_alpha, skips_untested, keeps):
    """Let members go that their walk separated, and come to the next turn of each list.

    `log_p` (k,) is `untested` where the rows did not suffice; `cond` (k, 1 or 2) int32 the sets. If it `keeps` tests,
    each candidate gets its hardest, or that which separates, and one that is weaker now moves behind in its list.
    """
    for w in range(some.shape[0]):
        q = some[w]
        at = lists.begin[q] + lists.turn[q]
        last = lists.begin[q] + lists.length[q] - 1
        one = lists.members[at]
        separated = log_p[w] > log_alpha and not (skips_untested and log_p[w] >= untested)
        harder = lists.log_p[one] < log_p[w] < untested
        if keeps and (separated or harder):
            lists.log_p[one], lists.statistic[one], lists.dof[one] = log_p[w], statistic[w], dof[w]
            lists.given[one] = cond[w, 0]
        if separated or (keeps and harder):
            while at < last and (separated or is_stronger(lists, lists.members[at + 1], one, untested)):
                lists.members[at] = lists.members[at + 1]
                at += 1
            lists.members[at] = one
            lists.length[q] -= separated
        lists.turn[q] -= 1
        to_next(lists, q)


@kernel
def is_stronger(lists, a, b, untested):
    """Whether candidate a comes before b: by ln p, then the strength of the statistic, then number."""
    if lists.log_p[a] != lists.log_p[b]:
        return lists.log_p[a] < lists.log_p[b]
    one, other = strength(lists, a, untested), strength(lists, b, untested)
    return one > other if one != other else lists.node[a] < lists.node[b]


@kernel
def strength(lists, c, untested):
    """\\|statistic\\|, 0 where there is none."""
    none = lists.log_p[c] == untested or np.isnan(lists.statistic[c])
    return 0.0 if none else abs(lists.statistic[c])


@kernel
def spouse_tests(target, base, begin, node, given, of_target, most):
    """(asked, pairs, base_begin, bases): tests of list q, `target` and `base` (m,), and each node that may be a spouse.

    The nodes of a target are ``node[begin[t] : begin[t + 1]]``, where t is ``of_target[q]``, and `given` what parts
    each from the target, -1 for nothing; a test is given that and the base, unless they are the same, or more than
    `most`. `asked` (n,) says of which list each test is.
    """
    n, n_bases = 0, 0
    asked, pairs = np.empty(0, np.int64), np.empty((0, 2), np.int64)
    base_begin, bases = np.zeros(1, np.int64), np.empty(0, np.int32)
    for filling in range(2):
        if filling:
            asked, pairs = np.empty(n, np.int64), np.empty((n, 2), np.int64)
            base_begin, bases = np.zeros(n + 1, np.int64), np.empty(n_bases, np.int32)
            n, n_bases = 0, 0
        for q in range(target.shape[0]):
            for at in range(begin[of_target[q]], begin[of_target[q] + 1]):
                size = 1 + (given[at] >= 0)
                if given[at] == base[q] or size > most:
                    continue
                if filling:
                    asked[n], pairs[n, 0], pairs[n, 1] = q, target[q], node[at]
                    bases[n_bases] = base[q] if size == 1 else min(base[q], given[at])
                    if size == 2:
                        bases[n_bases + 1] = max(base[q], given[at])
                    base_begin[n + 1] = n_bases + size
                n += 1
                n_bases += size
    return asked, pairs, base_begin, bases
