"""The best equivalence classes over every subset of some variables, from those over smaller ones.

Sets of variables are bit masks. A class over W that has a DAG with sink s is a class over W without s, with the
parents of s, which are all that s is joined to; equal classes over the rest give equal ones over W. So the k best over
W come from the k best over each W without s (Chen and Tian 2014).
"""

import heapq

import numpy as np

from ..compiling import kernel


@kernel
def best_of_layer(subsets, begin, end, local, ranked, n_ranked, edge_key, v_key, score, key, parents, n_of, stop, done):
    """Fill the rows of ``subsets[begin:end]`` (of one size) in `score`, `key` (2^p, k), `parents` (2^p, k, p), `n_of`.

    `local` (p, 2^p) are the scores of parent sets, `ranked` (p, 2^(p-1)) those sets, the best first, of which
    `n_ranked` (p,) are allowed. `edge_key` (p, p) and `v_key` (p, p, p) uint64 are random numbers, whose XOR over
    edges and v-structures is a class's `key`.
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
            own = key_with(key[rest, a], parents[rest, a], s, ranked[s, b], edge_key, v_key)
            if remembered(seen, own):
                continue
            score[w, n], key[w, n] = -negative, own
            parents[w, n] = parents[rest, a]
            parents[w, n, s] = ranked[s, b]
            n += 1
        n_of[w] = n
        done[0] += 1


@kernel
def offer(heap, w, s, a, b, is_first, local, ranked, n_ranked, score, n_of):
    """Push sink s of w with class a over the rest and its next allowed parents from rank b on, if there are any."""
    rest = w & ~(1 << s)
    if a >= n_of[rest]:
        return
    while b < n_ranked[s] and ranked[s, b] & ~rest:
        b += 1
    if b < n_ranked[s]:
        value = -(score[rest, a] + local[s, ranked[s, b]])
        heapq.heappush(heap, (value, np.int64(s), np.int64(a), np.int64(b), np.int64(is_first)))


@kernel
def key_with(key, parents, s, own, edge_key, v_key):
    """The key of a class with a further sink s."""
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
def remembered(seen, key):
    """Whether the key came before; it has now. `seen` is a table of a power of two, 0 where empty."""
    at = np.int64(key & np.uint64(seen.shape[0] - 1))
    while seen[at] != 0:
        if seen[at] == key:
            return True
        at = (at + 1) & (seen.shape[0] - 1)
    seen[at] = key
    return False
