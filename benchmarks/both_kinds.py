"""Cost of binning and of dropping rows: ``python -m benchmarks.both_kinds [kinds | holes]``.

F1 of the skeleton. Kinds: 40 variables, half of each type, 50 edges expected, linear and logit links, mean of six
networks; numbers cut into three bins for G² and BIC, against tests and scores of mixed data. Holes: alarm, 5 000 rows,
cells missing at random; incomplete rows dropped, filled with the mode, or each test and score on its complete rows.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.node_average import f1
from learners import (
    Dataset,
    default_plan,
    learn,
    load_network,
    prepare,
    random_mixed_network,
    sample,
    with_missing_cells,
)
from learners.data.plan.binning import Binning
from learners.data.reading.table import Table

SEEDS = range(301, 307)
ROWS = (300, 1_000, 5_000)
SHARES = (0.0, 0.02, 0.05, 0.1)
PC = {"alpha": 0.01, "max_cond_size": 3}
RUNS = {"pc": PC, "hc": {}, "ges": {}, "boss": {}}


def binned(data: Dataset) -> Dataset:
    """Cut numbers into three bins of equal counts."""
    table = Table.from_dataset(data)
    numbers = [name for name, kind in zip(data.names, data.kinds, strict=True) if kind == "continuous"]
    plan = default_plan(table).change(*data.names, kind="categorical", missing=())
    return prepare(table, plan.change(*numbers, binning=Binning(bins=3))).dataset


def with_policy(data: Dataset, policy: str) -> Dataset:
    """Handle missing values by one of the policies of a plan."""
    plan = default_plan(Table.from_dataset(data)).change(*data.names, kind="categorical", missing=("",))
    return prepare(Table.from_dataset(data), plan.with_policy(policy)).dataset


def show_kinds() -> None:
    """Print the F1 of each learner on mixed data, with numbers in three bins and with raw numbers."""
    print("n      learner   3 bins      dg  regression")
    networks = [random_mixed_network(40, 50, seed=seed) for seed in SEEDS]
    for n in ROWS:
        rows = [(sample(one, n, seed=1), one.dag) for one in networks]
        for key, params in RUNS.items():
            found = [[f1(learn(key, data, **params).graph, true) for data in (binned(own), own)] for own, true in rows]
            text = "".join(f"{value:8.3f}" for value in np.mean(found, axis=0))
            if key == "pc":
                slow = [f1(learn(key, own, test="regression", **params).graph, true) for own, true in rows]
                text += f"{np.mean(slow):12.3f}"
            print(f"{n:5}  {key:6} {text}", flush=True)


def show_holes() -> None:
    """Print the F1 of each learner by share of missing cells and by the way to handle them."""
    print("missing  rows left  learner    drop    mode  available")
    alarm = load_network("alarm")
    complete = sample(alarm, 5_000, seed=1)
    for share in SHARES:
        data = with_missing_cells(complete, share, seed=1)
        ways = [with_policy(data, policy) for policy in ("drop", "mode")] if share else [data, data]
        for key, params in RUNS.items():
            found = [f1(learn(key, one, **params).graph, alarm.dag) for one in (*ways, data)]
            text = "".join(f"{value:8.3f}" for value in found)
            print(f"{share:7.0%} {ways[0].n:10,}  {key:6} {text}", flush=True)


def main() -> None:
    """Print the requested table, or both."""
    asked = sys.argv[1:] or ["kinds", "holes"]
    for name in asked:
        {"kinds": show_kinds, "holes": show_holes}[name]()


if __name__ == "__main__":
    main()
