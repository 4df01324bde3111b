"""LMM as in its paper, set by set and pair by pair; it shares no code with the library.

Mahdi and Mezey (2013): equations 1-5, algorithms 1-3. `value(i, j, cond)` is the log-odds of dependence given exactly
`cond`, None if the set is redundant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations

import numpy as np

from . import naive

Value = Callable[[int, int, frozenset], float | None]


def log_density(rho_squared: float, kappa: int) -> float:
    """Return ln f0 of equation 1."""
    constant = math.lgamma(kappa / 2) - math.log(math.sqrt(math.pi)) - math.lgamma((kappa - 1) / 2)
    return constant + (kappa - 3) / 2 * math.log1p(-rho_squared)


def log_odds(rho_squared: float, n: int, size: int, prior: float) -> float:
    """Return ln P / (1 - P) of equation 2 with f_A = 1/2."""
    return math.log(prior * 0.5) - math.log(1.0 - prior) - log_density(rho_squared, n - size - 1)


def probability(s: float) -> float:
    """Return P of log-odds s."""
    return 1.0 / (1.0 + math.exp(-s)) if s > -700 else 0.0


def joint_key(sides: Sequence[float]) -> float:
    """Return -ln(-ln P) of the product P of the probabilities: -ln P is the sum of ln(1 + exp(-s))."""
    log_lack = [-s if s > 40 else math.log(max(-s, 0.0) + math.log1p(math.exp(-abs(s)))) for s in sides]
    return -(max(log_lack) + math.log(sum(math.exp(lack - max(log_lack)) for lack in log_lack)))


def squared_partial_correlation(corr: np.ndarray, i: int, j: int, cond: frozenset) -> float | None:
    """Return the squared correlation of the residuals of i and j given the set.

    It is 0 if a residual vanishes, and None if the set itself is redundant.
    """
    z, pair = sorted(cond), [i, j]
    residual = corr[np.ix_(pair, pair)]
    if z:
        if np.linalg.eigvalsh(corr[np.ix_(z, z)])[0] < 1e-12:
            return None
        residual = residual - corr[np.ix_(pair, z)] @ np.linalg.solve(corr[np.ix_(z, z)], corr[np.ix_(z, pair)])
    if min(residual[0, 0], residual[1, 1]) < 1e-12:
        return 0.0
    return min(residual[0, 1] ** 2 / (residual[0, 0] * residual[1, 1]), 1.0 - 2.0**-53)


def from_data(corr: np.ndarray, n: int, prior: float) -> Value:
    """Return the log-odds function of the sample correlations."""

    @cache
    def value(i: int, j: int, cond: frozenset) -> float | None:
        squared = squared_partial_correlation(corr, min(i, j), max(i, j), cond)
        return None if squared is None else log_odds(squared, n, len(cond), prior)

    return value


def from_dag(dag: np.ndarray) -> Value:
    """Return log-odds so far from 0 that P is 0 or 1, by d-separation checked path by path."""
    separated = cache(lambda i, j, cond: naive.d_separated(dag, i, j, cond))
    return lambda i, j, cond: -1000.0 if separated(min(i, j), max(i, j), cond) else 30000.0


def best_prior(corr: np.ndarray, n: int) -> float:
    """Return half the maximum of equation 5, by a repeatedly refined grid (section 6.1.1)."""
    p = len(corr)
    null = np.exp([log_density(corr[pair] ** 2, n - 1) for pair in combinations(range(p), 2)])
    low, high = 0.001, 0.2
    for _ in range(12):
        grid = np.linspace(low, high, 41)
        best = int(np.argmax([np.log(share / 2 + (1 - share) * null).sum() for share in grid]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 40)]
    return (low + high) / 4


@dataclass
class LMM:
    """Algorithms 1 and 2 in `run`; each move is (what, i, j, iteration, i knows j, j knows i, key, s_i, s_j)."""

    value: Value
    p: int
    omega: float
    gamma: float
    max_size: int
    cap: int
    opt_every: int | None
    cooldown: int
    product: bool
    required: frozenset = frozenset()
    barred: frozenset = frozenset()
    moves: list = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pairs = [pair for pair in combinations(range(self.p), 2) if frozenset(pair) not in self.barred]
        self.knows = {i: set() for i in range(self.p)}
        self.stamp: dict[tuple[int, int], int] = {}  # edges i < j of the graph, and the iterations that added them
        self.iteration = 0
        self.least = cache(self._least)

    def _least(self, i: int, j: int, known: frozenset) -> float:
        sizes = range(min(self.cap, len(known)) + 1)
        values = [self.value(i, j, frozenset(c)) for size in sizes for c in combinations(sorted(known), size)]
        return min(s for s in values if s is not None)

    def side(self, i: int, j: int) -> float:
        """Return equation 3 as log-odds."""
        return self.least(i, j, frozenset(self.knows[i] - {j}))

    def key(self, pair: tuple[int, int]) -> float:
        """Return -ln(-ln P) of equation 4, or of the smaller side."""
        i, j = pair
        sides = self.side(i, j), self.side(j, i)
        return joint_key(sides) if self.product else joint_key((min(sides),))

    def tell(self, what: str, i: int, j: int) -> None:
        pair = (min(i, j), max(i, j))
        state = (j in self.knows[i], i in self.knows[j], self.key(pair), self.side(i, j), self.side(j, i))
        self.moves.append((what, i, j, self.iteration, *state))

    def add(self, pair: tuple[int, int]) -> None:
        i, j = pair
        self.stamp[pair] = self.iteration
        of_i, of_j = probability(self.side(i, j)), probability(self.side(j, i))
        if self.omega == 1 or of_i > of_j - self.omega:
            self.knows[i].add(j)
        if self.omega == 1 or of_j > of_i - self.omega:
            self.knows[j].add(i)

    def delete(self, pair: tuple[int, int]) -> None:
        i, j = pair
        del self.stamp[pair]
        self.knows[i].discard(j)
        self.knows[j].discard(i)

    def best_open(self) -> tuple[int, int] | None:
        return min((e for e in self.pairs if e not in self.stamp), key=lambda e: (-self.key(e), e), default=None)

    def weakest(self, edges: list) -> tuple[int, int] | None:
        free = [e for e in edges if frozenset(e) not in self.required]
        return min(free, key=lambda e: (self.key(e), e), default=None)

    def asymmetric(self, known: bool) -> list:
        """Return (key, i, j) for OPT2 (j is not aware of i) or OPT3 (j is aware of i)."""
        found = []
        for pair in self.rested():
            for i, j in (pair, pair[::-1]):
                of_i, of_j = probability(self.side(i, j)), probability(self.side(j, i))
                wrong = of_j < of_i - self.omega if known else of_j > of_i - self.omega
                if j in self.knows[i] and (i in self.knows[j]) == known and wrong:
                    found.append((self.key(pair) if known else -self.key(pair), i, j))
        return sorted(found)

    def rested(self) -> list:
        return [e for e, stamp in self.stamp.items() if self.iteration - stamp >= self.cooldown]

    def optimise(self) -> None:
        weak, best = self.weakest(self.rested()), self.best_open()
        # If every addition were followed by a removal, two edges could alternate forever, so at least half of the
        # additions must remain. Less frequent rounds remove fewer edges anyway.
        few = 2 * len(self.stamp) <= self.iteration
        if not few and weak and best and self.key(weak) < self.key(best):
            self.tell("dropped", *weak)
            self.delete(weak)
        for _, i, j in self.asymmetric(False)[:1]:
            self.knows[j].add(i)
            self.tell("aware", j, i)
        for _, i, j in self.asymmetric(True)[:1]:
            self.knows[j].remove(i)
            self.tell("unaware", j, i)

    def run(self) -> LMM:
        for pair in sorted(tuple(sorted(pair)) for pair in self.required):
            self.stamp[pair] = 0
        for i, j in self.stamp:
            self.knows[i].add(j)
            self.knows[j].add(i)
        least = -math.log(-math.log(self.gamma)) if self.gamma else -math.inf
        while len(self.stamp) < self.max_size:
            best = self.best_open()
            if best is None or self.key(best) < least:
                break
            self.iteration += 1
            sides = self.key(best), self.side(*best), self.side(*best[::-1])
            self.add(best)
            i, j = best
            self.moves.append(("added", i, j, self.iteration, j in self.knows[i], i in self.knows[j], *sides))
            if self.opt_every and self.iteration % self.opt_every == 0:
                self.optimise()
        self.n_forward = len(self.moves)
        while (weak := self.weakest(list(self.stamp))) is not None:
            self.tell("eliminated", *weak)
            self.delete(weak)
        return self

    def skeleton(self, threshold: float, min_size: int) -> np.ndarray:
        """Return the skeleton at the stop of the elimination, which checks the threshold before each removal."""
        edges = {frozenset(pair) for pair in self.required}
        gone = 0
        eliminated = self.moves[self.n_forward :]
        for _, _, _, _, _, _, key, _, _ in eliminated:
            left = len(self.required) + len(eliminated) - gone
            if left <= min_size or (threshold and math.exp(-math.exp(-key)) > threshold):
                break
            gone += 1
        edges |= {frozenset(move[1:3]) for move in eliminated[gone:]}
        amat = np.zeros((self.p, self.p), dtype=bool)
        for i, j in map(tuple, edges):
            amat[i, j] = amat[j, i] = True
        return amat


def induced_dependence(value: Value, skeleton: np.ndarray, cap: int) -> dict[tuple[int, int, int], tuple]:
    """Return CD of algorithm 3, line 5, for every x - w - y, x < y.

    The numbers of sets with w and without it are equal. Each value comes with its tie-breaker: ln of the ratio of -ln P
    without and with w.
    """

    def least(x: int, y: int, w: int, with_w: bool) -> float:
        others = [k for k in np.flatnonzero(skeleton[x]).tolist() if k not in (w, y)]
        values = []
        for size in range(min(max(cap, 1) - 1, len(others)) + 1):
            for cond in combinations(others, size):
                values.append(value(x, y, frozenset(cond) | ({w} if with_w else set())))
        return min(s for s in values if s is not None)

    found = {}
    for x, y in combinations(range(len(skeleton)), 2):
        for w in np.flatnonzero(skeleton[x] & skeleton[y]).tolist():
            if not skeleton[x, y]:
                on, off = ((least(x, y, w, side), least(y, x, w, side)) for side in (True, False))
                induced = math.prod(map(probability, on)) - math.prod(map(probability, off))
                found[x, w, y] = (round(induced, 12), joint_key(on) - joint_key(off))
    return found


def lmm_eo(value: Value, skeleton: np.ndarray, cap: int, directions: frozenset = frozenset()) -> np.ndarray:
    """Run algorithm 3; a v-structure is refused only if an edge already points out of its middle."""
    amat = skeleton.copy()
    for i, j in directions:
        if amat[i, j]:
            amat[j, i] = False
    ranked = sorted((-induced, -finer, t) for t, (induced, finer) in induced_dependence(value, skeleton, cap).items())
    for minus_induced, _, (x, w, y) in ranked:
        if minus_induced < 0 and amat[x, w] and amat[y, w]:
            amat[w, x] = amat[w, y] = False
    return closure(amat)


def closure(amat: np.ndarray) -> np.ndarray:
    """Apply lines 18-24 in sweeps: an edge is oriented if rules imply exactly one of its directions."""
    amat = amat.copy()
    while True:
        implied = {
            (i, j)
            for i, j in permutations(range(len(amat)), 2)
            if naive.line(amat, i, j) and (naive.meek_rules(amat, i, j) or j in naive.reachable(amat, i))
        }
        clear = {(i, j) for i, j in implied if (j, i) not in implied}
        if not clear:
            return amat
        for i, j in clear:
            amat[j, i] = False
