"""Forward selection and backward elimination of edges by joint CPPD: the loops of LMM.

Mahdi and Mezey (2013), algorithms 1 and 2. All state lives in the arrays of a `Contest`, so `advance` can return at any
turn (to be listened to, or given room) and go on later. Adding a member to what a node is aware of can only lower its
one-sided values, so old values are upper bounds, and a pair is judged anew only when it comes to the top.
"""

from typing import NamedTuple

import numpy as np

from ..compiling import kernel
from .dependence import joint_key, least, marginal, probability, walk_sets

SELECT, OPT1, OPT2, OPT3, ELIMINATE, DONE = range(6)  # what `advance` does next
ADDED, DROPPED, AWARE, UNAWARE, ELIMINATED = range(5)  # what a row of the log tells
N_EDGES, ITERATION, NEXT, N_LOG, N_TESTS = range(5)  # places in `counters`
PAUSED, NOTHING = -1, -2  # instead of a row, from `best_open`
AT_ONCE = 12  # members accounted for in one go; each beyond doubles the work or worse, so they come one by one


class Terms(NamedTuple):
    """The rules of a run, as in algorithm 1 and 2.

    `least_key` is the key of gamma, -inf for none; `product` says that both sides count, not the smaller alone.
    `opt_every` 0 leaves the optimisation steps out. `required` (p, p) bool: pairs that are never taken out.
    """

    omega: float
    least_key: float
    max_size: int
    max_cond_size: int
    opt_every: int
    cooldown: int
    product: bool
    required: np.ndarray


class Contest(NamedTuple):
    """Where a run stands.

    Of pairs: `one_sided` (p, p) float64: log-odds of i and j over the sets of i; `hardest` (p, p, k) int16: the set,
    padded with -1; `judged` (p, p) int16: how many first members of `aware[i]` they account for; `key` (p, p) float64:
    above the diagonal an upper bound of the key of each pair that may be joined, else -inf; `top`, `top_at` (p,): the
    largest of each row of it and its column.

    Of nodes: `aware` (p, p) int16 with `n_aware` (p,): the neighbours that i conditions on; `knows` (p, p) bool: the
    same as a matrix; `touched` (p,) bool: whether that changed since the edges were judged.

    Of edges, in any order: `edges` (m, 2), `stamp` (m,) int64; `fixed` (m,) bool: required; as last judged `edge_key`
    (m,), `edge_sided` (m, 2) one-sided values, and `edge_knows` (m, 2) which end knows of the other.

    `log` (l, 6) int64 rows ``what, i, j, iteration, i knows j, j knows i``, with `log_keys` (l, 3) float64 (key,
    one-sided value of i, of j) and `log_sets` (l, 2, k) int16. `counters` (5,) int64.
    """

    one_sided: np.ndarray
    hardest: np.ndarray
    judged: np.ndarray
    aware: np.ndarray
    n_aware: np.ndarray
    knows: np.ndarray
    touched: np.ndarray
    key: np.ndarray
    top: np.ndarray
    top_at: np.ndarray
    edges: np.ndarray
    stamp: np.ndarray
    fixed: np.ndarray
    edge_key: np.ndarray
    edge_sided: np.ndarray
    edge_knows: np.ndarray
    log: np.ndarray
    log_keys: np.ndarray
    log_sets: np.ndarray
    counters: np.ndarray


@kernel
def begin(evidence, terms, state, barred, first, last):
    """Judge the pairs of rows first .. last - 1 given nothing; pairs `barred` (p, p) are never joined."""
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
            paused = tell(evidence, terms, state, spent, budget)
        elif step == OPT3:
            paused = untell(evidence, terms, state, spent, budget)
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
def join(terms, state, i, j):
    """Procedure addEdge of algorithm 1, for i < j."""
    m = state.counters[N_EDGES]
    state.edges[m, 0], state.edges[m, 1] = i, j
    state.stamp[m] = state.counters[ITERATION]
    state.fixed[m] = terms.required[i, j]
    state.counters[N_EDGES] = m + 1
    s, t = state.one_sided[i, j], state.one_sided[j, i]
    state.key[i, j] = -np.inf
    scan(state, i)
    of_i, of_j = probability(s), probability(t)
    # At omega = 1 nothing is relaxed, not even where the two sides are as far apart as 0 and 1.
    if of_j - of_i < terms.omega or terms.omega >= 1.0:
        learn_of(state, i, j)
    if of_i - of_j < terms.omega or terms.omega >= 1.0:
        learn_of(state, j, i)
    write(terms, state, ADDED, i, j)


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
def tell(evidence, terms, state, spent, budget):
    """OPT2: of the edges that one end ought to know of and does not, tell the strongest."""
    if refresh_edges(evidence, terms, state, spent, budget):
        return True
    i, j = pick_asymmetric(terms, state, False)
    if i >= 0:
        learn_of(state, j, i)
        write(terms, state, AWARE, j, i)
    state.counters[NEXT] = OPT3
    return False


