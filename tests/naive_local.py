"""Reference implementations of SI-HITON-PC, Fast-IAMB and of v-structures by tests given the middle node.

Each target is searched separately and all subsets are tried again. With `as_bnlearn` they behave as bnlearn 4.9 does
where it differs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

from tests.naive_max_min import Test, subsets

Rows = Callable[[int, int, Sequence[int]], float]


def separable(test: Test, x: int, y: int, pool: Sequence[int], most: int, log_alpha: float) -> bool:
    """Return True if some set within `pool` separates x and y."""
    return any(test(x, y, cond)[0] > log_alpha for cond in subsets(sorted(pool), most))


def by_strength(test: Test, t: int, partners: Sequence[int], cond: Sequence[int]) -> list[int]:
    """Sort by smallest p, then largest statistic, then column."""
    found = {x: test(t, x, tuple(sorted(cond))) for x in partners}
    return sorted(found, key=lambda x: (found[x][0], -abs(found[x][1]), x))


def si_hiton_pc(
    test: Test,
    p: int,
    alpha: float,
    most: int,
    joined: Sequence[frozenset] = (),
    apart: Sequence[frozenset] = (),
    *,
    as_bnlearn: bool = False,
) -> list[list[int]]:
    """Return the candidates of each target; bnlearn still conditions on candidates its backward phase removed."""
    log_alpha, candidates = math.log(alpha), []
    for t in range(p):
        members = sorted(x for x in range(p) if frozenset((t, x)) in joined)
        others = [x for x in range(p) if x != t and frozenset((t, x)) not in {*joined, *apart}]
        others = [x for x in others if test(t, x, ())[0] <= log_alpha]
        taken = list(members)
        for x in by_strength(test, t, others, ()):
            if not separable(test, t, x, taken, most, log_alpha):
                taken.append(x)
        kept = list(taken)
        for x in [x for x in taken if x not in members]:
            pool = [k for k in (taken if as_bnlearn else kept) if k != x]
            if separable(test, t, x, pool, most, log_alpha):
                kept.remove(x)
        candidates.append(kept)
    return candidates


def blanket(
    test: Test, rows: Rows, p: int, t: int, log_alpha: float, required: Sequence[int], *, as_bnlearn: bool
) -> list[int]:
    """Return the Markov blanket of t: add several nodes at once, then remove superfluous ones, repeatedly.

    In bnlearn no node is added twice, the last remaining member is kept untested, and the search stops sooner.
    """
    members, seen, barred = list(required), {frozenset(required)}, set()
    while True:
        others = [x for x in range(p) if x != t and x not in members and x not in barred]
        others = [x for x in others if test(t, x, tuple(sorted(members)))[0] <= log_alpha]
        new, short = list(members), False
        for x in by_strength(test, t, others, members)[:10]:
            if short := rows(t, x, new) < 5:
                break
            new.append(x)
        if new == members:
            return members
        kept = list(new)
        for x in [x for x in new if x not in required]:
            pool = [k for k in kept if k != x]
            if (pool or not as_bnlearn) and test(t, x, tuple(sorted(pool)))[0] > log_alpha:
                kept.remove(x)
        members = kept
        if frozenset(members) in seen or (as_bnlearn and kept == new and short):
            return members
        seen.add(frozenset(members))
        barred |= set(members) if as_bnlearn else set()


def fast_iamb(
    test: Test,
    rows: Rows,
    p: int,
    alpha: float,
    most: int,
    joined: Sequence[frozenset] = (),
    apart: Sequence[frozenset] = (),
    *,
    as_bnlearn: bool = False,
) -> tuple[list[list[int]], set[frozenset]]:
    """Return the blankets, and the edges between nodes in each other's blankets."""
    log_alpha = math.log(alpha)
    required = [sorted(x for x in range(p) if frozenset((t, x)) in joined) for t in range(p)]
    blankets = [blanket(test, rows, p, t, log_alpha, required[t], as_bnlearn=as_bnlearn) for t in range(p)]
    return blankets, edges_within(test, blankets, log_alpha, most, joined, apart)


def edges_within(
    test: Test,
    blankets: Sequence[Sequence[int]],
    log_alpha: float,
    most: int,
    joined: Sequence[frozenset] = (),
    apart: Sequence[frozenset] = (),
) -> set[frozenset]:
    """Return the pairs in each other's blankets that no set within the smaller blanket separates.

    If the blankets are equally large, sets within either count.
    """
    p, edges = len(blankets), set()
    mutual = [{x for x in blankets[t] if t in blankets[x]} for t in range(p)]
    for x, y in combinations(range(p), 2):
        pair = frozenset((x, y))
        if y not in mutual[x] or pair in apart:
            continue
        pools = [mutual[x] - {y}, mutual[y] - {x}]
        smallest = [pool for pool in pools if len(pool) == min(map(len, pools))]
        if pair in joined or not any(separable(test, x, y, pool, most, log_alpha) for pool in smallest):
            edges.add(pair)
    return edges


def v_structures(test: Test, neighbors: Sequence[set[int]], alpha: float, most: int) -> set[tuple[int, int, int]]:
    """Return unshielded triples i - k - j, i < j, dependent given every set with k among the neighbours of an end."""
    found = set()
    for k in range(len(neighbors)):
        for i, j in combinations(sorted(neighbors[k]), 2):
            if j in neighbors[i]:
                continue
            sets = [cond for end in (i, j) for cond in subsets(sorted(neighbors[end]), most) if k in cond]
            if all(test(i, j, cond)[0] <= math.log(alpha) for cond in sets):
                found.add((i, k, j))
    return found
