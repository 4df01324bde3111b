"""Graphs and runs of lessons for the graph component."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np
import plotly.graph_objects as go

from learners.common.sentences import Edge, Listed, phrase
from learners.common.wording import format_number
from learners.families.averaging.probable_edges import of_posterior
from learners.families.phgs.alpha_steps import solution_steps
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import bind
from learners.networks.network import DiscreteNetwork
from learners.results.result import LearnResult
from learners.teaching.lessons.lesson import Entry, Exercise, Lesson, LessonGraph, LessonPicture, LessonRun
from learners.teaching.lessons.path_reasons import Reason
from learners.teaching.lessons.picture_answers import ChosenEdges, ChosenNodes, OrientedEdges

from ..averaging.timeline import probable_timeline
from ..averaging.words import EdgeMeasure
from ..effects.picture import ROLES, Roles, with_marked, with_reason
from ..figures import BLUE, ORANGE, framed
from ..graph_data import SHD, GraphViewData, Group, Series, nodes
from ..kinds import kind_of, layout_graph, timeline
from ..layout.positions import layout
from ..phgs.timeline import solution_timeline
from ..phgs.words import Solutions
from ..text import escape_markdown
from .lesson_words import step_in_lesson

CONDITIONED: Group = {
    "mark": "=",
    "name": phrase("conditioned on"),
    "colour": "#E69F00",
    "ink": "#000000",
    "shape": "square",
}

DIRECTED = phrase("directed: the independences determine this direction")

ADJACENT = phrase("adjacent")

HIDDEN: Group = {
    "mark": "?",
    "name": phrase("hidden: in no table"),
    "colour": "#BBBBBB",
    "ink": "#000000",
    "shape": "round",
}


def lesson_view(graph: LessonGraph) -> GraphViewData:
    """Return a graph in layers; variables that are conditioned on, or hidden, have a badge."""
    places = layout(graph.graph) if graph.graph.n_edges else np.full((len(graph.names), 2), 0.5)
    badges = [(badge, some) for badge, some in ((CONDITIONED, graph.given), (HIDDEN, graph.hidden)) if some]
    group = {name: k for k, (_, some) in enumerate(badges) for name in some}
    drawn = [
        node | ({"group": group[node["label"]]} if node["label"] in group else {})
        for node in nodes(graph.names, places)
    ]
    edges = [
        {"id": k, "a": a, "b": b, "spans": [[0, 1, graph.graph.mark(a, b)]]}
        for k, (a, b) in enumerate(graph.graph.edges())
    ]
    data: GraphViewData = {
        "nodes": drawn,
        "edges": edges,
        "steps": {"count": 1, "text": [""]},
        "directed": phrase("directed"),
        "allow_pins": False,
        "blanket": False,
        "file_name": "edgewise_lesson",
    }
    return data | ({"groups": [badge for badge, _ in badges]} if badges else {})


def graph_of_lesson(lesson: Lesson, graph: LessonGraph) -> GraphViewData:
    """Return a graph of a lesson; a picture has its nodes where the first graph with the same variables has them."""
    if isinstance(graph, LessonPicture):
        for one in lesson.blocks:
            if isinstance(one, LessonGraph) and one is not graph and one.names == graph.names:
                return working_view(one, graph.graph)
    return lesson_view(graph)


def probability_tables(graph: LessonGraph) -> tuple[str, ...]:
    """Return the given probabilities as Markdown tables, one per variable, with a row per case of its parents."""
    network = graph.tables
    if network is None:
        return ()
    return tuple(_probability_table(network, j) for j in range(len(network.names)))


def probability_cells(graph: LessonGraph) -> tuple[tuple[list[str], list[list[str]]], ...]:
    """Return column heads and rows of the table of each variable; empty if the lesson gives no probabilities."""
    network = graph.tables
    return () if network is None else tuple(_cells(network, j) for j in range(len(network.names)))


def _cells(network: DiscreteNetwork, j: int) -> tuple[list[str], list[list[str]]]:
    parents = sorted(network.dag.parents(j))
    heads = [network.names[k] for k in parents] + [f"{network.names[j]} = {level}" for level in network.levels[j]]
    cases = product(*(network.levels[k] for k in parents))
    rows = [
        [*case, *(f"{format_number(100 * p)} %" for p in row)] for case, row in zip(cases, network.cpts[j], strict=True)
    ]
    return heads, rows


def _probability_table(network: DiscreteNetwork, j: int) -> str:
    heads, rows = _cells(network, j)
    n_levels = len(network.levels[j])
    rule = ["---"] * (len(heads) - n_levels) + ["--:"] * n_levels
    lines = [[escape_markdown(text) for text in line] for line in (heads, *rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in (lines[0], rule, *lines[1:]))


def answer_view(graph: LessonGraph, solved: Exercise) -> GraphViewData | None:
    """Return the picture of an answer: the path that it names, or the DAGs of the class as steps; None without one."""
    if isinstance(solved.entry, PICTURED):
        return verdict_view(graph, solved.entry, solved.entry.solution, (solved.why, solved.path, solved.is_open))
    data = lesson_view(graph)
    if solved.paths:
        roles = dict.fromkeys(solved.given, "given")
        hidden = {k: "latent" for k, name in enumerate(graph.names) if name in graph.hidden}
        return with_reason(_with_roles(graph, graph.graph, hidden | roles), solved.paths, solved.why)
    if len(solved.members) < 2:
        return None
    edges = [
        edge | {"spans": [[k, k + 1, dag.mark(edge["a"], edge["b"])] for k, dag in enumerate(solved.members)]}
        for edge in data["edges"]
    ]
    n = len(solved.members)
    steps = {
        "count": n,
        "offset": 1,
        "text": [_turned_edges(dag, solved.members, graph.names) for dag in solved.members],
        "choice": 0,
        "choice_label": phrase("DAG 1"),
    }
    return data | {"edges": edges, "steps": steps | {"axis_label": phrase("DAG"), "events": list(range(n))}}


def _turned_edges(dag: PDAG, members: Sequence[PDAG], names: Sequence[str]) -> str:
    """Return the edges that the members direct differently, as one of them directs them."""
    turned = [(a, b) for a, b in dag.edges() if len({one.mark(a, b) for one in members}) > 1]
    return Listed([Edge(a, dag.mark(a, b), b) for a, b in turned]).text(names)


PICTURED = (ChosenNodes, ChosenEdges, OrientedEdges)  # answers that are given in the picture


def entry_view(graph: LessonGraph, entry: Entry, given: Any) -> GraphViewData:
    """Return the picture in which an answer is given: a click on a node or an edge, or dragging an arrow, changes it.

    Parameters
    ----------
    graph : LessonGraph
        The graph of the question, whose layout the picture has.
    entry : ChosenNodes, ChosenEdges or OrientedEdges
    given : set of nodes, set of edges, or marks
        The answer so far, of the type that the entry takes.
    """
    if isinstance(entry, ChosenNodes):
        return _with_roles(graph, entry.graph, node_roles(entry, given)) | {"asks": True}
    shown = entry.shown if isinstance(entry, ChosenEdges) else entry.drawn(given)
    chosen = given if isinstance(entry, ChosenEdges) else ()
    orients = {"orients": True} if isinstance(entry, OrientedEdges) else {}
    orients |= {"undirected": ADJACENT} if isinstance(entry, ChosenEdges) else {}
    return with_marked(_with_roles(graph, shown, {}), chosen, "chosen") | {"asks": True} | orients


def verdict_view(graph: LessonGraph, entry: Entry, given: Any, reason: Reason) -> GraphViewData:
    """Return the picture of the reason: the path in the true graph that it names, or the correct directions.

    Of directions, the edges are marked that the answer had wrong, or else those that the reason names.
    """
    why, path, _ = reason
    if isinstance(entry, OrientedEdges):
        corrected = entry.mistakes(given) or [tuple(sorted(pair)) for pair in pairwise(path)]
        return with_marked(_with_roles(graph, entry.target, {}), corrected, "solved")
    held, paths = entry.evidence(given)
    roles = node_roles(entry, given) if isinstance(entry, ChosenNodes) else dict.fromkeys(held, "given")
    data = _with_roles(graph, graph.graph, roles)
    return with_reason(data, paths, why) if paths else data


def working_view(graph: LessonGraph, shown: PDAG, mistakes: Sequence[tuple[int, int]] = ()) -> GraphViewData:
    """Return another graph on the nodes of a lesson's graph, with the mistakes of an answer marked."""
    return with_marked(_with_roles(graph, shown, {}), mistakes, "mistaken")


