"""How often do the checks of a table warn? ``python -m benchmarks gates [--seed 940201] [--tables 20]``.

The first table counts false alarms: linear equations with normal noise, 10, 20 or 50 columns, 300, 2,000 or 10,000
rows. The second counts what is found in tables that violate an assumption, 20 columns and 2,000 rows. Each table is
checked as *Data* does it, with the graph of BOSS. ``--split`` counts instead the edges that BOSS finds in tables whose
slopes partly vanish half way: in the whole table, and in the parts before and after the change that is found.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from learners import Dataset, check_assumptions, learn

from . import worlds

SEED, TABLES = 940_201, 20
COLUMNS, ROWS = (10, 20, 50), (300, 2_000, 10_000)
FOUND = ("serial", "drifting", "nonlinear", "factors", "causes", "not checked")
DRIFTING = 0.2  # share of the slopes that vanish half way


def world(name: str) -> Callable[[int], Dataset]:
    """Return a function that draws a table of a world from a seed."""
    return lambda seed: worlds.simulate(name, seed).data


def serial(phi: float) -> Callable[[int], Dataset]:
    """Return a function that draws linear equations whose noise is autocorrelated by `phi`."""
    make = worlds.linear_world(noise=worlds.serial(phi))
    return lambda seed: make(np.random.default_rng(seed), 20, 2_000).data


def drifting(seed: int) -> Dataset:
    """Draw linear equations, a fifth of whose slopes vanish in the second half of the rows."""
    return _drifting(seed)[0]


def _drifting(seed: int) -> tuple[Dataset, np.ndarray, np.ndarray]:
    """Return such a table, and (20, 20) bool: the pairs with a slope before the change, and after it."""
    rng = np.random.default_rng(seed)
    weights = worlds.coefficients(rng, 20)
    later = np.where(rng.random(weights.shape) < DRIFTING, 0.0, weights)
    values = np.concatenate([worlds.linear(one, rng, 1_000) for one in (weights, later)])
    order = rng.permutation(20)
    before, after = (((one != 0) | (one != 0).T)[np.ix_(order, order)] for one in (weights, later))
    return Dataset.from_values(values[:, order], [f"v{k}" for k in range(20)]), before, after


def split_lines(seeds: range) -> list[str]:
    """Return lines of a Markdown table: the share of the edges found in whole tables and in their two parts."""
    half, found = np.triu_indices(20, 1), {"that vanish": [], "that stay": [], "that never were": []}
    misses = []
    for seed in seeds:
        data, before, after = _drifting(seed)
        change = check_assumptions(data).change
        misses.append(abs(change - 1_000))
        rows = np.arange(data.n)
        graphs = [
            learn("boss", one).graph.skeleton for one in (data, data.take(rows[:change]), data.take(rows[change:]))
        ]
        edges = np.array([graph[half] for graph in graphs])
        kinds = before & ~after, before & after, ~before
        for own, kind in zip(found.values(), kinds, strict=True):
            own.append(edges[:, kind[half]])
    lines = ["| edges | n | whole table | before | after |\n|---|--:|--:|--:|--:|"]
    for name, own in found.items():
        edges = np.concatenate(own, axis=1)
        shares = " | ".join(f"{100 * share:.1f} %" for share in edges.mean(axis=1))
        lines.append(f"| {name} | {edges.shape[1]} | {shares} |")
    return [*lines, f"Distance of the change in rows: {np.median(misses):.1f} (median), {max(misses)} (largest)"]


def sine(seed: int) -> Dataset:
    """Draw equations with sines of the parents."""
    make = worlds.curved_world(lambda x: np.sin(2.0 * x))
    return make(np.random.default_rng(seed), 20, 2_000).data


VIOLATED: dict[str, Callable[[int], Dataset]] = {
    "rows in series, .5": serial(0.5),
    "rows in series, .9": serial(0.9),
    "a fifth of the slopes vanish half way": drifting,
    "squares": world("squares"),
    "sine": sine,
    "tanh": world("tanh"),
    "interactions": world("interactions"),
    "copies": world("copies"),
    "questionnaire": world("questionnaire"),
    "three hidden": world("three hidden"),
    "three hubs hidden": world("three hubs hidden"),
    "Laplace noise, hubs hidden": world("Laplace noise, hubs hidden"),
    "Laplace noise, nothing hidden": world("Laplace noise"),
}


def gate(dataset: Dataset) -> str:
    """Return one of `FOUND`, or an empty text if all checks were done and found nothing."""
    found = check_assumptions(dataset)
    if found.serial is not None:
        return "serial"
    if found.violations:
        return found.violations[0].kind
    if found.hidden is not None:
        return found.hidden.kind
    return "not checked" if found.unread else ""


def line(name: str, tables: list[Dataset]) -> str:
    """Return a line: how many tables got each warning, and CPU seconds a table."""
    gate(tables[0])  # compiles the kernels
    began = time.process_time()
    found = Counter(map(gate, tables))
    seconds = (time.process_time() - began) / len(tables)
    warned = sum(found[kind] for kind in FOUND[:-1])
    cells = " | ".join(str(found[kind]) for kind in FOUND)
    return f"| {name} | {len(tables)} | {warned} | {cells} | {seconds:.2f} |"


def main(argv: list[str] | None = None) -> None:
    """Print how often each check warns, in clean tables and in others."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks gates", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the first table (default: {SEED:,})")
    parser.add_argument("--tables", type=int, default=TABLES, help=f"of each line (default: {TABLES})")
    parser.add_argument(
        "--columns", type=int, nargs="*", default=COLUMNS, help="of clean tables; none: only the others"
    )
    parser.add_argument("--clean", action="store_true", help="only clean tables")
    parser.add_argument("--split", action="store_true", help="only count edges before and after a change")
    options = parser.parse_args(argv)
    seeds = range(options.seed, options.seed + options.tables)
    if options.split:
        print("\n".join(split_lines(seeds)))
        return
    print(f"| tables | n | warned | {' | '.join(FOUND)} | CPU s a table |\n|---|" + "--:|" * (len(FOUND) + 3))
    for name, draw in ({} if options.clean else VIOLATED).items():
        print(line(name, [draw(seed) for seed in seeds]), flush=True)
    for n in ROWS:
        for p in options.columns:
            tables = [worlds.simulate("clean", seed, p, n).data for seed in seeds]
            print(line(f"clean, {p} columns, {n:,} rows", tables), flush=True)


if __name__ == "__main__":
    main()
