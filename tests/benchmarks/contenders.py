"""Solvers that behave well and badly."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.problem import Answer, Problem, Run


def empty_graph(problem: Problem, *, seconds: float) -> Run:
    """Finds nothing, in exactly so many seconds."""
    return lambda: Answer(np.zeros((problem.p, problem.p), dtype=bool), n_tests=7, seconds=seconds, note="as told")


def warned(problem: Problem, *, folder: str) -> Run:
    """Leaves a file named after the number of variables it was prepared for."""
    with open(f"{folder}/{problem.p}", "a") as out:
        out.write("x")
    return Answer


def crashing(_problem: Problem) -> Run:
    """Takes its process down."""
    return os.abort


def failing(_problem: Problem) -> Run:
    """Raises, with a message."""
    raise RuntimeError("no such luck")


def hanging(_problem: Problem, *, mark: str) -> Run:
    """Never answers after the warm-up, and has started a process that does not end either."""

    def run() -> Answer:
        if os.path.exists(mark):
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            with open(mark, "w") as out:
                out.write(str(child.pid))
            time.sleep(600)
        Path(mark).touch()
        return Answer()

    return run
