"""Execution of one piece or many, with the data that its rows contain in addition to the figures."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from learners.common.progress import Stopped, Tick, silent

from .. import machine
from ..worker import peak_mb
from .experiment import Experiment, Figure, Piece
from .programs import version_of


@dataclass(frozen=True)
class Done:
    """Result of a piece.

    Attributes
    ----------
    figures : tuple of Figure
    seconds : float
        CPU seconds.
    peak_mb : float or None
        Peak memory of its process; None where the system does not report it.
    version, machine : str
        Versions of the programs, and the machine.
    """

    figures: tuple[Figure, ...]
    seconds: float
    peak_mb: float | None = None
    version: str = ""
    machine: str = ""


# Function from an experiment and its pieces by name to pairs of name and result, in any order.
Way = Callable[[Experiment, Mapping[str, Piece]], Iterator[tuple[str, Done]]]


def do(experiment: Experiment, piece: Piece, tick: Tick = silent) -> Done:
    """Carry out one piece; raise `Stopped` if cancelled, which is checked at each figure."""
    _forget_peak()
    began, figures = _core_seconds(), []
    for figure in experiment.run(piece):
        figures.append(figure)
        if not tick(experiment.name, len(figures), 0):
            raise Stopped
    versions = f"{version()} {version_of(experiment, piece)}".strip()
    return Done(tuple(figures), _core_seconds() - began, peak_mb(), versions, this_machine())


def one_by_one(experiment: Experiment, pieces: Mapping[str, Piece]) -> Iterator[tuple[str, Done]]:
    """Carry out the pieces in this process."""
    for name, piece in pieces.items():
        yield name, do(experiment, piece)


@cache
def version() -> str:
    """Return the versions of Edgewise and of the packages that affect its figures."""
    packages = (f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "numba"))
    return " ".join([machine.our_version(), f"python {platform.python_version()}", *packages])


@cache
def this_machine() -> str:
    """Return processor and cores."""
    return f"{machine.cpu_model()}, {os.cpu_count()} cores"


def _core_seconds() -> float:
    """Return the CPU seconds of this process and of its finished children."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _forget_peak() -> None:
    """Reset the peak memory of the process where the system allows it; otherwise it covers all pieces so far."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
