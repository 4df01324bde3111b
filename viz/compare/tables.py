"""Tables of the edges and of the accuracy of several graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from learners.common.sentences import Listed, Phrase, phrase, say
from learners.evaluation.comparison import agreement, quality
from learners.graphs.graph import PDAG

from ..text import ARROWS

EQUAL, LEFT_OPEN, CONTRADICTORY, ADJACENT = "equal", "undetermined in ", "contradictory", "adjacent in "
MAX_NAMED = 6  # maximum number of different verdicts that a summary names one by one; two graphs have no more
SCORES = ("BIC", "BDeu")
DETERMINED = "="  # mark of a pair if one variable determines the other


def edge_by_edge(
    graphs: Mapping[str, PDAG],
    names: Sequence[str],
    truth: PDAG | None = None,
    determined: Collection[frozenset[int]] = (),
    doubted: Mapping[str, Collection[tuple[int, int]]] | None = None,
) -> pd.DataFrame:
    """Return one row for each pair that is adjacent in some graph; pairs on which the graphs differ come first.

    Columns: x, y, the mark in each graph, "truth" if it is known, "graphs with it" (number of graphs with the edge),
    "verdict", and the indices of the nodes as ``i`` and ``j``. The verdict compares statements rather than marks, so a
    PAG and a CPDAG can be equal, contradict each other, or leave open what the other states. Pairs in `determined` have
    no direction. The marks of the arrows that a graph draws as uncertain, in `doubted`, end in "?".
    """
    known = {"truth": truth} if truth is not None else {}
    either = np.any([graph.skeleton for graph in (*graphs.values(), *known.values())], axis=0)
    rows = []
    for i, j in np.argwhere(np.triu(either)).tolist():
        marks = {label: mark_between(graph, i, j) for label, graph in (graphs | known).items()}
        if frozenset((i, j)) in determined:
            marks = {label: mark and DETERMINED for label, mark in marks.items()}
        for label, arrows in (doubted or {}).items():
            arrow = (i, j) if graphs[label].mark(i, j) == "forward" else (j, i)
            if arrow in arrows and marks[label] in (ARROWS["forward"], ARROWS["backward"]):
                marks[label] = f"{marks[label]} ?"
        own = [marks[label] for label in graphs]
        rows.append(
            {
                "x": names[i],
                "y": names[j],
                **marks,
                "graphs with it": sum(map(bool, own)),
                "verdict": _verdict(graphs, i, j, has_direction=frozenset((i, j)) not in determined),
                "i": i,
                "j": j,
            }
        )
    columns = ["x", "y", *graphs, *known, "graphs with it", "verdict", "i", "j"]
    table = pd.DataFrame(rows, columns=columns)
    order = np.lexsort((-table["graphs with it"].to_numpy(int), [_rank(verdict) for verdict in table["verdict"]]))
    return table.iloc[order].reset_index(drop=True)


def verdict_phrase(verdict: str) -> Phrase:
    """Return a verdict of `edge_by_edge` as a phrase, which has a version in each language."""
    if verdict.startswith(ADJACENT):
        return phrase("adjacent in {graphs} only", graphs=verdict.removeprefix(ADJACENT).removesuffix(" only"))
    if verdict.startswith(LEFT_OPEN):
        return phrase("undetermined in {graphs}", graphs=verdict.removeprefix(LEFT_OPEN))
    return phrase("contradictory") if verdict == CONTRADICTORY else phrase("equal")


def verdicts_of_edges(table: pd.DataFrame) -> pd.Series:
    """Return the verdicts on the pairs that a compared graph connects; `edge_by_edge` also has pairs of the truth."""
    return table["verdict"][table["graphs with it"] > 0]


def summary(verdicts: Iterable[str]) -> Phrase:
    """Count the pairs on which the graphs agree, leave something open, contradict each other or differ in adjacency.

    The graphs are named if the verdicts are few, as those on two graphs are.
    """
    counts = Counter(verdicts)
    ranks = [_rank(verdict) for verdict in counts.elements()]
    if not ranks:
        return phrase("No pair is adjacent.")
    if len(counts) <= MAX_NAMED:
        kinds = sorted(counts, key=lambda verdict: (-_rank(verdict), verdict))
        found = [say("{n} {kind}", n=counts[kind], kind=verdict_phrase(kind).sentence) for kind in kinds]
    else:
        parts = (
            say("missing from some graphs"), say("contradictory"), say("undetermined in some graph"), say("equal")
        )  # fmt: skip
        found = [say("{n} {kind}", n=ranks.count(k), kind=parts[k]) for k in (3, 2, 1, 0) if k in ranks]
    template = "{n} adjacent pair: {found}." if len(ranks) == 1 else "{n} adjacent pairs: {found}."
    return phrase(template, n=len(ranks), found=Listed(found))


def _rank(verdict: str) -> int:
    return 0 if verdict.startswith(ADJACENT) else 1 if verdict == CONTRADICTORY else 3 if verdict == EQUAL else 2


def _verdict(graphs: Mapping[str, PDAG], i: int, j: int, *, has_direction: bool) -> str:
    kind, open_ = agreement(list(graphs.values()), i, j)
    if kind == "adjacency_differs":
        return ADJACENT + ", ".join(label for label, graph in graphs.items() if graph.skeleton[i, j]) + " only"
    if kind == "equal" or not has_direction:
        return EQUAL
    return CONTRADICTORY if kind == "contradictory" else LEFT_OPEN + ", ".join(list(graphs)[k] for k in open_)


def mark_between(graph: PDAG, i: int, j: int) -> str:
    """Return the sign of the edge from i to j, or ""."""
    return ARROWS[graph.mark(i, j)] if graph.skeleton[i, j] else ""


def score_columns(numbers: pd.DataFrame) -> list[str]:
    """Return the columns of scores per row (`learners.evaluation.comparison.fit`), whose small differences matter."""
    return [name for name in numbers if name.removeprefix("held-out ") in SCORES]


def quality_rows(graphs: Mapping[str, PDAG], truths: Mapping[str, PDAG]) -> pd.DataFrame:
    """Return a row for each graph: precision, recall, distance from a perfect result, SHD and Jaccard index.

    Parameters
    ----------
    graphs : mapping of label to PDAG
    truths : mapping of label to PDAG
        The true graph with which each is compared: without directions for a learner that looks for none.
    """
    rows = {label: quality(graph, truths[label]) for label, graph in graphs.items()}
    return pd.DataFrame(
        {
            "precision": {label: one.precision for label, one in rows.items()},
            "recall": {label: one.recall for label, one in rows.items()},
            "distance from perfect": {label: one.distance for label, one in rows.items()},
            "SHD": {label: one.shd for label, one in rows.items()},
            "Jaccard": {label: one.jaccard for label, one in rows.items()},
        },
        index=list(graphs),
    )
