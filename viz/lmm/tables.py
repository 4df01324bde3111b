"""The edge ranking and the v-structures of LMM as tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from learners.families.lmm.orientation import VStructures
from learners.families.lmm.ranking import EdgeRanking
from learners.families.lmm.words import format_one_sided, format_support, stronger_rival, triple_clause
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult

from ..text import format_set, shorten

AWARE = {(True, True): "both", (True, False): "first", (False, True): "second"}


def ranking_table(result: LearnResult, truth: PDAG | None = None) -> pd.DataFrame:
    """Return the edges by rank, with the hardest sets of both sides and the node indices ``i`` and ``j``."""
    ranking: EdgeRanking = result.extra
    moves, names = ranking.moves, result.names
    rows = []
    for rank, move in enumerate(ranking.ranked.tolist(), start=1):
        i, j = int(moves.i[move]), int(moves.j[move])
        row = {
            "rank": rank,
            "edge": f"{shorten(names[i])} — {shorten(names[j])}",
            ranking.value_name: format_support(ranking, moves.key[move]),
        }
        if truth is not None:
            row["in truth"] = "yes" if truth.skeleton[i, j] else "no"
        row["kept"] = "yes" if move >= ranking.choice else "no"
        row["removed at step"] = move + 1
        row["aware"] = AWARE[tuple(moves.aware[move].tolist())]
        for side, which in enumerate(("first", "second")):
            if not ranking.tested:
                row[f"CPPD, {which}'s side"] = format_one_sided(moves.one_sided[move, side])
            row[f"hardest set, {which}'s side"] = format_set(moves.hardest_set(move, side), names)
        rows.append(row | {"i": i, "j": j})
    return pd.DataFrame(rows)


def v_structure_table(result: LearnResult) -> pd.DataFrame:
    """Return the candidate v-structures with CD and fate, the largest CD first; ``t`` is the index in `VStructures`."""
    found: VStructures = result.extra.v_structures
    rows = [
        {
            "v-structure": triple_clause(found, t).text(result.names),
            "CD": float(found.induced[t]),
            "fate": fate(found, t),
            "lost to": _rival(result, t) if fate(found, t) == "replaced by a more certain one" else "",
            "joint CPPD with the middle": _joint(found.with_w[t]),
            "and without": _joint(found.without_w[t]),
            "t": t,
        }
        for t in np.argsort(-found.induced, kind="stable").tolist()
    ]
    shown = () if result.extra.tested else COLUMNS
    return pd.DataFrame(rows, columns=["v-structure", "CD", "fate", "lost to", *shown, "t"])


def _rival(result: LearnResult, t: int) -> str:
    rival = stronger_rival(result.extra.v_structures, t)
    return rival.text(result.names) if rival else ""


COLUMNS = ("joint CPPD with the middle", "and without")


def fate(found: VStructures, t: int) -> str:
    """Return the outcome of a candidate."""
    if found.accepted[t]:
        return "accepted"
    return "replaced by a more certain one" if found.induced[t] > 0 else "CD not above 0"


def _joint(log_odds: np.ndarray) -> float:
    return float(np.exp(-np.logaddexp(0.0, -log_odds).sum()))
