"""Execution of one measurement: a row of figures for each contender."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Iterator
from typing import Any

from . import machine
from .measurement import Contender, Measurement, Outcome, RunOptions, run_contender
from .problem import Problem


def side_by_side(measurement: Measurement, setting: RunOptions, versions: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield one row for each installed contender, ours first."""
    problem = measurement.prepare() if measurement.prepare else None
    first: Outcome | None = None
    for contender in measurement.contenders:
        if contender.package and contender.package not in versions:
            continue
        load = machine.load()
        outcome = run_contender(contender, measurement, problem, setting)
        first = first or outcome
        compared = measurement.compare(outcome.answer, first.answer, problem) if problem else {}
        version = versions[contender.package] if contender.package else machine.our_version()
        row = _row(measurement, contender, outcome, first, problem, setting)
        yield row | compared | {"version": version, "load": load}


def _row(
    measurement: Measurement,
    contender: Contender,
    outcome: Outcome,
    first: Outcome,
    problem: Problem | None,
    setting: RunOptions,
) -> dict[str, Any]:
    return {
        "date": datetime.datetime.now().isoformat(timespec="minutes"),
        "measurement": measurement.name,
        "contender": contender.name,
        "python": platform.python_version(),
        "cpu": machine.cpu_model(),
        "cores": os.cpu_count(),
        "threads": (contender.threads or setting.threads) if problem else None,
        "n": problem.n if problem else None,
        "p": problem.p if problem else None,
        "seconds": outcome.median,
        "fastest": min(outcome.seconds, default=None),
        "cpu_seconds": outcome.cpu_median,
        "repeats": len(outcome.seconds),
        "ratio": _ratio(outcome, first),
        "peak_mb": outcome.peak_mb,
        "n_tests": outcome.answer.n_tests if outcome.answer else None,
        "note": outcome.note,
    }


def _ratio(outcome: Outcome, first: Outcome) -> float | str | None:
    if first.median is None:
        return None
    if outcome.median is not None:
        return outcome.median / first.median
    return f">{outcome.at_least / first.median:.3g}" if outcome.at_least else None
