"""Reference implementation of RAI: one graph for all groups, ancestors before descendants, no test cached.

It shares no code with the library. Graphs are as in `naive`.
"""

from itertools import combinations

import numpy as np

from . import naive


def rai(p, independent, *, pools="neighbours", check="ends", max_size=None, order=None):
    """Return (graph, separating sets, tests by size) before the final completion; `independent(x, y, cond)` tests."""
    order = list(range(p)) if order is None else list(order)
    amat = ~np.eye(p, dtype=bool)
    sepsets, counts = {}, {}

    def ask(size, x, y, cond):
        counts[size] = counts.get(size, 0) + 1
        return independent(x, y, tuple(cond))

    def call(group, exogenous, size):
        group = [v for v in order if v in group]
        around = {y: potential_parents(amat, y) & (set(group) | set(exogenous)) for y in group}
        if max(len(around[y]) - 1 for y in group) < size or (max_size is not None and size > max_size):
            return
        for within in (False, True):
            thin(group, exogenous, size, within)
            direct(group, exogenous, size)
        *ancestors, descendants = split(amat, group)
        for one in ancestors:
            call(one, exogenous, size + 1)
        call(descendants, set(exogenous).union(*ancestors), size + 1)

    def thin(group, exogenous, size, within):
        nodes = [v for v in order if v in group or v in exogenous]
        for i, j in combinations(nodes, 2):
            if not naive.adjacent(amat, i, j) or (i in group and j in group) != within:
                continue
            if i not in group and j not in group:
                continue
            ends = [(j, i)] if naive.arrow(amat, i, j) else [(i, j)] if naive.arrow(amat, j, i) else [(j, i), (i, j)]
            tried = []
            for child, other in ends:
                pool = [k for k in nodes if k in pool_of(amat, child, pools) and k != other]
                for cond in combinations(pool, size):
                    if any(set(cond) <= done for done in tried):
                        continue
                    if ask(size, i, j, cond):
                        amat[i, j] = amat[j, i] = False
                        sepsets[frozenset((i, j))] = set(cond)
                        break
                tried.append(set(pool))
                if not naive.adjacent(amat, i, j):
                    break

    def direct(group, exogenous, size):
        proposed = set()
        for z in group:
            near = [k for k in order if k in potential_parents(amat, z) and (k in group or k in exogenous)]
            for x, y in combinations(near, 2):
                if x in exogenous and y in exogenous:
                    continue
                if naive.adjacent(amat, x, y) or not (naive.line(amat, x, z) or naive.line(amat, y, z)):
                    continue
                cond = sepsets[frozenset((x, y))]
                if z in cond:
                    continue
                if not passes(independent, check, size, x, z, y, cond):
                    continue
                proposed |= {(x, z), (y, z)}
        clear = {(i, j) for i, j in proposed if (j, i) not in proposed and naive.line(amat, i, j)}
        for i, j in clear:
            amat[j, i] = False
        nodes = sorted(set(group) | set(exogenous))
        # This call leaves edges among exogenous nodes, and edges into other groups, unchanged.
        part = np.zeros_like(amat)
        for i in nodes:
            for j in group:
                part[i, j] = amat[i, j]
        closed, _ = naive.closure(part)
        for i in group:
            for j in group:
                amat[i, j] = closed[i, j]

    call(list(range(p)), set(), 0)
    return amat, sepsets, counts


def passes(independent, check, size, x, z, y, cond):
    """Return True if tests at this level confirm x -> z <- y."""
    cond = tuple(sorted(cond))
    if check == "off" or (check == "ends" and size == 0):
        return True
    if independent(x, z, cond) or independent(y, z, cond):
        return False
    return check == "ends" or not independent(x, y, (*cond, z))


def pool_of(amat, child, pools):
    """Return the potential parents of a node; if `pools` is "neighbours", all its neighbours."""
    return {k for k in range(len(amat)) if amat[k, child] or (pools == "neighbours" and amat[child, k])}


def potential_parents(amat, y):
    """Return the parents and the undirected neighbours of y."""
    return {k for k in range(len(amat)) if amat[k, y]}


def split(amat, group):
    """Return the autonomous groups, descendants last."""

    def parts(nodes, joined):
        left, found = set(nodes), []
        while left:
            part, todo = set(), [min(left)]
            while todo:
                v = todo.pop()
                part.add(v)
                todo += [k for k in nodes if k not in part and joined(v, k)]
            left -= part
            found.append(part)
        return found

    chains = parts(group, lambda a, b: naive.line(amat, a, b))
    leaves = [c for c in chains if not any(naive.arrow(amat, i, j) for i in c for j in group if j not in c)]
    leaves = leaves or chains
    descendants = set().union(*leaves)
    return [*parts([v for v in group if v not in descendants], lambda a, b: naive.adjacent(amat, a, b)), descendants]


def completed(amat):
    """Return the closure of the skeleton with its unshielded v-structures."""
    pattern = amat | amat.T
    for i, k, j in naive.v_structures(amat):
        pattern[k, i] = pattern[k, j] = False
    return naive.closure(pattern)[0]
