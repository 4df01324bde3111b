"""Greedy equivalence search: bounds on the gain of each operator, and the best operator.

Chickering (2002), Optimal structure identification with greedy search, JMLR 3, section 5. The operators are in
`ges_insert`, `ges_delete` and `ges_turn`: each is a pair and a clique C among the neighbors of y. Without the
condition on paths, the largest gain of a pair depends only on the surroundings of y; ``ceiling[y, x]`` holds it until
these change. Paths are followed only where they matter; a ceiling lowered by a path holds until an edge of
such a path is turned against it.
"""

from ..compiling import kernel
from ..scores.families import store_scores
from .ges_delete import best_delete, fill_deletes
from .ges_insert import best_insert, fill_inserts
from .ges_state import DELETE, INSERT, is_shielding
from .ges_turn import best_turn, fill_turns
from .hill_climbing import beats

CACHED_SCORES_PER_NEW = 20  # cached scores that take as long as one new score


@kernel
def refresh_ceilings(sample, cache, rules, state, op, row, budget, new):
    """Fill the stale ceilings of an operator from a row on; return the row to continue with, or p.

    A call ends if the cache must grow, or after `budget` scores. Cached scores count too, because a search that ranked
    all pairs before looks up a million of them.

    Parameters
    ----------
    sample : families of a score
    cache : FamilyCache
    rules : GESRules
    state : GESState
    op : int
        `INSERT`, `DELETE` or `TURN`.
    row, budget : int
    new : NewScores
        Scratch; the cache needs room for the scores that a call leaves there.
    """
    store_scores(new, cache)
    p, begun, n_rows = state.amat.shape[0], cache.used[0], 0
    for y in range(row, p):
        if not state.stale_rows[y]:
            continue
        if not state.stale[y].any():
            state.stale_rows[y] = False
            continue
        if cache.used[0] - begun + n_rows * p // CACHED_SCORES_PER_NEW > budget:
            return y
        n_rows += 1
        if op == INSERT:
            filled = fill_inserts(sample, cache, rules, state, y, 0, p, new)
            if 4 * (cache.used[0] + new.used[0]) > 3 * cache.keys.shape[0]:
                return y
            store_scores(new, cache)
        elif op == DELETE:
            filled = fill_deletes(sample, cache, rules, state, y)
        else:
            filled = fill_turns(sample, cache, rules, state, y)
        if not filled:
            return y
        state.stale[y] = False
        state.stale_rows[y] = False
        state.top[y] = state.ceiling[y].max()
    return p


@kernel
def best_operator(sample, cache, rules, state, op, rounding, best, row, budget):
    """Return the best valid operator (gain, place, x, y, nodes), and the row to continue with, or p.

    Ties: the smallest x, then the smallest y in `order`, then the first clique.

    Parameters
    ----------
    sample, cache, rules, state, op
        As in `refresh_ceilings`.
    rounding : float
        Gains that differ by less are equal.
    best : tuple
        Best operator of the rows before `row`; x = -1 if there is none. `nodes` are its T, H or C.
    row : int
    budget : int
        The call ends with the row in which it has examined this many operators.
    """
    p = state.amat.shape[0]
    gain_of_best, best_place, best_x, best_y, nodes = best
    looked = 0
    while row < p and looked < budget:
        y, ceiling = row, state.ceiling[row]
        least = gain_of_best - rounding
        if state.top[y] < least:
            row += 1
            continue
        lowered = False
        for x in range(p):
            if ceiling[x] < least:  # true for nearly all x
                continue
            place = rules.order[x] * p + rules.order[y]
            if not beats(ceiling[x], place, gain_of_best, best_place, rounding):
                continue
            looked += 1
            if op == INSERT:
                if not (rules.base[x, y] or is_shielding(rules, state, x, y)):
                    continue
                gain, found = best_insert(cache, rules, state, x, y, rounding)
                if not rules.directed and gain < state.ceiling[y, x]:
                    state.ceiling[y, x] = gain
                    state.lowered[y, x] = state.lowered_rows[y] = lowered = True
            elif op == DELETE:
                gain, found = best_delete(sample, cache, rules, state, x, y, rounding)
            else:
                gain, found = best_turn(sample, cache, rules, state, x, y, rounding)
            if beats(gain, place, gain_of_best, best_place, rounding):
                gain_of_best, best_place, best_x, best_y, nodes = max(gain_of_best, gain), place, x, y, found
                least = gain_of_best - rounding
        if lowered:
            state.top[y] = ceiling.max()
        row += 1
    return (gain_of_best, best_place, best_x, best_y, nodes), row
