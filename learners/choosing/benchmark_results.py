"""Accuracy of each learner on tables of known networks, as written by `python -m benchmarks measured`."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..data.dataset import Kind

PATH = Path(__file__).parent / "benchmark_results.csv"
GOALS = ("graph", "ranking", "probabilities")
COLUMNS = ("table", "kind", "columns", "rows", "missing", "samples", "learner", *GOALS, "seconds")


@dataclass(frozen=True)
class TableShape:
    """Tables of one shape, each drawn from a known network.

    Attributes
    ----------
    kind : Kind
    columns, rows : int
    missing : float
        Share of missing cells.
    samples : int
    values : mapping of str to mapping of str to float
        By goal and learner. "graph": Jaccard index of the CPDAG; "ranking": average precision of the skeleton;
        "probabilities": Brier score of the arrows, where lower is better. NaN if the learner timed out or does not
        return such a quantity.
    """

    kind: Kind
    columns: int
    rows: int
    missing: float
    samples: int
    values: dict[str, dict[str, float]]

    def shares(self, goal: str) -> dict[str, float]:
        """Return the score of each learner relative to the best one, in [0, 1]; 0 where it has no value."""
        known = {learner: value for learner, value in self.values[goal].items() if not math.isnan(value)}
        if not known:
            return {}
        least = goal == "probabilities"
        best = max(min(known.values()), MIN_SCORE) if least else max(max(known.values()), MIN_SCORE)
        shares = {key: best / max(value, MIN_SCORE) if least else value / best for key, value in known.items()}
        return {learner: shares.get(learner, 0.0) for learner in self.values[goal]}


MIN_SCORE = 1e-4  # minimum score; smaller scores count as this one


@cache
def settings() -> tuple[TableShape, ...]:
    """Return all benchmark settings with their results."""
    with PATH.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    tables = dict.fromkeys(line["table"] for line in lines)
    return tuple(_setting([line for line in lines if line["table"] == one]) for one in tables)


def _setting(lines: list[dict[str, str]]) -> TableShape:
    first = lines[0]
    values = {goal: {line["learner"]: float(line[goal] or "nan") for line in lines} for goal in GOALS}
    return TableShape(
        first["kind"], int(first["columns"]), int(first["rows"]), float(first["missing"]), int(first["samples"]), values
    )
