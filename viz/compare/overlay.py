"""Difference of two graphs, consensus of several, and comparison with the truth, for the graph component."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from learners.common.sentences import phrase
from learners.evaluation.comparison import Consensus, agreement, differences
from learners.graphs.graph import PDAG
from learners.graphs.mag import pag_without_hidden

from ..graph_data import Difference, EdgeData, GraphViewData, nodes
from ..text import shorten
from ..weak_evidence import with_determined

ENDS_OF_PAG = ("circles", "circle-forward", "circle-backward", "bidirected")  # marks that only PAGs have
MAX_DRAWN = 8_000
Arrows = Collection[tuple[int, int]]


def difference_view(
    a: PDAG,
    b: PDAG,
    names: Sequence[str],
    positions: np.ndarray,
    labels: tuple[str, str] = ("A", "B"),
    determined: Mapping[frozenset[int], str] = MappingProxyType({}),
    doubted: tuple[Arrows, Arrows] = ((), ()),
) -> GraphViewData:
    """Return a view of all edges of A or B, marked by membership; edges of both have their mark in A.

    Parameters
    ----------
    a, b : PDAG
        Over the same variables.
    names : sequence of str
    positions : (p, 2) float array
        In [0, 1].
    labels : pair of str
        Names of the two graphs in the sentence.
    determined : mapping of pair to str, optional
        Pairs without a direction, and the reason.
    doubted : pair of collections of (int, int)
        Arrows i -> j whose direction each graph's run doubts. An arrow that all of its graphs doubt has a hollow head.
    """
    found = {pair: _kind(a, b, pair, kind, determined) for pair, kind in differences(a, b).items()}
    first, second = labels
    doubters = doubted_by_all((a, b), doubted)
    edges = [
        {"id": k, "a": i, "b": j, "diff": kind, "spans": [[0, 1, mark := (b if kind == "only_b" else a).mark(i, j)]]}
        | _doubt((i, j), mark, doubters, labels)
        for k, ((i, j), kind) in enumerate(list(found.items())[:MAX_DRAWN])
    ]
    kinds = list(found.values())
    data: GraphViewData = {
        "nodes": nodes(names, positions),
        "edges": edges,
        "steps": {
            "count": 1,
            "text": [
                phrase(
                    "{equal} equal, {only_a} in {a} only, {only_b} in {b} only, "
                    "{differ} contradictory, {open} undetermined in one",
                    equal=kinds.count("both"),
                    only_a=kinds.count("only_a"),
                    a=first,
                    only_b=kinds.count("only_b"),
                    b=second,
                    differ=kinds.count("direction_differs"),
                    open=kinds.count("left_open"),
                )
            ],
        },
        "labels": [shorten(label) for label in labels],
        "file_name": "edgewise_difference",
    }
    return with_determined(data, determined)


def doubted_by_all(graphs: Sequence[PDAG], doubted: Sequence[Arrows]) -> dict[tuple[int, int], list[int]]:
    """Return the arrows whose direction is in doubt in each graph that has them, with the positions of these graphs.

    Parameters
    ----------
    graphs : sequence of PDAG
        Over the same variables.
    doubted : sequence of collections of (int, int)
        Arrows i -> j whose direction the run of each graph doubts.
    """
    having = {
        arrow: [k for k, graph in enumerate(graphs) if graph.mark(*arrow) == "forward"]
        for arrow in {arrow for arrows in doubted for arrow in arrows}
    }
    return {arrow: own for arrow, own in having.items() if own and all(arrow in doubted[k] for k in own)}


def _doubt(
    pair: tuple[int, int], mark: str, doubters: Mapping[tuple[int, int], Sequence[int]], labels: Sequence[str]
) -> dict[str, str]:
    """Return the doubt on the drawn arrow, with the graphs that doubt it."""
    own = doubters.get(pair[::-1] if mark == "backward" else pair, ())
    if mark not in ("forward", "backward") or not own:
        return {}
    words = "direction doubtful in {a} and {b}" if len(own) > 1 else "direction doubtful in {a}"
    return {"doubt": mark, "doubt_text": phrase(words, **dict(zip("ab", [labels[k] for k in own], strict=False)))}


def _kind(
    a: PDAG, b: PDAG, pair: tuple[int, int], difference: Difference, determined: Collection[frozenset[int]]
) -> Difference:
    """Return the kind of difference between two graphs on a pair; pairs in `determined` have no direction."""
    if difference in ("only_a", "only_b"):
        return difference
    found, _ = agreement((a, b), *pair)
    if found == "equal" or frozenset(pair) in determined:
        return "both"
    return "left_open" if found == "left_open" else "direction_differs"


def consensus_view(
    agreed: Consensus, n_graphs: int, names: Sequence[str], positions: np.ndarray, doubted: Arrows = ()
) -> GraphViewData:
    """Return the edges that at least k graphs have; the slider sets k, and opacity shows the share of graphs.

    The arrows in `doubted` have a hollow head: each graph that has them doubts their direction.
    """
    marks = agreed.graph(0.0)
    joined = np.rint(agreed.joined * n_graphs).astype(int)
    pairs = np.argwhere(np.triu(joined > 0))
    if len(pairs) > MAX_DRAWN:
        keep = np.argsort(-joined[pairs[:, 0], pairs[:, 1]], kind="stable")[:MAX_DRAWN]
        pairs = pairs[np.sort(keep)]
    sizes = [int(np.triu(joined >= k).sum()) for k in range(1, n_graphs + 1)]
    return {
        "nodes": nodes(names, positions),
        "edges": [
            {
                "id": k,
                "a": i,
                "b": j,
                "opacity": float(agreed.joined[i, j]),
                "strength": float(agreed.joined[i, j]),
                "strength_text": phrase("in {k} of {n} graphs", k=int(joined[i, j]), n=n_graphs),
                "spans": [[0, int(joined[i, j]), marks.mark(i, j)]],
            }
            | _common_doubt((i, j), marks.mark(i, j), doubted)
            for k, (i, j) in enumerate(pairs.tolist())
        ],
        "steps": {
            "count": n_graphs,
            "offset": 1,
            "axis_label": phrase("minimum number of graphs"),
            "text": [
                phrase("in at least {k} of {n} graphs", k=k, n=n_graphs)
                if k < n_graphs
                else phrase("in all {n} graphs" if n_graphs > 2 else "in both graphs", n=n_graphs)
                for k in range(1, n_graphs + 1)
            ],
            "series": [{"label": phrase("edges"), "values": sizes}],
            "curve": 0,
            "choice": n_graphs // 2,
            "choice_label": phrase("More than half"),
        },
        "directed": phrase("directed: the most frequent direction"),
        "wider": phrase("wider line: in more graphs"),
        "fainter": phrase("fainter line: in fewer graphs"),
        "leaves": phrase("in too few graphs for the next step"),
        "ghost": phrase("in too few graphs for this step"),
        "undirected": phrase("undirected: open, or no direction is the most frequent"),
        "file_name": "edgewise_consensus",
    }


def _common_doubt(pair: tuple[int, int], mark: str, doubted: Arrows) -> dict[str, str]:
    if (mark == "forward" and pair in doubted) or (mark == "backward" and pair[::-1] in doubted):
        return {"doubt": mark, "doubt_text": phrase("direction doubtful in each graph that has it")}
    return {}


def with_truth(data: GraphViewData, truth: PDAG) -> GraphViewData:
    """Add the true edge of each pair, including true edges that no step draws.

    Parameters
    ----------
    data : GraphViewData
        Its node ids are indices in `truth`.
    truth : PDAG
        The true CPDAG. Graphs with circles and edges <-> are compared with its PAG.
    """
    if any(mark in ENDS_OF_PAG for edge in data["edges"] for _from, _to, mark, *_ in edge["spans"]):
        truth = pag_without_hidden(truth)
    left = {(i, j) if i < j else (j, i) for i, j in truth.edges()}
    edges: list[EdgeData] = []
    for edge in data["edges"]:
        left.discard((min(edge["a"], edge["b"]), max(edge["a"], edge["b"])))
        edges.append(edge | {"truth": truth.mark(edge["a"], edge["b"])})
    edges += [{"id": f"true {i} {j}", "a": i, "b": j, "spans": [], "truth": truth.mark(i, j)} for i, j in sorted(left)]
    return data | {"edges": edges, "truth": True}
