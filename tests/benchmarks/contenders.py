"""Solvers that succeed, write a file, abort, fail or hang, for tests of the harness."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.problem import Answer, Problem, Run


def empty_graph(problem: Problem, *, seconds: float) -> Run:
    """Return an empty graph that reports the given number of seconds."""
    return lambda: Answer(np.zeros((problem.p, problem.p), dtype=bool), n_tests=7, seconds=seconds, note="as reported")


def warned(problem: Problem, *, folder: str) -> Run:
    """Append to a file named after the number of variables of the problem."""
    with open(f"{folder}/{problem.p}", "a") as out:
        out.write("x")
    return Answer


def crashing(_problem: Problem) -> Run:
    """Abort the process."""
    return os.abort


def failing(_problem: Problem) -> Run:
    """Raise an exception with a message."""
    raise RuntimeError("no such luck")


def hanging(_problem: Problem, *, mark: str) -> Run:
    """Hang after the warm-up, and start another process that hangs."""

    def run() -> Answer:
        if os.path.exists(mark):
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            with open(mark, "w") as out:
                out.write(str(child.pid))
            time.sleep(600)
        Path(mark).touch()
        return Answer()

    return run
