"""The Markov blanket of a target within a pool, and who of it no part of it separates from the target."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from itertools import combinations, islice

from .inquiry import UNTESTED, Alone, Answer, Ask, Inquiry, Rules, Told

SETS_AT_ONCE = 4_096  # of a walk; those after a separating one are listed in vain


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
    alone : Alone
        Tests given nothing, which are not done again.
    about : int
        See `Ask`.
    """

    def __init__(
        self, rules: Rules, t: int, pool: Sequence[int], required: set[int], alone: Alone, about: int = -1
    ) -> None:
        self.rules = rules
        self.alone = alone
        self.t = t
        self.pool = [x for x in pool if x != t]
        self.required = required & set(self.pool)
        self.about = about
        self.members = sorted(self.required)
        self.last: dict[int, Told] = {}
        self._banned: set[int] = set()
        self._came = -1
        self._met = {tuple(self.members)}

    def find(self) -> Inquiry:
        """Fill `members`, and `last` with the last test of each node of the pool."""
        return self._by_discoveries() if self.rules.fdr else self._interleaved()

    def _test(self, nodes: Sequence[int]) -> Inquiry:
        """Test each of the nodes given the members, without itself."""
        if not self.members:
            known = {x: told for x in nodes if (told := self.alone.between(self.t, x)) is not None}
            self.last |= known
            nodes = [x for x in nodes if x not in known]
        sets = [tuple(k for k in self.members if k != x) for x in nodes]
        asked = [(x, cond) for x, cond in zip(nodes, sets, strict=True) if len(cond) <= self.rules.most]
        if asked:
            answers = yield Ask(self.t, *zip(*asked, strict=True), False, self.about)
            for (x, cond), answer in zip(asked, answers, strict=True):
                self.last[x] = Told.by(answer, cond)

    def _interleaved(self) -> Inquiry:
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

    def _by_discoveries(self) -> Inquiry:
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
        """Who goes or comes next. Discoveries are as many as Benjamini and Yekutieli (2001) allow."""
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
    rules: Rules, t: int, x: int, members: Sequence[int], alone: Told, about: int = -1
) -> Generator[Ask, list[Answer], Told]:
    """The hardest test of t and x given parts of the others of `members`, up to the first that separates.

    Sets are walked by size, then lexicographically; `alone` is the test given none.
    """
    others = [k for k in members if k != x]
    top = alone
    for size in range(1, min(len(others), rules.most) + 1):
        sets = combinations(others, size)
        while not rules.separates(top.log_p) and (some := list(islice(sets, SETS_AT_ONCE))):
            answer = (yield Ask(t, [x] * len(some), some, True, about))[0]
            if rules.separates(answer.log_p) or top.log_p < answer.log_p < UNTESTED:
                top = Told.by(answer, some[answer.at])
    return top
