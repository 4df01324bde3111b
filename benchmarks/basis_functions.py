"""Basis functions beside linear tests and scores: ``python -m benchmarks.basis_functions [TABLES [FIRST_SEED]]``.

Recall and precision of the skeleton and SHD of the CPDAG, in worlds of linear and nonlinear relations between 20
numbers, and the CPU seconds of 50 numbers. ``python -m benchmarks.basis_functions level [TABLES [FIRST_SEED]]`` prints
the share of tests that reject a true independence given one or two common causes. ``... mixed [TABLES [FIRST_SEED]]``
prints recall, precision and SHD for tables whose columns are partly categorical.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from time import process_time

import numpy as np
import pandas as pd

from learners import BasisTest, Dataset, FisherZ, cpdag, learn
from learners.evaluation.metrics import shd
from learners.graphs.graph import PDAG
from learners.independence.ci_test import CITest

from .worlds import Simulated, World, coefficients, curved_world, laplace, linear_world

FIRST_SEED, TABLES, ROWS, COLUMNS, MANY_COLUMNS = 950_001, 20, (300, 1_000), 20, 50
LEVEL_TABLES, LEVEL_SEED, ALPHA = 2_000, 951_001, 0.05
MIXED_SEED, MIXED_SHARE = 971_001, 0.4
WORLDS: dict[str, World] = {
    "linear": linear_world(),
    "linear, Laplace noise": linear_world(noise=laplace),
    "tanh": curved_world(lambda x: np.tanh(2 * x)),
    "products": curved_world(lambda x: x, product=1.0),
    "square": curved_world(np.square),
    "sine": curved_world(lambda x: np.sin(2 * x)),
    "fast sine": curved_world(lambda x: np.sin(3 * x)),
}
CURVES = {"line": lambda x: x, "square": np.square, "sine": lambda x: np.sin(2 * x)}
RUNS = {
    "PC": ("pc", {}),
    "PC, basis": ("pc", {"test": "basis"}),
    "BOSS": ("boss", {}),
    "BOSS, basis": ("boss", {"score": "basis"}),
}


def mixed_world(curve: Callable[[np.ndarray], np.ndarray]) -> World:
    """Return a world of curves between numbers, in which two of five columns are categorical with three levels.

    A level shifts its numeric children by a random amount; a categorical child takes the level of the largest sum of a
    random multiple of each parent's part and of Gumbel noise.
    """

    def make(rng: np.random.Generator, p: int, n: int) -> Simulated:
        weights, levels = coefficients(rng, p), rng.random(p) < MIXED_SHARE
        parts, columns = np.zeros((n, p)), {}
        for j in range(p):
            own = sum((weights[i, j] * parts[:, i] for i in np.flatnonzero(weights[:, j])), np.zeros(n))
            if levels[j]:
                utility = own[:, None] * rng.permutation([-2.0, 0.0, 2.0]) + rng.gumbel(size=(n, 3))
                codes = utility.argmax(axis=1)
                parts[:, j] = rng.permutation([-1.2, 0.0, 1.2])[codes]
                columns[j] = np.array(list("abc"))[codes]
            else:
                values = own + rng.standard_normal(n)
                values = (values - values.mean()) / values.std()
                parts[:, j] = curve(values)
                columns[j] = values
        seen = rng.permutation(p)
        frame = pd.DataFrame({f"v{k + 1}": columns[j] for k, j in enumerate(seen.tolist())})
        return Simulated(Dataset.from_frame(frame), weights != 0, seen)

    return make


MIXED_WORLDS: dict[str, World] = {
    "linear": mixed_world(lambda x: x),
    "square": mixed_world(np.square),
    "sine": mixed_world(lambda x: np.sin(2 * x)),
}


def errors(made: Simulated, run: str) -> tuple[float, float, float]:
    """Return recall and precision of the skeleton in %, and the SHD of the CPDAG."""
    key, settings = RUNS[run]
    graph = learn(key, made.data, **settings).graph
    true = cpdag(PDAG(made.dag[np.ix_(made.seen, made.seen)]))
    found, there = graph.skeleton > 0, true.skeleton > 0
    right = (found & there).sum()
    return 100 * right / there.sum(), 100 * right / max(found.sum(), 1), shd(graph, true)


def show(worlds: Mapping[str, World], n_tables: int, first_seed: int) -> None:
    """Print recall, precision and SHD of each run in each world."""
    print("| rows | world |" + "".join(f" {run} |" for run in RUNS) + "\n|--:|---|" + "---|" * len(RUNS))
    for n in ROWS:
        for name, make in worlds.items():
            cells = []
            for run in RUNS:
                tables = (make(np.random.default_rng(first_seed + k), COLUMNS, n) for k in range(n_tables))
                recall, precision, distance = np.mean([errors(made, run) for made in tables], axis=0)
                cells.append(f" {recall:.0f} / {precision:.0f} / {distance:.1f} |")
            print(f"| {n} | {name} |" + "".join(cells), flush=True)


def main(n_tables: int = TABLES, first_seed: int = FIRST_SEED) -> None:
    """Print the table, and the CPU seconds of runs on 50 numbers."""
    show(WORLDS, n_tables, first_seed)
    made = WORLDS["square"](np.random.default_rng(first_seed), MANY_COLUMNS, ROWS[-1])
    for run in RUNS:
        errors(made, run)
        begin = process_time()
        errors(made, run)
        print(f"{run}, {MANY_COLUMNS} numbers, {ROWS[-1]} rows: {process_time() - begin:.2f} CPU s")


def independent_pair(n: int, size: int, curve: str, seed: int) -> Dataset:
    """Return a table whose first two columns are independent given the `size` others, their causes."""
    rng = np.random.default_rng(seed)
    causes = rng.standard_normal((n, size))
    effect = CURVES[curve](causes).sum(axis=1) if size else 0.0
    ends = [effect + rng.standard_normal(n) for _ in range(2)]
    return Dataset.from_values(np.column_stack([*ends, causes]), list("xyab")[: 2 + size])


def show_level(n_tables: int = LEVEL_TABLES, first_seed: int = LEVEL_SEED) -> None:
    """Print the share of true independences that each test rejects at 5 %."""
    print("| rows | causes | curve | Fisher's z | basis functions |\n|--:|--:|---|--:|--:|")
    tests: tuple[type[CITest], ...] = (FisherZ, BasisTest)
    for n in ROWS:
        for size, curve in [(0, "line"), *((size, curve) for size in (1, 2) for curve in CURVES)]:
            rejected = np.zeros(len(tests))
            for k in range(n_tables):
                data = independent_pair(n, size, curve, first_seed + k)
                rejected += [kind(data).test(0, 1, range(2, 2 + size)).p_value <= ALPHA for kind in tests]
            shares = "".join(f" {share:.1f} |" for share in 100 * rejected / n_tables)
            print(f"| {n} | {size} | {curve} |" + shares, flush=True)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["level"]:
        show_level(*map(int, arguments[1:]))
    elif arguments[:1] == ["mixed"]:
        given = [*map(int, arguments[1:])]
        show(MIXED_WORLDS, *given, *(TABLES, MIXED_SEED)[len(given) :])
    else:
        main(*map(int, arguments))
