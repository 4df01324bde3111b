"""Inter-IAPC: the Markov blanket of a target within a pool, and the members that no subset separates from the target.

Gasse, Aussem and Elghazel (2012), algorithm 2. The blanket comes from Inter-IAMB as in the paper, or from IAMB-FDR,
which makes the weak learner FDR-IAPC of Gasse, Aussem and Elghazel (2014).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Generator, Sequence
from functools import cache

import numpy as np

from ...kernels.h2pc.blanket import PoolTests, bases_of_others, next_change, sorted_by_strength
from .requests import UNTESTED, Association, Bases, HPCRules, MarginalTests, Requests, SearchRequest, TestRequest


class Blanket:
    """Search for the Markov blanket of a target within a pool of variables.

    Parameters
    ----------
    rules : HPCRules
    t : int
        The target.
    pool : sequence of int
        Possible members.
    required : set of int
        Members from the start that no test removes.
    marginal : MarginalTests
        Marginal tests, which are not repeated.
    about : int
        As for `TestRequest`.

    Attributes
    ----------
    members : list of int
        The blanket, in ascending order.
    """

    def __init__(
        self, rules: HPCRules, t: int, pool: Sequence[int], required: set[int], marginal: MarginalTests, about: int = -1
    ) -> None:
        self.rules = rules
        self.marginal = marginal
        self.t = t
        self.pool = [x for x in pool if x != t]
        self.required = required & set(self.pool)
        self.about = about
        self.members = sorted(self.required)
        # Arrays by position in the pool: membership, bans, the last test and the members at that time.
        self._nodes, m = np.array(self.pool, dtype=np.int64), len(self.pool)
        self._position = {x: k for k, x in enumerate(self.pool)}
        self._is_member = np.array([x in self.required for x in self.pool], dtype=bool)
        self._is_banned = np.zeros(m, dtype=bool)
        self._last = np.full((3, m), np.nan)
        self._log_p = self._last[0]
        self._tests = PoolTests(self._nodes, *self._last)
        self._given: list[tuple[int, ...]] = [()] * m
        self._last_added = -1
        self._visited = {tuple(self.members)}

    def find(self) -> Requests:
        """Find `members`, and the last test of each node of the pool."""
        return self._iamb_fdr() if self.rules.fdr else self._inter_iamb()

    def last(self, x: int) -> Association | None:
        """Return the last test of a node of the pool, or None."""
        k = self._position[x]
        if np.isnan(self._log_p[k]):
            return None
        return Association(*self._last[:, k].tolist(), tuple(i for i in self._given[k] if i != x))

    def _test(self, positions: np.ndarray) -> Requests:
        """Test the nodes at these positions given all members but themselves."""
        if not self.members:
            known = self.marginal.of_pairs(self.t, self._nodes[positions])
            done = ~np.isnan(known[0])
            self._keep(positions[done], known[:, done])
            positions = positions[~done]
        members = np.array(self.members, dtype=np.int64)
        positions, *bases = bases_of_others(self._nodes, self._is_member, positions, members, self.rules.most)
        if len(positions):
            request = TestRequest(self.t, self._nodes[positions], Bases(*bases), self.about)
            self._keep(positions, (yield request))

    def _keep(self, positions: np.ndarray, columns: np.ndarray) -> None:
        """Keep the results of tests given the members."""
        self._last[:, positions] = columns
        given = tuple(self.members)
        for k in positions.tolist():
            self._given[k] = given

    def _inter_iamb(self) -> Requests:
        """Add the strongest node, then remove members separated by other members, until nothing changes.

        Gasse et al. (2012), algorithm 2, lines 1 to 14. The members are tested from the weakest to the strongest.
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
                    continue  # the new member was tested given all others
                yield from self._test(np.array([k]))
                if self.rules.separates(self._log_p[k]):
                    self._change(k)
                    changed = True
            if self.members == before or not self._continues():
                return

    def _iamb_fdr(self) -> Requests:
        """Find the members by IAMB with control of the false discovery rate (Peña 2008).

        Each round tests every node given the other members. The weakest member that is not a discovery is removed; if
        all members are discoveries, the strongest discovery that is not a member is added.
        """
        free = np.flatnonzero([x not in self.required for x in self.pool])
        while True:
            yield from self._test(free)
            position = self._next_change(free)
            if position is None:
                return
            self._change(position)
            if not self._continues():
                return

    def _next_change(self, free: np.ndarray) -> int | None:
        """Return the position to remove or add next; discoveries by Benjamini and Yekutieli (2001)."""
        order = self._by_strength(free)
        skips_above = UNTESTED if self.rules.skip else math.inf
        position = next_change(
            self._log_p,
            self._is_member,
            self._is_banned,
            order,
            _log_factors(len(order)),
            self.rules.log_alpha,
            skips_above,
            len(self.members) <= self.rules.most,
        )
        return None if position < 0 else position

    def _by_strength(self, positions: np.ndarray) -> np.ndarray:
        """Return the tested positions in the order of `strongest_first` by their last tests."""
        return sorted_by_strength(self._tests, positions, UNTESTED)

    def _change(self, k: int) -> None:
        """Add or remove the node at a position."""
        self._is_member[k] = not self._is_member[k]
        if self._is_member[k]:
            self._last_added = k
        self.members = sorted(self._nodes[self._is_member].tolist())

    def _continues(self) -> bool:
        """If the members return to an earlier state, ban the last added node; return False if it is banned already."""
        now = tuple(self.members)
        if now in self._visited:
            if self._is_banned[self._last_added]:
                return False
            self._is_banned[self._last_added] = True
        self._visited.add(now)
        return True


@cache
def _log_factors(m: int) -> np.ndarray:
    """Return (m,) ln of the factor of Benjamini and Yekutieli (2001) for the k-th smallest of m p-values."""
    harmonic = sum(1.0 / k for k in range(1, m + 1))
    return np.array([math.log(m * harmonic / k) for k in range(1, m + 1)])


def hardest_test_within(
    rules: HPCRules, t: int, x: int, members: Sequence[int], marginal: Association, about: int = -1
) -> Generator[SearchRequest, Association, Association]:
    """Test t and x given subsets of the other `members`, up to the first that separates; return the hardest test.

    Gasse et al. (2012), algorithm 2, lines 15 to 21. Subsets come by size, then in lexicographic order; `marginal` is
    the test given the empty set.
    """
    others = array("i", [k for k in members if k != x])
    hardest = marginal
    for size in range(1, min(len(others), rules.most) + 1):
        if rules.separates(hardest.log_p):
            break
        found = yield SearchRequest.over(t, x, others, size, about=about)
        if rules.separates(found.log_p) or hardest.log_p < found.log_p < UNTESTED:
            hardest = found
    return hardest
