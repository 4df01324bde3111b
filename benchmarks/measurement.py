"""A measurement: one workload, carried out by our code and others side by side.

asv and pytest-benchmark were considered instead. asv compares commits of one package in environments that it builds;
pytest-benchmark times functions in its own process. Neither runs another program in its own Python on the same problem,
and neither compares the answers: graphs, scores and memory stand beside the seconds here.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .agreement import agreement
from .machine import ROOT
from .problem import Answer, Problem
from .worker import AMAT, CLOCK, FIGURES, PROBLEM

LIBRARY_THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "ARROW")


@dataclass(frozen=True)
class Contender:
    """A program, or a method of running it, that does the work.

    Attributes
    ----------
    name : str
    solver : str
        "package.module:function"; see `ours` and `peers`.
    package : str or None
        Required distribution in the peers' Python. None: the contender is part of Edgewise.
    params : mapping
        Parameters added to those of the measurement.
    threads : int or None
        Cores that it may use. None: the number of cores of the run.
    """

    name: str
    solver: str
    package: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    threads: int | None = None


@dataclass(frozen=True)
class Measurement:
    """One workload, declared once.

    Attributes
    ----------
    name, what : str
        Key on the command line, and a description of one line.
    ours : Contender
        Reference of ratios and agreement.
    others : tuple of Contender
        Peers, and other methods of running Edgewise.
    prepare : callable, optional
        Function that makes the problem. Without it, the contenders need no data and have the whole machine.
    params : mapping
        Parameters passed to every contender.
    compare : callable
        ``compare(answer, ours, problem) -> {column: figure}``; either answer may be None.
    time_out : float
        Seconds after which a contender is stopped.
    budget : float
        Seconds after which a contender does not begin another repeat.
    """

    name: str
    what: str
    ours: Contender
    others: tuple[Contender, ...] = ()
    prepare: Callable[[], Problem] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    compare: Callable[[Answer | None, Answer | None, Problem], dict[str, Any]] = agreement
    time_out: float = 60.0
    budget: float = 8.0

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """Return all contenders, ours first."""
        return (self.ours, *self.others)


@dataclass(frozen=True)
class RunOptions:
    """Options of a measurement: repeats, cores, a time-out that replaces the declared ones, and the peers' Python."""

    repeat: int = 5
    threads: int = 1
    time_out: float | None = None
    peer_python: str = sys.executable


@dataclass(frozen=True, eq=False)
class Outcome:
    """Result of one contender: durations and answer, or no answer and the reason in `note`.

    `at_least` is the number of seconds after which a run was stopped.
    """

    seconds: tuple[float, ...] = ()
    cpu_seconds: tuple[float, ...] = ()
    answer: Answer | None = None
    peak_mb: float | None = None
    note: str = ""
    at_least: float | None = None

    @property
    def median(self) -> float | None:
        """Return the median duration, or None without an answer."""
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def cpu_median(self) -> float | None:
        """Return the median CPU time, or None if it was not measured."""
        return statistics.median(self.cpu_seconds) if self.cpu_seconds else None


def run_contender(
    contender: Contender, measurement: Measurement, problem: Problem | None, setting: RunOptions
) -> Outcome:
    """Run a contender in a separate process, which may fail, crash or hang."""
    threads = contender.threads or setting.threads
    time_out = setting.time_out or measurement.time_out
    with tempfile.TemporaryDirectory() as folder:
        if problem is not None:
            problem.save(Path(folder) / PROBLEM)
        order = {
            "folder": folder,
            "solver": contender.solver,
            "params": {**measurement.params, **contender.params},
            "threads": threads,
            "repeat": setting.repeat,
            "budget": measurement.budget,
        }
        python = setting.peer_python if contender.package else sys.executable
        try:
            code, errors = _finish(_start(python, threads if problem else None), json.dumps(order), time_out)
        except subprocess.TimeoutExpired:
            return Outcome(note=f"no answer in {time_out:g} s", at_least=_since(Path(folder) / CLOCK))
        if code != 0:
            last = errors.strip().splitlines()[-1:] or ["no message"]
            return Outcome(note=f"failed (exit code {code}): {last[0]}")
        return _read(Path(folder))


def _start(python: str, threads: int | None) -> subprocess.Popen:
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    if threads:
        env |= {f"{library}_NUM_THREADS": str(threads) for library in LIBRARY_THREADS}
    return subprocess.Popen(
        [python, "-m", "benchmarks.worker"],
        cwd=ROOT,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _finish(process: subprocess.Popen, order: str, time_out: float) -> tuple[int, str]:
    try:
        _, errors = process.communicate(order, timeout=time_out)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)  # including servers and browsers that it may have started
        process.communicate()
        raise
    return process.returncode, errors


def _since(clock: Path) -> float | None:
    """Return the seconds since the last run began, or None if none did."""
    return time.time() - clock.stat().st_mtime if clock.exists() else None


def _read(folder: Path) -> Outcome:
    figures = json.loads((folder / FIGURES).read_text())
    amat = np.load(folder / AMAT) if (folder / AMAT).exists() else None
    answer = Answer(amat, figures["n_tests"], note=figures["note"])
    cpu_seconds = tuple(figures.get("cpu_seconds", ()))
    return Outcome(tuple(figures["seconds"]), cpu_seconds, answer, figures.get("peak_mb"), figures["note"])
