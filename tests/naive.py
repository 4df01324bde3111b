"""Slow and simple reference implementations of graph algorithms. They share no code with the library.

Graphs are (p, p) bool arrays: ``i -> j`` iff ``amat[i, j] and not amat[j, i]``, ``i - j`` iff both.
"""

from functools import lru_cache
from itertools import combinations, permutations, product

import numpy as np


def arrow(amat, i, j):
    """Return True if i -> j."""
    return bool(amat[i, j] and not amat[j, i])


def line(amat, i, j):
    """Return True if i - j."""
    return bool(amat[i, j] and amat[j, i])


def adjacent(amat, i, j):
    """Return True if i and j are adjacent."""
    return bool(amat[i, j] or amat[j, i])


def is_acyclic(amat):
    """Return True if the arrows form no cycle: nodes without parents can be removed until none is left."""
    arrows = amat & ~amat.T
    while len(arrows):
        pointed_at = arrows.any(axis=0)
        if pointed_at.all():
            return False
        arrows = arrows[pointed_at][:, pointed_at]
    return True


def v_structures(amat):
    """Return the set of (i, k, j), i < j, with i -> k <- j and i, j not adjacent."""
    into, apart = amat & ~amat.T, ~(amat | amat.T)
    found = np.argwhere(into[:, :, None] & into.T[None, :, :] & apart[:, None, :])
    return {(i, k, j) for i, k, j in found.tolist() if i < j}


def all_dags(p):
    """Yield every DAG on p labelled nodes."""
    pairs = list(combinations(range(p), 2))
    for states in product(("none", "forward", "backward"), repeat=len(pairs)):
        amat = np.zeros((p, p), dtype=bool)
        for (i, j), state in zip(pairs, states, strict=True):
            amat[i, j] = state == "forward"
            amat[j, i] = state == "backward"
        if is_acyclic(amat):
            yield amat


def extensions(amat):
    """Return every DAG with the arrows, the skeleton and the v-structures of `amat`, trying all orientations."""
    p, colliders = len(amat), v_structures(amat)
    lines = [(i, j) for i, j in combinations(range(p), 2) if line(amat, i, j)]
    found = []
    for directions in product((False, True), repeat=len(lines)):
        dag = amat.copy()
        for (i, j), forward in zip(lines, directions, strict=True):
            dag[(j, i) if forward else (i, j)] = False
        if is_acyclic(dag) and v_structures(dag) == colliders:
            found.append(dag)
    return found


def consistent_extension(amat):
    """Return a consistent extension by the algorithm of Dor and Tarsi, or None."""
    amat, left = amat.copy(), set(range(len(amat)))
    while left:
        for j in sorted(left):
            around = {i for i in left if adjacent(amat, i, j)}
            lines = {i for i in around if line(amat, i, j)}
            if not any(arrow(amat, j, i) for i in around) and all(
                adjacent(amat, i, k) for i in lines for k in around - {i}
            ):
                for i in lines:
                    amat[j, i] = False
                left.remove(j)
                break
        else:
            return None
    return amat


def dags_of_class(dag):
    """Return every DAG with the skeleton and v-structures of `dag`; results are cached."""
    return _dags_of_class(dag.astype(bool).tobytes(), len(dag))


@lru_cache(maxsize=4096)
def _dags_of_class(edges_as_bytes, p):
    dag = np.frombuffer(edges_as_bytes, dtype=bool).reshape(p, p)
    edges, colliders = [(i, j) for i, j in combinations(range(p), 2) if adjacent(dag, i, j)], v_structures(dag)
    members = []
    for directions in product((False, True), repeat=len(edges)):
        other = np.zeros((p, p), dtype=bool)
        for (i, j), forward in zip(edges, directions, strict=True):
            other[(i, j) if forward else (j, i)] = True
        if is_acyclic(other) and v_structures(other) == colliders:
            other.flags.writeable = False
            members.append(other)
    return tuple(members)


def cpdag(dag):
    """Return the union of all DAGs of the class: edges with both directions are undirected."""
    return np.logical_or.reduce(dags_of_class(dag))


def meek_rules(amat, i, j):
    """Return the Meek rules that orient i - j as i -> j."""
    p = len(amat)
    others = [k for k in range(p) if k not in (i, j)]
    rules = set()
    for k in others:
        if arrow(amat, k, i) and not adjacent(amat, k, j):
            rules.add("R1")
        if arrow(amat, i, k) and arrow(amat, k, j):
            rules.add("R2")
    for k, l in permutations(others, 2):
        if (
            line(amat, i, k)
            and arrow(amat, k, j)
            and line(amat, i, l)
            and arrow(amat, l, j)
            and not adjacent(amat, k, l)
        ):
            rules.add("R3")
        if (
            line(amat, i, k)
            and arrow(amat, k, l)
            and arrow(amat, l, j)
            and adjacent(amat, i, l)
            and not adjacent(amat, k, j)
        ):
            rules.add("R4")
    return rules


def closure(amat):
    """Apply Meek's rules to all undirected edges in sweeps until no edge is implied in one direction only.

    Return the closed graph, and the edges (i, j), i < j, that stay undirected since some sweep implied both directions.
    """
    amat = amat.copy()
    disputed = set()
    while True:
        implied = {(i, j) for i, j in permutations(range(len(amat)), 2) if line(amat, i, j) and meek_rules(amat, i, j)}
        disputed |= {(i, j) for i, j in implied if i < j and (j, i) in implied}
        clear = {(i, j) for i, j in implied if (j, i) not in implied}
        if not clear:
            return amat, {(i, j) for i, j in disputed if line(amat, i, j)}
        for i, j in clear:
            amat[j, i] = False


def reachable(amat, i):
    """Return the descendants of i."""
    seen, front = set(), {i}
    while front:
        front = {b for a in front for b in range(len(amat)) if arrow(amat, a, b)} - seen
        seen |= front
    return seen


def d_separated(dag, x, y, cond):
    """Return True if `cond` blocks every path between x and y in the DAG, checked path by path."""
    p = len(dag)

    def paths(path):
        if path[-1] == y:
            yield path
            return
        for k in range(p):
            if adjacent(dag, path[-1], k) and k not in path:
                yield from paths([*path, k])

    def blocked(path):
        for a, k, b in zip(path, path[1:], path[2:], strict=False):
            collider = arrow(dag, a, k) and arrow(dag, b, k)
            if collider and not ({k} | reachable(dag, k)) & set(cond):
                return True
            if not collider and k in cond:
                return True
        return False

    return all(blocked(path) for path in paths([x]))


def random_dag(rng, p, max_edges):
    """Draw a DAG on p nodes in random order, with up to `max_edges` edges."""
    pairs = list(combinations(rng.permutation(p).tolist(), 2))
    n_edges = int(rng.integers(0, min(max_edges, len(pairs)) + 1))
    dag = np.zeros((p, p), dtype=bool)
    for e in rng.choice(len(pairs), n_edges, replace=False):
        dag[pairs[e]] = True
    return dag


def random_pdag(rng, p, density):
    """Draw a mixture of arrows and lines, possibly with cycles and contradictions."""
    amat = np.zeros((p, p), dtype=bool)
    for i, j in combinations(range(p), 2):
        if rng.random() < density:
            amat[i, j], amat[j, i] = ((True, False), (False, True), (True, True), (True, True))[rng.integers(4)]
    return amat
