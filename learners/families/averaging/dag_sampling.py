"""Posterior probabilities over all DAGs of up to 24 variables: exact sums over orders, and a chain of DAGs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated

import numpy as np

from ...common.checks import check_open_interval
from ...common.errors import DataError
from ...common.memory import CELL_BYTES, check_memory, graph_limit_bytes
from ...common.parallel import run_chunks, run_in_thread
from ...common.progress import Tick, silent
from ...common.validation import AtLeast, Positive, Seed, Threads, validated
from ...graphs.graph import PDAG, ancestors
from ...kernels.averaging.dag_chain import run_chain
from ...kernels.averaging.order_sums import draw_orders, fill_arrows, fill_orders, fill_subset_sums
from ...scores.score import FamilyScore
from .best_classes import local_scores
from .settings import MAX_VARIABLES

STEPS_AT_ONCE = 20_000
MIN_SHARE = 1e-4  # minimum probability of each state of a pair in a leap, so that leaps reach all DAGs


@dataclass(frozen=True, eq=False)
class OrderSums:
    """Sums over all orders of the variables.

    Attributes
    ----------
    directed : (p, p) float64 array
        Exact P(i -> j) under a uniform prior over orders, which favours DAGs with many orders.
    sums : (p, 2^(p-1)) float64 array
        ln of the sum over the parent sets within each mask of the other variables.
    first : (2^p,) float64 array
        ln weight of all orders of the variables of each mask.
    """

    directed: np.ndarray
    sums: np.ndarray
    first: np.ndarray

    def draw(self, n: int, seed: Seed) -> np.ndarray:
        """Draw (n, p) independent orders from the posterior."""
        p = len(self.directed)
        orders = np.empty((n, p), dtype=np.int64)
        draw_orders(self.sums, self.first, np.random.default_rng(seed).random((n, p)), orders)
        return orders


@dataclass(frozen=True, eq=False)
class OrderPosterior(OrderSums):
    """Exact posterior over the orders of the variables, as sums over all orders.

    Attributes
    ----------
    directed, sums, first : arrays
        As in `OrderSums`.
    local : (p, 2^p) float64 array
        Local score of each node with each set of parents as a bit mask; -inf if not allowed.
    """

    local: np.ndarray


@dataclass(frozen=True, eq=False)
class SampledDags:
    """DAGs of a chain, in order.

    Attributes
    ----------
    parents : (n, p) int64 array
        Parents of each node, as bit masks.
    n_leaps : int
        Number of proposed leaps.
    leaps_taken : float
        Share of accepted leaps.
    """

    parents: np.ndarray
    n_leaps: int
    leaps_taken: float

    @cached_property
    def _counted(self) -> tuple[list[np.ndarray], np.ndarray]:
        rows, times = np.unique(self.parents, axis=0, return_counts=True)
        bits = np.arange(self.parents.shape[1])
        return [(row[None, :] >> bits[:, None] & 1).astype(bool) for row in rows], times / times.sum()

    @cached_property
    def directed(self) -> np.ndarray:
        """(p, p): P(i -> j)."""
        return sum(share * dag for dag, share in zip(*self._counted, strict=True))

    @cached_property
    def adjacent(self) -> np.ndarray:
        """(p, p) symmetric: P(i and j are adjacent)."""
        return self.directed + self.directed.T

    @cached_property
    def blanket(self) -> np.ndarray:
        """(p, p) symmetric: P(i is in the Markov blanket of j)."""
        return sum(share * _blanket(dag) for dag, share in zip(*self._counted, strict=True))

    @cached_property
    def paths(self) -> np.ndarray:
        """(p, p): P(there is a directed path from i to j)."""
        return sum(share * ancestors(PDAG(dag)) for dag, share in zip(*self._counted, strict=True))


@validated
def order_posterior(
    score: FamilyScore,
    *,
    max_parents: Annotated[int, AtLeast(0)] | None = None,
    threads: Threads | None = None,
    tick: Tick = silent,
) -> OrderPosterior:
    """Compute exact probabilities of arrows under a uniform prior over orders.

    Parameters
    ----------
    score : FamilyScore
        For at most 24 variables.
    max_parents : int, optional
        Largest number of parents of a node. Default: no limit; with more than a dozen variables, about 4 is practical.
    threads, tick
        As in `learners.best_classes`.

    Raises
    ------
    DataError
        If there are too many variables.
    Stopped
        If cancelled.

    References
    ----------
    Koivisto and Sood (2004), Exact Bayesian structure discovery in Bayesian networks. JMLR 5; Koivisto (2006),
    Advances in exact Bayesian structure discovery in Bayesian networks, UAI.
    """
    p = score.p
    if p > MAX_VARIABLES:
        raise DataError(f"sums over orders take at most {MAX_VARIABLES} columns, found {p}; use fewer, or B-RAI")
    check_memory(
        2.0 * CELL_BYTES * p * (1 << p), f"sums over all sets of {p} columns", "use fewer columns", graph_limit_bytes
    )
    local = local_scores(score, max_parents)
    own = np.stack([np.delete(row.reshape(-1, 2, 1 << j), 1, axis=1).ravel() for j, row in enumerate(local)])
    sums, allowed = np.empty_like(own), own > -np.inf
    n_sets = allowed.sum(axis=1)
    sets = np.zeros((p, n_sets.max()), dtype=np.int64)
    for row, some in zip(sets, allowed, strict=True):
        row[: some.sum()] = np.flatnonzero(some)

    def sum_up(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
        fill_subset_sums(own, begin, end, sums, stop, done)

    run_chunks(sum_up, p, phase="parents", tick=tick, threads=threads)
    found = summed(sums, sets, np.take_along_axis(own, sets, axis=1), n_sets, threads, tick)
    local.flags.writeable = False
    return OrderPosterior(found.directed, found.sums, found.first, local)


def summed(
    sums: np.ndarray, sets: np.ndarray, scores: np.ndarray, n_sets: np.ndarray, threads: int | None, tick: Tick
) -> OrderSums:
    """Sum over all orders.

    Parameters
    ----------
    sums : (p, 2^(p-1)) float64 array
        As in `OrderSums`.
    sets, scores, n_sets : arrays
        Allowed parent sets as in `fill_arrows`.
    threads, tick
        As in `learners.best_classes`.

    Raises
    ------
    Stopped
        If cancelled.
    """
    p = len(sums)
    directed, weights = np.zeros((p, p)), np.empty((2, 1 << p))

    def orders(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
        fill_orders(sums, begin, end, weights, stop, done)

    def arrows(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
        fill_arrows(sets, scores, n_sets, weights, begin, end, directed, stop, done)

    run_chunks(orders, len(weights), phase="orders", tick=tick, threads=threads)
    run_chunks(arrows, p, phase="arrows", tick=tick, threads=threads)
    directed = np.clip(directed, 0.0, 1.0)
    directed.flags.writeable = False
    return OrderSums(directed, sums, weights[0])


@validated
def sample_dags(
    posterior: OrderPosterior,
    n: Positive,
    *,
    thin: Positive = 100,
    burn_in: Annotated[int, AtLeast(0)] = 20_000,
    leap: float = 0.1,
    seed: Seed = 0,
    tick: Tick = silent,
) -> SampledDags:
    """Run a Markov chain of DAGs under a uniform prior, with leaps to DAGs drawn from the sums over orders.

    Parameters
    ----------
    posterior : OrderPosterior
    n : int
        Number of DAGs returned.
    thin : int, default 100
        Number of steps between two DAGs. Only leaps take the chain from one mode to another, and few are accepted.
        Trust a chain only if chains with different seeds agree.
    burn_in : int, default 20000
        Number of steps before the first DAG.
    leap : float, default 0.1
        Share of proposed leaps among the steps.
    seed : int, default 0
    tick : Tick, optional
        Progress listener.

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    Stopped
        If cancelled.

    References
    ----------
    Eaton and Murphy (2007), Bayesian structure learning using dynamic programming and MCMC. UAI.
    """
    check_open_interval("leap", leap, 0.0, 1.0)
    p = len(posterior.directed)
    check_memory(CELL_BYTES * float(p) * (n + burn_in), f"{n:,} DAGs and {burn_in:,} before them", "lower n or burn_in")
    wanted = posterior.directed * (1.0 - 3.0 * MIN_SHARE) + MIN_SHARE
    log_q = np.log(wanted)
    rng = np.random.default_rng(seed)
    state, n_leapt = np.zeros(p, dtype=np.int64), np.zeros(2, dtype=np.int64)
    kept = np.empty((n, p), dtype=np.int64)
    discarded = np.empty((burn_in, p), dtype=np.int64)

    def run_steps(steps: int, every: int, into: np.ndarray) -> None:
        def piece(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
            uniforms = rng.random((end - begin, 4 + p * (p - 1) // 2))
            run_chain(posterior.local, log_q, leap, uniforms, state, every, into[begin // every :], n_leapt, stop, done)

        at_once = max(1, STEPS_AT_ONCE // every) * every
        for begin in range(0, steps, at_once):
            run_in_thread(partial(piece, begin, min(begin + at_once, steps)), phase="chain", tick=tick)

    run_steps(burn_in, 1, discarded)
    run_steps(n * thin, thin, kept)
    return SampledDags(kept, int(n_leapt[0]), float(n_leapt[1] / max(n_leapt[0], 1)))


def _blanket(dag: np.ndarray) -> np.ndarray:
    blanket = dag | dag.T | ((dag.astype(np.int64) @ dag.T.astype(np.int64)) > 0)
    np.fill_diagonal(blanket, False)
    return blanket
