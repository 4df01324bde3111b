"""HPC around one target after its supersets are known: Inter-IAPC and the decentralised search.

Gasse, Aussem and Elghazel (2012), algorithm 1, lines 3 to 8. The tests are requests; see `requests`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from .candidates import BLANKET, DECENTRALISED, FORBIDDEN, REQUIRED, SMALL_POOL, Candidates
from .iapc import Blanket, hardest_test_within
from .requests import NO_NODES, Association, HPCRules, MarginalTests, Requests


class TargetSearch:
    """The search around a target T.

    Parameters
    ----------
    rules : HPCRules
    t : int
        The target.
    marginal : MarginalTests
        Marginal tests of every pair that knowledge does not require.
    required : mapping from node to set of nodes
        Required neighbours of each node.
    forbidden : collection of nodes
        Nodes that may not be neighbours of t. They can still be spouses and separate t from others.

    Attributes
    ----------
    candidates : Candidates
    pcs : array of int
        PCS, the superset of the parents and children of T, the strongest first; by `de_pcs`.
    sps : set of int
        SPS, the superset of the spouses of T; by `de_sps`.
    blanket : list of int
        The Markov blanket within T ∪ PCS ∪ SPS.
    """

    def __init__(
        self,
        rules: HPCRules,
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
        self.pcs = NO_NODES
        self.sps: set[int] = set()
        self.blanket: list[int] = []
        self.marginal = marginal

    @property
    def size(self) -> int:
        """Maximum number of tests of a request, once PCS and SPS are known."""
        return len(self.pcs) + len(self.sps)

    def are_required(self) -> np.ndarray:
        """Return (m,) bool, True for the candidates that are required neighbours."""
        required = self.required.get(self.t, ())
        return np.array([x in required for x in self.candidates.nodes], dtype=bool)

    def outside(self, marginal: MarginalTests) -> tuple[np.ndarray, np.ndarray]:
        """Return the tested nodes outside PCS, and for each the single member of its dSep; -1 for an empty dSep."""
        nodes = marginal.partners(self.t)
        is_outside = np.ones(marginal.p, dtype=bool)
        is_outside[[*self.pcs, *self.required.get(self.t, ())]] = False
        nodes = nodes[is_outside[nodes]]
        separator = np.full(marginal.p, -1)
        separator[self.candidates.nodes] = [cond[0] if cond else -1 for cond in self.candidates.cond]
        return nodes, separator[nodes]

    def search(self) -> Requests:
        """Find the blanket in U = T ∪ PCS ∪ SPS (line 3); return the searches that decide on each candidate.

        If PCS has less than two members, or two and SPS none, PC equals PCS and no further test is needed.
        """
        pool = sorted({self.t, *self.pcs, *self.sps})
        small = len(self.pcs) < 2 or len(pool) == 3
        if small:
            self.blanket = self.pcs.tolist()
            for x in self.pcs:
                self._decide(x, SMALL_POOL, chosen=True, test=self.candidates.test(x))
        if small and not self.sps:
            return []
        blanket = Blanket(self.rules, self.t, pool, self.required.get(self.t, set()), self.marginal)
        yield from blanket.find()
        self.blanket = sorted({*self.blanket, *blanket.members})
        return [] if small else [self._judge(x, blanket, pool) for x in blanket.pool]

    def _decide(self, x: int, rule: int, *, chosen: bool, test: Association) -> None:
        """Set the decision on x unless background knowledge decides otherwise."""
        if x in self.required.get(self.t, ()):
            rule, chosen = REQUIRED, True
        elif x in self.forbidden and chosen:
            rule, chosen = FORBIDDEN, False
        self.candidates.replace_test(x, test)
        self.candidates.decide(x, rule, chosen=chosen)

    def _judge(self, x: int, blanket: Blanket, pool: list[int]) -> Requests:
        """Decide if x is a neighbour: if no subset of the blanket separates it from T (line 3), or else by line 5."""
        if x in blanket.required:
            self._decide(x, REQUIRED, chosen=True, test=self.candidates.test(x))
        elif x in blanket.members and x in self.candidates:
            hardest = yield from hardest_test_within(self.rules, self.t, x, blanket.members, self._marginal(x))
            chosen = not self.rules.separates(hardest.log_p)
            if chosen and hardest.log_p <= self.candidates.test(x).log_p <= self.rules.log_alpha:
                hardest = self.candidates.test(x)  # the deciding test of DE-PCS
            if chosen or x in self.pcs:
                self._decide(x, BLANKET, chosen=chosen, test=hardest)
        elif x in self.pcs:
            self._decide(x, BLANKET, chosen=False, test=blanket.last(x) or self.candidates.test(x))
        if x in self.pcs and not self.candidates.is_chosen(x) and x not in self.forbidden:
            yield from self._search_around(x, pool)

    def _search_around(self, x: int, pool: list[int]) -> Requests:
        """Run the decentralised search (lines 4 to 8): x in PCS is a neighbour if T is in Inter-IAPC(x, U)."""
        blanket = Blanket(self.rules, x, pool, self.required.get(x, set()), self.marginal, about=x)
        yield from blanket.find()
        if self.t in blanket.members:
            members, marginal = blanket.members, self._marginal(x)
            hardest = yield from hardest_test_within(self.rules, x, self.t, members, marginal, about=x)
            if not self.rules.separates(hardest.log_p):
                self._decide(x, DECENTRALISED, chosen=True, test=hardest)

    def _marginal(self, x: int) -> Association:
        """Return the marginal test of T and x."""
        return self.marginal.between(self.t, x) or self.candidates.test(x)
