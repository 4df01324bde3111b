"""HPC around one target: DE-PCS, DE-SPS, Inter-IAPC and the decentralised search, as requests (see `requests`).

Gasse, Aussem and Elghazel (2012), algorithms 1 and 2; the supersets after Gasse, Aussem and Elghazel (2014).
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Collection, Generator, Mapping
from dataclasses import dataclass

import numpy as np

from ..kernels.tests.results import TestResults
from .iapc import Blanket, hardest_part
from .requests import UNTESTED, Association, Bases, MarginalTests, Requests, Rules, TestRequest

MARGINAL, SINGLE, ALONE, BLANKET, DECENTRALISED, REQUIRED, FORBIDDEN = range(7)  # what settles a partner


@dataclass(slots=True)
class Candidate:
    """A partner as the search of a target sees it: whether it is held, what settled that, and by which test.

    The test is the one that separates; of a partner that is held, the hardest.
    """

    test: Association
    rule: int = SINGLE
    held: bool = False


class TargetSearch:
    """The search around a target.

    Parameters
    ----------
    rules : Rules
    t : int
    marginal : MarginalTests
        Tests given nothing, of every node but the required.
    required : mapping from node to set of nodes
        Who must be a neighbour of whom.
    forbidden : collection of nodes
        Who may not be a neighbour of t; such a node may still be its spouse, and parts t from others.
    """

    def __init__(
        self,
        rules: Rules,
        t: int,
        marginal: MarginalTests,
        required: Mapping[int, set[int]],
        forbidden: Collection[int] = (),
    ) -> None:
        self.rules = rules
        self.t = t
        self.required = required
        self.forbidden = forbidden
        self.candidates: dict[int, Candidate] = {}
        self.partners: list[int] = []
        self.spouses: set[int] = set()
        self.blanket: list[int] = []
        self.marginal = marginal

    def search(self) -> Requests:
        """HPC(t): fill `candidates`, and what led to them."""
        dependent = self.marginal.dependent(self.t, self.rules.log_alpha)
        self.candidates = {x: Candidate(test) for x, test in dependent.items()}
        for x in self.required.get(self.t, ()):
            self.candidates[x] = Candidate(Association(-math.inf, math.inf, math.nan, math.nan, ()), REQUIRED)
        yield from self._find_partners()
        yield from self._find_spouses()
        pool = sorted({self.t, *self.partners, *self.spouses})
        few = len(self.partners) < 2 or len(pool) == 3  # no blanket tells more of so few
        if few:
            self.blanket = list(self.partners)
            for x in self.partners:
                self._settle(x, ALONE, held=True, test=self.candidates[x].test)
        if not few or self.spouses:
            yield from self._find_blanket(pool, few)
        for x in self.partners:
            if not self.candidates[x].held and x not in self.forbidden:
                yield from self._ask_partner(x, pool)

    def _settle(self, x: int, rule: int, *, held: bool, test: Association) -> None:
        if x in self.required.get(self.t, ()):
            rule, held = REQUIRED, True
        elif x in self.forbidden and held:
            rule, held = FORBIDDEN, False
        self.candidates[x] = Candidate(test, rule, held)

    def _strength(self, x: int) -> tuple[float, float, int]:
        """Sorting key: the strongest candidate comes first."""
        return self.candidates[x].test.key(x)

    def _find_partners(self) -> Requests:
        """DE-PCS: partners that no single other one separates from t, the strongest first; asked weakest first."""
        self.partners = sorted(self.candidates, key=self._strength)
        for x in reversed(self.partners):
            candidate, others = self.candidates[x], [y for y in self.partners if y != x]
            if candidate.rule == REQUIRED or not others or self.rules.most < 1:
                continue
            found = Association.hardest((yield TestRequest.walk(self.t, x, others, 1)))
            separated = self.rules.separates(found.log_p)
            if separated or candidate.test.log_p < found.log_p < UNTESTED:
                candidate.test = found
            if not separated:
                insort(others, x, key=self._strength)  # it alone may be weaker than before
            self.partners = others

    def _find_spouses(self) -> Requests:
        """DE-SPS: those that a partner makes dependent on t again, unless another of them separates them given it."""
        inside = [*self.partners, *self.required.get(self.t, ())]
        nodes = self.marginal.partners(self.t)
        outside = nodes[~np.isin(nodes, inside)]
        conds = {y: cond for y, one in self.candidates.items() if (cond := one.test.cond)}
        apart = {place: conds[y] for place, y in enumerate(outside.tolist()) if y in conds}
        for x in self.partners:
            left = yield from self._dependent(*self._given(x, outside, apart))
            for y in reversed(left):
                others = [z for z in left if z != y]
                if others and self.rules.most > 1:
                    results = yield TestRequest.walk(self.t, y, others, 1, base=(x,))
                    left = others if self.rules.separates(results.log_p[0]) else left
            self.spouses |= set(left)

    def _given(self, x: int, nodes: np.ndarray, apart: Mapping[int, tuple[int, ...]]) -> tuple[np.ndarray, Bases]:
        """Those of the nodes that can be tested given x and what parts them from t, by their place; and these sets."""
        asked = np.full(len(nodes), self.rules.most > 0)
        for place, cond in apart.items():
            asked[place] = x not in cond and len(cond) < self.rules.most
        place_of = np.cumsum(asked) - 1
        others = {int(place_of[place]): cond for place, cond in apart.items() if asked[place]}
        return nodes[asked], Bases.around(x, int(asked.sum()), others)

    def _dependent(self, nodes: np.ndarray, bases: Bases) -> Generator[TestRequest, TestResults, list[int]]:
        """Returns the nodes that depend on t given the sets beside them, the strongest first."""
        if not len(nodes):
            return []
        results = yield TestRequest(self.t, nodes, bases)
        rows = np.flatnonzero(results.log_p <= self.rules.log_alpha)
        nodes, log_p, statistic = nodes[rows], results.log_p[rows], results.statistic[rows]
        return nodes[np.lexsort((nodes, -np.abs(np.nan_to_num(statistic)), log_p))].tolist()

    def _find_blanket(self, pool: list[int], few: bool) -> Requests:
        """Inter-IAPC(t, pool): the blanket and, unless partners are `few`, those that no part of it separates."""
        blanket = Blanket(self.rules, self.t, pool, self.required.get(self.t, set()), self.marginal)
        yield from blanket.find()
        self.blanket = sorted({*self.blanket, *blanket.members})
        for x in [] if few else blanket.pool:
            if x in blanket.required:
                self._settle(x, REQUIRED, held=True, test=self.candidates[x].test)
            elif x in blanket.members and x in self.candidates:
                top = yield from hardest_part(self.rules, self.t, x, blanket.members, self._given_nothing(x))
                held = not self.rules.separates(top.log_p)
                if held and top.log_p <= self.candidates[x].test.log_p <= self.rules.log_alpha:
                    top = self.candidates[x].test  # a test of DE-PCS
                if held or x in self.partners:
                    self._settle(x, BLANKET, held=held, test=top)
            elif x in self.partners:
                self._settle(x, BLANKET, held=False, test=blanket.last(x) or self.candidates[x].test)

    def _ask_partner(self, x: int, pool: list[int]) -> Requests:
        """Decentralised search: x is a neighbour of t after all if t is one of x among the same variables."""
        blanket = Blanket(self.rules, x, pool, self.required.get(x, set()), self.marginal, about=x)
        yield from blanket.find()
        if self.t in blanket.members:
            top = yield from hardest_part(self.rules, x, self.t, blanket.members, self._given_nothing(x), about=x)
            if not self.rules.separates(top.log_p):
                self._settle(x, DECENTRALISED, held=True, test=top)

    def _given_nothing(self, x: int) -> Association:
        """The test of t and x given nothing."""
        return self.marginal.between(self.t, x) or self.candidates[x].test
