"""Several Markov chains, batch by batch, and their agreement."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np

from ...common.parallel import ordered_map
from ...common.progress import Stopped, Tick
from ...common.relabeling import ByPair, by_pair
from ...kernels.averaging import chain_sampling
from ...kernels.averaging.chain_sampling import ChainRecords, ParentSetModel
from ...kernels.averaging.order_chain import Chain, start_order
from ...kernels.averaging.partition_chain import start_partition
from .parent_weights import are_candidates, spread

BATCHES = 10  # number of batches of the first round
RECORDS = 100  # number of records of a batch
SETTLED = 0.02  # pairs with a probability nearer to 0 or 1 do not count in R̂
WORK = 1 << 17  # maximum number of sets and moves of one kernel call, over all variables: some milliseconds
PHASE = "chains"


class Chains:
    """Markov chains from different starts, each with its own generator, so that results do not depend on threads."""

    def __init__(self, model: ParentSetModel, orders: list[np.ndarray], prior: str, seed: int) -> None:
        self.model, self.of_partitions = model, prior != "orders"
        self.rngs = [np.random.default_rng([seed, t]) for t in range(len(orders))]
        self.chains = [self._first_state(order) for order in orders]
        self.batches: list[list[ChainRecords]] = []  # each entry has one batch of each chain
        self.blanket: np.ndarray | float = 0.0
        self.n_moves = 0
        self.pairs, self._pair_numbers = _candidate_pairs(model)

    def _first_state(self, order: np.ndarray) -> Chain:
        p = len(order)
        chain = Chain(order.astype(np.int64), np.zeros(p, np.int64), np.zeros(p, np.int64), np.zeros(p))
        if self.of_partitions:
            chain.order[:] = self._parts(order)
            start_partition(self.model.table, self.model.flag, self.model.candidates, chain)
        else:
            start_order(self.model.table, self.model.flag, chain)
        return chain

    def _parts(self, order: np.ndarray) -> np.ndarray:
        """Return the part of each node in the DAG that gives each node its best parents among its predecessors."""
        model, part, seen = self.model, np.zeros(len(order), dtype=np.int64), set()
        for j in order.tolist():
            bits = [b for b, i in enumerate(model.candidates[j].tolist()) if model.flag[j, i] == 1 << b and i in seen]
            before = sum(1 << b for b in bits)
            sets = model.ranked[j, : model.n_ranked[j]]
            best = int(sets[np.flatnonzero(sets & ~before == 0)[0]])
            parents = [model.candidates[j, b] for b in bits if best >> b & 1]
            part[j] = 1 + max(part[parents]) if parents else 0
            seen.add(j)
        return part

    def run(self, n_batches: int, moves: int, threads: int | None, tick: Tick) -> None:
        """Run `n_batches` more batches of `moves` moves each, and record each batch.

        Raises
        ------
        Stopped
            If cancelled; unfinished batches are dropped.
        """
        n = len(self.chains)
        for done in range(n_batches):

            def telling(phase: str, ready: int, _total: int, done: int = done) -> bool:
                return tick(phase, done * n + ready, n_batches * n)

            found = ordered_map(self._work(moves), n, phase=PHASE, tick=telling, threads=threads)
            if len(found) < n:
                raise Stopped
            chains, rngs, batches = zip(*found, strict=True)
            self.chains, self.rngs = list(chains), list(rngs)
            self._keep(list(batches), moves)

    def restart_lost(self) -> bool:
        """Restart each lost chain from the state of the best chain, and return True if there is one.

        A chain is lost if its state, times the number of all states, has less probability than that of the best chain.
        There are at most p^p orders, or ordered partitions, of p variables.
        """
        values = [chain.value.sum() for chain in self.chains]
        best, p = self.chains[int(np.argmax(values))], len(self.model.flag)
        lost = [t for t, value in enumerate(values) if value < max(values) - p * math.log(p)]
        for t in lost:
            self.chains[t] = Chain(*(array.copy() for array in best))
        return bool(lost)

    def _work(self, moves: int) -> Callable[[int, Callable[[], bool]], tuple[Chain, np.random.Generator, ChainRecords]]:
        """Return a function that runs one batch of a chain and holds only the data that it needs."""
        model, chains, rngs, of_partitions = self.model, self.chains, self.rngs, self.of_partitions

        def work(t: int, goes_on: Callable[[], bool]) -> tuple[Chain, np.random.Generator, ChainRecords]:
            return _advanced(model, chains[t], rngs[t], moves, goes_on, of_partitions=of_partitions)

        return work

    def _keep(self, batch: list[ChainRecords], moves: int) -> None:
        """Store a batch; to save memory, keep only the sum of the blankets over the batches after burn-in."""
        if len(self.batches) == self._first(len(self.batches) + 1):
            self.blanket = 0.0
        self.blanket = self.blanket + sum(part.blanket for part in batch)
        self.n_moves += RECORDS * moves
        self.batches.append([part._replace(blanket=part.blanket[:0]) for part in batch])

    @staticmethod
    def _first(n: int) -> int:
        """Return the number of burn-in batches among n: half of all batches at the end of the current round."""
        first = BATCHES // 2
        while 2 * first < n:
            first *= 2
        return first if first < n else 0

    @property
    def kept(self) -> list[list[ChainRecords]]:
        """The batches after the burn-in."""
        return self.batches[self._first(len(self.batches)) :]

    @property
    def n_records(self) -> int:
        """Number of records after the burn-in."""
        return len(self.kept) * len(self.chains) * RECORDS

    def directed(self, batches: list[list[ChainRecords]], t: int) -> np.ndarray:
        """Return (p, p) P(i -> j) in some batches of chain t."""
        return spread(self.model, sum(batch[t].shares for batch in batches)) / (len(batches) * RECORDS)

    def settling(self) -> Iterator[np.ndarray]:
        """Yield (p, p) P(i -> j) over all chains after each batch, without the burn-in."""
        n = len(self.chains)
        for end in range(1, len(self.batches) + 1):
            so_far = self.batches[self._first(end) : end]
            yield sum(self.directed(so_far, t) for t in range(n)) / n

    def drawn(self, most: int) -> np.ndarray:
        """Return (n, p) masks of candidates of at most `most` DAGs, evenly spaced after the burn-in."""
        masks = np.concatenate([one.drawn for batch in self.kept for one in batch])
        return masks[np.linspace(0, len(masks) - 1, min(most, len(masks))).round().astype(int)]

    def agreement(self) -> Agreement:
        """Compare the chains."""
        kept, n = self.kept, len(self.chains)
        each = tuple(self.directed(kept, t) for t in range(n))
        values = each, [directed + directed.T for directed in each]
        between = [np.abs(of[a] - of[b]).max() for of in values for a, b in combinations(range(n), 2)]
        means, within = self._of_batches(kept)
        r_hat = np.ones_like(each[0])
        i, j = self.pairs.T
        r_hat[i, j] = r_hat[j, i] = _r_hat(means, within)
        shares = np.array([[batch[t].shares / RECORDS for batch in kept] for t in range(n)])
        error = max(_error(means), _error(shares.reshape(n, len(kept), -1)))
        return Agreement(each, r_hat, float(max(between, default=0.0)), error, _effective(means))

    def _of_batches(self, batches: list[list[ChainRecords]]) -> tuple[np.ndarray, np.ndarray]:
        """Return (chains, batches, m) means of P(adjacent) in each batch, and (chains, m) variances of records."""
        n = range(len(self.chains))
        means = np.array([[self._by_pair(batch[t].shares) / RECORDS for batch in batches] for t in n])
        # An order allows one direction of a pair, so the square of P(adjacent) is the sum of both squares.
        squares = np.array([self._by_pair(sum(batch[t].squares for batch in batches)) for t in n])
        return means, np.maximum(squares / (len(batches) * RECORDS) - means.mean(axis=1) ** 2, 0.0)

    def _by_pair(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self._pair_numbers.ravel(), values.ravel(), len(self.pairs) + 1)[:-1]


def _advanced(
    model: ParentSetModel,
    chain: Chain,
    rng: np.random.Generator,
    moves: int,
    goes_on: Callable[[], bool],
    *,
    of_partitions: bool,
) -> tuple[Chain, np.random.Generator, ChainRecords]:
    """Return a chain after a batch, its generator, and the batch."""
    kernel = chain_sampling.run_chain_of_partitions if of_partitions else chain_sampling.run_chain_of_orders
    model, chain = (type(one)(*(np.require(array, requirements="W") for array in one)) for one in (model, chain))
    (p, k), stop = model.candidates.shape, np.zeros(1, dtype=np.int8)
    drawn = np.zeros((RECORDS, p), dtype=np.int64)
    batch = ChainRecords(np.zeros((p, k)), np.zeros((p, k)), np.zeros((p, p)), drawn)
    at_once = max(1, min(RECORDS, WORK // (p * (moves + (1 << k)))))
    for first in range(0, RECORDS, at_once):
        goes_on()
        some = drawn[first : first + at_once]
        uniforms, of_draws = np.empty((len(some), moves, 4)), np.empty((len(some), p))
        for r in range(len(some)):  # the same order of draws for any number of records at once
            rng.random(out=uniforms[r])
            rng.random(out=of_draws[r])
        kernel(model, uniforms, of_draws, chain, batch._replace(drawn=some), stop)
    return chain, rng, batch


def _candidate_pairs(model: ParentSetModel) -> tuple[np.ndarray, np.ndarray]:
    """Return (m, 2) pairs with at least one candidate, and the (p, k) pair of each candidate, m for none."""
    p = len(model.flag)
    pairs = np.argwhere(np.triu((model.flag > 0) | (model.flag.T > 0)))
    number = np.full((p, p), len(pairs))
    number[tuple(pairs.T)] = number.T[tuple(pairs.T)] = np.arange(len(pairs))
    return pairs, np.where(are_candidates(model), number[np.arange(p)[:, None], model.candidates], len(pairs))


@dataclass(frozen=True, eq=False)
class Agreement:
    """The agreement of several chains.

    Attributes
    ----------
    directed : tuple of (p, p) float64 arrays
        P(i -> j) of each chain.
    r_hat : (p, p) float64 array
        R̂ of Gelman and Rubin for P(adjacent), of the halves of the chains; 1 if the pair is settled.
    difference : float
        The largest difference between two chains in the probability of an edge or arrow.
    error : float
        The largest standard error of the probability of an edge or arrow, estimated from the batches.
    effective : int
        Effective sample size: independent DAGs that would estimate the least certain edge as precisely.
    """

    directed: Annotated[tuple[np.ndarray, ...], by_pair]
    r_hat: ByPair
    difference: float
    error: float
    effective: int


def _open(means: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs that are not settled."""
    p = means.mean(axis=(0, 1))
    return (p > SETTLED) & (p < 1.0 - SETTLED)


