"""Worker for one contender: ``python -m benchmarks.worker``, with the order as JSON on standard input.

It needs only numpy and the imports of the contender, so that a peer may run in its own environment.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.problem import Answer, Problem, Run

PROBLEM, AMAT, FIGURES, CLOCK = "problem.npz", "amat.npy", "figures.json", "clock"


class Durations(NamedTuple):
    """Seconds of each run: wall-clock time and CPU time."""

    wall: list[float]
    cpu: list[float]


def main() -> None:
    """Execute the order and write the figures to its folder."""
    order = json.load(sys.stdin)
    folder, solver = Path(order["folder"]), find_solver(order["solver"])
    if (folder / PROBLEM).exists():
        use_cores(order["threads"])
        problem = Problem.load(folder / PROBLEM)
        prepare = partial(solver, problem, **order["params"])
        solver(problem.head(), **order["params"])()
    else:
        problem, prepare = None, partial(solver, **order["params"])
    durations, answer = repeated(prepare, order["repeat"], order["budget"], folder / CLOCK)
    if answer.amat is not None:
        np.save(folder / AMAT, answer.amat)
    figures = {"seconds": durations.wall, "n_tests": answer.n_tests, "note": answer.note}
    if problem is not None:
        figures |= {"cpu_seconds": durations.cpu, "peak_mb": peak_mb()}
    (folder / FIGURES).write_text(json.dumps(figures))


def find_solver(path: str) -> Callable[..., Run]:
    """Return the function named "package.module:function"."""
    module, name = path.split(":")
    return getattr(importlib.import_module(module), name)


def repeated(prepare: Callable[[], Run], repeat: int, budget: float, clock: Path) -> tuple[Durations, Answer]:
    """Time up to `repeat` runs, each prepared again, and return their durations and the last answer.

    No run begins once `budget` seconds are spent, but at least one is made. Each run first touches the file `clock`.
    """
    durations = Durations([], [])
    spent = 0.0
    while not durations.wall or (len(durations.wall) < repeat and spent < budget):
        run = prepare()
        gc.collect()
        clock.touch()
        cpu_began, began = time.process_time(), time.perf_counter()
        answer = run()
        took, cpu_took = time.perf_counter() - began, time.process_time() - cpu_began
        spent += took
        durations.wall.append(took if answer.seconds is None else answer.seconds)
        durations.cpu.append(cpu_took)
    return durations, answer


def use_cores(threads: int) -> None:
    """Pin this process and its threads to the given number of cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:])


def peak_mb() -> float | None:
    """Return the peak memory of this process in MB, or None where the system does not report it."""
    # Not resource.getrusage, whose peak is inherited from the parent process.
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(found[1]) / 1000 if found else None


if __name__ == "__main__":
    main()
