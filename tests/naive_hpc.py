"""Reference implementation of HPC: each target separately, no test cached; and a variant with bnlearn's differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

Test = Callable[[int, int, tuple[int, ...]], tuple[float, float, bool]]  # (ln p, statistic, whether tested)


class Target:
    """The search around t by Gasse, Aussem and Elghazel (2012); `partners` are their PC_T."""

    def __init__(self, test: Test, p: int, t: int, alpha: float, *, skip: bool = False, fdr: bool = False):
        self.test, self.t, self.log_alpha, self.skip, self.fdr = test, t, math.log(alpha), skip, fdr
        nodes = [x for x in range(p) if x != t]
        self.strength = {x: self.key(t, x, ()) for x in nodes if self.dependent(t, x, ())}
        self.dsep: dict[int, tuple[int, ...]] = {x: () for x in nodes if x not in self.strength}
        self.find_superset()
        self.spouses = self.find_spouses()
        pool = sorted({t, *self.strength, *self.spouses})
        self.partners, self.blanket = self.decide(pool)

    # --- tests --------------------------------------------------------------------------------------------------------

    def p_of(self, x: int, y: int, cond: Iterable[int]) -> float:
        """Return ln p of the test, or 1, which is above any ln p, if there are too few rows for it."""
        log_p, _, tested = self.test(x, y, tuple(sorted(cond)))
        return log_p if tested else 1.0

    def key(self, x: int, y: int, cond: Iterable[int]) -> tuple[float, float, int]:
        """Return a sort key that is smaller for a stronger association of y with x."""
        log_p, statistic, tested = self.test(x, y, tuple(sorted(cond)))
        return (log_p, -abs(statistic), y) if tested else (1.0, 0.0, y)

    def separated(self, x: int, y: int, cond: Iterable[int]) -> bool:
        log_p = self.p_of(x, y, cond)
        return log_p > self.log_alpha and not (self.skip and log_p == 1.0)

    def dependent(self, x: int, y: int, cond: Iterable[int]) -> bool:
        """Return True if the test was done and rejects independence."""
        return self.p_of(x, y, cond) <= self.log_alpha

    # --- DE-PCS and DE-SPS --------------------------------------------------------------------------------------------

    def find_superset(self) -> None:
        for x in sorted(self.strength, key=self.strength.__getitem__, reverse=True):
            others = sorted(set(self.strength) - {x}, key=self.strength.__getitem__)
            apart = next((y for y in others if self.separated(self.t, x, (y,))), None)
            if apart is not None:
                self.dsep[x] = (apart,)
                del self.strength[x]
            else:
                tried = [key for y in others if (key := self.key(self.t, x, (y,)))[0] <= 0]
                self.strength[x] = max([self.strength[x], *tried], key=lambda key: key[0])

    def find_spouses(self) -> set[int]:
        found = set()
        for x in self.strength:
            strength = {
                y: self.key(self.t, y, (x, *cond))
                for y, cond in self.dsep.items()
                if x not in cond and self.dependent(self.t, y, (x, *cond))
            }
            for y in sorted(strength, key=strength.__getitem__, reverse=True):
                if any(self.separated(self.t, y, (x, z)) for z in strength if z != y):
                    del strength[y]
            found |= set(strength)
        return found

    # --- Inter-IAPC and the decentralised search ----------------------------------------------------------------------

    def decide(self, pool: Sequence[int]) -> tuple[set[int], set[int]]:
        superset = set(self.strength)
        if len(superset) < 2 or len(pool) == 3:
            return superset, superset | (self.find_blanket(self.t, pool) if self.spouses else set())
        blanket = self.find_blanket(self.t, pool)
        partners = {x for x in self.filtered(self.t, blanket) if self.dependent(self.t, x, ())}
        for x in superset - partners:
            if self.t in self.filtered(x, self.find_blanket(x, pool)):
                partners.add(x)
        return partners, blanket

    def find_blanket(self, t: int, pool: Sequence[int]) -> set[int]:
        blanket: set[int] = set()
        met, banned, came = [set(blanket)], set(), -1
        while True:
            before = set(blanket)
            if self.fdr:
                came = self.swap(t, pool, blanket, banned, came)
            else:
                came = self.interleave(t, pool, blanket, banned, came)
            if blanket == before:
                return blanket
            if blanket in met:
                if came in banned:
                    return blanket
                banned.add(came)
            met.append(set(blanket))

    def interleave(self, t: int, pool: Sequence[int], blanket: set[int], banned: set[int], came: int) -> int:
        """Do one round of algorithm 2: add the strongest candidate, then remove weak members at once."""
        outside = [x for x in pool if x != t and x not in blanket | banned and self.dependent(t, x, blanket)]
        new = min(outside, key=lambda x: self.key(t, x, blanket), default=None)
        strength = {x: self.last_seen(t, x, blanket) for x in blanket}
        if new is not None:
            strength[new] = self.key(t, new, blanket)
            blanket.add(new)
            came = new
        self.seen = strength
        for x in sorted(strength, key=strength.__getitem__, reverse=True):
            self.seen[x] = self.key(t, x, blanket - {x})
            if self.separated(t, x, blanket - {x}):
                blanket.discard(x)
        return came

    def last_seen(self, t: int, x: int, blanket: set[int]) -> tuple[float, float, int]:
        """Return the key that x had in the previous round, or else compute it."""
        return self.seen.get(x) or self.key(t, x, blanket - {x})

    def swap(self, t: int, pool: Sequence[int], blanket: set[int], banned: set[int], came: int) -> int:
        """Do one step of IAMB with FDR control: remove the weakest rejected member, or add the strongest candidate."""
        order = sorted((x for x in pool if x != t), key=lambda x: self.key(t, x, blanket - {x}))
        m = len(order)
        bounds = [self.log_alpha - math.log(m / k * sum(1 / j for j in range(1, m + 1))) for k in range(1, m + 1)]
        least = [self.p_of(t, x, blanket - {x}) for x in order]
        found = max((k for k in range(1, m + 1) if least[k - 1] <= bounds[k - 1]), default=0)
        for x in reversed(order[found:]):
            if x in blanket and not (self.skip and self.p_of(t, x, blanket - {x}) == 1.0):
                blanket.remove(x)
                return came
        for x in order[:found]:
            if x not in blanket | banned:
                blanket.add(x)
                return x
        return came

    def filtered(self, t: int, blanket: set[int]) -> set[int]:
        """Return the members of a blanket that no subset of the others separates from t."""
        return {
            x
            for x in blanket
            if not any(
                self.separated(t, x, cond)
                for size in range(len(blanket))
                for cond in combinations(sorted(blanket - {x}), size)
            )
        }


class Bnlearn(Target):
    """The variant with the differences of bnlearn 4.9.

    Blankets start with the two strongest partners of the target, also in the decentralised search, which then finds
    nothing if they include the node itself. Each test is compared with its own bound of the false discovery rate. A
    node just added is not removed in the next step, nor is one just removed added, and p underflows to 0.
    """

    def key(self, x: int, y: int, cond: Iterable[int]) -> tuple[float, float, int]:
        log_p = self.p_of(x, y, cond)
        return (0.0 if log_p < -745.2 else math.exp(min(log_p, 0.0))), 0.0, y

    def find_blanket(self, t: int, pool: Sequence[int]) -> set[int]:
        start = sorted(self.strength, key=self.strength.__getitem__)[:2]
        if t in start:
            return set()
        return self.by_own_bounds(t, [x for x in pool if x != t], list(start))

    def by_own_bounds(self, t: int, nodes: Sequence[int], blanket: list[int]) -> set[int]:
        m, last_in, last_out, banned, met = len(nodes), None, None, set(), []
        harmonic = sum(1 / k for k in range(1, m + 1))
        while True:
            if set(blanket) in met:
                if last_out is not None:
                    blanket = [*blanket, last_out]
                    banned.add(last_out)
                elif last_in is not None:
                    blanket = [x for x in blanket if x != last_in]
                    banned.add(last_in)
                met.pop()
            met.append(set(blanket))
            key = {x: self.key(t, x, set(blanket) - {x}) for x in nodes}
            order = sorted(nodes, key=key.__getitem__)
            found = {x for k, x in enumerate(order, 1) if key[x][0] * m / k * harmonic <= math.exp(self.log_alpha)}
            out = [x for x in reversed(order) if x in blanket and x not in found | banned | {last_in}]
            if out:
                blanket = [x for x in blanket if x != out[0]]
                last_in, last_out = None, out[0]
                continue
            new = [x for x in order if x in found and x not in {*blanket, *banned, last_out}]
            if not new:
                return set(blanket)
            blanket = [*blanket, new[0]]
            last_in, last_out = new[0], None


def skeleton(targets: Sequence[Target]) -> set[frozenset]:
    """Return the pairs that are each other's partners."""
    pairs = combinations(range(len(targets)), 2)
    return {frozenset((x, y)) for x, y in pairs if x in targets[y].partners and y in targets[x].partners}
