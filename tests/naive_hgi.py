"""Reference implementation of hybrid greedy initialization: sets of arrows, all gains recomputed at every step.

Huang and Zhou (2022), algorithm 4. `gain(node, parents, more)` is the gain of a node from more parents. The paper
does not specify ties; here gains that differ by rounding are ordered by the nodes' `place`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations, permutations

Arrow = tuple[int, int]
Step = tuple[str, frozenset[Arrow]]
Gain = Callable[[int, frozenset[int], frozenset[int]], float]


def initialization(
    skeleton: set[Arrow], triples: list[tuple[int, int, int]], gain: Gain, place: list[int], rounding: float
) -> list[Step]:
    """Return the steps, each an operation with its new arrows or its dropped edge."""
    p = len(place)
    left, dag, steps = set(skeleton), set(), []

    def parents(j: int) -> frozenset[int]:
        return frozenset(i for i, k in dag if k == j)

    def gain_of(j: int, more: set[int]) -> float:
        return gain(j, parents(j), frozenset(more))

    def take(op: str, arrows: set[Arrow]) -> None:
        new = frozenset(arrows - dag)
        dag.update(arrows)
        left.difference_update({(j, i) for i, j in arrows})
        steps.append((op, new))

    waiting = list(triples)
    while waiting:
        gains = {triple: gain_of(triple[1], {triple[0], triple[2]}) for triple in waiting}
        i, k, j = best = first(gains, rounding, lambda t: (place[t[1]], *sorted((place[t[0]], place[t[2]]))))
        if not gain_of(k, {i, j}) > 0:
            break
        if all((x, k) in left and (k, x) not in dag and not leads(dag, k, x) for x in (i, j)):
            take("v-structure", {(i, k), (j, k)})
        else:
            waiting.remove(best)
    while True:
        delete_complete_sinks(p, left)
        op, edges = "sink", {(i, j) for i, j in undirected(left) if is_sink(p, left, j)}
        if not edges:
            op = "rule"
            edges = {
                (i, j) for i, j in undirected(left) if leads(dag, i, j) or any(rule(p, left, i, j) for rule in RULES)
            }
            edges = {(i, j) for i, j in edges if not leads(dag, j, i)}
        if not edges:
            return steps

        gains = {(i, j): -math.inf if leads(dag, j, i) else gain_of(j, {i}) for i, j in edges}
        best = first(gains, rounding, lambda edge: (place[edge[0]], place[edge[1]]))
        if gains[best] > 0:
            take(op, {best})
            continue
        losses = {edge: -gains[edge] for edge in edges}
        i, j = first(losses, rounding, lambda edge: (place[edge[0]], place[edge[1]]))
        left -= {(i, j), (j, i)}
        steps.append(("drop", frozenset({(i, j)})))


def first(gains: dict[tuple[int, ...], float], rounding: float, key: Callable) -> tuple[int, ...]:
    """Return the key with the largest gain; ties within rounding go to the smallest `key`."""
    return min((one for one in gains if gains[one] >= max(gains.values()) - rounding), key=key)


def leads(dag: set[Arrow], i: int, j: int) -> bool:
    """Return True if a directed path leads from i to j."""
    return any(k == j or leads(dag, k, j) for parent, k in dag if parent == i)


def undirected(left: set[Arrow]) -> set[Arrow]:
    return {(i, j) for i, j in left if (j, i) in left}


def joined(left: set[Arrow], i: int, j: int) -> bool:
    return (i, j) in left or (j, i) in left


def points(left: set[Arrow], i: int, j: int) -> bool:
    return (i, j) in left and (j, i) not in left


def delete_complete_sinks(p: int, left: set[Arrow]) -> None:
    """Remove nodes whose edges all point at them, until none is left."""
    while True:
        sinks = [j for j in range(p) if any(k == j for _, k in left) and not any(i == j for i, _ in left)]
        if not sinks:
            return
        left -= {(i, j) for i, j in left if j in sinks}


def is_sink(p: int, left: set[Arrow], j: int) -> bool:
    """Return True if j satisfies conditions (a) and (b) of section 4.2."""
    near = [k for k in range(p) if joined(left, k, j)]
    if any(points(left, j, k) for k in near):
        return False
    return all(k == l or joined(left, k, l) for k in near if (j, k) in left for l in near)


def rule_1(p: int, left: set[Arrow], i: int, j: int) -> bool:
    return any(points(left, k, i) and not joined(left, k, j) for k in range(p) if k != j)


def rule_2(p: int, left: set[Arrow], i: int, j: int) -> bool:
    return any(points(left, i, k) and points(left, k, j) for k in range(p))


def rule_3(p: int, left: set[Arrow], i: int, j: int) -> bool:
    middles = [k for k in range(p) if (i, k) in left and (k, i) in left and points(left, k, j)]
    return any(not joined(left, k, l) for k, l in combinations(middles, 2))


def rule_4(p: int, left: set[Arrow], i: int, j: int) -> bool:
    return any(
        points(left, k, l) and points(left, l, j) and (i, k) in left and (k, i) in left
        and joined(left, i, l) and not joined(left, k, j)
        for k, l in permutations(range(p), 2)
        if i not in (k, l) and j not in (k, l)
    )  # fmt: skip


RULES = (rule_1, rule_2, rule_3, rule_4)
