"""Directions by noise of undirected edges: ``python -m benchmarks noise_directions``.

A table has 15 columns of linear equations over a random DAG of mean degree 2. BOSS learns its CPDAG, and
`directions_by_noise` compares the two directions of each undirected edge. A direction is right if the first variable
causes the second. With ``--hidden 3``, the three variables with most children are left out of the table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from benchmarks.worlds import laplace, linear_world, normal
from learners import check_assumptions, directions_by_noise, learn

COLUMNS, DEGREE = 15, 2.0
FIRST_SEED = 920_000
NOISES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "uniform": lambda rng, n: rng.uniform(-1.0, 1.0, n) * np.sqrt(3.0),
    "Laplace": laplace,
    "exponential": lambda rng, n: rng.exponential(size=n) - 1.0,
    "t, 5 degrees": lambda rng, n: rng.standard_t(5, n) / np.sqrt(5 / 3),
    "t, 10 degrees": lambda rng, n: rng.standard_t(10, n) / np.sqrt(10 / 8),
    "normal": normal,
}


def main(argv: list[str] | None = None) -> None:
    """Print a row for each noise and number of rows."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks noise_directions", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="of each kind (default: 20)")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help=f"of the first table (default: {FIRST_SEED:,})")
    parser.add_argument("--hidden", type=int, default=0, help="number of hidden variables (default: 0)")
    parser.add_argument("--rows", type=int, nargs="+", default=[500, 2_000])
    options = parser.parse_args(argv)
    print("| noise | rows | silent tables | undirected | settled | right | CPU s a table |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, noise in NOISES.items():
        make = linear_world(hidden=options.hidden, most=True, noise=noise, mean_degree=DEGREE)
        for n in options.rows:
            silent = undirected = settled = right = 0
            seconds = 0.0
            for seed in range(options.seed, options.seed + options.tables):
                table = make(np.random.default_rng(seed), COLUMNS, n)
                result = learn("boss", table.data)
                assumptions = check_assumptions(table.data, result)
                began = time.process_time()
                found = directions_by_noise(result, table.data, assumptions=assumptions)
                seconds += time.process_time() - began
                silent += bool(found.skipped)
                undirected += len(result.graph.undirected_edges())
                settled += len(found.settled)
                right += sum(bool(table.causes[edge.source, edge.target]) for edge in found.settled)
            print(
                f"| {name} | {n:,} | {silent} | {undirected} | {settled} | {right} | {seconds / options.tables:.3f} |"
            )
