"""The DAGs of an equivalence class, and edges directed by hand, as steps of the graph component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from learners.common.sentences import Listed, Phrase, Sentence, only_if, phrase, say
from learners.graphs.edge_reversal import Reversal
from learners.graphs.graph import PDAG, Edge
from learners.results.step_graphs import coded

from .graph_data import GraphViewData, nodes, runs
from .text import shorten

MAX_NAMED = 4  # maximum number of edges listed in a sentence
MAX_ENTRIES = 20_000_000  # limit for all adjacency matrices together
MAX_MEMBERS = 1_000
Turns = Mapping[Edge, str]  # mark of each edge at a step: "by-hand", "follows", "besides" (another change) or "changed"


def max_members(p: int) -> int:
    """Return the maximum number of listed DAGs over p variables."""
    return max(1, min(MAX_MEMBERS, MAX_ENTRIES // max(1, p * p)))


def members_view(
    members: Sequence[PDAG], total: str, within: PDAG, names: Sequence[str], positions: np.ndarray
) -> GraphViewData:
    """Return a view with one DAG of a class per step; edges that differ from the previous DAG are marked.

    Parameters
    ----------
    members : sequence of PDAG
        At least one.
    total : str
        Number of DAGs in the class, as text: "12", "more than 1,000".
    within : PDAG
        The CPDAG of the class, which is compared with a true graph.
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    """
    texts, turns = [], []
    for k, dag in enumerate(members):
        new = sorted(set(dag.directed_edges()) - set(members[k - 1].directed_edges())) if k else []
        note = (
            say("differs from the previous DAG in {edges}", edges=_listed(new, names))
            if k
            else say("all of them fit equally well")
        )
        texts.append(phrase("DAG {k} of {total}; {note}", k=k + 1, total=total, note=note))
        turns.append(dict.fromkeys(new, "changed"))
    data = _view(members, turns, within, names, positions)
    data["directed"] = phrase("directed: in this DAG of the class")
    data["steps"] |= {"offset": 1, "axis_label": phrase("DAG"), "text": texts, "choice": 0}
    data["steps"]["choice_label"] = phrase("First DAG")
    return data


def turns_view(
    start: PDAG, moves: Sequence[Reversal], within: PDAG, names: Sequence[str], positions: np.ndarray
) -> GraphViewData:
    """Return a view of the edges directed or reversed by hand, one per step, with their consequences.

    The other parameters are those of `members_view`.
    """
    texts = [phrase("no edge is directed by hand"), *(turn_sentence(move, names) for move in moves)]
    turns = [{}, *({move.edge: "by-hand"} | dict.fromkeys(move.follows, "follows")
                   | dict.fromkeys(move.besides, "besides") for move in moves)]  # fmt: skip
    data = _view([start, *(move.graph for move in moves)], turns, within, names, positions)
    data["directed"] = phrase("directed: in every DAG of the class that has your directions")
    data["steps"] |= {"offset": 0, "text": texts, "choice": len(moves), "choice_label": phrase("Last edit")}
    return data


def turn_sentence(move: Reversal, names: Sequence[str]) -> Phrase:
    """Return the sentence that names the edge directed by hand and the edges that turned with it."""
    parts = [say("by hand: {edges}", edges=_listed([move.edge], names))]
    if move.follows:
        parts.append(say("implied: {edges}", edges=_listed(move.follows, names)))
    if move.besides:
        parts.append(say("also reversed, to stay in the class: {edges}", edges=_listed(move.besides, names)))
    if len(parts) == 1:
        parts.append(say("no other edge changes"))
    return phrase("{parts}", parts=Listed(parts, "; "))


def _listed(edges: Sequence[Edge], names: Sequence[str]) -> Sentence:
    shown = ", ".join(f"{shorten(names[i])} → {shorten(names[j])}" for i, j in edges[:MAX_NAMED])
    more = only_if(len(edges) > MAX_NAMED, say(" and {n} more", n=len(edges) - MAX_NAMED))
    return say("{edges}{more}", edges=shown, more=more)


def _view(
    graphs: Sequence[PDAG], turns: Sequence[Turns], within: PDAG, names: Sequence[str], positions: np.ndarray
) -> GraphViewData:
    pairs = np.argwhere(np.triu(graphs[0].skeleton))
    codes = np.array([coded(graph, pairs, ()) for graph in graphs])
    number = {frozenset(pair): k for k, pair in enumerate(pairs.tolist())}
    marks: list[list[list]] = [[] for _ in number]
    for step, turned in enumerate(turns):
        for edge, how in turned.items():
            marks[number[frozenset(edge)]].append([step, step + 1, how])
    return {
        "nodes": nodes(names, positions),
        "edges": [
            {
                "id": k,
                "a": i,
                "b": j,
                "spans": runs(codes[:, k], 0),
                "turns": marks[k],
                "comparable": [[0, len(graphs), within.mark(i, j)]],
            }
            for k, (i, j) in enumerate(pairs.tolist())
        ],
        "steps": {"count": len(graphs), "events": list(range(len(graphs)))},
        "file_name": "edgewise_class",
    }
