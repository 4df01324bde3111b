"""Where should LMM cut its ranking of categorical and mixed tables? ``python -m benchmarks lmm_threshold``.

Skeletons at several thresholds γ of the joint CPPD, on networks and seeds that had no part in the choice of the
defaults: the mean Jaccard index of the skeleton, and in how many tables another threshold is nearer to the truth or
farther from it than the default.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from learners import Dataset, learn, load_network, random_mixed_network, sample
from learners.evaluation.metrics import jaccard
from learners.graphs.graph import PDAG
from learners.independence.tested_dependence import GAMMA_OF_CATEGORIES, GAMMA_OF_MIXED
from learners.networks.random_networks import random_dag, random_discrete_network

SEED = 910_401
BUNDLED = ("child", "insurance", "alarm", "water", "hepar2", "win95pts")
COLUMNS = (15, 30)
ROWS = (200, 1_000, 5_000)
THRESHOLDS = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
DEFAULTS = {"categorical": GAMMA_OF_CATEGORIES, "mixed": GAMMA_OF_MIXED}


def tables(n: int, seed: int) -> Iterator[tuple[str, Dataset, np.ndarray]]:
    """Yield the column type, the rows, and the true skeleton."""
    for name in BUNDLED:
        network = load_network(name)
        yield "categorical", sample(network, n, seed=seed), network.dag.skeleton
    for p, neighbours in product(COLUMNS, (2.0, 3.0)):
        arity = np.random.default_rng(seed).integers(2, 5, p).tolist()
        network = random_discrete_network(random_dag(p, neighbours, seed), arity, seed, 0.5)
        yield "categorical", sample(network, n, seed=seed), network.dag.skeleton
        mixed = random_mixed_network(p, neighbours * p / 2, seed)
        yield "mixed", sample(mixed, n, seed=seed), mixed.dag.skeleton


def main(argv: list[str] | None = None) -> None:
    """Print a line for each column type and number of rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks lmm_threshold", description=__doc__)
    parser.add_argument("--samples", type=int, default=3, help="of each network and number of rows (default: 3)")
    seeds = range(SEED, SEED + parser.parse_args(argv).samples)
    found = []
    for n, seed in product(ROWS, seeds):
        for number, (kind, data, truth) in enumerate(tables(n, seed)):
            for gamma in THRESHOLDS:
                skeleton = learn("lmm", data, gamma=gamma, orientation="none").graph.skeleton
                found.append((kind, n, (number, seed), gamma, jaccard(PDAG(skeleton), PDAG(truth))))
    frame = pd.DataFrame(found, columns=["columns", "rows", "table", "gamma", "JI"])
    for (kind, n), part in frame.groupby(["columns", "rows"]):
        by_table = part.pivot_table(index="table", columns="gamma", values="JI")
        default = by_table[DEFAULTS[kind]]
        cells = [
            f"{by_table[gamma].mean():.3f} ({(by_table[gamma] > default).sum()}, {(by_table[gamma] < default).sum()})"
            for gamma in THRESHOLDS
        ]
        print(f"| {kind}, {n:,} | {len(by_table)} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
