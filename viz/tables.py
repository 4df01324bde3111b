"""Graphs as plain tables: the text alternative of every picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from learners.graphs.graph import PDAG
from learners.results.events import Action
from learners.results.result import LearnResult
from learners.results.rules import Rule

from .phases import phase_name
from .text import ARROWS, format_p, format_set

MOST_ROWS = 5_000  # of a table; earlier removals are the clear-cut ones
KINDS = {"undirected": "direction open", "forward": "directed", "backward": "directed"}


def edge_table(result: LearnResult, graph: PDAG | None = None) -> pd.DataFrame:
    """The edges of `graph` (default: the result's) with their strength, strongest first.

    Columns: from, mark, to, type, the strength by its label and its confidence limits if it has any; the nodes'
    positions as ``i`` and ``j``.
    """
    graph = graph or result.graph
    limits = dict(zip(("95 % from", "to at most"), result.strengths.limits or (), strict=False))
    rows = []
    for i, j in sorted({(min(e), max(e)) for e in graph.edges()}):
        mark = graph.mark(i, j)
        a, b = (j, i) if mark == "backward" else (i, j)
        rows.append(
            {
                "from": result.names[a],
                "": ARROWS["forward" if mark != "undirected" else "undirected"],
                "to": result.names[b],
                "type": KINDS[mark],
                result.strengths.label: result.strengths.values[i, j],
                **{name: limit[i, j] for name, limit in limits.items()},
                "i": i,
                "j": j,
            }
        )
    table = pd.DataFrame(rows, columns=["from", "", "to", "type", result.strengths.label, *limits, "i", "j"])
    return table.sort_values(
        result.strengths.label, ascending=not result.strengths.larger_is_stronger, kind="stable", ignore_index=True
    )


def separated_table(result: LearnResult) -> pd.DataFrame:
    """The pairs that a test, or background knowledge, separated, the last to leave first, at most `MOST_ROWS`."""
    trace, names = result.trace, result.names
    parted = np.flatnonzero(np.isin(trace.action, (Action.REMOVE, Action.APART)))[::-1]
    pairs = np.sort(np.column_stack([trace.i[parted], trace.j[parted]]), axis=1)
    last = np.sort(np.unique(pairs, axis=0, return_index=True)[1])  # both ends may have parted from each other
    removals = parted[last][:MOST_ROWS]
    rows = [
        {
            "x": names[event.i],
            "y": names[event.j],
            "separated by": "your knowledge" if event.rule is Rule.FORBIDDEN else format_set(event.cond, names),
            "p": format_p(event.log_p),
            "level": phase_name(event.phase),
            "i": event.i,
            "j": event.j,
        }
        for event in (trace[int(t)] for t in removals)
    ]
    return pd.DataFrame(rows, columns=["x", "y", "separated by", "p", "level", "i", "j"])


def sentence_list(graph: PDAG, names: Sequence[str]) -> list[str]:
    """The graph in words, one sentence a variable that has edges, and one that names those without."""
    sentences = []
    for k, name in enumerate(names):
        parts = [
            f"{words} {', '.join(names[other] for other in others)}"
            for words, others in (
                ("points at", graph.children(k)),
                ("is pointed at by", graph.parents(k)),
                ("is linked, direction open, with", graph.neighbors(k)),
            )
            if others
        ]
        if parts:
            sentences.append(f"{name} {'; '.join(parts)}.")
    alone = [name for name, joined in zip(names, graph.skeleton.any(axis=1), strict=True) if not joined]
    if alone:
        sentences.append(f"Joined with no other: {', '.join(alone)}.")
    return sentences
