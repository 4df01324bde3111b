"""Tables of summed scores: of each node the ln weight of all parent sets within any set of its candidates.

Sets of candidates of node j are bit masks: bit b is ``candidates[j, b]``, of which the first ``n_of[j]`` count.
"""

import numpy as np

from ..compiling import kernel
from ..scores.families import score_families
from ..search.orders import sum_subsets


@kernel
def fill_local(sample, candidates, levels, rows, n_of, most, required, begin, end, local, table, stop, done):
    """Rows of `local` (p, 2^k): score of a node given each set of at most `most` candidates; and their sums.

    `local` comes in as -inf, which sets without all of the mask `required` (p,) keep, and those that have more
    configurations of their `levels` (p, k) than there are `rows`, unless those required have. `table` (p, 2^k) gets
    ln of the sum over all subsets.
    """
    for j in range(begin, end):
        fill_node(sample, j, candidates[j], n_of[j], most, local[j], stop)
        if stop[0]:
            return
        most_configurations = max(rows, configurations(levels[j], required[j]))
        for mask in range(local.shape[1]):
            if mask & required[j] != required[j] or configurations(levels[j], mask) > most_configurations:
                local[j, mask] = -np.inf
            table[j, mask] = local[j, mask]
        sum_subsets(table[j])
        done[0] += 1


@kernel
def configurations(levels, mask):
    """Of the variables of a mask with these levels (k,); a float."""
    n = 1.0
    for b in range(len(levels)):
        if mask >> b & 1:
            n *= levels[b]
    return n


@kernel
def fill_node(sample, j, candidates, n, most, row, stop):
    """Each set once: a smaller one, and candidates after its last member."""
    parents, out = np.empty(most, np.int64), np.empty(n + 1)
    score_families(sample, j, parents[:0], np.array([-1]), out)
    row[0] = out[0]
    for mask in range(1 << n):
        if stop[0]:
            return
        m, after = 0, 0
        for b in range(n):
            if mask >> b & 1:
                if m < most:
                    parents[m] = candidates[b]
                m, after = m + 1, b + 1
        if m < most and after < n:
            score_families(sample, j, parents[:m], candidates[after:n], out)
            for b in range(after, n):
                row[mask | 1 << b] = out[b - after]


@kernel
def weight(row, before, needed):
    """ln weight of the parent sets within `before` that have a member in `needed`, or of all if that is empty."""
    if needed == 0:
        return row[before]
    whole, without = row[before], row[before & ~needed]
    if not without < whole - 1e-12:
        return -np.inf
    return whole + np.log1p(-np.exp(without - whole))
