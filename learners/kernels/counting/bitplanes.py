"""Contingency tables from bit planes: one bit a row and state, so that a cell is a popcount of ANDs.

`planes` (m, w) uint64 holds the states of variable v in rows ``first[v] .. first[v + 1] - 1``; a variable without
planes has ``first[v] == first[v + 1]``. `counts` (m,) int64 are the rows in each state. Of every variable the last
state follows by subtraction. What is known of all pairs once `fill_pairs` ran (all are empty before): `pairs` (m, m)
uint32 the rows in each pair of states, `seen` (p, m) uint8 how many states of a variable occur beside a state of
another, and `joint` (p, p) float64 the sum of c ln c over each pair's table, on the diagonal over the variable's own
counts.
"""

import numpy as np

from ..compiling import kernel
from .contingency import f
from .popcount import count, count_and


@kernel
def fill_planes(codes, first, begin, end, planes, counts):
    """Set the planes of the variables ``begin .. end - 1``; bits beyond the last row are 0."""
    n = codes.shape[1]
    digits = np.empty(8, np.uint64)
    for v in range(begin, end):
        base, r = first[v], first[v + 1] - first[v]
        if r == 0:
            continue
        n_digits = 0
        while 1 << n_digits < r:
            n_digits += 1
        for word in range((n + 63) // 64):
            rows = codes[v, 64 * word : min(64 * word + 64, n)]
            # A digit of 64 codes at once: the loop without branches becomes vector instructions.
            for k in range(n_digits):
                digit = np.uint64(0)
                for t in range(rows.shape[0]):
                    digit |= np.uint64((rows[t] >> k) & 1) << np.uint64(t)
                digits[k] = digit
            used = ~np.uint64(0) >> np.uint64(64 - rows.shape[0])
            for s in range(r):
                mask = used
                for k in range(n_digits):
                    mask &= digits[k] if s >> k & 1 else ~digits[k]
                planes[base + s, word] = mask
        for s in range(base, base + r):
            counts[s] = count(planes[s])


@kernel
def fill_pairs(planes, first, counts, xlogx, begin, end, pairs, seen, joint, stop, done):
    """Count the state pairs of the variables ``begin <= x < end`` with each later variable."""
    p = first.shape[0] - 1
    for x in range(begin, end):
        if stop[0]:
            return
        own = 0.0
        for s in range(first[x], first[x + 1]):
            own += f(counts[s], xlogx)
        joint[x, x] = own
        for y in range(x + 1, p):
            if first[x] < first[x + 1] and first[y] < first[y + 1]:
                _pair(planes, first, counts, x, y, pairs)
                _summary(first, x, y, xlogx, pairs, seen, joint)
        done[0] += 1


@kernel
def _summary(first, x, y, xlogx, pairs, seen, joint):
    total = 0.0
    for a in range(first[x], first[x + 1]):
        for b in range(first[y], first[y + 1]):
            cell = pairs[a, b]
            if cell:
                total += f(np.int64(cell), xlogx)
                seen[x, b] += 1
                seen[y, a] += 1
    joint[x, y] = total
    joint[y, x] = total


@kernel
def _pair(planes, first, counts, x, y, pairs):
    last_x, last_y = first[x + 1] - 1, first[y + 1] - 1
    for b in range(first[y], last_y + 1):
        pairs[last_x, b] = counts[b]
    for a in range(first[x], last_x):
        rest = counts[a]
        for b in range(first[y], last_y):
            cell = count_and(planes[a], planes[b])
            rest -= cell
            pairs[a, b] = cell
            pairs[last_x, b] -= cell
        pairs[a, last_y] = rest
        pairs[last_x, last_y] -= rest
    for a in range(first[x], last_x + 1):
        for b in range(first[y], last_y + 1):
            pairs[b, a] = pairs[a, b]


@kernel
def pair_g2(first, counts, joint, x, y, n, xlogx):
    """(G²/2, adjusted dof) of x and y alone, from what is known of all pairs."""
    half = joint[x, y] - joint[x, x] - joint[y, y] + f(n, xlogx)
    seen_x = 0
    for a in range(first[x], first[x + 1]):
        seen_x += counts[a] > 0
    seen_y = 0
    for b in range(first[y], first[y + 1]):
        seen_y += counts[b] > 0
    return half, (seen_x - 1) * (seen_y - 1)
