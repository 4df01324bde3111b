"""Pruning of candidate lists in parallel: a member is removed if another one of its list separates it from the target.

Each list is processed from its weakest member up. A member is tested given each other member, and given the base of the
list if it has one.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel


class PruningLists(NamedTuple):
    """Lists in progress, and their candidates.

    Attributes
    ----------
    target, base : (m,) int64 arrays
        Target and base of each list; -1 for no base.
    begin, length : (m,) int64 arrays
        The members of list q are ``members[begin[q]:begin[q] + length[q]]``, the strongest first.
    turn : (m,) int64 array
        Position of the member that is tested next; -1 for a finished list.
    members : int64 array
        Candidates.
    node : (n,) int64 array
        Node of each candidate; the arrays below also have an entry for each candidate.
    fixed : (n,) bool array
        True if no test removes it.
    log_p, statistic, dof : (n,) float64 arrays
        Its hardest test.
    given : (n,) int64 array
        Node in the set of that test; -1 for none.
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
def start_turns(lists):
    """Move each list to its first turn."""
    for q in range(lists.turn.shape[0]):
        lists.turn[q] = lists.length[q] - 1
        next_turn(lists, q)


@kernel
def next_turn(lists, q):
    """Skip the members of list q that need no test."""
    while lists.turn[q] >= 0:
        if lists.length[q] > 1 and not lists.fixed[lists.members[lists.begin[q] + lists.turn[q]]]:
            return
        lists.turn[q] -= 1


@kernel
def batch_requests(lists, some):
    """Return (pairs, base_begin, bases, pool_begin, pools, sizes) of a batch: the next test of `some` (k,) lists.

    A single other member is made part of the base, so that the test can be cached.
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
        candidate = lists.members[first + lists.turn[q]]
        pairs[w, 0], pairs[w, 1] = lists.target[q], lists.node[candidate]
        sizes[w] = length > 2
        a, b = base_begin[w], pool_begin[w]
        if lists.base[q] >= 0:
            bases[a] = lists.base[q]
            a += 1
        for c in lists.members[first : first + length]:
            if c == candidate:
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
def record_batch(lists, some, log_p, statistic, dof, cond, untested, log_alpha, skips_untested, keeps):
    """Remove the members that were separated, and move each list to its next turn.

    Parameters
    ----------
    lists : PruningLists
    some : (k,) int64 array
        Lists of the batch.
    log_p, statistic, dof : (k,) float64 arrays
        ln p is `untested` where there were too few rows.
    cond : (k, 1 or 2) int32 array
        Sets of the tests.
    untested : float
    log_alpha : float
    skips_untested : bool
        True: a test without enough rows separates nothing.
    keeps : bool
        True: each candidate records its hardest or separating test, and moves behind stronger ones in its list.
    """
    for w in range(some.shape[0]):
        q = some[w]
        at = lists.begin[q] + lists.turn[q]
        last = lists.begin[q] + lists.length[q] - 1
        candidate = lists.members[at]
        separated = log_p[w] > log_alpha and not (skips_untested and log_p[w] >= untested)
        harder = lists.log_p[candidate] < log_p[w] < untested
        if keeps and (separated or harder):
            lists.log_p[candidate], lists.statistic[candidate], lists.dof[candidate] = log_p[w], statistic[w], dof[w]
            lists.given[candidate] = cond[w, 0]
        if separated or (keeps and harder):
            while at < last and (separated or is_stronger(lists, lists.members[at + 1], candidate, untested)):
                lists.members[at] = lists.members[at + 1]
                at += 1
            lists.members[at] = candidate
            lists.length[q] -= separated
        lists.turn[q] -= 1
        next_turn(lists, q)


@kernel
def is_stronger(lists, a, b, untested):
    """Return True if candidate a comes before b: by ln p, then by the strength of the statistic, then by number.

    Parameters
    ----------
    lists : PruningLists
    a, b : int
    untested : float
        ln p of tests without enough rows.
    """
    if lists.log_p[a] != lists.log_p[b]:
        return lists.log_p[a] < lists.log_p[b]
    candidate, stronger = strength(lists, a, untested), strength(lists, b, untested)
    return candidate > stronger if candidate != stronger else lists.node[a] < lists.node[b]


@kernel
def strength(lists, c, untested):
    """Return the absolute statistic of candidate c, 0 if it has none."""
    none = lists.log_p[c] == untested or np.isnan(lists.statistic[c])
    return 0.0 if none else abs(lists.statistic[c])


@kernel
def spouse_requests(target, base, begin, node, given, of_target, max_size):
    """Return (asked, pairs, base_begin, bases): tests of each list with each possible spouse of its target.

    A test is given the base and the node's separating set, unless they are the same or larger than `max_size`;
    ``asked`` (n,) int64 is the list of each test.

    Parameters
    ----------
    target, base : (m,) int64 arrays
        Target and base of each list.
    begin, node : int64 arrays
        The nodes of target t are ``node[begin[t]:begin[t + 1]]``.
    given : int64 array
        Node that separates each of them from the target; -1 for none.
    of_target : (m,) int64 array
        Number of each list's target.
    max_size : int
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
                if given[at] == base[q] or size > max_size:
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