@kernel
def untell(evidence, terms, state, spent, budget):
    """OPT3: of the edges that an end knows of and need not, make it unaware of the weakest."""
    if refresh_edges(evidence, terms, state, spent, budget):
        return True
    i, j = pick_asymmetric(terms, state, True)
    if i >= 0:
        forget(evidence, terms, state, j, i)
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


@kernel
def best_open(evidence, terms, state, spent, budget):
    """Row of the pair with the largest key that may be joined, of equal ones the first; or `PAUSED`, `NOTHING`."""
    while True:
        i = 0
        for k in range(1, state.top.shape[0]):
            if state.top[k] > state.top[i]:
                i = k
        spent[0] += 2 * state.top.shape[0]
        if state.top[i] == -np.inf:
            return NOTHING
        j = state.top_at[i]
        if not is_stale(state, i, j):
            return i
        state.key[i, j] = judge_pair(evidence, terms, state, i, j, spent)
        scan(state, i)
        if spent[0] > budget:
            return PAUSED


@kernel
def scan(state, i):
    """Find the largest key above the diagonal in row i."""
    best, at = -np.inf, i
    row = state.key[i]
    for j in range(i + 1, row.shape[0]):
        if row[j] > best:
            best, at = row[j], j
    state.top[i], state.top_at[i] = best, at


@kernel
def is_stale(state, i, j):
    """Whether an end of the pair has heard of a neighbour since the pair was judged."""
    return state.judged[i, j] < state.n_aware[i] or state.judged[j, i] < state.n_aware[j]


@kernel
def judge_pair(evidence, terms, state, i, j, spent):
    """Bring both one-sided values closer to date; the key of the pair, or a bound of it while the pair is stale."""
    judge(evidence, terms, state, i, j, spent)
    judge(evidence, terms, state, j, i, spent)
    return joint_key(state.one_sided[i, j], state.one_sided[j, i], terms.product)


@kernel
def judge(evidence, terms, state, i, j, spent):
    """Equation 3: the least log-odds of i and j over the sets that i knows, by looking at sets not yet seen.

    At all of them if i knows few nodes, else at those with the next node: one turn must not last too long.
    """
    seen = state.judged[i, j]
    if seen == state.n_aware[i]:
        return
    q = min(state.n_aware[i], max(seen + 1, AT_ONCE))
    state.judged[i, j] = q
    members = np.empty(q, np.int64)
    n, first = 0, 0
    for t in range(q):
        if t == seen:
            first = n
        if state.aware[i, t] != j:
            members[n] = state.aware[i, t]
            n += 1
    most = min(terms.max_cond_size, n)
    low = np.full((1, most + 2), np.inf)
    chain = np.full((1, most + 2, most), -1, np.int16)
    count = walk_sets(evidence, np.array([i, j]), members[:n], first, most, low, chain)
    spent[0] += 100 + 50 * count
    state.counters[N_TESTS] += count
    size, s = least(evidence, low[0])
    if s < state.one_sided[i, j]:
        state.one_sided[i, j] = s
        state.hardest[i, j] = -1
        state.hardest[i, j, :size] = chain[0, size, :size]


@kernel
def refresh_edges(evidence, terms, state, spent, budget):
    """Bring every edge up to date; whether it has to pause before all are."""
    m = state.counters[N_EDGES]
    spent[0] += 4 * m
    for e in range(m):
        i, j = state.edges[e]
        if not (state.touched[i] or state.touched[j]):
            continue
        # Only a pair that cost something ends a turn: the next turn passes those already judged for nothing.
        while is_stale(state, i, j):
            judge_pair(evidence, terms, state, i, j, spent)
            if spent[0] > budget:
                return True
        s, t = state.one_sided[i, j], state.one_sided[j, i]
        state.edge_key[e], state.edge_sided[e, 0], state.edge_sided[e, 1] = joint_key(s, t, terms.product), s, t
        state.edge_knows[e, 0], state.edge_knows[e, 1] = state.knows[i, j], state.knows[j, i]
    state.touched[:] = False
    return False


@kernel
def weakest(state, cooldown):
    """Place of the edge with the smallest key, of equal ones the first pair; -1 if none may leave."""
    best, at = np.inf, -1
    for e in range(state.counters[N_EDGES]):
        if state.fixed[e] or state.counters[ITERATION] - state.stamp[e] < cooldown:
            continue
        key = state.edge_key[e]
        if key < best or (key == best and comes_first(state.edges, e, at)):
            best, at = key, e
    return at


