"""Tables of paths, effects, calibration and implied independences."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from learners.effects.estimates import Effect, EffectDifference
from learners.effects.held_out import HeldOutCalibration
from learners.effects.implications import Implication, ImplicationResult
from learners.effects.paths import Separation
from learners.effects.undirected_paths import lacks_direction
from learners.graphs.graph import PDAG

from ..text import format_p, format_set, shorten
from .words import path_text

MAX_ROWS = 500
BLOCKED_AT = "blocked at / can be blocked by"  # heading


def set_or_nothing(members: Collection[int], names: Sequence[str]) -> str:
    """Return a set in braces, or "nothing" for the empty set."""
    return format_set(members, names) if members else "nothing"


def path_rows(
    found: Separation, graph: PDAG, names: Sequence[str], undirected: Collection[frozenset[int]] = ()
) -> pd.DataFrame:
    """Return one row per path; a path through a pair of `undirected` is not causal."""
    rows = [
        (
            "open" if path.open else "blocked",
            path_text(graph, path.nodes, names, undirected),
            "causal" if path.causal and not lacks_direction(path.nodes, undirected) else "",
            set_or_nothing(path.closed_at if path.closed_at else path.closers, names),
        )
        for path in found.paths
    ]
    return pd.DataFrame(rows, columns=["state", "path", "type", BLOCKED_AT])


def effect_rows(effects: Sequence[Effect], x: int, names: Sequence[str], levels: Sequence, y: int) -> pd.DataFrame:
    """Return one row for each number of an effect, with its interval and adjustment set."""
    rows = []
    for effect in effects:
        for index in np.ndindex(effect.values.shape):
            set_to = shorten(levels[x][index[0]]) if index and levels[x] else ""
            level = shorten(levels[y][index[-1]]) if index and levels[y] else ""
            numbers = (float(part[index]) for part in (effect.values, effect.low, effect.high))
            covered = float(effect.covered[index[0]]) if len(effect.covered) else 1.0
            rows.append((set_or_nothing(effect.given, names), set_to, level, *numbers, covered, effect.n))
    columns = ["adjusted for", "set to", "level", "value", "95% from", "95% to", "rows covered", "n (observed)"]
    table = pd.DataFrame(rows[:MAX_ROWS], columns=columns)
    varies = {
        "adjusted for": len(effects) > 1,
        "set to": table["set to"].any(),
        "level": table["level"].any(),
        "rows covered": (table["rows covered"] < 1.0).any(),
        "n (observed)": table["n (observed)"].nunique() > 1,
    }
    return table.drop(columns=[column for column, informative in varies.items() if not informative])


def difference_rows(adjusted: EffectDifference, plain: EffectDifference) -> pd.DataFrame:
    """Return a table with the adjusted and the unadjusted difference and their intervals.

    Without an adjustment set both are the same number, in one row.
    """
    found = {"with adjustment": adjusted} if adjusted.given else {}
    found["without adjustment"] = plain
    rows = [(label, one.value, one.low, one.high, one.covered) for label, one in found.items()]
    table = pd.DataFrame(rows, columns=["", "difference", "95% from", "95% to", "rows covered"])
    return table if (table["rows covered"] < 1.0).any() else table.drop(columns="rows covered")


def differences_by_set_rows(by_set: Sequence[EffectDifference], names: Sequence[str]) -> pd.DataFrame:
    """Return one row for each adjustment set, with the difference adjusted for it and its interval."""
    rows = [(set_or_nothing(one.given, names), one.value, one.low, one.high, one.covered) for one in by_set]
    table = pd.DataFrame(rows, columns=["adjusted for", "difference", "95% from", "95% to", "rows covered"])
    return table if (table["rows covered"] < 1.0).any() else table.drop(columns="rows covered")


def implied_rows(found: Sequence[Implication], names: Sequence[str]) -> pd.DataFrame:
    """Return one row for each independence that a drawn graph implies, untested."""
    rows = [
        (shorten(names[one.x]), shorten(names[one.y]), set_or_nothing(one.given, names)) for one in found[:MAX_ROWS]
    ]
    return pd.DataFrame(rows, columns=["x", "y", "independent given"])


def calibration_rows(found: HeldOutCalibration) -> pd.DataFrame:
    """Return one row for each bin of predicted probabilities, or for each interval."""
    columns = {"predicted": found.said, "observed": found.came, "n": found.n.round().astype(int)}
    return pd.DataFrame(columns)


def implication_rows(found: Sequence[ImplicationResult], names: Sequence[str]) -> pd.DataFrame:
    """Return one row for each implied independence, the worst fit first."""
    rows = [
        (
            "rejected" if implied.rejected else "not rejected",
            shorten(names[implied.implication.x]),
            shorten(names[implied.implication.y]),
            set_or_nothing(implied.implication.given, names),
            format_p(implied.result.log_p) if implied.result.tested else "not tested",
            format_p(implied.log_q),
        )
        for implied in found[:MAX_ROWS]
    ]
    return pd.DataFrame(rows, columns=["verdict", "x", "y", "independent given", "p", "q (BH)"])
