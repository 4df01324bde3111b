"""Reference implementation of CImap: algorithm 3 of the paper, with the decisions in `cimap`'s notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations


@dataclass
class Options:
    """Options of `cimap`: thresholds are p-values, the cut is in bits, `bound` None means no power rule."""

    test: str = "p"
    twf: bool = True
    fdr: str = "none"
    method: str = "by"
    alpha: float = 0.05
    q: float = 0.05
    cut: float = 0.01
    bound: int | None = None
    literal: bool = False
    limit: int = 99


@dataclass
class Answer:
    """The results of the reference implementation."""

    edges: set[frozenset]
    largest: dict[frozenset, float]
    tests: int
    skipped: dict[frozenset, int] = field(default_factory=dict)
    order: list[tuple[int, int, int]] = field(default_factory=list)


def step_up(values: Sequence[float], q: float, method: str) -> float | None:
    """Return the largest p at or below its threshold in the step-up procedure, or None."""
    m = len(values)
    share = 1.0 if method == "bh" else sum(1 / k for k in range(1, m + 1))
    # A p equal to its threshold passes, even if the threshold is rounded down.
    passing = [p for k, p in enumerate(sorted(values), start=1) if p <= k * q / (m * share) * (1 + 1e-12)]
    return max(passing, default=None)


def cimap(
    p: int,
    ask: Callable[[int, int, tuple[int, ...]], tuple[float, float, float]],
    normal: Callable[[int, int, tuple[int, ...]], float],
    o: Options,
) -> Answer:
    """Run CImap: `ask` returns (p, bits, declared dof) of a test, `normal` its p by the normal approximation."""
    bits = {frozenset(pair): round(ask(*pair, ())[1], 12) for pair in combinations(range(p), 2)}
    near = {i: set(range(p)) - {i} for i in range(p)}
    answer = Answer(set(), {}, 0)

    def part(i: int, j: int) -> None:
        near[i].discard(j)
        near[j].discard(i)

    def test(i: int, j: int, cond: tuple[int, ...]) -> float | None:
        """Return the p of a test, or None if the power rule skips it."""
        x, y = sorted((i, j))
        p_value, _, dof = ask(x, y, tuple(sorted(cond)))
        pair = frozenset((i, j))
        by_normal = o.test == "pn-all" or (o.test == "pn" and not cond)
        if o.bound is not None and dof > o.bound and not by_normal:
            answer.skipped[pair] = answer.skipped.get(pair, 0) + 1
            return None
        if by_normal:
            p_value = normal(x, y, cond)
        answer.tests += 1
        answer.largest[pair] = max(p_value, answer.largest.get(pair, -1.0))
        return p_value

    def independent(i: int, j: int, cond: tuple[int, ...]) -> bool:
        p_value = test(i, j, cond)
        if o.test == "mi":
            return ask(min(i, j), max(i, j), tuple(sorted(cond)))[1] < o.cut
        return p_value is not None and p_value > o.alpha

    def control() -> None:
        limits = []
        for i in range(p):
            family = [value for pair, value in answer.largest.items() if i in pair]
            limits.append(step_up(family, o.q, o.method))
        for i, j in combinations(range(p), 2):
            value = answer.largest.get(frozenset((i, j)))
            if value is not None and any(limits[k] is None or value > limits[k] for k in (i, j)):
                part(i, j)

    for i, j in combinations(range(p), 2):
        if independent(i, j, ()):
            part(i, j)
    if o.fdr == "ifdr":
        control()
    size = 1
    while size <= o.limit and any(len(near[i]) - 1 >= size for i in near):
        strength = {i: round(math.fsum(bits[frozenset((i, j))] for j in near[i]), 12) for i in near}
        nodes = sorted(near, key=lambda i: (strength[i], i)) if o.twf else sorted(near)
        lists = {i: sorted(near[i], key=(lambda j, i=i: (bits[frozenset((i, j))], j)) if o.twf else None) for i in near}
        for i in nodes:
            for j in lists[i]:
                if j not in near[i]:
                    continue
                pool = near[i] - {j}
                pool = sorted(pool, key=(lambda k, i=i: (-bits[frozenset((i, k))], k)) if o.twf else None)
                if len(pool) >= size:
                    answer.order.append((size, i, j))
                if o.fdr == "pefdr":
                    family = [value for cond in combinations(pool, size) if (value := test(i, j, cond)) is not None]
                    limit = step_up(family, o.q, o.method)
                    rejected = [limit is not None and value <= limit for value in family]
                    if family and not (any(rejected) if o.literal else all(rejected)):
                        part(i, j)
                    continue
                for cond in combinations(pool, size):
                    if independent(i, j, cond):
                        part(i, j)
                        break
        if o.fdr == "ifdr":
            control()
        size += 1
    if o.fdr == "sfdr":
        control()
    answer.edges = {frozenset((i, j)) for i in near for j in near[i]}
    return answer
