"""Does Recommend hold on tables as users bring them? ``python -m benchmarks users_tables [--seeds A B]``.

Thirteen kinds of tables: missing cells, mixed, ordered levels, skewed numbers (also as normal scores), few rows, dense
graphs. On each table the learners that `recommend` ranks first to ninth run at their defaults. A line has the Jaccard
index of the CPDAG of the recommended learner, of the second one and of the best one. No table had a part in what
`recommend` knows.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import product

import numpy as np

from learners import (
    Dataset,
    learn,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    recommend,
    sample,
    with_missing_cells,
)
from learners.data.normal_scores import normal_scores
from learners.evaluation.metrics import jaccard
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.networks.random_networks import random_dag, random_discrete_network

SEEDS = (910_001, 910_002, 910_003)
LEARNERS = 9
LEVELS = (-1.0, -0.3, 0.3, 1.0)  # cut points of an ordinal answer, in standard deviations
Table = tuple[Dataset, PDAG]


def _bundled(name: str, n: int, seed: int) -> Table:
    network = load_network(name)
    return sample(network, n, seed=seed), network.dag


def _numbers(p: int, edges: float, n: int, seed: int) -> Table:
    network = random_gaussian_network(p, edges, seed=seed)
    return sample(network, n, seed=seed), network.dag


def _mixed(p: int, edges: float, n: int, seed: int) -> Table:
    network = random_mixed_network(p, edges, seed=seed)
    return sample(network, n, seed=seed), network.dag


def _levels(p: int, degree: float, n: int, seed: int) -> Table:
    dag = random_dag(p, degree, seed)
    arity = np.random.default_rng(seed).integers(2, 5, p).tolist()
    return sample(random_discrete_network(dag, arity, seed, 0.5), n, seed=seed), dag


def _standardized(data: Dataset) -> np.ndarray:
    values = data.values
    values = values if values.shape[0] == data.n_rows else values.T
    return (values - values.mean(axis=0)) / values.std(axis=0)


def _ordinal(table: Table) -> Table:
    data, dag = table
    codes = np.digitize(_standardized(data), LEVELS).T
    return Dataset.from_codes(codes, [len(LEVELS) + 1] * data.p, data.names), dag


def _skewed(table: Table) -> Table:
    data, dag = table
    return Dataset.from_values(np.exp(_standardized(data)), data.names), dag


def _normal(table: Table) -> Table:
    """Return the normal scores of all columns, which *Data* proposes for skewed ones."""
    data, dag = table
    scores = np.column_stack([normal_scores(column) for column in _standardized(data).T])
    return Dataset.from_values(scores, data.names), dag


def _with_holes(table: Table, mechanism: str, seed: int) -> Table:
    return with_missing_cells(table[0], 0.1, mechanism, seed=seed), table[1]


TABLES: dict[str, Callable[[int], Table]] = {
    "child, 300 rows": lambda seed: _bundled("child", 300, seed),
    "hepar2, 200 rows": lambda seed: _bundled("hepar2", 200, seed),
    "categories, 10 % missing (MAR)": lambda seed: _with_holes(_bundled("insurance", 1_000, seed), "mar", seed),
    "categories, dense": lambda seed: _levels(15, 4.0, 1_000, seed),
    "ordered levels": lambda seed: _ordinal(_numbers(15, 20, 500, seed)),
    "numbers, 60 rows": lambda seed: _numbers(30, 30, 60, seed),
    "numbers, dense": lambda seed: _numbers(20, 60, 1_000, seed),
    "numbers, 10 % missing (MCAR)": lambda seed: _with_holes(_numbers(20, 25, 500, seed), "mcar", seed),
    "numbers, skewed": lambda seed: _skewed(_numbers(20, 25, 500, seed)),
    "numbers, skewed, as normal scores": lambda seed: _normal(_skewed(_numbers(20, 25, 500, seed))),
    "mixed": lambda seed: _mixed(20, 25, 500, seed),
    "mixed, 10 % missing (MAR)": lambda seed: _with_holes(_mixed(20, 25, 1_000, seed), "mar", seed),
    "mixed, 150 rows": lambda seed: _mixed(12, 15, 150, seed),
}


def judged(data: Dataset, dag: PDAG, seed: int) -> tuple[list[str], dict[str, float]]:
    """Return the learners that are recommended first and second, then others by rank, and the Jaccard index of each."""
    ranked = [one.key for one in recommend(data, "graph", n_choices=LEARNERS).choices]
    truth = cpdag(dag)
    found = {}
    for key in ranked:
        graph = learn(key, data, seed=seed).graph
        found[key] = jaccard(cpdag(graph) if graph.is_dag else graph, truth)
    return ranked, found


def main(argv: list[str] | None = None) -> None:
    """Print a line for each table, and how often the recommended learner is within 5 and 10 % of the best."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks users_tables", description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS)
    seeds = parser.parse_args(argv).seeds
    print("| table | seed | recommended: JI | second | best | share of the best, one / two | s |")
    print("|---|--:|---|---|---|---|--:|")
    shares = []
    for name, seed in product(TABLES, seeds):
        began = time.perf_counter()
        ranked, found = judged(*TABLES[name](seed), seed)
        best = max(found, key=found.get)
        top = max(found[best], 1e-9)
        shares.append((found[ranked[0]] / top, max(found[key] for key in ranked[:2]) / top))
        first, second = (f"{key}: {found[key]:.3f}" for key in ranked[:2])
        print(
            f"| {name} | {seed} | {first} | {second} | {best}: {found[best]:.3f} | "
            f"{shares[-1][0]:.2f} / {shares[-1][1]:.2f} | {time.perf_counter() - began:.0f} |",
            flush=True,
        )
    for what, one in zip(("one", "two"), np.array(shares).T, strict=True):
        within = [f"{(one >= 1.0 - off).sum()} of {len(one)} within {off:.0%}" for off in (0.05, 0.1)]
        print(f"{what}: {', '.join(within)}; mean share {one.mean():.3f}")


if __name__ == "__main__":
    main()
