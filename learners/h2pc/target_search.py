"""HPC around one target: DE-PCS, DE-SPS, Inter-IAPC and the decentralised search, as requests (see `requests`).

Gasse, Aussem and Elghazel (2012), algorithms 1 and 2; the supersets after Gasse, Aussem and Elghazel (2014).
"""

from __future__ import annotations

from array import array
from bisect import insort
from collections.abc import Collection, Generator, Mapping

import numpy as np

from .candidates import ALONE, BLANKET, DECENTRALISED, FORBIDDEN, REQUIRED, Candidates
from .iapc import Blanket, hardest_part
from .requests import (
    NOBODY,
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
        nodes = marginal.dependent(t, rules.log_alpha)
        self.candidates = Candidates(nodes, marginal.of_pairs(t, nodes))
        for x in required.get(t, ()):
            self.candidates.require(x)
        self.partners = NOBODY
        self.spouses: set[int] = set()
        self.blanket: list[int] = []
        self.marginal = marginal

    def search(self) -> Requests:
        """HPC(t): settle the candidates, and find what leads to that."""
        yield from self._find_partners()
        yield from self._find_spouses()
        pool = sorted({self.t, *self.partners, *self.spouses})
        few = len(self.partners) < 2 or len(pool) == 3  # no blanket tells more of so few
        if few:
            self.blanket = self.partners.tolist()
            for x in self.partners:
                self._settle(x, ALONE, held=True, test=self.candidates.test(x))
        if not few or self.spouses:
            yield from self._find_blanket(pool, few)
        for x in self.partners:
            if not self.candidates.is_held(x) and x not in self.forbidden:
                yield from self._ask_partner(x, pool)

    def _settle(self, x: int, rule: int, *, held: bool, test: Association) -> None:
        if x in self.required.get(self.t, ()):
            rule, held = REQUIRED, True
        elif x in self.forbidden and held:
            rule, held = FORBIDDEN, False
        self.candidates.note(x, test)
        self.candidates.settle(x, rule, held=held)

    def _find_partners(self) -> Requests:
        """DE-PCS: partners that no single other one separates from t, the strongest first; asked weakest first."""
        self.partners = array("i", sorted(self.candidates.nodes, key=self.candidates.key))
        for place in reversed(range(len(self.partners))):
            x = self.partners[place]
            others = self.partners[:place] + self.partners[place + 1 :]
            if x in self.required.get(self.t, ()) or not others or self.rules.most < 1:
                continue
            found = yield WalkRequest.over(self.t, x, others, 1)
            separated = self.rules.separates(found.log_p)
            if separated or self.candidates.test(x).log_p < found.log_p < UNTESTED:
                self.candidates.note(x, found)
                if not separated:
                    insort(others, x, key=self.candidates.key)  # weaker than before, so behind its place
                self.partners = others

    def _find_spouses(self) -> Requests:
        """DE-SPS: those that a partner makes dependent on t again, unless another of them separates them given it."""
        inside = [*self.partners, *self.required.get(self.t, ())]
        nodes = self.marginal.partners(self.t)
        outside = nodes[~np.isin(nodes, inside)]
        apart = np.full(self.marginal.p, -1)  # what parts each from t; DE-PCS tests given one other at most
        apart[self.candidates.nodes] = [cond[0] if cond else -1 for cond in self.candidates.cond]
        for x in self.partners:
            left = yield from self._dependent(*self._given(x, outside, apart[outside]))
            for place in reversed(range(len(left))):
                others = left[:place] + left[place + 1 :]
                if others and self.rules.most > 1:
                    found = yield WalkRequest.over(self.t, left[place], others, 1, base=(x,))
                    left = others if self.rules.separates(found.log_p) else left
            self.spouses.update(left)

    def _given(self, x: int, nodes: np.ndarray, apart: np.ndarray) -> tuple[np.ndarray, Bases]:
        """Those of the nodes that can be tested given x and what parts them from t, -1 for nothing; and these sets."""
        sizes = 1 + (apart >= 0)
        asked = (apart != x) & (sizes <= self.rules.most)
        apart, sizes = apart[asked], sizes[asked]
        sets = np.column_stack([np.minimum(apart, x), np.maximum(apart, x)])
        return nodes[asked], Bases(sizes, sets[sets >= 0])

    def _dependent(self, nodes: np.ndarray, bases: Bases) -> Generator[TestRequest, np.ndarray, array[int]]:
        """Returns the nodes that depend on t given the sets beside them, the strongest first."""
        if not len(nodes):
            return NOBODY
        log_p, statistic, _ = yield TestRequest(self.t, nodes, bases)
        rows = np.flatnonzero(log_p <= self.rules.log_alpha)
        order = strongest_first(log_p[rows], statistic[rows], nodes[rows])
        return array("i", nodes[rows[order]].tolist())

    def _find_blanket(self, pool: list[int], few: bool) -> Requests:
        """Inter-IAPC(t, pool): the blanket and, unless partners are `few`, those that no part of it separates."""
        blanket = Blanket(self.rules, self.t, pool, self.required.get(self.t, set()), self.marginal)
        yield from blanket.find()
        self.blanket = sorted({*self.blanket, *blanket.members})
        for x in [] if few else blanket.pool:
            if x in blanket.required:
                self._settle(x, REQUIRED, held=True, test=self.candidates.test(x))
            elif x in blanket.members and x in self.candidates:
                top = yield from hardest_part(self.rules, self.t, x, blanket.members, self._given_nothing(x))
                held = not self.rules.separates(top.log_p)
                if held and top.log_p <= self.candidates.test(x).log_p <= self.rules.log_alpha:
                    top = self.candidates.test(x)  # a test of DE-PCS
                if held or x in self.partners:
                    self._settle(x, BLANKET, held=held, test=top)
            elif x in self.partners:
                self._settle(x, BLANKET, held=False, test=blanket.last(x) or self.candidates.test(x))

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
        return self.marginal.between(self.t, x) or self.candidates.test(x)
