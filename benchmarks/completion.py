"""Graphs from tables with missing cells: ``python -m benchmarks.completion [LEARNER ...]``.

Jaccard index and SHD of the CPDAG on the complete table, on its rows as far as they have the cells of a score or test
("available"), and with cells imputed while learning ("auto"), and the times of the runs. None of the seeds had a part
in the choice of a default.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import product

import numpy as np

from learners import (
    Dataset,
    cpdag,
    learn,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    sample,
    with_missing_cells,
)
from learners.evaluation.metrics import jaccard, shd

SEEDS = (9401, 9402, 9403, 9404, 9405)
TABLES = (
    ("alarm", 1_000),
    ("alarm", 5_000),
    ("child", 1_000),
    ("insurance", 1_000),
    ("numbers", 1_000),
    ("mixed", 1_000),
)
CAUSES = (("mar", 0.1), ("mcar", 0.1), ("mcar", 0.3))
WAYS = ("complete", "available", "auto")
COLUMNS = 50  # columns of numeric tables, with 100 expected edges; mixed tables have 30 columns and 45 edges
MAX_SHARE = 0.2  # maximum share of missing numbers; beyond it, scores of available rows take minutes


def network(name: str, seed: int) -> object:
    """Return a bundled network, or a random one."""
    if name == "numbers":
        return random_gaussian_network(COLUMNS, 2 * COLUMNS, seed=seed)
    if name == "mixed":
        return random_mixed_network(30, 45, seed=seed)
    return load_network(name)


def runs(key: str, name: str, n: int, mechanism: str, share: float) -> Iterator[dict[str, tuple[float, int, float]]]:
    """Yield (Jaccard index, SHD, seconds) of each treatment in `WAYS`, for each seed."""
    for seed in SEEDS:
        made = network(name, seed)
        whole = sample(made, n, seed=seed + 100)
        holed = with_missing_cells(whole, share, mechanism, seed=seed + 200)
        found = {}
        for way in WAYS:
            if way == "available" and name != "alarm" and share > MAX_SHARE:
                continue
            found[way] = _judged(key, whole if way == "complete" else holed, way, cpdag(made.dag), seed)
        yield found


def _judged(key: str, data: Dataset, way: str, truth: object, seed: int) -> tuple[float, int, float]:
    began = time.perf_counter()
    graph = learn(key, data, seed=seed, **({} if way == "complete" else {"missing": way})).graph
    seconds = time.perf_counter() - began
    graph = cpdag(graph) if graph.is_dag else graph
    return jaccard(graph, truth), shd(graph, truth), seconds


def main() -> None:
    """Print a line for each learner, table and mechanism of missing cells."""
    print("| learner | table | missing | " + " | ".join(f"{way}: JI (range), SHD, s" for way in WAYS) + " |")
    print("|---" * 6 + "|")
    for key, (name, n), (mechanism, share) in product(sys.argv[1:] or ["boss"], TABLES, CAUSES):
        found = list(runs(key, name, n, mechanism, share))
        cells = []
        for way in WAYS:
            own = np.array([one[way] for one in found if way in one])
            if len(own):
                ji, distance, seconds = own.T
                cells.append(
                    f"{ji.mean():.3f} ({ji.min():.2f}-{ji.max():.2f}), {distance.mean():.1f}, {seconds.max():.2f}"
                )
            else:
                cells.append("-")
        print(f"| {key} | {name} {n:,} | {mechanism} {share:.0%} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
