"""HPC around one target: DE-PCS, DE-SPS, Inter-IAPC and the decentralised search, as questions (see `inquiry`).

Gasse, Aussem and Elghazel (2012), algorithms 1 and 2; the supersets after Gasse, Aussem and Elghazel (2014).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .iapc import Blanket, hardest_part
from .inquiry import UNTESTED, Alone, Ask, Inquiry, Rules, Told

MARGINAL, SINGLE, ALONE, BLANKET, DECENTRALISED, REQUIRED = range(6)  # what settles a partner


@dataclass
class Side:
    """What the search of a target says of a partner: whether it is held, what settled that, and by which test.

    The test is the one that separates; of a partner that is held, the hardest.
    """

    told: Told
    rule: int = SINGLE
    held: bool = False


class Around:
    """The search around a target.

    Parameters
    ----------
    rules : Rules
    t : int
    alone : Alone
        Tests given nothing, of every node that t may have as a neighbour.
    required : mapping from node to set of nodes
        Who must be a neighbour of whom.
    """

    def __init__(self, rules: Rules, t: int, alone: Alone, required: Mapping[int, set[int]]) -> None:
        self.rules = rules
        self.t = t
        self.required = required
        self.alone = alone
        self.marginal = alone.of(t)
        self.sides = {x: Side(told) for x, told in self.marginal.items() if told.log_p <= rules.log_alpha}
        self.sides |= {
            x: Side(Told(-math.inf, math.inf, math.nan, math.nan, ()), REQUIRED) for x in required.get(t, ())
        }
        self.partners: list[int] = []
        self.spouses: set[int] = set()
        self.blanket: list[int] = []

    def search(self) -> Inquiry:
        """HPC(t): fill `sides`, and what led to them."""
        yield from self._find_partners()
        yield from self._find_spouses()
        pool = sorted({self.t, *self.partners, *self.spouses})
        few = len(self.partners) < 2 or len(pool) == 3  # no blanket tells more of so few
        if few:
            self.blanket = list(self.partners)
            for x in self.partners:
                self._settle(x, ALONE, held=True, told=self.sides[x].told)
        if not few or self.spouses:
            yield from self._find_blanket(pool, few)
        for x in self.partners:
            if not self.sides[x].held:
                yield from self._ask_partner(x, pool)

    def _settle(self, x: int, rule: int, *, held: bool, told: Told) -> None:
        if x in self.required.get(self.t, ()):
            rule, held = REQUIRED, True
        self.sides[x] = Side(told, rule, held)

    def _by_strength(self, nodes: list[int]) -> list[int]:
        """Nodes, the strongest first."""
        return sorted(nodes, key=lambda x: self.sides[x].told.key(x))

    def _find_partners(self) -> Inquiry:
        """DE-PCS: partners that no single other one separates from t, the strongest first; asked weakest first."""
        self.partners = self._by_strength(list(self.sides))
        for x in reversed(self.partners):
            side, others = self.sides[x], [y for y in self.partners if y != x]
            if side.rule == REQUIRED or not others or self.rules.most < 1:
                continue
            answer = (yield Ask(self.t, [x] * len(others), [(y,) for y in others], True))[0]
            separated = self.rules.separates(answer.log_p)
            if separated or side.told.log_p < answer.log_p < UNTESTED:
                side.told = Told.by(answer, (others[answer.at],))
            self.partners = self._by_strength(others if separated else self.partners)

    def _find_spouses(self) -> Inquiry:
        """DE-SPS: those that a partner makes dependent on t again, unless another of them separates them given it."""
        inside = {*self.partners, *self.required.get(self.t, ())}
        outside = {y: self.sides[y].told.cond if y in self.sides else () for y in self.marginal if y not in inside}
        for x in self.partners:
            asked = [
                (y, tuple(sorted((x, *cond))))
                for y, cond in outside.items()
                if x not in cond and len(cond) < self.rules.most
            ]
            if not asked:
                continue
            answers = yield Ask(self.t, *zip(*asked, strict=True), False)
            keys = {
                y: (answer.log_p, -answer.size, y)
                for (y, _), answer in zip(asked, answers, strict=True)
                if answer.log_p <= self.rules.log_alpha
            }
            left = sorted(keys, key=keys.__getitem__)
            for y in reversed(left):
                others = [z for z in left if z != y]
                if others and self.rules.most > 1:
                    pairs = [(x, z) if x < z else (z, x) for z in others]
                    answer = (yield Ask(self.t, [y] * len(pairs), pairs, True))[0]
                    left = others if self.rules.separates(answer.log_p) else left
            self.spouses |= set(left)

    def _find_blanket(self, pool: list[int], few: bool) -> Inquiry:
        """Inter-IAPC(t, pool): the blanket and, unless partners are `few`, those that no part of it separates."""
        blanket = Blanket(self.rules, self.t, pool, self.required.get(self.t, set()), self.alone)
        yield from blanket.find()
        self.blanket = sorted({*self.blanket, *blanket.members})
        for x in [] if few else blanket.pool:
            if x in blanket.required:
                self._settle(x, REQUIRED, held=True, told=self.sides[x].told)
            elif x in blanket.members and x in self.sides:
                top = yield from hardest_part(self.rules, self.t, x, blanket.members, self._given_nothing(x))
                held = not self.rules.separates(top.log_p)
                if held and top.log_p <= self.sides[x].told.log_p <= self.rules.log_alpha:
                    top = self.sides[x].told  # a test of DE-PCS
                if held or x in self.partners:
                    self._settle(x, BLANKET, held=held, told=top)
            elif x in self.partners:
                self._settle(x, BLANKET, held=False, told=blanket.last.get(x, self.sides[x].told))

    def _ask_partner(self, x: int, pool: list[int]) -> Inquiry:
        """Decentralised search: x is a neighbour of t after all if t is one of x among the same variables."""
        blanket = Blanket(self.rules, x, pool, self.required.get(x, set()), self.alone, about=x)
        yield from blanket.find()
        if self.t in blanket.members:
            top = yield from hardest_part(self.rules, x, self.t, blanket.members, self._given_nothing(x), about=x)
            if not self.rules.separates(top.log_p):
                self._settle(x, DECENTRALISED, held=True, told=top)

    def _given_nothing(self, x: int) -> Told:
        """The test of t and x given nothing."""
        return self.marginal.get(x, self.sides[x].told)
