"""Compare with pybnesian on mixed data: ``python -m benchmarks.mixed_peer PEER_PYTHON``.

20 variables, half of each type, 28 edges expected, linear and logit links, 1 000 rows; CPU seconds on one thread and F1
of the skeleton, means of three networks. pybnesian has no limit on conditioning sets and allows no edge from a number
to a category; its failed runs are counted and not timed.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.node_average import f1
from learners import PDAG, Dataset, DegenerateBIC, DegenerateGaussian, Regression, hc, pc, random_mixed_network, sample

SEEDS, ROWS = (311, 312, 313), 1_000
WORKER = Path(__file__).with_name("peer_of_both_kinds.py")
OURS: dict[str, Callable[[Dataset], PDAG]] = {
    "pc, dg": lambda data: pc(DegenerateGaussian(data, threads=1), alpha=0.01, max_cond_size=3).graph,
    "pc, regression": lambda data: pc(Regression(data, threads=1), alpha=0.01, max_cond_size=3).graph,
    "hc, DG-BIC": lambda data: hc(DegenerateBIC(data)).graph,
}


def theirs(python: str, data: Dataset, true: PDAG) -> dict[str, tuple[float, float]]:
    """Return seconds and F1 of each search of the peer; NaN if it fails."""
    table, stream = pa.Table.from_pandas(data.to_frame(), preserve_index=False), io.BytesIO()
    with pa.ipc.new_stream(stream, table.schema) as out:
        out.write_table(table)
    output = subprocess.run([python, str(WORKER)], input=stream.getvalue(), capture_output=True, check=True).stdout
    found = {}
    for answer in map(json.loads, output.splitlines()):
        name = f"pybnesian {answer['search']}"
        if "error" in answer:
            found[name] = (np.nan, np.nan)
            continue
        pairs = {tuple(sorted(map(data.index, edge))) for edge in answer["edges"]}
        graph = PDAG.from_edges(data.p, undirected=sorted(pairs))
        found[name] = (answer["seconds"], f1(graph, true))
    return found


def ours(data: Dataset, true: PDAG) -> dict[str, tuple[float, float]]:
    """Return seconds and F1 of our searches, without the time of compilation."""
    found = {}
    for name, search in OURS.items():
        search(data)
        began = time.process_time()
        graph = search(data)
        found[name] = (time.process_time() - began, f1(graph, true))
    return found


def main() -> None:
    """Print the table."""
    networks = [random_mixed_network(20, 28, seed=seed) for seed in SEEDS]
    rows = [(sample(one, ROWS, seed=1), one.dag) for one in networks]
    found = [ours(data, true) | theirs(sys.argv[1], data, true) for data, true in rows]
    for name in found[0]:
        runs = np.array([one[name] for one in found])
        done = runs[~np.isnan(runs[:, 0])]
        text = "" if not len(done) else "{:10.1f} ms  F1 {:.3f}".format(*(done.mean(axis=0) * (1e3, 1)))
        print(f"{name:16}{text}  {len(done)} of {len(runs)} runs end well")


if __name__ == "__main__":
    main()
