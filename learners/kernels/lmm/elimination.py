"""Forward selection and backward elimination of edges by joint CPPD: the loops of LMM.

Mahdi and Mezey (2013), algorithms 1 and 2. All state lives in the arrays of a `Contest`, so `advance` can return at any
turn (to be listened to, or given room) and go on later. Adding a member to what a node is aware of can only lower its
one-sided values, so old values are upper bounds, and a pair is brought up to date only when it comes to the top.
"""

import numpy as np

from ..compiling import kernel
from .contest import (
    AWARE,
    DROPPED,
    ELIMINATED,
    ITERATION,
    N_EDGES,
    N_LOG,
    N_TESTS,
    NEXT,
    UNAWARE,
    become_aware,
    become_unaware,
    join,
    part,
    scan,
    write,
)
from .dependence import joint_key, marginal
from .pairs import NOTHING, PAUSED, best_open, pick_asymmetric, refresh_edges, weakest

SELECT, OPT1, OPT2, OPT3, ELIMINATE, DONE = range(6)  # what `advance` does next


@kernel
def begin(evidence, terms, state, barred, first, last):
    """Weigh the pairs of rows first .. last - 1 given nothing; pairs `barred` (p, p) are never joined."""
    p = barred.shape[0]
    for i in range(first, last):
        for j in range(i + 1, p):
            s = marginal(evidence, i, j)
            state.one_sided[i, j] = state.one_sided[j, i] = s
            if not barred[i, j]:
                state.key[i, j] = joint_key(s, s, terms.product)
        scan(state, i)
        state.counters[N_TESTS] += p - 1 - i


@kernel
def advance(evidence, terms, state, budget):
    """Go on until the end, or until some `budget` nanoseconds of work are done, or the log is nearly full.

    Returns whether there is more to do; empty the log (``counters[N_LOG] = 0``) before going on.
    """
    spent = np.zeros(1, np.int64)
    while state.counters[NEXT] != DONE:
        if spent[0] > budget or state.counters[N_LOG] + 2 > state.log.shape[0]:
            return True
        step = state.counters[NEXT]
        if step == SELECT:
            paused = select(evidence, terms, state, spent, budget)
        elif step == OPT1:
            paused = drop_weakest(evidence, terms, state, spent, budget)
        elif step == OPT2:
            paused = make_aware(evidence, terms, state, spent, budget)
        elif step == OPT3:
            paused = make_unaware(evidence, terms, state, spent, budget)
        else:
            paused = eliminate_weakest(evidence, terms, state, spent, budget)
        if paused:
            return True
    return False


@kernel
def select(evidence, terms, state, spent, budget):
    """Algorithm 1, lines 4-5: join the best pair, or end the selection."""
    full = state.counters[N_EDGES] >= terms.max_size
    i = NOTHING if full else best_open(evidence, terms, state, spent, budget)
    if i == PAUSED:
        return True
    if i == NOTHING or state.top[i] < terms.least_key:
        state.counters[NEXT] = ELIMINATE
        return False
    state.counters[ITERATION] += 1
    join(terms, state, i, state.top_at[i])
    optimise = terms.opt_every > 0 and state.counters[ITERATION] % terms.opt_every == 0
    state.counters[NEXT] = OPT1 if optimise else SELECT
    return False


@kernel
def drop_weakest(evidence, terms, state, spent, budget):
    """OPT1 of algorithm 2: take out the weakest edge if a pair outside is stronger."""
    i = best_open(evidence, terms, state, spent, budget)
    if i == PAUSED or refresh_edges(evidence, terms, state, spent, budget):
        return True
    e = weakest(state, terms.cooldown)
    # With a round after every addition edges could come and go for ever; any rarer round takes less than half of them.
    allowed = 2 * state.counters[N_EDGES] > state.counters[ITERATION]
    if allowed and e >= 0 and i != NOTHING and state.edge_key[e] < state.top[i]:
        part(evidence, terms, state, e, DROPPED)
    state.counters[NEXT] = OPT2
    return False


@kernel
def make_aware(evidence, terms, state, spent, budget):
    """OPT2: of the edges of which one end is unaware and ought to be aware, make it aware of the strongest."""
    if refresh_edges(evidence, terms, state, spent, budget):
        return True
    i, j = pick_asymmetric(terms, state, False)
    if i >= 0:
        become_aware(state, j, i)
        write(terms, state, AWARE, j, i)
    state.counters[NEXT] = OPT3
    return False


@kernel
def make_unaware(evidence, terms, state, spent, budget):
    """OPT3: of the edges of which an end is aware and need not be, make it unaware of the weakest."""
    if refresh_edges(evidence, terms, state, spent, budget):
        return True
    i, j = pick_asymmetric(terms, state, True)
    if i >= 0:
        become_unaware(evidence, terms, state, j, i)
        write(terms, state, UNAWARE, j, i)
    state.counters[NEXT] = SELECT
    return False


@kernel
def eliminate_weakest(evidence, terms, state, spent, budget):
    """Algorithm 1, lines 8-9: take out the edge with the least joint CPPD."""
    if refresh_edges(evidence, terms, state, spent, budget):
        return True
    e = weakest(state, -1)
    if e < 0:
        state.counters[NEXT] = DONE
        return False
    part(evidence, terms, state, e, ELIMINATED)
    return False
