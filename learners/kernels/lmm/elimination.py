"""Forward selection and backward elimination of edges by joint CPPD: the loops of LMM.

Mahdi and Mezey (2013), algorithms 1 and 2. The state lives in the arrays of an `LMMState`, so that `advance` can return
after any turn and continue later. A node that becomes aware of another can only lower its one-sided values, so old
values are upper bounds, and a pair is updated only when it comes to the top.

Arguments of all functions here
-------------------------------
evidence : DependenceEvidence
terms : LMMRules
state : LMMState
spent : (1,) int64 array
    Nanoseconds of work in this call, estimated.
budget : int
    Nanoseconds after which the call pauses.
"""

import numpy as np

from ..compiling import kernel
from .dependence import joint_key, marginal_log_odds
from .next_pair import NOTHING, PAUSED, best_candidate, pick_asymmetric, refresh_edges, weakest
from .state import (
    AWARE,
    DROPPED,
    ELIMINATED,
    ITERATION,
    N_EDGES,
    N_LOG,
    N_TESTS,
    NEXT,
    UNAWARE,
    add_edge,
    become_aware,
    become_unaware,
    delete_edge,
    update_top,
    write_log,
)

SELECT, OPT1, OPT2, OPT3, ELIMINATE, DONE = range(6)  # next step of `advance`


@kernel
def start_pairs(evidence, terms, state, barred, first, last):
    """Compute the keys of the pairs of rows first .. last - 1 given the empty set.

    Parameters
    ----------
    evidence, terms, state
        As in the module's docstring.
    barred : (p, p) bool array
        Pairs that are never added.
    first, last : int
    """
    p = barred.shape[0]
    for i in range(first, last):
        for j in range(i + 1, p):
            s = marginal_log_odds(evidence, i, j)
            state.one_sided[i, j] = state.one_sided[j, i] = s
            if not barred[i, j]:
                state.key[i, j] = joint_key(s, s, terms.product)
        update_top(state, i)
        state.counters[N_TESTS] += p - 1 - i


@kernel
def advance(evidence, terms, state, budget):
    """Continue until the end, until the budget is spent, or until the log is nearly full.

    Clear the log (``counters[N_LOG] = 0``) before continuing.

    Parameters
    ----------
    evidence, terms, state, budget
        As in the module's docstring.

    Returns
    -------
    bool
        True if there is more to do.
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
    """Add the best pair, or end the selection: algorithm 1, lines 4-5. Return True if paused.

    Parameters
    ----------
    evidence, terms, state, spent, budget
        As in the module's docstring.
    """
    full = state.counters[N_EDGES] >= terms.max_size
    i = NOTHING if full else best_candidate(evidence, terms, state, spent, budget)
    if i == PAUSED:
        return True
    if i == NOTHING or state.top[i] < terms.least_key:
        state.counters[NEXT] = ELIMINATE
        return False
    state.counters[ITERATION] += 1
    add_edge(terms, state, i, state.top_at[i])
    optimise = terms.opt_every > 0 and state.counters[ITERATION] % terms.opt_every == 0
    state.counters[NEXT] = OPT1 if optimise else SELECT
    return False


@kernel
def drop_weakest(evidence, terms, state, spent, budget):
    """Remove the weakest edge if a pair outside is stronger: OPT1 of algorithm 2. Return True if paused.

    Parameters
    ----------
    evidence, terms, state, spent, budget
        As in the module's docstring.
    """
    i = best_candidate(evidence, terms, state, spent, budget)
    if i == PAUSED or refresh_edges(evidence, terms, state, spent, budget):
        return True
    e = weakest(state, terms.cooldown)
    # With a round after every addition, edges could be added and removed forever; rarer rounds remove fewer than half.
    allowed = 2 * state.counters[N_EDGES] > state.counters[ITERATION]
    if allowed and e >= 0 and i != NOTHING and state.edge_key[e] < state.top[i]:
        delete_edge(evidence, terms, state, e, DROPPED)
    state.counters[NEXT] = OPT2
    return False


@kernel
def make_aware(evidence, terms, state, spent, budget):
    """Make the unaware end of the strongest edge with one unaware end aware: OPT2. Return True if paused.

    Parameters
    ----------
    evidence, terms, state, spent, budget
        As in the module's docstring.
    """
    if refresh_edges(evidence, terms, state, spent, budget):
        return True
    i, j = pick_asymmetric(terms, state, False)
    if i >= 0:
        become_aware(state, j, i)
        write_log(terms, state, AWARE, j, i)
    state.counters[NEXT] = OPT3
    return False


@kernel
def make_unaware(evidence, terms, state, spent, budget):
    """Make the end that depends less on the other unaware, at the weakest such edge: OPT3. Return True if paused.

    Parameters
    ----------
    evidence, terms, state, spent, budget
        As in the module's docstring.
    """
    if refresh_edges(evidence, terms, state, spent, budget):
        return True
    i, j = pick_asymmetric(terms, state, True)
    if i >= 0:
        become_unaware(evidence, terms, state, j, i)
        write_log(terms, state, UNAWARE, j, i)
    state.counters[NEXT] = SELECT
    return False


@kernel
def eliminate_weakest(evidence, terms, state, spent, budget):
    """Remove the edge with the smallest joint CPPD: algorithm 1, lines 8-9. Return True if paused.

    Parameters
    ----------
    evidence, terms, state, spent, budget
        As in the module's docstring.
    """
    if refresh_edges(evidence, terms, state, spent, budget):
        return True
    e = weakest(state, -1)
    if e < 0:
        state.counters[NEXT] = DONE
        return False
    delete_edge(evidence, terms, state, e, ELIMINATED)
    return False