def node_roles(entry: ChosenNodes, given: Collection[int]) -> Roles:
    """Return the roles of the nodes of a question that asks for a set."""
    ends = ("cause", "effect") if entry.adjusts else ("asked", "asked")
    return (
        dict.fromkeys(given, "given") | dict.fromkeys(entry.hidden, "latent") | dict(zip(entry.ends, ends, strict=True))
    )


def _with_roles(graph: LessonGraph, shown: PDAG, roles: Roles) -> GraphViewData:
    """Return a graph on the nodes of a lesson's graph, at their positions, with badges on nodes with a role."""
    order = [role for role in ROLES if role in roles.values()]
    data = lesson_view(LessonGraph(graph.graph, graph.names, graph.weights))
    for node in data["nodes"]:
        if node["id"] in roles:
            node["group"] = order.index(roles[node["id"]])
    edges = [{"id": k, "a": a, "b": b, "spans": [[0, 1, shown.mark(a, b)]]} for k, (a, b) in enumerate(shown.edges())]
    groups = {"groups": [ROLES[role] for role in order]} if order else {}
    return data | groups | {"edges": edges, "directed": phrase("directed")}


def run_places(run: LessonRun, result: LearnResult, lesson: Lesson | None = None) -> np.ndarray:
    """Return positions of the nodes of a run: those of the lesson's graph or picture of these variables, if any."""
    for one in lesson.blocks if lesson else ():
        if isinstance(one, LessonPicture) and set(one.names) == set(result.names):
            return layout(one.graph)[[one.names.index(name) for name in result.names]]
    if not isinstance(run.data, LessonGraph) or not run.data.graph.n_edges:
        return layout(layout_graph(result))
    drawn = layout(run.data.graph)
    return drawn[[run.data.names.index(name) for name in result.names]]


