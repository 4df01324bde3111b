"""PAGs by enumeration: every MAG of a skeleton, its separations, and the marks that its class shares."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np

from learners import PAG, ParameterError, canonical_dag
from learners.graphs.d_separation import d_connected

SIGNS = ("->", "<-", "<->")


def separations(mag: PAG) -> tuple[bool, ...]:
    """Return a flag for each pair and each set of other nodes: True if the set separates the pair."""
    dag = canonical_dag(mag)
    parents, children = [dag.parents(k) for k in range(dag.p)], [dag.children(k) for k in range(dag.p)]
    found = []
    for i, j in combinations(range(mag.p), 2):
        rest = [k for k in range(mag.p) if k not in (i, j)]
        for size in range(len(rest) + 1):
            found += [j not in d_connected(parents, children, i, cond) for cond in combinations(rest, size)]
    return tuple(found)


def is_maximal(mag: PAG, found: tuple[bool, ...]) -> bool:
    """Return True if some set separates each pair that is not adjacent."""
    each = 2 ** (mag.p - 2)
    pairs = combinations(range(mag.p), 2)
    return all(mag.skeleton[pair] or any(found[each * k : each * (k + 1)]) for k, pair in enumerate(pairs))


def mags_of(p: int, pairs: list[tuple[int, int]], signs: tuple[str, ...] = SIGNS):
    """Yield the MAGs, each with its separations, whose pairs have one of the signs; "" is no edge."""
    for chosen in product(signs, repeat=len(pairs)):
        try:
            mag = PAG.from_ends(p, [(i, sign, j) for (i, j), sign in zip(pairs, chosen, strict=True) if sign])
        except ParameterError:
            continue
        found = separations(mag)
        if is_maximal(mag, found):
            yield mag, found


@cache
def classes(p: int) -> list[list[PAG]]:
    """Return all MAGs on p nodes, grouped by their separations."""
    found: dict[tuple[bool, ...], list[PAG]] = {}
    for mag, key in mags_of(p, list(combinations(range(p), 2)), ("", *SIGNS)):
        found.setdefault(key, []).append(mag)
    return list(found.values())


def shared_marks(mags: list[PAG]) -> PAG:
    """Return the PAG of a class: the marks that all its MAGs share, and circles elsewhere."""
    marks = np.stack([mag.marks for mag in mags])
    return PAG(np.where((marks == marks[0]).all(axis=0), marks[0], marks[0] > 0).astype(np.int8))


def random_mag(rng: np.random.Generator, p: int, n_hidden: int, mean_degree: float) -> PAG:
    """Return the MAG of a random DAG with some hidden nodes."""
    from learners import mag_of_dag, random_dag

    dag = random_dag(p + n_hidden, mean_degree, seed=int(rng.integers(2**31)))
    return mag_of_dag(dag, rng.permutation(p + n_hidden)[:n_hidden].tolist())
