"""Stored values that are older than their learner: ``python -m benchmarks fresh``.

A few cheap pieces of each experiment run again. A method whose values differ from the stored ones has changed since
they were computed; the Experiments page names it. A test repeats the check, so no change stays unnoticed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from .archive import has_rows, seconds_of_pieces, stored_rows
from .catalogue import EXPERIMENTS
from .experiment import Piece, label
from .programs import ready
from .running import do
from .store import rows_of

OUTDATED = Path(__file__).parent / "outdated.json"
SECONDS = 3.0  # maximum CPU seconds of the pieces of an experiment, by their stored times
MAX_SECONDS = 15.0  # maximum CPU seconds of the only piece; dearer experiments are not checked
TOLERANCE = 1e-4  # relative difference of two values from which on they differ; rows have six digits
MEASURED = re.compile(r"second|time|MB|log10 calls")  # metrics that differ from run to run


def main(names: Sequence[str] | None = None) -> None:
    """Check the named experiments, or all, and record the methods that have changed."""
    for name in names or EXPERIMENTS:
        pieces = checked_pieces(name)
        if not pieces:
            print(f"{name}: not checked", flush=True)
            continue
        methods = changed_methods(name, pieces)
        _record(name, methods)
        print(f"{name}: {', '.join(methods) or 'current'} ({len(pieces)} pieces)", flush=True)


def _record(name: str, methods: list[str]) -> None:
    """Record the methods of an experiment that have changed."""
    known = {**outdated(), name: methods}
    recorded = {one: changed for one, changed in sorted(known.items()) if changed}
    OUTDATED.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def outdated() -> dict[str, list[str]]:
    """Return the methods of each experiment whose stored values are older than the learner."""
    return json.loads(OUTDATED.read_text(encoding="utf-8")) if OUTDATED.exists() else {}


def checked_pieces(name: str, seconds: float = SECONDS) -> list[Piece]:
    """Return the cheapest stored pieces of an experiment, of each cell at most one, that together take `seconds`.

    The first is returned even if it takes longer, up to `MAX_SECONDS`. Pieces of absent programs are left out.
    """
    experiment = EXPERIMENTS[name]
    if not has_rows(name):
        return []
    cost = seconds_of_pieces(name)
    known = [one for one in ready(experiment, experiment.pieces("paper")) if label(one) in cost]
    chosen: dict[str, Piece] = {}
    total = 0.0
    for piece in sorted(known, key=lambda one: (cost[label(one)], label(one))):
        cell = label({key: value for key, value in piece.items() if key != "seed"})
        own = cost[label(piece)]
        fits = total + own <= seconds or (not chosen and own <= MAX_SECONDS)
        if cell not in chosen and fits:
            chosen[cell] = piece
            total += own
    return list(chosen.values())


def changed_methods(name: str, pieces: Sequence[Piece]) -> list[str]:
    """Run pieces again and return the methods with another value than the stored one, in alphabetical order."""
    if not pieces:  # the experiment may have no stored rows
        return []
    experiment = EXPERIMENTS[name]
    stored = _values(stored_rows(name))
    found = _values(rows_of({label(piece): do(experiment, piece) for piece in pieces}))
    return sorted({key[1] for key, value in found.items() if key in stored and _differ(value, stored[key])})


def _values(rows: pd.DataFrame) -> dict[tuple[str, str, str], float]:
    """Return the values by piece, method and metric, without metrics that differ from run to run."""
    kept = rows[~rows["metric"].str.contains(MEASURED)]
    return {
        (piece, method, metric): value
        for piece, method, metric, value in zip(
            kept["piece"], kept["method"], kept["metric"], kept["value"].astype(float), strict=True
        )
    }


def _differ(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) != math.isnan(other)
    return not math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=1e-9)
