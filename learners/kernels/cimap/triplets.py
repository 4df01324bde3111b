"""The data processing inequality over all triplets of joined variables."""

from ..compiling import kernel


@kernel
def weakest_of_triplets(adjacency, information, tolerance, begin, end, loser, bar):
    """For each pair ``begin <= i < end``, i < j, joined, the third variable that explains it best away.

    Pair i - j falls to k if both are joined to k and its information is below (1 - `tolerance`) times the lesser of the
    others'. `loser` (p, p) int32 gets the k with the highest such bar, -1 where there is none, `bar` (p, p) the bar.
    """
    p = adjacency.shape[0]
    for i in range(begin, end):
        for j in range(i + 1, p):
            if not adjacency[i, j]:
                continue
            for k in range(p):
                if k != i and k != j and adjacency[i, k] and adjacency[j, k]:
                    limit = (1.0 - tolerance) * min(information[i, k], information[j, k])
                    if information[i, j] < limit and (loser[i, j] < 0 or limit > bar[i, j]):
                        loser[i, j], bar[i, j] = k, limit
                        loser[j, i], bar[j, i] = k, limit
