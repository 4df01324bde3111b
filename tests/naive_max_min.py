"""Reference implementation of MMPC: each target separately, all subsets tried again at every step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

Test = Callable[[int, int, tuple[int, ...]], tuple[float, float]]  # (ln p, statistic)


def subsets(members: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Return all sets of up to `most` members: by size, by the last member, lexicographically."""
    for size in range(min(most, len(members)) + 1):
        positions = sorted(combinations(range(len(members)), size), key=lambda chosen: (chosen[-1:], chosen))
        yield from (tuple(sorted(members[k] for k in chosen)) for chosen in positions)


class Target:
    """The candidates of one variable in order of addition, and all tests requested."""

    def __init__(
        self, test: Test, p: int, t: int, alpha: float, most: int, joined: Sequence[int], apart: Sequence[int]
    ):
        self.test, self.t, self.log_alpha, self.most = test, t, math.log(alpha), most
        self.members, self.joined = list(joined), set(joined)
        self.asked: set[tuple[int, tuple[int, ...]]] = set()
        self.sepsets: dict[int, tuple[int, ...]] = {}
        self.hardest: dict[int, float] = {}
        left = [x for x in range(p) if x != t and x not in self.joined and x not in apart]
        while left := [x for x in left if not self.separated(x, self.members)]:
            best = min(left, key=lambda x: (*self.association(x), x))
            self.members.append(best)
            left.remove(best)
        for x in [x for x in self.members if x not in self.joined]:
            if self.separated(x, [k for k in self.members if k != x]):
                self.members.remove(x)

    def separated(self, x: int, pool: Sequence[int]) -> bool:
        for cond in subsets(pool, self.most):
            log_p, _ = self.test(self.t, x, cond)
            self.asked.add((x, cond))
            self.hardest[x] = max(self.hardest.get(x, -math.inf), log_p)
            if log_p > self.log_alpha:
                self.sepsets[x] = cond
                return True
        return False

    def association(self, x: int) -> tuple[float, float]:
        """Return (ln p, -|statistic|) of the hardest test; smaller means stronger."""
        results = [self.test(self.t, x, cond) for cond in subsets(self.members, self.most)]
        log_p, statistic = max(results, key=lambda result: result[0])
        return log_p, -abs(statistic)


def mmpc(
    test: Test, p: int, alpha: float, most: int, joined: Sequence[frozenset] = (), apart: Sequence[frozenset] = ()
) -> tuple[list[Target], set[frozenset], int]:
    """Return the targets, the edges, and the number of distinct tests, one marginal test per pair."""
    pairs = [frozenset(pair) for pair in combinations(range(p), 2)]

    def partners(t: int, known: Sequence[frozenset]) -> list[int]:
        return sorted(k for pair in known if t in pair for k in pair - {t})

    targets = [Target(test, p, t, alpha, most, partners(t, joined), partners(t, apart)) for t in range(p)]
    edges = {pair for pair in pairs for x, y in [sorted(pair)] if y in targets[x].members and x in targets[y].members}
    alone = len(pairs) - len({*joined, *apart})
    return targets, edges, alone + sum(cond != () for target in targets for _, cond in target.asked)
