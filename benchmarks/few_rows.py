"""Edge penalties of BDeu at few rows, and levels that do not occur: ``python -m benchmarks few_rows``.

BOSS on samples of 200 and 500 rows, the penalty of an edge at four multiples of the default; with the levels that the
network declares, and with those that occur in the sample alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from learners import Dataset, learn, load_network, sample
from learners.evaluation.metrics import jaccard, shd
from learners.graphs.cpdag import cpdag
from learners.networks.network import DiscreteNetwork
from learners.networks.random_networks import random_dag, random_discrete_network
from learners.scores.bdeu import default_edge_penalty

BUNDLED = ("child", "alarm", "insurance", "hailfinder", "mildew", "barley", "water", "win95pts", "hepar2", "sachs")
BUNDLED += ("asia", "survey")
SHAPES = ((20, 2.0, 71), (40, 2.0, 72), (20, 3.0, 73))  # columns, mean number of neighbours, seed
ARITIES = {"2": (2, 2), "3": (3, 3), "5": (5, 5), "2 to 6": (2, 6)}
ROWS = (200, 500)
SEED = 9_831
MULTIPLES = (0.0, 0.25, 0.5, 1.0)


def networks() -> Iterator[tuple[str, str, DiscreteNetwork]]:
    """Yield group, name and network: the bundled networks, then random ones for each number of levels."""
    for name in BUNDLED:
        yield "bundled", name, load_network(name)
    for (levels, (low, high)), (p, degree, seed) in product(ARITIES.items(), SHAPES):
        arity = np.random.default_rng(seed).integers(low, high + 1, p).tolist()
        network = random_discrete_network(random_dag(p, degree, seed), arity, seed, 0.5)
        yield "random", f"{levels} levels, {p} columns, {degree:g} neighbours", network


def occurring(data: Dataset) -> Dataset:
    """Return the table without levels that do not occur."""
    found = [np.unique(codes, return_inverse=True) for codes in data.codes]
    return Dataset.from_codes(np.array([codes for _, codes in found]), [len(one) for one, _ in found], data.names)


def main(argv: list[str] | None = None) -> None:
    """Print means by network, and by group."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks few_rows", description=__doc__)
    parser.add_argument("--samples", type=int, default=1, help="of each network and number of rows (default: 1)")
    seeds = range(SEED, SEED + parser.parse_args(argv).samples)
    rows = []
    for (group, name, network), n, seed in product(networks(), ROWS, seeds):
        data, truth = sample(network, n, seed=seed), cpdag(network.dag)
        for levels, table in (("declared", data), ("occurring", occurring(data))):
            for multiple in MULTIPLES:
                penalty = multiple * default_edge_penalty(n, data.p)
                graph = learn("boss", table, seed=0, edge_penalty=penalty).graph
                rows.append((group, name, n, levels, multiple, jaccard(graph, truth), shd(graph, truth)))
    frame = pd.DataFrame(rows, columns=["group", "network", "rows", "levels", "multiple", "JI", "SHD"])
    with pd.option_context("display.width", 200, "display.max_rows", 500):
        for by in (["group", "network", "rows", "levels"], ["group", "rows", "levels"]):
            print(
                frame.pivot_table(index=by, columns="multiple", values=["JI", "SHD"], sort=False).round(3).to_string()
            )


if __name__ == "__main__":
    main()
