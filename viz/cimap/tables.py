"""The turns of one order of tests as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from learners.families.cimap.levels import Fate, Level

from ..text import format_p, format_set, shorten

FATES = {
    Fate.FALLS: "removed",
    Fate.STAYS: "kept",
    Fate.HAD_FALLEN: "already removed",
    Fate.UNTESTED: "untested, too little power",
    Fate.NO_NEIGHBOURS: "too few neighbours left",
}


def turns_table(level: Level, names: Sequence[str], information: np.ndarray) -> pd.DataFrame:
    """Return a row for each turn: the visited node, its partner, and the outcome for the edge.

    Parameters
    ----------
    level : Level
    names : sequence of str
    information : (p, p) float64 array
        Mutual information of each pair, in mbit.
    """
    turns, done = level.turns, len(level.turns.state)
    i, j = level.edges[:done].T
    rows = {
        "turn": np.arange(1, done + 1),
        "from": [shorten(names[k]) for k in i.tolist()],
        "σ of it": level.strength[i],
        "edge to": [shorten(names[k]) for k in j.tolist()],
        "mbit": information[i, j],
        "tests": turns.n_tests,
        "largest p": [format_p(value) if n else "–" for value, n in zip(turns.log_p, turns.n_tests, strict=True)],
        "given": [
            format_set(cond[cond >= 0].tolist(), names) if n else "–"
            for cond, n in zip(turns.cond, turns.n_tests, strict=True)
        ],
        "what": [FATES.get(int(state), "") for state in turns.state],
        "i": i,
        "j": j,
    }
    return pd.DataFrame(rows)


def fallen_by_node(level: Level) -> np.ndarray:
    """Return (m,) int64: the number of edges removed in the turns of each of `level.nodes`."""
    done = len(level.turns.state)
    fell = level.edges[:done, 0][level.turns.state == Fate.FALLS]
    return np.array([(fell == node).sum() for node in level.nodes.tolist()], dtype=np.int64)
