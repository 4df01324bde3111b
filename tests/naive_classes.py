"""Greedy search over equivalence classes that tries every DAG of the class: reference for the operators."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np

from tests import naive
from tests.naive_scores import total


def neighbors_of_class(dag, step):
    """Return {CPDAG as bytes: (CPDAG, DAG, pair)} of all classes that one insertion, deletion or turn leads to."""
    own = naive.cpdag(dag).tobytes()
    found = {}
    for member in naive.dags_of_class(dag):
        for i, j in permutations(range(len(dag)), 2):
            other = member.copy()
            if step == "insert" and not naive.adjacent(member, i, j):
                other[i, j] = True
            elif step == "delete" and member[i, j]:
                other[i, j] = False
            elif step == "turn" and member[j, i]:
                other[i, j], other[j, i] = True, False
            else:
                continue
            if naive.is_acyclic(other):
                graph = naive.cpdag(other)
                found.setdefault(graph.tobytes(), (graph, other, (i, j)))
    found.pop(own, None)
    return found


def shields(graph, pair, beside):
    """Return True if an edge between the pair would shield a v-structure or, for "triples", any triple of the CPDAG."""
    i, j = pair
    for k in set(range(len(graph))) - {i, j}:
        collider = naive.arrow(graph, i, k) and naive.arrow(graph, j, k)
        triple = naive.adjacent(graph, i, k) and naive.adjacent(graph, j, k)
        if (beside == "triples" and triple) or (beside == "colliders" and collider):
            return True
    return False


def agrees(dag, required, excluded):
    """Return True if some DAG of the class has all required edges and no excluded one."""
    return any(not (required & ~member).any() and not (excluded & member).any() for member in naive.dags_of_class(dag))


def greedy_classes(local, p, *, start=None, turning=False, **rules):
    """Return (final CPDAG, [(step, pair, gain, CPDAG after it), ...]).

    With `turning`, the three phases are repeated until no step gains.
    """
    dag = np.zeros((p, p), dtype=bool) if start is None else start
    dag = dag | rules.get("required", False)
    graph, made, n_made = naive.cpdag(dag), [], -1
    while n_made < len(made):
        n_made = len(made)
        for step in ("insert", "delete", "turn") if turning else ("insert", "delete"):
            while found := best_step(local, dag, graph, step, **rules):
                made.append(found[:-1])
                graph, dag = found[-2:]
        if not turning:
            break
    return graph, made


def best_step(local, dag, graph, step, *, allowed=None, beside="nothing", required=None, excluded=None, least=1e-6):
    """Return (step, pair, gain, CPDAG, DAG) of the best neighbouring class, or None if none gains."""
    none = np.zeros(dag.shape, dtype=bool)
    required = none if required is None else required
    excluded = none if excluded is None else excluded
    options = []
    for after, other, pair in neighbors_of_class(dag, step).values():
        open_pair = step != "insert" or allowed is None or allowed[pair] or shields(graph, pair, beside)
        if open_pair and agrees(other, required, excluded):
            options.append((step, pair, total(local, other) - total(local, dag), after, other))
    best = max(options, key=lambda option: option[2], default=None)
    return best if best and best[2] > least else None


def random_symmetric(rng, p, share):
    """Draw a symmetric matrix in which each pair is True with probability `share`."""
    pairs = np.zeros((p, p), dtype=bool)
    for i, j in combinations(range(p), 2):
        pairs[i, j] = pairs[j, i] = rng.random() < share
    return pairs
