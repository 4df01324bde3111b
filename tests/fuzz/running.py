"""Run cases in worker processes and tally their outcomes."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .watching import HANG, LARGE

ROOT = Path(__file__).parents[2]
DOORS = {
    "table": 1.0,
    "value": 0.4,
    "knowledge": 0.2,
    "constructor": 0.4,
    "option": 0.2,
    "file": 0.4,
    "recipe": 0.2,
    "screen": 0.1,
}
PATIENCE = 120.0  # seconds after which a case is stopped
BATCH = 200  # maximum cases per process, so that effects of one case on later ones are limited
FINE = ("done", "refused")


@dataclass
class Tally:
    """The outcomes of the cases."""

    cases: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    foreign: list[dict] = field(default_factory=list)
    hangs: list[dict] = field(default_factory=list)
    large: list[dict] = field(default_factory=list)
    longest: float = 0.0
    most_mb: float = 0.0

    def add(self, reported: dict) -> None:
        """Count one case."""
        door = reported["door"]
        self.cases[door] = self.cases.get(door, 0) + 1
        self.refused[door] = self.refused.get(door, 0) + (reported["outcome"] == "refused")
        self.longest, self.most_mb = max(self.longest, reported["longest"]), max(self.most_mb, reported["mb"])
        for wrong, kept in (
            (reported["outcome"] not in FINE, self.foreign),
            (reported["longest"] > HANG, self.hangs),
            (reported["mb"] > LARGE, self.large),
        ):
            if wrong:
                kept.append(reported)

    @property
    def clean(self) -> bool:
        """Return True if no case failed."""
        return not (self.foreign or self.hangs or self.large)

    def lines(self) -> Iterator[str]:
        """Yield the figures, then each failed case."""
        yield "door;cases;refused;foreign exceptions;hangs;over 1 GB"
        for door, n in self.cases.items():
            counts = [sum(one["door"] == door for one in kept) for kept in (self.foreign, self.hangs, self.large)]
            yield f"{door};{n};{self.refused[door]};{';'.join(map(str, counts))}"
        yield f"longest without a tick: {self.longest:.1f} s; most memory beyond the table: {self.most_mb:.0f} MB"
        yield from self.gave_way()

    def gave_way(self) -> Iterator[str]:
        """Yield each failed case with its traceback."""
        for name, kept in (("foreign", self.foreign), ("hang", self.hangs), ("large", self.large)):
            for one in kept:
                took = f"{one['longest']:.1f} s, {one['mb']:.0f} MB"
                yield f"{name}: {one['door']} {one['number']}, {took}, {one['said']}, {one['outcome']}"
                yield one["trace"]


def cases(n: int) -> list[tuple[str, int]]:
    """Return entry and number of each case: `n` tables, and a fixed share of `n` for each other entry."""
    return [(door, k) for door, share in DOORS.items() for k in range(-int(-n * share // 1))]


def run(wanted: Iterable[tuple[str, int]], seed: int = 0, reported: Callable[[str], object] = len) -> Tally:
    """Run the cases one after another; `reported` gets progress and failures after each batch."""
    tally, left = Tally(), list(wanted)
    total = len(left)
    while left:
        batch, left = left[:BATCH], left[BATCH:]
        left = _batch(batch, seed, tally) + left
        reported(f"{total - len(left)} of {total} cases\n" + "".join(f"{line}\n" for line in tally.gave_way()))
    return tally


def _batch(batch: list[tuple[str, int]], seed: int, tally: Tally) -> list[tuple[str, int]]:
    """Run cases in one process; return the remaining cases if one of them ended the process."""
    command = [sys.executable, "-m", "tests.fuzz.worker"]
    kept = tempfile.TemporaryDirectory(prefix="edgewise-fuzz-")
    env = os.environ | {"EDGEWISE_DATA": kept.name}
    process = subprocess.Popen(
        command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    answers: queue.Queue[str] = queue.Queue()
    threading.Thread(target=lambda: [answers.put(line) for line in process.stdout] + [answers.put("")]).start()
    try:
        if _answer(process, answers, "") is None:
            raise RuntimeError("the worker does not start")
        for at, (door, number) in enumerate(batch):
            reported = _answer(process, answers, f"{door} {seed} {number}\n")
            tally.add(reported or _lost(process, door, number))
            if reported is None:
                return batch[at + 1 :]
    finally:
        process.kill()
        process.wait()
        kept.cleanup()
    return []


def _answer(process: subprocess.Popen, answers: queue.Queue[str], line: str) -> dict | None:
    """Return the worker's answer to a case, or None if it ends or does not answer in time."""
    process.stdin.write(line)
    process.stdin.flush()
    try:
        while said := answers.get(timeout=PATIENCE):
            if said.startswith("{"):
                return json.loads(said)
        process.wait()
    except queue.Empty:
        pass
    return None


def _lost(process: subprocess.Popen, door: str, number: int) -> dict:
    """Return the record of a case that ended the process or had to be stopped."""
    ended = process.poll() is not None
    return {
        "door": door, "number": number, "said": "the process ended" if ended else "no answer", "trace": "",
        "outcome": f"exit {process.poll()}" if ended else "done", "longest": 0.0 if ended else PATIENCE, "mb": 0.0,
    }  # fmt: skip
