"""Graphs as tables and sentences, the text alternative of every figure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import pandas as pd

from learners.common.sentences import ENGLISH, Catalog, say
from learners.evaluation.calibrated_probabilities import CalibratedProbabilities, calibrated_probabilities
from learners.explaining.support import is_contradicted, is_determined
from learners.graphs.graph import PDAG
from learners.graphs.pag import PAG
from learners.graphs.rules import Rule
from learners.results.events import Action, Event
from learners.results.few_rows import few_row_events
from learners.results.result import LearnResult

from .rows import Rows
from .text import ARROWS, format_p, format_set
from .weak_evidence import TOO_FEW, direction_word, doubtful

TYPES = {
    "undirected": "undirected",
    "forward": "directed",
    "backward": "directed",
    "circles": "open",
    "circle-forward": "half open",
    "circle-backward": "half open",
    "bidirected": "hidden cause",
}
CALIBRATED_EDGE, CALIBRATED_ARROW = "calibrated P(edge)", "calibrated P(arrow)"
LISTED = {  # words for the edges of a PAG, by the mark from a variable to others
    "forward": "causes {names}",
    "backward": "is caused by {names}",
    "bidirected": "shares a hidden cause with {names}",
    "circle-forward": "causes and/or shares a hidden cause with {names}",
    "circle-backward": "is caused by and/or shares a hidden cause with {names}",
    "circles": "edge{s} with two open ends to {names}",
}
ASSUMES_ENDS = "This list assumes that the ends are right."


def edge_rows(result: LearnResult, graph: PDAG | None = None) -> Rows:
    """Return the edges of `graph` (default: the result), the strongest first.

    Columns: from, mark, to, type, support of the direction, strength with confidence limits if it has any, calibrated
    probabilities if the run has some, marginal mutual information in bits per row, and the node indices ``i`` < ``j``.
    """
    graph, strengths, calibrated = graph or result.graph, result.strengths, calibrated_probabilities(result)
    i, j = np.nonzero(np.triu(graph.skeleton))
    values = strengths.values[i, j]
    order = np.argsort(-values if strengths.larger_is_stronger else values, kind="stable")
    i, j = i[order], j[order]
    into_i = graph.amat[j, i] & ~graph.amat[i, j]
    tails, heads = np.where(into_i, j, i), np.where(into_i, i, j)

    def make(rows: np.ndarray) -> pd.DataFrame:
        pairs = list(zip(i[rows].tolist(), j[rows].tolist(), strict=True))
        marks = [graph.mark(a, b) for a, b in pairs]
        determined = [is_determined(result, *pair) for pair in pairs]
        limits = zip(("95% from", "to at most"), strengths.limits or (), strict=False)
        return pd.DataFrame(
            {
                "from": [result.names[k] for k in tails[rows].tolist()],
                "": [ARROWS[_shown(mark, fixed)] for mark, fixed in zip(marks, determined, strict=True)],
                "to": [result.names[k] for k in heads[rows].tolist()],
                "type": ["determined" if fixed else TYPES[m] for m, fixed in zip(marks, determined, strict=True)],
                "direction": [direction_word(result, *pair, mark) for pair, mark in zip(pairs, marks, strict=True)],
                strengths.label: strengths.values[i[rows], j[rows]],
                **{name: limit[i[rows], j[rows]] for name, limit in limits},
                **({} if calibrated is None else _calibrated(calibrated, tails[rows], heads[rows], marks)),
                "marginal bits per row": [result.information(*pair) for pair in pairs],
                "i": i[rows],
                "j": j[rows],
            }
        )

    return Rows(result.names, tails, heads, make, {"weakest first": -np.arange(len(i))}, "edge")


def _calibrated(
    found: CalibratedProbabilities, tails: np.ndarray, heads: np.ndarray, marks: Sequence[str]
) -> dict[str, np.ndarray]:
    """Return the calibrated probability of each edge, and of its arrow if it has one."""
    directed = np.array([mark in ("forward", "backward") for mark in marks], dtype=bool)
    return {
        CALIBRATED_EDGE: found.adjacent[tails, heads],
        CALIBRATED_ARROW: np.where(directed, found.compelled[tails, heads], np.nan),
    }


def _shown(mark: str, fixed: bool) -> str:
    """Return the mark of an edge whose ends are listed from tail to head."""
    if fixed:
        return "determined"
    return "forward" if mark == "backward" else mark  # a directed edge is written from its tail


def separated_rows(result: LearnResult, _graph: PDAG | None = None) -> Rows:
    """Return the nonadjacent pairs that a test or background knowledge separated, the latest first."""
    trace, names = result.trace, result.names
    apart = np.isin(trace.action, (Action.REMOVE, Action.APART)) & ~result.graph.skeleton[trace.i, trace.j]
    separations = np.flatnonzero(apart)[::-1]
    ends = np.sort(np.column_stack([trace.i[separations], trace.j[separations]]), axis=1).astype(np.int64)
    # Learners that search from both ends may separate a pair twice.
    # Background knowledge comes before the tests that are done for v-structures only.
    known = trace.made_by({Rule.FORBIDDEN})[separations] & (trace.n_tests[separations] == 0)
    order = np.argsort(~known, kind="stable")
    last = np.sort(order[np.unique((ends[:, 0] * len(names) + ends[:, 1])[order], return_index=True)[1]])
    events, few = separations[last], few_row_events(result)

    def make(rows: np.ndarray) -> pd.DataFrame:
        separated = [_separation(trace[int(t)], names) | {"rows": TOO_FEW if few[t] else ""} for t in events[rows]]
        return pd.DataFrame(separated, columns=["x", "y", "separated by", "p", "rows", "level", "i", "j"])

    log_p = trace.log_p[events]
    keys = {"largest p first": -log_p, "smallest p first": log_p}
    return Rows(names, trace.i[events], trace.j[events], make, keys, "pair")


def separated_numbers(result: LearnResult) -> pd.DataFrame:
    """Return `separated_rows` for a data file: p as a number, and its natural logarithm, which never underflows."""
    rows = separated_rows(result)
    table, log_p = rows.table(), -rows.keys["largest p first"]
    table.insert(table.columns.get_loc("p") + 1, "ln p", log_p)
    return table.assign(p=np.exp(log_p)).drop(columns=["i", "j"])


def _separation(event: Event, names: Sequence[str]) -> dict:
    return {
        "x": names[event.i],
        "y": names[event.j],
        "separated by": "background knowledge" if event.rule is Rule.FORBIDDEN else format_set(event.cond, names),
        "p": format_p(event.log_p),
        "level": str(event.phase),
        "i": event.i,
        "j": event.j,
    }


def sentence_list(
    graph: PDAG,
    names: Sequence[str],
    undirected: Collection[tuple[int, int]] = (),
    catalog: Catalog = ENGLISH,
    *,
    weak: Collection[tuple[int, int]] = (),
    contradicted: Collection[tuple[int, int]] = (),
    target: int | None = None,
) -> list[str]:
    """Return the graph as text: a sentence for each variable with edges, and one that lists the isolated variables.

    With a `target`, the run sought edges of this variable only.

    Pairs i < j in `undirected` have no direction, because one of the two determines the other. The last sentences list
    the arrows in `weak` and in `contradicted`, whose directions are weakly supported, or contradicted by the data.
    """

    def t(template: str, others: Iterable[int]) -> str:
        return say(template, names=", ".join(names[other] for other in others)).text((), catalog)

    sentences = []
    if isinstance(graph, PAG) and graph.n_edges:
        sentences.append(say(ASSUMES_ENDS).text((), catalog))
    adjacent = [np.flatnonzero(row).tolist() for row in graph.skeleton]
    for k, name in enumerate(names):
        parts = [
            t(words.replace("{s}", "" if len(others) == 1 else "s"), others)
            for words, others in _listed(graph, k)
            or (
                ("arrow{s} to {names}", [j for j in graph.children(k) if _pair(k, j) not in undirected]),
                ("arrow{s} from {names}", [j for j in graph.parents(k) if _pair(k, j) not in undirected]),
                ("undirected edge{s} to {names}", [j for j in graph.neighbors(k) if _pair(k, j) not in undirected]),
                ("linked (nearly) by a function with {names}", [j for j in adjacent[k] if _pair(k, j) in undirected]),
            )
            if others
        ]
        if parts:
            sentences.append(f"{name}: {'; '.join(parts)}.")
    isolated = np.flatnonzero(~graph.skeleton.any(axis=1)).tolist()
    if isolated and target is None:
        sentences.append(t("No edges: {names}.", isolated))
    elif target is not None:
        if others := [k for k in isolated if k != target]:
            listed = ", ".join(names[k] for k in others)
            sentences.append(say("No edge to {target}: {names}.", target=names[target], names=listed).text((), catalog))
        sentences.append(say("Edges between other variables were not sought.").text((), catalog))
    for template, doubted in (
        ("Directions with weak support: {arrows}.", weak),
        ("Directions that the data contradict: {arrows}.", contradicted),
    ):
        if doubted:
            arrows = ", ".join(f"{names[i]} → {names[j]}" for i, j in doubted)
            sentences.append(say(template, arrows=arrows).text((), catalog))
    return sentences


def text_of_graph(result: LearnResult, graph: PDAG, catalog: Catalog = ENGLISH) -> list[str]:
    """Return a graph of a run as text; of the final graph, the last sentences list the doubtful directions."""
    doubts = [arrow for arrow in graph.directed_edges() if graph == result.graph and doubtful(result, *arrow)]
    against = [arrow for arrow in doubts if is_contradicted(result.directions[arrow])]
    weak = [arrow for arrow in doubts if arrow not in against]
    target = getattr(result.extra, "target", None)
    return sentence_list(
        graph, result.names, result.undirected_pairs, catalog, weak=weak, contradicted=against, target=target
    )


def _listed(graph: PDAG, k: int) -> list[tuple[str, list[int]]]:
    """Return the edges of a node of a PAG by mark: words for the mark, and the other nodes; [] for other graphs."""
    if not isinstance(graph, PAG):
        return []
    return [(words, [j for j in graph.adjacent(k) if graph.mark(k, j) == mark]) for mark, words in LISTED.items()]


def _pair(a: int, b: int) -> tuple[int, int]:
    return (min(a, b), max(a, b))
