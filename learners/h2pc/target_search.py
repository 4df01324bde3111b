"""HPC around one target, from its supersets on: Inter-IAPC and the decentralised search, as requests (see `requests`).

Gasse, Aussem and Elghazel (2012), algorithms 1 and 2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from .candidates import ALONE, BLANKET, DECENTRALISED, FORBIDDEN, REQUIRED, Candidates
from .iapc import Blanket, hardest_part
from .requests import NOBODY, Association, MarginalTests, Requests, Rules


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

    @property
    def size(self) -> int:
        """Tests of a request at most, once partners and spouses are known."""
        return len(self.partners) + len(self.spouses)

    def are_required(self) -> np.ndarray:
        """(m,) bool: of each candidate, whether it must be a neighbour."""
        return np.isin(self.candidates.nodes, list(self.required.get(self.t, ())))

    def outside(self, marginal: MarginalTests) -> tuple[np.ndarray, np.ndarray]:
        """The nodes that were tested with t and are no partners, and the node that parts each from t, -1 for none."""
        nodes = marginal.partners(self.t)
        nodes = nodes[~np.isin(nodes, [*self.partners, *self.required.get(self.t, ())])]
        apart = np.full(marginal.p, -1)
        apart[self.candidates.nodes] = [cond[0] if cond else -1 for cond in self.candidates.cond]
        return nodes, apart[nodes]

    def search(self) -> Requests:
        """HPC(t) among the partners and spouses: find the blanket, and return what settles each candidate by it."""
        pool = sorted({self.t, *self.partners, *self.spouses})
        few = len(self.partners) < 2 or len(pool) == 3  # no blanket tells more of so few
        if few:
            self.blanket = self.partners.tolist()
            for x in self.partners:
                self._settle(x, ALONE, held=True, test=self.candidates.test(x))
        if few and not self.spouses:
            return []
        blanket = Blanket(self.rules, self.t, pool, self.required.get(self.t, set()), self.marginal)
        yield from blanket.find()
        self.blanket = sorted({*self.blanket, *blanket.members})
        return [] if few else [self._judge(x, blanket, pool) for x in blanket.pool]

    def _settle(self, x: int, rule: int, *, held: bool, test: Association) -> None:
        if x in self.required.get(self.t, ()):
            rule, held = REQUIRED, True
        elif x in self.forbidden and held:
            rule, held = FORBIDDEN, False
        self.candidates.note(x, test)
        self.candidates.settle(x, rule, held=held)

    def _judge(self, x: int, blanket: Blanket, pool: list[int]) -> Requests:
        """Inter-IAPC: x is a neighbour if no part of the blanket separates it; else a partner is asked itself."""
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
        if x in self.partners and not self.candidates.is_held(x) and x not in self.forbidden:
            yield from self._ask_partner(x, pool)

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
