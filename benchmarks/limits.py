"""Speed of each kernel relative to the limit of the machine.

See "How far from the machine's limit" in the README.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from learners import BIC, BDeu, Dataset
from learners.common.progress import silent
from learners.independence import G2
from learners.kernels.ci.partial_correlation import partial_correlation
from learners.kernels.compiling import kernel
from learners.kernels.counting.contingency import dense_g2, fill_strata
from learners.kernels.counting.popcount import count_and
from learners.kernels.scores.bdeu_and_bic import fit_discrete

from .cost_grid import repeat_planes
from .problem import Answer, Run

N = 25_000
WORDS = (N + 63) // 64
ROUNDS = 5


def popcounts() -> Run:
    """Time one AND and popcount of 64 rows in the first-level cache: the unit of all other figures."""
    a, b = np.random.default_rng(0).integers(0, 2**63, (2, WORDS)).astype(np.uint64)

    def run() -> Answer:
        seconds = _fastest(repeat_count, a, b, 20_000) / (20_000 * WORDS)
        return Answer(seconds=seconds, note=f"{1e-9 / seconds:.2f} words of 64 rows a nanosecond")

    return run


def triple_tables(*, states: int) -> Run:
    """Time one table of three variables with the given number of states, with all pairs counted before."""
    rng = np.random.default_rng(states)
    data = Dataset.from_codes(rng.integers(0, states, (3, N)), [states] * 3, list("xyz"))

    def run() -> Answer:
        test = G2(data, threads=1)
        cond = np.array([2], dtype=np.int32)
        test._prepare("", silent)
        scratch = test._scratch(len(cond))
        seconds = _fastest(repeat_planes, test._sample, 0, 1, cond, scratch, 2_000) / 2_000
        words = (states - 1) ** 3 * WORDS
        return Answer(seconds=seconds, note=_share(seconds, words))

    return run


def all_pairs() -> Run:
    """Time the tables of all pairs of 200 variables of 2 to 4 states; return the time per pair."""
    rng = np.random.default_rng(1)
    arity = np.tile([2, 3, 4, 2], 50)
    data = Dataset.from_codes([rng.integers(0, r, N) for r in arity], arity, [f"v{k}" for k in range(200)])

    def run() -> Answer:
        test = G2(data, threads=1)
        began = time.perf_counter()
        test._prepare("", silent)
        n_pairs = 200 * 199 // 2
        seconds = (time.perf_counter() - began) / n_pairs
        free = sum((arity[x] - 1) * (arity[y] - 1) for x in range(200) for y in range(x)) / n_pairs
        return Answer(seconds=seconds, note=_share(seconds, free * WORDS))

    return run


def codes() -> Run:
    """Time one row of a table of three variables, counted from the codes; the limit is reading its three bytes."""
    rng = np.random.default_rng(2)
    data = Dataset.from_codes(rng.integers(0, 3, (3, N)), [3] * 3, list("xyz"))
    sample, z, cond = G2(data)._sample, np.empty(N, dtype=np.int64), np.array([2], dtype=np.int32)

    def run() -> Answer:
        seconds = _fastest(repeat_codes, sample.codes, data.arity, sample.weights, cond, z, sample.xlogx, 200)
        return Answer(seconds=seconds / (200 * N), note="a row")

    return run


def correlation() -> Run:
    """Time the correlation matrix of 1 000 columns and 10 000 rows, and the plain product of the same matrices."""
    values = np.random.default_rng(3).normal(size=(10_000, 1_000))

    def run() -> Answer:
        data = Dataset.from_values(values, [f"v{k}" for k in range(1_000)])
        began = time.perf_counter()
        _ = data.correlation
        seconds = time.perf_counter() - began
        product = min(_seconds(lambda: values.T @ values) for _ in range(3))
        flops = 10_000 * 1_000 * 1_000 / 1e9  # half of 2 n p², because the product of a matrix with itself is symmetric
        return Answer(
            seconds=seconds,
            note=f"{flops / seconds:.0f} GFLOP/s; the bare product {flops / product:.0f}, {product / seconds:.0%}",
        )

    return run


def partial_correlations(*, size: int) -> Run:
    """Time one partial correlation of 200 variables, given `size` others."""
    corr = np.corrcoef(np.random.default_rng(4).normal(size=(200, 500)))

    def run() -> Answer:
        cond = np.arange(2, 2 + size, dtype=np.int32)
        seconds = _fastest(repeat_rho, corr, cond, 200_000) / 200_000
        return Answer(seconds=seconds, note="a ρ")

    return run


def families(*, bdeu: bool) -> Run:
    """Time one family of two parents of 3 states each.

    The limit is the time of ANDs and popcounts for its free cells.
    """
    rng = np.random.default_rng(5)
    data = Dataset.from_codes(rng.integers(0, 3, (34, N)), [3] * 34, [f"v{k}" for k in range(34)])

    def run() -> Answer:
        sample = (BDeu(data) if bdeu else BIC(data)).sample
        candidates, out = np.arange(2, 34), np.empty(32)
        seconds = _fastest(fit_discrete, sample, 0, np.array([1]), candidates, out) / len(candidates)
        return Answer(seconds=seconds, note=_share(seconds, 3 * 3 * 2 * WORDS))

    return run


def _share(seconds: float, words: float) -> str:
    """Describe the time of ANDs and popcounts of this many words at the raw rate, and its share of `seconds`."""
    a, b = np.random.default_rng(0).integers(0, 2**63, (2, WORDS)).astype(np.uint64)
    raw = _fastest(repeat_count, a, b, 5_000) / (5_000 * WORDS)
    return f"{words:.0f} words at the raw rate: {1e9 * words * raw:.3g} ns, {words * raw / seconds:.0%} of it"


def _fastest(kernel: Callable[..., object], *arguments: object) -> float:
    kernel(*arguments)
    return min(_seconds(lambda: kernel(*arguments)) for _ in range(ROUNDS))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


@kernel
def repeat_count(a, b, times):
    """Repeat AND and popcount of the same words.

    One bit changes each time, so that the compiler cannot hoist the work out of the loop.
    """
    total = 0
    for k in range(times):
        a[k % a.shape[0]] ^= np.uint64(1)
        total += count_and(a, b)
    return total


@kernel
def repeat_codes(codes, arity, weights, cond, z, xlogx, times):
    """Count the contingency table of the first two variables given a set, from the codes."""
    total = 0.0
    for _ in range(times):
        q = fill_strata(codes, arity, cond, cond.shape[0], z)
        total += dense_g2(codes[0], codes[1], arity[0], arity[1], weights, z, q, xlogx)[0]
    return total


@kernel
def repeat_rho(corr, cond, times):
    """Compute partial correlations of changing partners given one set."""
    total = 0.0
    p = corr.shape[0]
    for k in range(times):
        y = 8 + k % (p - 8)
        rho, _ = partial_correlation(corr, 0, y, cond, cond.shape[0])
        total += math.fabs(rho)
    return total
