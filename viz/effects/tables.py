"""Paths, adjustment sets, effects and implications as tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from learners.effects.estimates import Effect
from learners.effects.held_out import HeldOutCalibration
from learners.effects.implications import ImplicationResult
from learners.effects.paths import Separation
from learners.graphs.graph import PDAG

from ..text import format_p, format_set, shorten
from .words import path_text

MOST_ROWS = 500


def set_or_nothing(members: Collection[int], names: Sequence[str]) -> str:
    """A set in braces; the empty one in a word."""
    return format_set(members, names) if members else "nothing"


def path_rows(found: Separation, graph: PDAG, names: Sequence[str]) -> pd.DataFrame:
    """One row a path."""
    rows = [
        (
            path_text(graph, path.nodes, names),
            "open" if path.open else "closed",
            "causal" if path.causal else "",
            set_or_nothing(path.closed_at if path.closed_at else path.closers, names),
        )
        for path in found.paths
    ]
    return pd.DataFrame(rows, columns=["path", "state", "arrows", "closed at, or by"])


def effect_rows(effects: Sequence[Effect], x: int, names: Sequence[str], levels: Sequence, y: int) -> pd.DataFrame:
    """One row a number of an effect, with its interval and what was adjusted for."""
    rows = []
    for one in effects:
        for place in np.ndindex(one.values.shape):
            set_to = "" if not place else shorten(levels[x][place[0]]) if levels[x] else "any number"
            level = shorten(levels[y][place[1]]) if len(place) > 1 else ""
            numbers = (float(part[place]) for part in (one.values, one.low, one.high))
            covered = float(one.covered[place[0]]) if len(one.covered) else 1.0
            rows.append((set_or_nothing(one.given, names), set_to, level, *numbers, covered, one.n))
    columns = ["adjusted for", "set to", "level", "value", "95 % from", "to", "rows covered", "n"]
    table = pd.DataFrame(rows[:MOST_ROWS], columns=columns)
    told = {"adjusted for": len(effects) > 1, "set to": table["set to"].any(), "level": table["level"].any(),
            "rows covered": (table["rows covered"] < 1.0).any(), "n": table["n"].nunique() > 1}  # fmt: skip
    return table.drop(columns=[column for column, tells in told.items() if not tells])


def calibration_rows(found: HeldOutCalibration) -> pd.DataFrame:
    """One row a bin of probabilities, or an interval."""
    columns = {"said": found.said.round(3), "came true": found.came.round(3), "of": found.n.round().astype(int)}
    return pd.DataFrame(columns)


def implication_rows(found: Sequence[ImplicationResult], names: Sequence[str]) -> pd.DataFrame:
    """One row an implied independence, what fits worst first."""
    rows = [
        (
            shorten(names[one.implication.x]),
            shorten(names[one.implication.y]),
            format_set(one.implication.given, names),
            format_p(one.result.log_p) if one.result.tested else "not tested",
            format_p(one.log_q),
            "rejected" if one.rejected else "fits",
        )
        for one in found[:MOST_ROWS]
    ]
    return pd.DataFrame(rows, columns=["x", "y", "independent given", "p", "q (BH)", "verdict"])
