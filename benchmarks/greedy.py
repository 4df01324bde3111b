"""GES with plain and extended BIC, without and with turns, against the truth: ``python -m benchmarks greedy``."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import pandas as pd

from learners import (
    BIC,
    PDAG,
    BDeu,
    DegenerateBIC,
    GaussianBIC,
    cpdag,
    ges,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    sample,
)
from learners.evaluation.metrics import jaccard, shd
from learners.scores.score import FamilyScore

SEED = 7_701  # first seed; not used for tuning
FEW, MANY, MIXED = (5, 8, 10, 12, 15, 20, 30), (50, 100, 200), (5, 10, 20, 40)  # numbers of variables
ROWS = {FEW: (50, 200, 1_000, 5_000), MANY: (100, 1_000, 10_000), MIXED: (200, 1_000, 5_000)}
NETWORKS = ("asia", "sachs", "child", "insurance", "alarm", "water", "hailfinder", "hepar2", "win95pts", "barley")


def main(argv: list[str] | None = None) -> None:
    """Print the requested tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks greedy", description=__doc__)
    parser.add_argument("parts", nargs="*", default=["few", "many", "mixed", "turns"], help="few, many, mixed, turns")
    parser.add_argument("--samples", type=int, default=5, help="networks of each size, or samples (default: 5)")
    options = parser.parse_args(argv)
    sizes = {"few": FEW, "many": MANY, "mixed": MIXED}
    for part in options.parts:
        rows = pd.DataFrame(_turns(options.samples) if part == "turns" else _prices(sizes[part], options.samples))
        print(rows.groupby("of", sort=False).mean(numeric_only=True).round(3).to_string(), end="\n\n")


def _prices(sizes: tuple[int, ...], samples: int) -> Iterator[dict]:
    """Compare plain and extended BIC with p edges for p variables, and with 2 p edges where possible."""
    for p in sizes:
        for n in ROWS[sizes]:
            for edges in (p, 2 * p)[: 1 + (2 * p <= p * (p - 1) / 4)]:
                for seed in range(SEED, SEED + samples):
                    mixed = sizes == MIXED
                    network = (random_mixed_network if mixed else random_gaussian_network)(p, edges, seed)
                    data, score = sample(network, n, seed=seed + 1_000), DegenerateBIC if mixed else GaussianBIC
                    row = {"of": f"{p} variables"}
                    for name, extended in (("bic", False), ("ebic", True)):
                        row |= _held(name, lambda s=score, d=data, e=extended: s(d, extended=e), cpdag(network.dag), {})
                    yield row


def _turns(samples: int) -> Iterator[dict]:
    """Compare GES without and with turns: categorical networks with 500 and 5 000 rows, linear ones by extended BIC."""
    for seed in range(SEED, SEED + samples):
        for name in NETWORKS:
            for n in (500, 5_000):
                data, truth = sample(load_network(name), n, seed=seed), cpdag(load_network(name).dag)
                for score in (BIC, BDeu):
                    yield _turned(score.__name__, lambda s=score, d=data: s(d), truth)
        for p in (10, 30, 100, 300):
            for n in (200, 5_000):
                network = random_gaussian_network(p, 2.0 * p if p > 10 else p, seed)
                data = sample(network, n, seed=seed + 1_000)
                yield _turned("linear", lambda d=data: GaussianBIC(d, extended=True), cpdag(network.dag))


def _turned(of: str, score: Callable[[], FamilyScore], truth: PDAG) -> dict:
    row = {"of": of} | _held("without", score, truth, {"turning": False}) | _held("with", score, truth, {})
    change = row["JI with"] - row["JI without"]
    return row | {"nearer": change > 0, "farther": change < 0}


def _held(name: str, score: Callable[[], FamilyScore], truth: PDAG, options: dict) -> dict[str, float]:
    own, began = score(), time.process_time()
    found = ges(own, **options).graph
    seconds = time.process_time() - began
    return {f"JI {name}": jaccard(found, truth), f"SHD {name}": shd(found, truth), f"CPU s {name}": seconds}


if __name__ == "__main__":
    main()
