"""The k best equivalence classes over every subset of some variables, from those over smaller ones.

Sets of variables are bit masks. A class over W that has a DAG with sink s is a class over W without s, with the parents
of s, which are all that s is adjacent to; equal classes over the rest give equal ones over W. So the k best over W
come from the k best over each W without s. Chen and Tian (2014), Finding the k-best equivalence classes of Bayesian
network structures for model averaging. AAAI.

Arguments of all functions here
-------------------------------
local : (p, 2^p) float64 array
    Scores of parent sets.
ranked : (p, 2^(p-1)) int64 array
    Parent sets, the best first.
n_ranked : (p,) int64 array
    Number of allowed parent sets of each node.
score : (2^p, k) float64 array
    Scores of the best classes over each subset.
n_of : (2^p,) int64 array
    Number of these classes.
edge_key, v_key : (p, p) and (p, p, p) uint64 arrays
    Random keys of edges and v-structures.
"""

import heapq

import numpy as np

from ..compiling import kernel


@kernel
def best_of_layer(subsets, begin, end, local, ranked, n_ranked, edge_key, v_key, score, key, parents, n_of, stop, done):
    """Fill the best classes over the subsets ``subsets[begin:end]``, all of the same size.

    Parameters
    ----------
    subsets : int64 array
    begin, end : int
    local, ranked, n_ranked, edge_key, v_key, score, n_of
        As in the module's docstring; the last two are filled.
    key : (2^p, k) uint64 array
        Filled with the XOR of the keys of each class.
    parents : (2^p, k, p) array
        Filled with the parent sets of a DAG of each class.
    stop, done : (1,) int8 and int64 arrays
    """
    p, k = local.shape[0], score.shape[1]
    room = 16
    while room < 4 * k:
        room *= 2
    seen = np.zeros(room, np.uint64)
    for t in range(begin, end):
        if stop[0]:
            return
        w = subsets[t]
        seen[:] = 0
        heap = [(np.inf, np.int64(0), np.int64(0), np.int64(0), np.int64(0)) for _ in range(0)]
        for s in range(p):
            if w >> s & 1:
                offer(heap, w, s, 0, 0, True, local, ranked, n_ranked, score, n_of)
        n = 0
        while len(heap) and n < k:
            negative, s, a, b, is_first = heapq.heappop(heap)
            rest = w & ~(1 << s)
            offer(heap, w, s, a, b + 1, False, local, ranked, n_ranked, score, n_of)
            if is_first:
                offer(heap, w, s, a + 1, b, True, local, ranked, n_ranked, score, n_of)
            own = key_with_sink(key[rest, a], parents[rest, a], s, ranked[s, b], edge_key, v_key)
            if seen_before(seen, own):
                continue
            score[w, n], key[w, n] = -negative, own
            parents[w, n] = parents[rest, a]
            parents[w, n, s] = ranked[s, b]
            n += 1
        n_of[w] = n
        done[0] += 1


@kernel
def offer(heap, w, s, a, b, is_first, local, ranked, n_ranked, score, n_of):
    """Push sink s of w with class a over the rest and its next allowed parents from rank b on, if there are any.

    Parameters
    ----------
    heap : list of tuples
    w, s, a, b : int
    is_first : bool
        True: a further class over the rest follows this one.
    local, ranked, n_ranked, score, n_of
        As in the module's docstring.
    """
    rest = w & ~(1 << s)
    if a >= n_of[rest]:
        return
    while b < n_ranked[s] and ranked[s, b] & ~rest:
        b += 1
    if b < n_ranked[s]:
        value = -(score[rest, a] + local[s, ranked[s, b]])
        heapq.heappush(heap, (value, np.int64(s), np.int64(a), np.int64(b), np.int64(is_first)))


@kernel
def key_with_sink(key, parents, s, own, edge_key, v_key):
    """Return the key of a class with a further sink s.

    Parameters
    ----------
    key : uint64
    parents : (p,) array
        Parent sets of a DAG of the class.
    s : int
    own : int
        Parents of the sink.
    edge_key, v_key
        As in the module's docstring.
    """
    p = parents.shape[0]
    for i in range(p):
        if not own >> i & 1:
            continue
        key ^= edge_key[i, s]
        for j in range(i + 1, p):
            if own >> j & 1 and not (parents[i] >> j & 1 or parents[j] >> i & 1):
                key ^= v_key[i, s, j]
    return key


@kernel
def seen_before(seen, key):
    """Return True if the key was seen before, and record it; `seen` is a table of a power of two, 0 where empty."""
    at = np.int64(key & np.uint64(seen.shape[0] - 1))
    while seen[at] != 0:
        if seen[at] == key:
            return True
        at = (at + 1) & (seen.shape[0] - 1)
    seen[at] = key
    return False
