"""Reference implementation of B-RAI: each call has its own copy of the graph, and all routes are listed.

It shares no code with the library. Graphs are as in `naive`; edges are tried in the order of the nodes.
"""

from itertools import combinations, product

import numpy as np

from . import naive
from .naive_rai import passes, pool_of, potential_parents, split


def tree(p, asked_at, s, *, pools="neighbours", check="ends"):
    """Return the tree: a leaf is (group, edges into it); a call is a list of groups, each a list of its children.

    `asked_at(path)` returns the test `independent(x, y, cond)` of the resample at a path. A group that no test can
    refine is listed once.
    """
    amat = ~np.eye(p, dtype=bool)
    if p < 2:
        return leaf(amat, [0])
    return call(amat, {}, list(range(p)), [], 0, (), asked_at, s, pools, check)


def call(amat, sepsets, group, exogenous, size, path, asked_at, s, pools, check):
    amat, sepsets = amat.copy(), dict(sepsets)
    independent = asked_at(path[:-1])
    for within in (False, True):
        thin(amat, sepsets, group, exogenous, size, within, pools, independent)
        direct(amat, sepsets, group, exogenous, size, check, independent)
    parts = [sorted(part) for part in split(amat, group)]
    above = sorted(k for part in parts[:-1] for k in part)
    children = []
    for g, part in enumerate(parts):
        outside = sorted({*exogenous, *above}) if part is parts[-1] else exogenous
        if max(len(potential_parents(amat, y) & {*part, *outside}) for y in part) - 1 < size + 1:
            children.append([leaf(amat, part)])
            continue
        children.append(
            [call(amat, sepsets, part, outside, size + 1, (*path, t, g), asked_at, s, pools, check) for t in range(s)]
        )
    return children


def leaf(amat, group):
    into = np.zeros_like(amat)
    into[:, group] = amat[:, group]
    for i in group:
        into[i, ~np.isin(np.arange(len(amat)), group)] = False
    return (tuple(group), into)


def routes(node):
    """Return the leaves of every route, which chooses one child of each group."""
    if isinstance(node, tuple):
        return [[node]]
    ways = [[way for child in group for way in routes(child)] for group in node]
    return [[leaf for way in choice for leaf in way] for choice in product(*ways)]


def n_routes(node, s):
    """Return the number of routes; a group listed once counts `s` times."""
    if isinstance(node, tuple):
        return 1
    total = 1
    for group in node:
        ways = sum(n_routes(child, s) for child in group)
        total *= s * ways if len(group) == 1 and isinstance(group[0], tuple) else ways
    return total


def thin(amat, sepsets, group, exogenous, size, within, pools, independent):
    nodes = sorted({*group, *exogenous})
    for i, j in combinations(nodes, 2):
        inside = (i in group) + (j in group)
        if not naive.adjacent(amat, i, j) or inside != 1 + within:
            continue
        ends = [(j, i)] if naive.arrow(amat, i, j) else [(i, j)] if naive.arrow(amat, j, i) else [(j, i), (i, j)]
        for child, other in ends:
            pool = sorted((pool_of(amat, child, pools) & set(nodes)) - {other})
            cond = next((cond for cond in combinations(pool, size) if independent(i, j, cond)), None)
            if cond is not None:
                amat[i, j] = amat[j, i] = False
                sepsets[frozenset((i, j))] = set(cond)
                break


def direct(amat, sepsets, group, exogenous, size, check, independent):
    proposed = set()
    for z in group:
        near = sorted(potential_parents(amat, z) & {*group, *exogenous})
        for x, y in combinations(near, 2):
            if (x not in group and y not in group) or naive.adjacent(amat, x, y):
                continue
            if not (naive.line(amat, x, z) or naive.line(amat, y, z)):
                continue
            cond = sepsets[frozenset((x, y))]
            if z in cond:
                continue
            if not passes(independent, check, size, x, z, y, cond):
                continue
            proposed |= {(x, z), (y, z)}
    for i, j in proposed:
        if (j, i) not in proposed and naive.line(amat, i, j):
            amat[j, i] = False
    part = np.zeros_like(amat)
    part[:, group] = amat[:, group]
    closed, _ = naive.closure(part)
    amat[np.ix_(group, group)] = closed[np.ix_(group, group)]
