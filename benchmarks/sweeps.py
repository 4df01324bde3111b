"""Compare a sweep with its most expensive run, by the minimum CPU seconds of several rounds.

Run it with ``python -m benchmarks.sweeps``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from learners import learn, load_sample, sweep

TIMES = 3
ALPHAS = np.geomspace(1e-5, 0.2, 60).tolist()
# Sample, learner, swept parameter with its values, and further parameters.
CASES: tuple[tuple[str, str, str, Sequence[Any], dict[str, Any]], ...] = (
    ("alarm", "pc", "alpha", ALPHAS, {}),
    ("alarm", "pc", "rows_per_cell", [0.0, *np.geomspace(0.1, 100, 59).tolist()], {}),
    ("alarm", "ppc", "alpha", ALPHAS, {}),
    ("alarm", "pc_mi", "alpha", ALPHAS, {}),
    ("alarm", "path", "tau", list(range(2, 22)), {}),
    ("alarm", "cimap", "q", ALPHAS[-20:], {"fdr": "sfdr"}),
    ("asia", "brai", "gamma", np.geomspace(0.01, 100, 20).tolist(), {}),
    ("asia", "bootstrap", "share", np.linspace(0.05, 0.95, 20).tolist(), {"n_resamples": 20}),
    ("alarm", "hc", "max_parents", [None, *range(1, 25)], {}),
    ("alarm", "tabu", "max_parents", [None, *range(1, 25)], {}),
    ("alarm", "ges", "max_parents", [None, *range(1, 25)], {}),
    ("alarm", "ges", "penalty", [0.5, 1.0, 1.4, 1.8, 2.2, 2.6, 3.0], {}),
)


def cpu_seconds(work: Callable[..., object], *args: Any, **params: Any) -> float:
    """Return the minimum CPU seconds over several calls."""
    taken = []
    for _ in range(TIMES):
        began = time.process_time()
        work(*args, **params)
        taken.append(time.process_time() - began)
    return min(taken)


def main() -> None:
    """Print a row of the table for each case."""
    print("| learner | parameter | values | most expensive run, s | sweep, s | ratio |")
    print("|---|---|---|---|---|---|")
    for sample, key, name, values, params in CASES:
        data = load_sample(sample).dataset
        few = [values[0], values[len(values) // 2], values[-1]]
        slowest = max(cpu_seconds(learn, key, data, **params, **{name: value}) for value in few)
        whole = cpu_seconds(sweep, key, data, name, values, **params)
        print(f"| {key} | {name} | {len(values)} | {slowest:.4f} | {whole:.3f} | {whole / slowest:.1f} |", flush=True)


if __name__ == "__main__":
    main()
