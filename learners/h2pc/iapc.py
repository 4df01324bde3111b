"""The Markov blanket of a target within a pool, and who of it no part of it separates from the target."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence

from ..kernels.tests.results import TestResults
from .requests import UNTESTED, Association, MarginalTests, Requests, Rules, TestRequest


class Blanket:
    """A blanket under way.

    Parameters
    ----------
    rules : Rules
    t : int
        The target.
    pool : sequence of int
        Who may be in it.
    required : set of int
        Members from the start, whom no test takes away.
    marginal : MarginalTests
        Tests given nothing, which are not done again.
    about : int
        See `TestRequest`.
    """

    def __init__(
        self, rules: Rules, t: int, pool: Sequence[int], required: set[int], marginal: MarginalTests, about: int = -1
    ) -> None:
        self.rules = rules
        self.marginal = marginal
        self.t = t
        self.pool = [x for x in pool if x != t]
        self.required = required & set(self.pool)
        self.about = about
        self.members = sorted(self.required)
        self.last: dict[int, Association] = {}
        self._banned: set[int] = set()
        self._came = -1
        self._met = {tuple(self.members)}

    def find(self) -> Requests:
        """Fill `members`, and `last` with the last test of each node of the pool."""
        return self._by_discoveries() if self.rules.fdr else self._interleaved()

    def _test(self, nodes: Sequence[int]) -> Requests:
        """Test each of the nodes given the members, without itself."""
        if not self.members:
            known = {x: test for x in nodes if (test := self.marginal.between(self.t, x)) is not None}
            self.last |= known
            nodes = [x for x in nodes if x not in known]
        everyone = tuple(self.members)
        sets = [tuple(k for k in everyone if k != x) if x in everyone else everyone for x in nodes]
        asked = [(x, cond) for x, cond in zip(nodes, sets, strict=True) if len(cond) <= self.rules.most]
        if asked:
            partners, sets = zip(*asked, strict=True)
            results = yield TestRequest(self.t, partners, sets, about=self.about)
            rows = (results.log_p.tolist(), results.statistic.tolist(), results.dof.tolist(), sets)
            self.last |= zip(partners, map(Association.by, *rows), strict=True)

    def _interleaved(self) -> Requests:
        """Inter-IAMB: the strongest comes, then those that the others explain away go, until nothing changes.

        Gasse et al. (2012), algorithm 2, lines 1 to 9.
        """
        while True:
            before, best = list(self.members), -1
            if len(before) <= self.rules.most:
                outside = [x for x in self.pool if x not in before and x not in self._banned]
                yield from self._test(outside)
                dependent = [x for x in outside if self.last[x].log_p <= self.rules.log_alpha]
                best = min(dependent, key=lambda x: self.last[x].key(x), default=-1)
            if best >= 0:
                self._change(best)
            changed = False
            for x in self._by_strength(self.members)[::-1]:
                if x in self.required or (x == best and not changed):
                    continue  # the one that came was tested given all others
                yield from self._test([x])
                if self.rules.separates(self.last[x].log_p):
                    self._change(x)
                    changed = True
            if self.members == before or not self._goes_on():
                return

    def _by_discoveries(self) -> Requests:
        """IAMB with a limit on the false discovery rate (Peña 2008).

        Each round tests every node given the other members. The weakest member that is no discovery goes; if all are,
        the strongest discovery that is no member comes.
        """
        while True:
            yield from self._test([x for x in self.pool if x not in self.required])
            turn = self._turn()
            if turn is None:
                return
            self._change(turn)
            if not self._goes_on():
                return

    def _turn(self) -> int | None:
        """Returns the node that goes or comes next. Discoveries are as many as Benjamini and Yekutieli (2001) allow."""
        order = self._by_strength([x for x in self.pool if x not in self.required])
        harmonic = sum(1.0 / k for k in range(1, len(order) + 1))
        found = 0
        for k, x in enumerate(order, 1):
            if self.last[x].log_p + math.log(len(order) * harmonic / k) <= self.rules.log_alpha:
                found = k
        for x in reversed(order[found:]):
            if x in self.members and not (self.rules.skip and self.last[x].log_p >= UNTESTED):
                return x
        room = len(self.members) <= self.rules.most
        return next((x for x in order[:found] if room and x not in self.members and x not in self._banned), None)

    def _by_strength(self, nodes: Sequence[int]) -> list[int]:
        """The nodes, the strongest by the last test of each first."""
        return sorted((x for x in nodes if x in self.last), key=lambda x: self.last[x].key(x))

    def _change(self, x: int) -> None:
        """Let x come or go."""
        if x in self.members:
            self.members.remove(x)
        else:
            self.members = sorted([*self.members, x])
            self._came = x

    def _goes_on(self) -> bool:
        """If the members were the same before, ban the last that came; False if that is no way out."""
        now = tuple(self.members)
        if now in self._met:
            if self._came in self._banned:
                return False
            self._banned.add(self._came)
        self._met.add(now)
        return True


def hardest_part(
    rules: Rules, t: int, x: int, members: Sequence[int], marginal: Association, about: int = -1
) -> Generator[TestRequest, TestResults, Association]:
    """The hardest test of t and x given parts of the others of `members`, up to the first that separates.

    Sets are walked by size, then lexicographically; `marginal` is the test given none.
    """
    others = [k for k in members if k != x]
    top = marginal
    for size in range(1, min(len(others), rules.most) + 1):
        if rules.separates(top.log_p):
            break
        found = Association.hardest((yield TestRequest.walk(t, x, others, size, about=about)))
        if rules.separates(found.log_p) or top.log_p < found.log_p < UNTESTED:
            top = found
    return top
