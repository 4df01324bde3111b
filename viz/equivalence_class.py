"""DAGs of one equivalence class, and directions tried by hand, as steps of the picture of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from learners.graphs.graph import PDAG, Edge
from learners.graphs.turning import Turned
from learners.results.step_graphs import coded

from .graph_data import GraphViewData, nodes, runs
from .text import shorten

MOST_NAMED = 4  # edges of a sentence
HELD = 20_000_000  # entries of all matrices kept
MOST_MEMBERS = 1_000
Turns = Mapping[Edge, str]  # how each of them turned at a step: "by-hand", "follows", "besides" or "changed"


def most_members(p: int) -> int:
    """How many DAGs over p variables are listed at most."""
    return max(1, min(MOST_MEMBERS, HELD // max(1, p * p)))


def members_view(
    members: Sequence[PDAG], total: str, within: PDAG, names: Sequence[str], positions: np.ndarray
) -> GraphViewData:
    """One DAG of a class a step; edges that differ from the step before are marked.

    Parameters
    ----------
    members : sequence of PDAG
        At least one.
    total : str
        How many there are, for a sentence: "12", "more than 1,000".
    within : PDAG
        The class, which is what is held against a truth.
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    """
    texts, turns = [], []
    for k, dag in enumerate(members):
        new = sorted(set(dag.directed_edges()) - set(members[k - 1].directed_edges())) if k else []
        since = f"; unlike the one before: {_told(new, names)}" if k else "; all of them fit equally well"
        texts.append(f"DAG {k + 1:,} of {total}{since}")
        turns.append(dict.fromkeys(new, "changed"))
    data = _view(members, turns, within, names, positions)
    data["directed"] = "directed: so in this DAG of the class"
    data["steps"] |= {"offset": 1, "axis_label": "DAG", "text": texts, "choice": 0, "choice_label": "First DAG"}
    return data


def turns_view(
    start: PDAG, moves: Sequence[Turned], within: PDAG, names: Sequence[str], positions: np.ndarray
) -> GraphViewData:
    """What was directed, or turned, by hand, one edge a step, with what followed; parameters as for `members_view`."""
    texts = ["nothing is directed by hand yet"] + [turn_sentence(move, names) for move in moves]
    turns = [{}, *({move.edge: "by-hand"} | dict.fromkeys(move.follows, "follows")
                   | dict.fromkeys(move.besides, "besides") for move in moves)]  # fmt: skip
    data = _view([start, *(move.graph for move in moves)], turns, within, names, positions)
    data["directed"] = "directed: in every DAG of the class with what you directed"
    data["steps"] |= {"offset": 0, "text": texts, "choice": len(moves), "choice_label": "Last turn"}
    return data


def turn_sentence(move: Turned, names: Sequence[str]) -> str:
    """What was asked for, and what turned with it."""
    parts = [f"by hand: {_told([move.edge], names)}"]
    parts += [f"also turned, for it follows: {_told(move.follows, names)}"] if move.follows else []
    parts += [f"turned too, to stay in the class: {_told(move.besides, names)}"] if move.besides else []
    return "; ".join(parts if len(parts) > 1 else [*parts, "nothing else follows"])


def _told(edges: Sequence[Edge], names: Sequence[str]) -> str:
    told = [f"{shorten(names[i])} → {shorten(names[j])}" for i, j in edges[:MOST_NAMED]]
    return ", ".join(told) + (f" and {len(edges) - MOST_NAMED:,} more" if len(edges) > MOST_NAMED else "")


def _view(
    graphs: Sequence[PDAG], turns: Sequence[Turns], within: PDAG, names: Sequence[str], positions: np.ndarray
) -> GraphViewData:
    pairs = np.argwhere(np.triu(graphs[0].skeleton))
    codes = np.array([coded(graph, pairs, ()) for graph in graphs])
    number = {frozenset(pair): k for k, pair in enumerate(pairs.tolist())}
    spans: list[list[list]] = [[] for _ in number]
    for step, one in enumerate(turns):
        for edge, how in one.items():
            spans[number[frozenset(edge)]].append([step, step + 1, how])
    return {
        "nodes": nodes(names, positions),
        "edges": [
            {
                "id": k,
                "a": i,
                "b": j,
                "spans": runs(codes[:, k], 0),
                "turns": spans[k],
                "comparable": [[0, len(graphs), within.mark(i, j)]],
            }
            for k, (i, j) in enumerate(pairs.tolist())
        ],
        "steps": {"count": len(graphs), "events": list(range(len(graphs)))},
        "file_name": "edgewise_class",
    }