@kernel
def comes_first(edges, e, f):
    """Whether pair e comes before pair f; any does before none."""
    return f < 0 or edges[e, 0] < edges[f, 0] or (edges[e, 0] == edges[f, 0] and edges[e, 1] < edges[f, 1])


@kernel
def pick_asymmetric(terms, state, known):
    """Of the edges whose end i knows of j: the i, j whose j should change its mind about i.

    `known` False: j does not know of i, and depends on it as much; the strongest such. True: j does, and depends on it
    less; the weakest such. Of equal ones the first i, then the first j; -1, -1 if there is none.
    """
    best_i, best_j, best = -1, -1, 0.0
    for e in range(state.counters[N_EDGES]):
        if state.counters[ITERATION] - state.stamp[e] < terms.cooldown:
            continue
        for turn in range(2):
            if not state.edge_knows[e, turn] or state.edge_knows[e, 1 - turn] != known:
                continue
            of_i, of_j = probability(state.edge_sided[e, turn]), probability(state.edge_sided[e, 1 - turn])
            if (of_i - of_j <= terms.omega) if known else (of_i - of_j >= terms.omega):
                continue
            i, j, key = state.edges[e, turn], state.edges[e, 1 - turn], state.edge_key[e]
            better = best_i < 0 or (key < best if known else key > best)
            if better or (key == best and (i < best_i or (i == best_i and j < best_j))):
                best_i, best_j, best = i, j, key
    return best_i, best_j


@kernel
def part(evidence, terms, state, e, what):
    """Procedure deleteEdge of algorithm 1; `what` goes to the log."""
    i, j = state.edges[e]
    write(terms, state, what, i, j)
    last = state.counters[N_EDGES] - 1
    state.edges[e], state.stamp[e], state.fixed[e] = state.edges[last], state.stamp[last], state.fixed[last]
    state.edge_key[e] = state.edge_key[last]
    state.edge_sided[e], state.edge_knows[e] = state.edge_sided[last], state.edge_knows[last]
    state.counters[N_EDGES] = last
    if state.knows[i, j]:
        forget(evidence, terms, state, i, j)
    if state.knows[j, i]:
        forget(evidence, terms, state, j, i)
    raise_key(terms, state, i, j)


@kernel
def learn_of(state, i, j):
    """Make i aware of j."""
    state.aware[i, state.n_aware[i]] = j
    state.n_aware[i] += 1
    state.knows[i, j] = state.touched[i] = True


@kernel
def forget(evidence, terms, state, i, k):
    """Make i unaware of k; values that rested on k are judged anew, the others stand."""
    place = 0
    while state.aware[i, place] != k:
        place += 1
    for t in range(place + 1, state.n_aware[i]):
        state.aware[i, t - 1] = state.aware[i, t]
    state.n_aware[i] -= 1
    state.knows[i, k] = False
    state.touched[i] = True
    for j in range(state.top.shape[0]):
        if j == i:
            continue
        rested = False
        for t in range(state.hardest.shape[2]):
            if state.hardest[i, j, t] == k:
                rested = True
        if not rested:
            state.judged[i, j] -= state.judged[i, j] > place
            continue
        state.judged[i, j] = 0
        state.hardest[i, j] = -1
        state.one_sided[i, j] = marginal(evidence, i, j)
        low, high = min(i, j), max(i, j)
        if state.key[low, high] > -np.inf:
            raise_key(terms, state, low, high)


@kernel
def raise_key(terms, state, i, j):
    """Let the pair i < j compete again, at what its two sides allow at most."""
    key = joint_key(state.one_sided[i, j], state.one_sided[j, i], terms.product)
    state.key[i, j] = key
    if key > state.top[i] or (key == state.top[i] and j < state.top_at[i]):
        state.top[i], state.top_at[i] = key, j


@kernel
def write(terms, state, what, i, j):
    """Append to the log what is known of the pair now."""
    at = state.counters[N_LOG]
    row = state.log[at]
    row[0], row[1], row[2], row[3] = what, i, j, state.counters[ITERATION]
    row[4], row[5] = state.knows[i, j], state.knows[j, i]
    s, t = state.one_sided[i, j], state.one_sided[j, i]
    state.log_keys[at, 0], state.log_keys[at, 1], state.log_keys[at, 2] = joint_key(s, t, terms.product), s, t
    state.log_sets[at, 0], state.log_sets[at, 1] = state.hardest[i, j], state.hardest[j, i]
    state.counters[N_LOG] = at + 1
