"""How good are the estimated durations of runs? ``python -m benchmarks cost_estimates [LEARNER ...]``.

Each learner is estimated and run at its defaults on tables whose seeds had no part in the estimates. Other work on the
machine must not count, so both run on one core, and `time.perf_counter` is
replaced by the CPU clock. A line has the estimate, the CPU
seconds of the run, their ratio, and if the run lies in the range that the form shows. Runs that end below
`TOO_SHORT` seconds with a range that also ends there count as right.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from learners import (
    LEARNERS,
    Dataset,
    learn,
    load_network,
    random_gaussian_network,
    random_mixed_network,
    sample,
    with_missing_cells,
)
from learners.choosing.duration_corrections import TOO_SHORT, Experience

from .worker import use_cores

SEED = 940_301
FACTOR = 3.0
MAX_SECONDS = 6.0  # CPU seconds after which a run is cancelled; it then counts as this long


def tables(seed: int) -> dict[str, Dataset]:
    """Return tables of all column types, small and large, sparse and dense, and one with missing cells."""

    def bundled(name: str, n: int) -> Dataset:
        return sample(load_network(name), n, seed=seed)

    def numbers(p: int, edges: int, n: int) -> Dataset:
        return sample(random_gaussian_network(p, edges, seed=seed), n, seed=seed)

    def hub(parents: int, children: int, n: int) -> Dataset:
        rng = np.random.default_rng(seed)
        causes = rng.standard_normal((n, parents))
        middle = 2 * causes.sum(axis=1, keepdims=True) / np.sqrt(max(parents, 1)) + rng.standard_normal((n, 1))
        effects = 0.5 * middle + rng.standard_normal((n, children))
        values = np.hstack([causes, effects, middle])
        return Dataset.from_values(values, [f"v{k}" for k in range(values.shape[1])])

    def in_thirds(data: Dataset) -> Dataset:
        cuts = np.quantile(data.values, [1 / 3, 2 / 3], axis=0).T
        codes = [np.digitize(column, own) for column, own in zip(data.values.T, cuts, strict=True)]
        return Dataset.from_codes(codes, [3] * data.p, data.names)

    mixed = sample(random_mixed_network(20, 25, seed=seed), 1_000, seed=seed)
    return {
        "child 500": bundled("child", 500),
        "alarm 1,000": bundled("alarm", 1_000),
        "insurance 5,000": bundled("insurance", 5_000),
        "hailfinder 5,000": bundled("hailfinder", 5_000),
        "numbers 15, 2,000 rows": numbers(15, 20, 2_000),
        "numbers 50, 200 edges": numbers(50, 200, 1_000),
        "60 parents": hub(60, 0, 1_000),
        "150 parents": hub(150, 0, 1_000),
        "300 parents": hub(300, 0, 1_000),
        "60 children": hub(0, 60, 1_000),
        "100 parents, 30 children": hub(100, 30, 2_000),
        "60 parents, levels": in_thirds(hub(60, 0, 1_000)),
        "150 parents, levels": in_thirds(hub(150, 0, 1_000)),
        "25 children, levels": in_thirds(hub(0, 25, 1_000)),
        "mixed 20": mixed,
        "mixed 20, 10 % missing": with_missing_cells(mixed, 0.1, "mar", seed=seed),
    }


def measured(key: str, data: Dataset) -> tuple[float, tuple[float, float], float]:
    """Return the estimate, the displayed range, and the seconds of a run."""
    params = LEARNERS[key].checked(data.kind, {})
    estimate = LEARNERS[key].estimate(data, **params)
    began = time.perf_counter()
    learn(key, data, tick=lambda *_: time.perf_counter() - began < MAX_SECONDS)
    return estimate, Experience().range_of(key, estimate), time.perf_counter() - began


def main(argv: list[str] | None = None) -> None:
    """Print a line for each run, and the shares of runs within a factor of 3 and within the range."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks cost_estimates", description=__doc__)
    parser.add_argument("learners", nargs="*", default=list(LEARNERS))
    parser.add_argument("--seed", type=int, default=SEED, help=f"default: {SEED:,}")
    options = parser.parse_args(argv)
    use_cores(1)
    time.perf_counter = time.process_time
    ratios, inside = [], []
    print("| table | learner | estimate s | CPU s | ratio | in the range |\n|---|---|--:|--:|--:|---|")
    for name, data in tables(options.seed).items():
        for key in options.learners:
            learner = LEARNERS[key]
            if data.kind not in learner.kinds or (learner.most_columns or data.p) < data.p:
                continue
            learn(key, data.select(range(5)))  # compiles the kernels
            estimate, (low, high), taken = measured(key, data)
            ratio = taken / estimate
            stopped = taken >= MAX_SECONDS
            right = high >= MAX_SECONDS if stopped else low <= taken <= high or max(taken, high) < TOO_SHORT
            close = estimate >= MAX_SECONDS / FACTOR if stopped else 1 / FACTOR <= ratio <= FACTOR
            ratios.append(close or max(taken, estimate) < TOO_SHORT)
            inside.append(right)
            mark = "stopped, " if stopped else ""
            print(
                f"| {name} | {key} | {estimate:.3f} | {taken:.3f} | {ratio:.2f} | {mark}{'yes' if right else 'no'} |",
                flush=True,
            )
    print(
        f"{len(inside)} runs: {np.mean(ratios):.1%} within a factor of {FACTOR:g}, {np.mean(inside):.1%} in the range"
    )


if __name__ == "__main__":
    main()
