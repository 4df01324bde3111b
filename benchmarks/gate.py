"""All performance measurements of the project in one run: ``python -m benchmarks gate``.

The tests never measure time. Operations that have to be quick are measured here instead, on a quiet machine, by hand.
Each figure is the median of some rounds, divided by a reference workload that is measured beside it (the same on every
machine), and is compared with the ratio in ``gate.json``. A figure that grew by more than `ALLOWED` is marked, and the
exit code is 1.

    python -m benchmarks gate                 all measurements
    python -m benchmarks gate learn cancel    those whose name begins with one of the words
    python -m benchmarks gate --store         write the measured ratios to gate.json
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from learners import PDAG, Dataset, load_network, load_sample
from learners.data.plan.plan import Plan, default_plan
from learners.data.quality.health import check_health
from learners.data.reading.table import Table, read_table
from learners.graphs.cpdag import cpdag
from learners.networks.random_networks import random_dag
from learners.networks.sampling import sample
from learners.registry import learn
from viz.layout.positions import arranged, layout

from . import scrubber, silences, start
from .machine import ROOT

T = TypeVar("T")
STORED = Path(__file__).with_name("gate.json")
ALLOWED = 1.3
ROUNDS = 5
STEPPED = ("asia", "alarm", "wide", "dense")  # graphs of the demo on which slider steps are timed
RUNS = {  # learner: sample to learn from
    "pc": "alarm", "ges": "alarm", "boss": "alarm", "hc": "alarm", "mmhc": "alarm", "h2pc": "alarm", "phgs": "alarm",
    "path": "alarm", "rai": "alarm", "cimap": "asia", "lmm": "gauss30", "order_mcmc": "asia", "brai": "asia",
}  # fmt: skip
STARTS = {
    "list": [sys.executable, "-m", "learners", "list"],
    "learn asia": [sys.executable, "-m", "learners", "learn", "sample_data/data/asia.csv"],
}


@dataclass(frozen=True)
class Clock:
    """A figure, in seconds or megabytes, and the function that measures it once."""

    name: str
    measure: Callable[[], float]
    rounds: int = ROUNDS


def clocks() -> Iterator[Clock]:
    """Yield every clock, the quick ones first."""
    for key, name in RUNS.items():
        yield Clock(f"learn {key} {name}", _seconds(partial(_dataset, name), partial(learn, key)))
    yield from _of_pages()
    for what, command in STARTS.items():
        yield Clock(f"start {what}", lambda command=command: cpu_of(command))
    yield Clock("start app", lambda: start.app(cold=False)().seconds, rounds=3)
    yield Clock("memory learn pc 1000", lambda: megabytes_of(MEMORY), rounds=1)
    for key, kind in silences.CASES:
        yield Clock(f"cancel {key} {kind}", lambda key=key, kind=kind: _silence(key, kind), rounds=2)
    for graph in STEPPED:
        for jumps in (False, True):
            run = scrubber.step(graph=graph, jumps=jumps)
            yield Clock(f"step {graph}{' jumps' * jumps}", lambda run=run: run().seconds, rounds=3)


def _of_pages() -> Iterator[Clock]:
    for p, degree in ((37, 2.5), (300, 4.0), (300, 13.0)):
        for kind in ("layered", "force"):
            yield Clock(
                f"layout {kind} {p} {degree:g}", _seconds(partial(_not_laid_out, p, degree), partial(layout, kind=kind))
            )
    for name, rows in (("alarm", 5_000), ("pigs", 2_000)):
        yield Clock(f"read {name}", _seconds(partial(_csv, name, rows), read_table))
        yield Clock(f"check {name}", _seconds(partial(_planned, name, rows), lambda table: check_health(*table)))


@cache
def _dataset(name: str) -> Dataset:
    return load_sample(name).dataset


@cache
def _drawn(p: int, degree: float) -> PDAG:
    return cpdag(random_dag(p, degree, seed=2))


def _not_laid_out(p: int, degree: float) -> PDAG:
    """Return a graph whose layout is not cached from the last round."""
    arranged.cache_clear()
    return _drawn(p, degree)


@cache
def _csv(name: str, rows: int) -> bytes:
    return sample(load_network(name), rows, seed=0).to_frame().to_csv(index=False).encode()


@cache
def _planned(name: str, rows: int) -> tuple[Table, Plan]:
    table = read_table(_csv(name, rows))
    return table, default_plan(table)


def _seconds(prepare: Callable[[], T], work: Callable[[T], object]) -> Callable[[], float]:
    def once() -> float:
        given = prepare()
        began = time.process_time()
        work(given)
        return time.process_time() - began

    return once


def _silence(key: str, kind: str) -> float:
    """Return the most seconds between two ticks at a thousand columns, or from cancel to end if that is longer."""
    learn(key, silences.columns(kind, 8))  # compiles the kernels
    silence, end, _phase = silences.listened_to(key, kind)
    return max(silence, end)


def cpu_of(command: list[str]) -> float:
    """Return the CPU seconds of a command and its children."""
    before = os.times()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


MEMORY = """
import resource
from benchmarks.silences import columns
from learners import learn
learn("pc", columns("continuous", 8))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
learn("pc", columns("continuous"), max_cond_size=1)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


def megabytes_of(code: str) -> float:
    """Return the number that a Python program prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


def yardstick() -> float:
    """Return the seconds of a fixed workload of Python and numpy: the minimum of five runs."""
    values = np.random.default_rng(0).normal(size=(400, 400))

    def once() -> float:
        began = time.process_time()
        total = 0
        for k in range(300_000):
            total += k % 7
        np.sort(values @ values, axis=None)
        return time.process_time() - began

    return min(once() for _ in range(5))


def ratio_of(clock: Clock) -> float:
    """Return the median of the clock's rounds in units of the yardstick; leave megabytes unchanged."""
    clock.measure()  # loads and compiles
    figure = statistics.median(clock.measure() for _ in range(clock.rounds))
    return figure if clock.name.startswith("memory") else figure / yardstick()


def main(words: list[str]) -> None:
    """Print a line for each clock: its ratio, the stored one, and the change."""
    keep = "--store" in words
    prefixes = tuple(word for word in words if word != "--store")
    names = [clock.name for clock in clocks()]
    unknown = [word for word in prefixes if not any(name.startswith(word) for name in names)]
    if unknown:
        sys.exit(f"no measurement begins with {unknown[0]!r}; there are:\n" + "\n".join(names))
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    slower = 0
    print(f"{'clock':40} {'ratio':>10} {'stored':>10} {'change':>8}")
    for clock in clocks():
        if prefixes and not clock.name.startswith(prefixes):
            continue
        ratio, before = ratio_of(clock), stored.get(clock.name)
        change = ratio / before if before else None
        slower += change is not None and change > ALLOWED
        mark = "" if change is None else f"{change:8.2f}" + "  slower" * (change > ALLOWED)
        print(f"{clock.name:40} {ratio:10.3f} {before or float('nan'):10.3f} {mark}", flush=True)
        if keep:
            stored[clock.name] = round(ratio, 4)
    if keep:
        kept = {name: value for name, value in stored.items() if name in names}
        STORED.write_text(json.dumps(kept, indent=1) + "\n")
    print(f"slower than allowed ({ALLOWED:g}): {slower}")
    sys.exit(slower > 0 and not keep)
