"""The k best equivalence classes of a small network, by dynamic programming."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated

import numpy as np

from ...common.errors import DataError
from ...common.memory import CELL_BYTES, check_memory
from ...common.parallel import run_chunks
from ...common.progress import Tick, silent
from ...common.validation import AtLeast, Positive, Threads, validated
from ...evaluation.posterior import RankedClass
from ...graphs.cpdag import cpdag
from ...graphs.graph import PDAG
from ...kernels.averaging.k_best import best_of_layer
from ...scores.score import FamilyScore

MAX_VARIABLES = 14
SEED = 20_140  # seed of the hash keys of edges; any value works


@validated
def best_classes(
    score: FamilyScore,
    k: Positive,
    *,
    max_parents: Annotated[int, AtLeast(0)] | None = None,
    threads: Threads | None = None,
    tick: Tick = silent,
) -> tuple[RankedClass, ...]:
    """Find the k equivalence classes with the highest scores, the best first, or all if there are fewer.

    Parameters
    ----------
    score : FamilyScore
        A score-equivalent score of at most 14 variables.
    k : int
    max_parents : int, optional
        Largest number of parents of a node. Default: no limit. With a limit, only classes with a DAG within it.
    threads : int, optional
        Default: the available cores. The result does not depend on it.
    tick : Tick, optional
        Progress listener.

    Returns
    -------
    tuple of RankedClass
        Input of a `Posterior`.

    Raises
    ------
    DataError
        If there are too many variables.
    ParameterError
        If `k` or `max_parents` is out of range.
    Stopped
        If cancelled.

    Notes
    -----
    Time and memory are proportional to 2^p p k.

    References
    ----------
    Chen and Tian (2014), Finding the k-best equivalence classes of Bayesian network structures for model averaging.
    AAAI.

    Examples
    --------
    >>> from learners import BDeu, best_classes, load_sample
    >>> asia = load_sample("asia").dataset
    >>> len(best_classes(BDeu(asia), 20, max_parents=3))
    20
    """
    p = score.p
    if p > MAX_VARIABLES:
        raise DataError(f"the exact search takes at most {MAX_VARIABLES} columns, found {p}; use fewer, or B-RAI")
    check_memory(
        CELL_BYTES * (p + 2.0) * k * (1 << p), f"the best {k:,} classes of each subset of {p} columns", "lower k"
    )
    local = local_scores(score, max_parents)
    ranked = np.argsort(-local, axis=1, kind="stable")
    n_ranked = (local > -np.inf).sum(axis=1)
    rng = np.random.default_rng(SEED)
    edge = rng.integers(1, 1 << 63, (p, p), dtype=np.uint64)
    keys = np.triu(edge) + np.triu(edge, 1).T, rng.integers(1, 1 << 63, (p, p, p), dtype=np.uint64)
    scores, own = np.zeros((1 << p, k)), np.zeros((1 << p, k), dtype=np.uint64)
    parents, n_of = np.zeros((1 << p, k, p), dtype=np.int64), np.zeros(1 << p, dtype=np.int64)
    own[0, 0], n_of[0] = rng.integers(1, 1 << 63, dtype=np.uint64), 1  # 0 marks an empty slot of the table
    sizes = np.array([mask.bit_count() for mask in range(1 << p)])
    for size in range(1, p + 1):
        subsets = np.flatnonzero(sizes == size)

        def layer(begin: int, end: int, stop: np.ndarray, done: np.ndarray, subsets: np.ndarray = subsets) -> None:
            best_of_layer(
                subsets, begin, end, local, ranked, n_ranked, *keys, scores, own, parents, n_of, stop, done
            )  # fmt: skip

        run_chunks(layer, len(subsets), phase=f"classes of {size}", tick=tick, threads=threads)
    whole = (1 << p) - 1
    graphs = (cpdag(_dag(parents[whole, t])) for t in range(n_of[whole]))
    return tuple(RankedClass(graph, float(scores[whole, t])) for t, graph in enumerate(graphs))


def local_scores(score: FamilyScore, max_parents: int | None = None) -> np.ndarray:
    """Return (p, 2^p) local scores of each node with each set of parents as a bit mask; -inf if not allowed."""
    p = score.p
    most = p - 1 if max_parents is None else min(max_parents, p - 1)
    local = np.full((p, 1 << p), -np.inf)
    for j in range(p):
        others = [i for i in range(p) if i != j]
        for size in range(most + 1):
            for parents in combinations(others, size):
                local[j, sum(1 << i for i in parents)] = score.local(j, parents)
    return local


def _dag(parents: np.ndarray) -> PDAG:
    """Return the DAG with these masks of parents."""
    p = len(parents)
    return PDAG((parents[None, :] >> np.arange(p)[:, None] & 1).astype(bool))