def run_view(
    slider: str, result: LearnResult, positions: np.ndarray, truth: PDAG | None, shows: Collection[str] = ()
) -> GraphViewData:
    """Return the view that replays a run of a lesson.

    Parameters
    ----------
    slider : str
        One of `learners.teaching.lessons.lesson.SLIDERS`.
    result : LearnResult
    positions : (p, 2) float array
        In [0, 1].
    truth : PDAG or None
        True CPDAG; adds the SHD of each step if the lesson shows it.
    shows : collection of str
        Parts of the picture that the lesson speaks of. A run whose removals are the subject begins at its first step.
    """
    data = SLIDER_VIEWS[slider](result, positions, truth)
    steps = data["steps"]
    if not steps.get("threshold"):  # a line refers to its curve by position
        drawn = steps.get("series", [])
        series = [one for one in drawn if _is_explained(one, shows)]
        first = drawn[steps.get("curve", 0)] if drawn else None
        steps = steps | {"series": series, "curve": series.index(first) if first in series else 0}
    steps = steps | {"text": [step_in_lesson(text) for text in steps["text"]]}
    if slider == "run":  # every change is a stop, so that a click on "Next change" skips none
        steps = steps | {"events": list(range(steps["count"]))}
    if "removals" in shows:
        steps = steps | {"begin": 0} | ({} if "levels" in shows else {"phases": []})
    return data | {"steps": steps, "directed": data.get("directed", DIRECTED), "blanket": False}


