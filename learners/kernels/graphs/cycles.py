"""Whether arrows lead back to where they came from."""

import numpy as np

from ..compiling import kernel


@kernel
def has_cycle(amat):
    """Whether the arrows alone close a cycle; ``i -> j`` iff ``amat[i, j] and not amat[j, i]``."""
    p, n = amat.shape[0], 0
    waiting, free = np.zeros(p, np.int64), np.empty(p, np.int64)
    for i in range(p):
        for j in range(p):
            waiting[j] += amat[i, j] and not amat[j, i]
    for j in range(p):
        if waiting[j] == 0:
            free[n] = j
            n += 1
    done = 0
    while done < n:
        i = free[done]
        done += 1
        for j in range(p):
            if amat[i, j] and not amat[j, i]:
                waiting[j] -= 1
                if waiting[j] == 0:
                    free[n] = j
                    n += 1
    return n < p
