"""Ordered levels beside plain ones: ``python -m benchmarks.ordered_levels [TABLES [FIRST_SEED [WEIGHT ...]]]``.

True and false edges of skeletons from tables of 20 ordered columns with 25 edges and 300 rows. WEIGHT is the share of
alpha that the trend takes. `python -m benchmarks.type_one levels` has the share of tests that reject a true
independence. ``python -m benchmarks.ordered_levels scores [TABLES [FIRST_SEED]]`` compares scores.

`latent`: a Gaussian network, each column cut into 3 to 5 levels. `cumulative`: each column has a cumulative logit of
its parents' levels. `curved`: the same, but a third of the links are U-shaped. `nominal`: random tables, whose order
means nothing.
"""

from __future__ import annotations

import sys
from itertools import product
from unittest.mock import patch

import numpy as np

from learners import PDAG, Dataset, cpdag, learn
from learners.evaluation.metrics import shd
from learners.independence import ordered_g2

FIRST_SEED, TABLES, ROWS, COLUMNS, EDGES = 910_001, 30, 300, 20, 25
LEARNERS = {
    "pc, sets of 0": ("pc", {"max_cond_size": 0}),
    "pc, sets of 0 or 1": ("pc", {"max_cond_size": 1}),
    "pc": ("pc", {}),
    "mmpc": ("mmpc", {}),
}
SCORES = ("bic", "bdeu", "ranks")
KINDS = ("latent", "cumulative", "curved", "nominal")


def _cut(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    share = rng.dirichlet(np.full(rng.choice((3, 4, 5)), 5.0))
    return np.searchsorted(np.quantile(values, np.cumsum(share)[:-1]), values)


def _standardized(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / max(values.std(), 1e-9)


def table(kind: str, seed: int, n: int = ROWS) -> tuple[Dataset, np.ndarray]:
    """Return a table of `n` rows of ordered columns and the (p, p) bool skeleton of its DAG."""
    return table_with_dag(kind, seed, n)[:2]


def table_with_dag(kind: str, seed: int, n: int) -> tuple[Dataset, np.ndarray, PDAG]:
    """Return a table of ordered columns, the (p, p) bool skeleton of its DAG, and the DAG."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(COLUMNS)
    pairs = np.column_stack(np.triu_indices(COLUMNS, 1))
    amat = np.zeros((COLUMNS, COLUMNS), dtype=bool)
    amat[tuple(order[rng.choice(pairs, EDGES, replace=False)].T)] = True
    values, codes = np.zeros((COLUMNS, n)), np.zeros((COLUMNS, n), dtype=np.int64)
    for v in order:
        parents = np.flatnonzero(amat[:, v])
        signs = rng.choice((-1, 1), len(parents))
        if kind == "latent":
            values[v] = (signs * rng.uniform(0.4, 1.0, len(parents))) @ values[parents] + rng.normal(size=n)
            codes[v] = _cut(values[v], rng)
        elif kind == "nominal":
            place = np.zeros(n, dtype=np.int64)
            for parent in parents:
                place = place * 5 + codes[parent]
            shares = rng.dirichlet(np.full(rng.choice((3, 4)), 0.5), place.max() + 1)
            codes[v] = (rng.random(n)[:, None] > np.cumsum(shares, axis=1)[place]).sum(axis=1)
            codes[v] = np.minimum(codes[v], shares.shape[1] - 1)
        else:
            total = rng.logistic(size=n)
            for parent, sign in zip(parents, signs, strict=True):
                level = _standardized(codes[parent])
                if kind == "curved" and rng.random() < 1 / 3:
                    level = _standardized(level**2)
                total += sign * rng.uniform(0.8, 2.0) * level
            codes[v] = _cut(total, rng)
    return (
        Dataset.from_codes(codes, codes.max(axis=1) + 1, [f"v{v}" for v in range(COLUMNS)]),
        amat | amat.T,
        PDAG(amat),
    )


def counts(learner: str, kind: str, seed: int, weight: float) -> tuple[int, int]:
    """Return the true and the false edges that a learner finds; the levels have no order if the weight is 0."""
    data, truth = table(kind, seed)
    key, params = LEARNERS[learner]
    with patch.object(ordered_g2, "TREND_WEIGHT", weight):
        result = learn(key, data.with_ordered_levels(data.names if weight else []), **params)
    edges = np.asarray(result.graph.skeleton) > 0
    return int((edges & truth).sum() // 2), int((edges & ~truth).sum() // 2)


def main(n_tables: int = TABLES, first_seed: int = FIRST_SEED, *weights: float) -> None:
    """Print the table, for one or more weights of the trend."""
    weights = (0.0, *(weights or (ordered_g2.TREND_WEIGHT,)))
    titles = " | ".join(f"weight {weight:.3g}" if weight else "plain" for weight in weights)
    print(f"| kind | learner | true and false edges: {titles} |\n|---|---|" + "---|" * len(weights))
    for kind in KINDS:
        for learner in LEARNERS:
            cells = []
            for weight in weights:
                found = [counts(learner, kind, seed, weight) for seed in range(first_seed, first_seed + n_tables)]
                cells.append(" / ".join(f"{count:.1f}" for count in np.mean(found, axis=0)))
            print(f"| {kind} | {learner} | " + " | ".join(cells) + " |", flush=True)


def show_scores(n_tables: int = 20, first_seed: int = 930_101) -> None:
    """Print true edges, false edges and SHD of searches by the scores of categorical data."""
    print("| rows | kind | learner |" + "".join(f" {score} |" for score in SCORES) + "\n|--:|---|---|---|---|---|")
    for n, kind, learner in product((300, 1_000), KINDS, ("hc", "boss")):
        cells = []
        for score in SCORES:
            found = []
            for seed in range(first_seed, first_seed + n_tables):
                data, truth, dag = table_with_dag(kind, seed, n)
                graph = learn(learner, data.with_ordered_levels(data.names), score=score).graph
                edges = graph.skeleton
                found.append(((edges & truth).sum() // 2, (edges & ~truth).sum() // 2, shd(graph, cpdag(dag))))
            cells.append(" / ".join(f"{count:.1f}" for count in np.mean(found, axis=0)))
        print(f"| {n} | {kind} | {learner} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["scores"]:
        show_scores(*map(int, sys.argv[2:4]))
    else:
        main(*map(int, sys.argv[1:3]), *map(float, sys.argv[3:]))
