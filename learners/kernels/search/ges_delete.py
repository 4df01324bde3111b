"""Delete operator of greedy equivalence search.

Delete(x, y, H), x -> y or x - y, H neighbors of y adjacent to x: with NA all those neighbors, C = NA - H is a clique.
It gains s(y | Pa + C - x) - s(y | Pa + C + x). Chickering (2002), theorem 17.
"""

import numpy as np

from ..compiling import kernel
from ..graphs.class_operators import delete_in_place
from ..graphs.consistent_extension import respects_directions
from ..scores.families import local_score
from .cliques import adjacent_to, family_of, next_clique, surroundings


@kernel
def fill_deletes(sample, cache, rules, state, y):
    """Fill the stale ceilings of deletions of edges at y; False if the cache has no room.

    Parameters
    ----------
    sample, cache, rules, state
        As in `ges.refresh_ceilings`.
    y : int
    """
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    state.ceiling[y][state.stale[y]] = -np.inf
    chosen = np.empty(pool.shape[0], np.int64)
    for x in state.near[state.begin[y] : state.begin[y + 1]]:
        if not (state.stale[y, x] and state.amat[x, y]) or rules.required[x, y]:
            continue
        common, size = adjacent_to(state.amat, pool, x), 0
        while size >= 0:
            if 4 * (cache.used[0] + 2) > 3 * cache.keys.shape[0]:
                return False
            gain = delete_gain(sample, cache, x, y, parents, common, chosen, size)
            state.ceiling[y, x] = max(state.ceiling[y, x], gain)
            size = next_clique(state.amat, common, chosen, size)
    return True


@kernel
def delete_gain(sample, cache, x, y, parents, common, chosen, size):
    """Return the gain of the deletion whose clique consists of the chosen members.

    Parameters
    ----------
    sample, cache
        As in `ges.refresh_ceilings`.
    x, y : int
    parents : int64 array
        Parents of y.
    common : int64 array
        Neighbors of y that are adjacent to x.
    chosen, size
        As in `cliques.next_clique`.
    """
    without = family_of(parents, common, chosen, size, x)
    with_x = np.sort(np.append(without, x))
    return local_score(sample, cache, y, without) - local_score(sample, cache, y, with_x)


@kernel
def best_delete(sample, cache, rules, state, x, y, rounding):
    """Return (gain, H) of the best valid deletion of the edge from x to y.

    Parameters
    ----------
    sample, cache, rules, state
        As in `ges.refresh_ceilings`.
    x, y : int
    rounding : float
    """
    pool, parents = surroundings(state.amat, state.begin, state.near, rules.order, y)
    common, chosen, size = adjacent_to(state.amat, pool, x), np.empty(pool.shape[0], np.int64), 0
    best, heads = -np.inf, np.empty(0, np.int64)
    while size >= 0:
        gain = delete_gain(sample, cache, x, y, parents, common, chosen, size)
        if gain > best + rounding:
            rest = np.ones(common.shape[0], np.bool_)
            rest[chosen[:size]] = False
            if not rules.directed or delete_respects_directions(rules, state, x, y, common[rest]):
                best, heads = gain, common[rest]
        size = next_clique(state.amat, common, chosen, size)
    return best, heads


@kernel
def delete_respects_directions(rules, state, x, y, heads):
    """Return True if the class after the deletion has a DAG with the required directions.

    Parameters
    ----------
    rules, state
        As in `ges.refresh_ceilings`.
    x, y : int
    heads : int64 array
    """
    after = delete_in_place(state.amat.copy(), state.begin, state.near, x, y, heads)
    return respects_directions(*after, rules.directions)
