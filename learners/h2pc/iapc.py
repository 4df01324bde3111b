"""The Markov blanket of a target within a pool, and who of it no part of it separates from the target."""

from __future__ import annotations

import math
from array import array
from collections.abc import Generator, Sequence
from functools import cache

import numpy as np

from .requests import (
    UNTESTED,
    Association,
    Bases,
    MarginalTests,
    Requests,
    Rules,
    TestRequest,
    WalkRequest,
    strongest_first,
)


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
        # By place in the pool, as arrays, for pools are ranked over and over: who is a member, who may not come again,
        # and the last test of each with the members it was given, itself included.
        self._nodes, m = np.array(self.pool, dtype=np.int64), len(self.pool)
        self._place = {x: k for k, x in enumerate(self.pool)}
        self._is_member, self._is_banned = np.isin(self._nodes, self.members), np.zeros(m, dtype=bool)
        self._log_p, self._statistic, self._dof = np.full((3, m), np.nan)
        self._given: list[tuple[int, ...]] = [()] * m
        self._came = -1
        self._met = {tuple(self.members)}

    def find(self) -> Requests:
        """Fill `members`, and the last test of each node of the pool."""
        return self._by_discoveries() if self.rules.fdr else self._interleaved()

    def last(self, x: int) -> Association | None:
        """The last test of a node of the pool, if there was one."""
        k = self._place[x]
        if np.isnan(self._log_p[k]):
            return None
        numbers = (float(column[k]) for column in (self._log_p, self._statistic, self._dof))
        return Association(*numbers, tuple(i for i in self._given[k] if i != x))

    def _test(self, places: np.ndarray) -> Requests:
        """Test the nodes at these places given the members, each without itself."""
        nodes = self._nodes[places]
        if not self.members:
            known = self.marginal.of_pairs(self.t, nodes)
            done = ~np.isnan(known[0])
            self._note(places[done], known[:, done])
            places, nodes = places[~done], nodes[~done]
        fits = len(self.members) - self._is_member[places] <= self.rules.most
        places, nodes = places[fits], nodes[fits]
        if len(places):
            sets = np.tile(np.array(self.members, dtype=np.int32), (len(nodes), 1))
            others = sets != nodes[:, None]
            bases = Bases(others.sum(axis=1), sets[others])
            self._note(places, (yield TestRequest(self.t, nodes, bases, self.about)))

    def _note(self, places: np.ndarray, columns: np.ndarray) -> None:
        """Keep tests given the members."""
        self._log_p[places], self._statistic[places], self._dof[places] = columns
        given = tuple(self.members)
        for k in places.tolist():
            self._given[k] = given

    def _interleaved(self) -> Requests:
        """Inter-IAMB: the strongest comes, then those that the others explain away go, until nothing changes.

        Gasse et al. (2012), algorithm 2, lines 1 to 9.
        """
        while True:
            before, best = list(self.members), -1
            if len(before) <= self.rules.most:
                outside = np.flatnonzero(~self._is_member & ~self._is_banned)
                yield from self._test(outside)
                dependent = outside[self._log_p[outside] <= self.rules.log_alpha]
                best = int(self._by_strength(dependent)[0]) if len(dependent) else -1
            if best >= 0:
                self._change(best)
            changed = False
            for k in self._by_strength(np.flatnonzero(self._is_member))[::-1].tolist():
                if self.pool[k] in self.required or (k == best and not changed):
                    continue  # the one that came was tested given all others
                yield from self._test(np.array([k]))
                if self.rules.separates(self._log_p[k]):
                    self._change(k)
                    changed = True
            if self.members == before or not self._goes_on():
                return

    def _by_discoveries(self) -> Requests:
        """IAMB with a limit on the false discovery rate (Peña 2008).

        Each round tests every node given the other members. The weakest member that is no discovery goes; if all are,
        the strongest discovery that is no member comes.
        """
        free = np.flatnonzero([x not in self.required for x in self.pool])
        while True:
            yield from self._test(free)
            turn = self._turn(free)
            if turn is None:
                return
            self._change(turn)
            if not self._goes_on():
                return

    def _turn(self, free: np.ndarray) -> int | None:
        """Place of who goes or comes next. Discoveries are as many as Benjamini and Yekutieli (2001) allow."""
        order = self._by_strength(free)
        log_p = self._log_p[order]
        discoveries = np.flatnonzero(log_p + _log_prices(len(order)) <= self.rules.log_alpha)
        found = int(discoveries[-1]) + 1 if len(discoveries) else 0
        goes = self._is_member[order] & ~(self.rules.skip & (log_p >= UNTESTED))
        goes[:found] = False
        if goes.any():
            return int(order[goes][-1])
        comes = order[:found][~(self._is_member | self._is_banned)[order[:found]]]
        return int(comes[0]) if len(comes) and len(self.members) <= self.rules.most else None

    def _by_strength(self, places: np.ndarray) -> np.ndarray:
        """Those that were tested, the strongest by the last test of each first; see `strongest_first`."""
        places = places[~np.isnan(self._log_p[places])]
        return places[strongest_first(self._log_p[places], self._statistic[places], self._nodes[places])]

    def _change(self, k: int) -> None:
        """Let the node at a place come or go."""
        self._is_member[k] = not self._is_member[k]
        if self._is_member[k]:
            self._came = k
        self.members = sorted(self._nodes[self._is_member].tolist())

    def _goes_on(self) -> bool:
        """If the members were the same before, ban the last that came; False if that is no way out."""
        now = tuple(self.members)
        if now in self._met:
            if self._is_banned[self._came]:
                return False
            self._is_banned[self._came] = True
        self._met.add(now)
        return True


@cache
def _log_prices(m: int) -> np.ndarray:
    """(m,) ln of what the k-th smallest of m dependent p-values is multiplied with."""
    harmonic = sum(1.0 / k for k in range(1, m + 1))
    return np.array([math.log(m * harmonic / k) for k in range(1, m + 1)])


def hardest_part(
    rules: Rules, t: int, x: int, members: Sequence[int], marginal: Association, about: int = -1
) -> Generator[WalkRequest, Association, Association]:
    """The hardest test of t and x given parts of the others of `members`, up to the first that separates.

    Sets are walked by size, then lexicographically; `marginal` is the test given none.
    """
    others = array("i", [k for k in members if k != x])
    top = marginal
    for size in range(1, min(len(others), rules.most) + 1):
        if rules.separates(top.log_p):
            break
        found = yield WalkRequest.over(t, x, others, size, about=about)
        if rules.separates(found.log_p) or top.log_p < found.log_p < UNTESTED:
            top = found
    return top