def _is_explained(series: Series, shows: Collection[str]) -> bool:
    """Return False for the curves of the SHD and of p-values, unless the lesson speaks of them."""
    return "SHD" in shows if series["label"] == SHD else not series["label"].startswith("log10 p")


def _run(result: LearnResult, positions: np.ndarray, truth: PDAG | None) -> GraphViewData:
    return timeline(result, positions, truth=truth)


def _solutions(result: LearnResult, positions: np.ndarray, truth: PDAG | None) -> GraphViewData:
    solutions = kind_of(result).special_part(Solutions, result)
    steps = solution_steps(result, bind(None, result.names))
    return solution_timeline(result, steps, solutions, positions, truth=truth)


def _probable(result: LearnResult, positions: np.ndarray, truth: PDAG | None) -> GraphViewData:
    edges, number = of_posterior(result.posterior), kind_of(result).special_part(EdgeMeasure, result)
    return probable_timeline(result, edges, number, positions, truth=truth)


SLIDER_VIEWS: Mapping[str, Callable[[LearnResult, np.ndarray, PDAG | None], GraphViewData]] = {
    "run": _run,
    "solutions": _solutions,
    "probable": _probable,
}


def spread_figure(setting: str, values: Sequence[str], counts: Sequence[Sequence[int]]) -> go.Figure:
    """Plot the SHD of every sample, and a line through the medians, by the value of a setting."""
    shift = np.linspace(-0.2, 0.2, len(counts[0]))
    figure = go.Figure()
    for k, row in enumerate(counts):
        figure.add_scatter(
            x=k + shift, y=row, mode="markers", marker={"color": BLUE, "opacity": 0.6}, hovertemplate="SHD %{y}",
            name=values[k], showlegend=False,
        )  # fmt: skip
    middle = [float(np.median(row)) for row in counts]
    figure.add_scatter(x=list(range(len(middle))), y=middle, mode="lines", line={"color": ORANGE}, showlegend=False)
    figure.update_xaxes(tickvals=list(range(len(values))), ticktext=list(values))
    figure.update_yaxes(rangemode="tozero")
    return framed(figure, setting, "SHD")


def _has_series(word: str) -> Callable[[GraphViewData], bool]:
    return lambda data: any(word in one["label"] for one in data["steps"].get("series", ()))


def _has_phase(label: str) -> Callable[[GraphViewData], bool]:
    return lambda data: any(one["label"] == label for one in data["steps"].get("phases", ()))


def _has_line(label: str) -> Callable[[GraphViewData], bool]:
    return lambda data: (data["steps"].get("threshold") or {}).get("label", "").startswith(label)


def _has_mark(mark: str) -> Callable[[GraphViewData], bool]:
    return lambda data: any(mark in one.get("marks", ()) for one in data["steps"].get("series", ()))


SHOWN: Mapping[str, Callable[[GraphViewData], bool]] = {
    "removals": lambda data: any(span[1] < data["steps"]["count"] for edge in data["edges"] for span in edge["spans"]),
    "levels": lambda data: any("level" in one["label"] for one in data["steps"].get("phases", ())),
    "doubtful arrow": lambda data: any("doubt" in edge for edge in data["edges"]),
    "SHD": _has_series("SHD"),
    "forward selection": _has_phase("forward selection"),
    "backward elimination": _has_phase("backward elimination"),
    "joint CPPD curve": _has_series("joint CPPD"),
    "γ line": _has_line("γ"),
    "awareness dots": lambda data: any(True in span[3:] for edge in data["edges"] for span in edge["spans"]),
    "BIC curve": _has_series("BIC"),
    "star": _has_mark("star"),
    "probabilities": lambda data: any("opacity" in edge for edge in data["edges"]),
    "probability line": _has_line("P"),
}
"""Returns True if a picture shows what a lesson promises, by `learners.teaching.lessons.lesson.PROMISES`."""
