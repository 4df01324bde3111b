"""Speed of tests on mixed data and with missing values: ``python -m benchmarks.mixed``. Ratios within one run.

One thread; CPU seconds of PC with sets of up to 3. Each figure is the least of several rounds, each with as many runs
as the resolution of the process clock requires.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from learners import G2, Dataset, DegenerateGaussian, FisherZ, load_sample, pc
from learners.data.embedding import embedded_columns
from learners.independence.ci_test import CITest

REPEATS, LONG_ENOUGH = 5, 0.2  # number of rounds, and minimum seconds of each


def network(p: int, n: int, edges: int, seed: int, *, levels: bool) -> Dataset:
    """Draw a random linear network; with `levels`, every second variable is cut into 2 to 4 levels."""
    rng = np.random.default_rng(seed)
    parents: dict[int, list[int]] = {k: [] for k in range(p)}
    for _ in range(edges):
        a, b = sorted(rng.choice(p, 2, replace=False).tolist())
        parents[b].append(a)
    columns, known = {}, []
    for k in range(p):
        value = rng.normal(size=n) + sum(rng.uniform(0.5, 1.0) * rng.choice([-1, 1]) * known[a] for a in parents[k])
        if levels and k % 2:
            r = 2 + k // 2 % 3
            codes = np.searchsorted(np.quantile(value, np.arange(1, r) / r), value)
            columns[f"v{k}"] = pd.Categorical.from_codes(codes, [f"L{c}" for c in range(r)])
            value = codes
        else:
            columns[f"v{k}"] = value
        known.append((value - value.mean()) / value.std())
    return Dataset.from_frame(pd.DataFrame(columns))


def with_holes(data: Dataset, share: float) -> Dataset:
    """Remove the given share of the cells of every column at random."""
    frame, rng = data.to_frame(), np.random.default_rng(1)
    for name in frame:
        frame[name] = frame[name].mask(rng.random(len(frame)) < share)
    return Dataset.from_frame(frame)


def seconds(make: Callable[[], CITest]) -> tuple[float, int]:
    """Return the CPU seconds of PC, and its number of tests."""
    pc(make(), alpha=0.01, max_cond_size=3)
    best, n_tests = np.inf, 0
    for _ in range(REPEATS):
        runs, began = 0, time.process_time()
        while (took := time.process_time() - began) < LONG_ENOUGH:
            test = make()
            pc(test, alpha=0.01, max_cond_size=3)
            runs, n_tests = runs + 1, test.n_tests
        best = min(best, took / runs)
    return best, n_tests


def main() -> None:
    """Print the table."""
    mixed = network(100, 10_000, 150, 0, levels=True)
    columns, first = embedded_columns(mixed)
    numbers = Dataset.from_values(columns, [f"e{k}" for k in range(first[-1])])
    alarm = load_sample("alarm").dataset
    mixed_holes, alarm_holes = with_holes(mixed, 0.05), with_holes(alarm, 0.05)
    cases = {
        "Fisher's z on the embedded columns": lambda: FisherZ(numbers, threads=1),
        "dg, 100 variables, n = 10 000": lambda: DegenerateGaussian(mixed, threads=1),
        "dg, 5 % missing": lambda: DegenerateGaussian(mixed_holes, threads=1),
        "G2, alarm": lambda: G2(alarm, threads=1),
        "G2, alarm, 5 % missing": lambda: G2(alarm_holes, threads=1),
    }
    found = {name: seconds(make) for name, make in cases.items()}
    names = list(cases)
    base = dict(zip(names, (names[0], names[0], names[1], names[3], names[3]), strict=True))
    for name, (took, n_tests) in found.items():
        print(f"{name:40} {1e3 * took:9.1f} ms {n_tests:9,} tests  x {took / found[base[name]][0]:.2f}")


if __name__ == "__main__":
    main()
