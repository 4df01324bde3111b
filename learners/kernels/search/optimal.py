"""The network of highest score over some variables, by the best network over each of their subsets.

Sets of candidate parents and of variables are bit masks. Silander and Myllymäki (2006), A simple approach for finding
the globally optimal Bayesian network structure. UAI.
"""

import numpy as np

from ..compiling import kernel


@kernel
def fill_best_subsets(local, value, best):
    """Fill the best parent set within each set of candidates; of equal scores, that of a smaller set.

    Parameters
    ----------
    local : (2^k,) float64 array
        Score of each parent set, -inf if it is not allowed.
    value : (2^k,) float64 array
        Filled with the highest score of a subset of each set.
    best : (2^k,) int64 array
        Filled with that subset.
    """
    for mask in range(local.shape[0]):
        value[mask], best[mask] = local[mask], mask
        b = 0
        while mask >> b:
            if mask >> b & 1:
                smaller = mask ^ (1 << b)
                if value[smaller] >= value[mask]:
                    value[mask], best[mask] = value[smaller], best[smaller]
            b += 1


@kernel
def candidates_in(candidates, n, subset):
    """Return the mask of the candidates that lie in a subset of the variables.

    Parameters
    ----------
    candidates : (k,) int64 array
    n : int
        The first n candidates count.
    subset : int
    """
    mask = 0
    for b in range(n):
        mask |= (subset >> candidates[b] & 1) << b
    return mask


@kernel
def fill_best_networks(candidates, n_of, value, total, sink, begin, end, stop, done):
    """Fill the best network over each of the subsets ``begin .. end - 1``, in ascending order.

    Parameters
    ----------
    candidates : (m, k) int64 array
        Candidate parents of each of m variables.
    n_of : (m,) int64 array
        Their numbers.
    value : (m, 2^k) float64 array
        Highest score of a parent set within each set of candidates.
    total : (2^m,) float64 array
        Score of the best network over each subset; that of the empty one is 0.
    sink : (2^m,) int8 array
        A variable without children in that network; -1 if there is no network.
    begin, end : int
    stop, done : (1,) int8 and int64 arrays
    """
    for subset in range(begin, end):
        if stop[0]:
            return
        most, last = -np.inf, -1
        for s in range(candidates.shape[0]):
            if subset >> s & 1:
                rest = subset ^ (1 << s)
                score = total[rest] + value[s, candidates_in(candidates[s], n_of[s], rest)]
                if score > most:
                    most, last = score, s
        total[subset], sink[subset] = most, last
        done[0] += 1