def _r_hat(means: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Return (m,) R̂ from means of batches (chains, batches, m) and variances of records (chains, m)."""
    half = means.shape[1] // 2
    parts = np.concatenate([means[:, :half].mean(axis=1), means[:, -half:].mean(axis=1)]) if half else means[:, 0]
    inside, n = within.mean(axis=0), max(1, half) * RECORDS
    between = parts.var(axis=0, ddof=1) if len(parts) > 1 else np.zeros_like(inside)
    ratio = np.sqrt((n - 1) / n + between / np.maximum(inside, 1e-12))
    return np.where(_open(means), np.maximum(ratio, 1.0), 1.0)


def _error(means: np.ndarray) -> float:
    """Return the largest standard error of means over batches (chains, batches, m); 0 for m = 0."""
    flat = np.concatenate(means)
    return float((flat.std(axis=0, ddof=1) / np.sqrt(len(flat))).max(initial=0.0)) if len(flat) > 1 else 1.0


def _effective(means: np.ndarray) -> int:
    """Return the effective sample size: the minimum over pairs of p (1 - p) divided by the variance of the mean."""
    chains, batches = means.shape[:2]
    some, records = _open(means), chains * batches * RECORDS
    if not some.any() or chains * batches < 2:
        return records
    flat = means.reshape(chains * batches, -1)[:, some]
    p, variance = flat.mean(axis=0), flat.var(axis=0, ddof=1) / len(flat)
    return int(max(1, min(records, (p * (1.0 - p) / np.maximum(variance, 1e-12)).min())))
