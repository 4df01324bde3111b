"""The sections of a report on the graph: the picture, the edges, and chosen explanations."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real

import pandas as pd

from learners.evaluation import metrics
from learners.explaining.explanation import explanation
from learners.explaining.support import directed_graph
from learners.results.result import LearnResult

from ..explain import evidence_table
from ..kinds import kind_of
from ..legend import caveat_of, marks_of
from ..tables import edge_rows, sentence_list
from ..text import PROBABILITIES, count, format_number, format_share
from .document import Block, Grid, Heading, Items, Picture, Section, Text
from .picture import graph_svg
from .subject import Subject

PLACES = ("i", "j")  # columns of a table that only programs need
MAX_EDGES = 2_000  # maximum number of listed edges; the picture shows all


def graph_section(subject: Subject) -> Section:
    """Return the picture with its legend, and the distance from a known truth."""
    result = subject.result
    blocks: list[Block] = [] if subject.truth is None else [Text(_held(subject))]
    label = result.strengths.label
    numbers = f" The number and the opacity of an edge show its {label}." if label.startswith(PROBABILITIES) else ""
    blocks.append(Picture(graph_svg(result, subject.positions), marks_of(result.graph) + numbers))
    if caveat := caveat_of(result.graph):
        blocks.append(Text(caveat))
    blocks += [
        Heading("The graph in words"),
        Items(tuple(sentence_list(result.graph, result.names, result.undirected_pairs))),
    ]
    return Section("The graph", tuple(blocks))


def edges_in_short(result: LearnResult) -> str:
    """Count the edges and the directed edges."""
    directed = len(directed_graph(result).directed_edges())
    rest = result.graph.n_edges - directed
    return f"{count(result.graph.n_edges, 'edge')}: {directed:,} directed, {rest:,} with open direction."


def _held(subject: Subject) -> str:
    graph = subject.result.graph
    found = metrics.skeleton_confusion(graph, subject.truth)
    compared = kind_of(subject.result).comparable(subject.result, None, graph)
    return (
        f"Compared with the true graph: SHD {metrics.shd(compared, subject.truth):,}, precision "
        f"{format_share(found.precision)} and recall {format_share(found.recall)} of the edges without directions."
    )


def edges_section(subject: Subject) -> Section:
    """Return each edge with its strength and the support of its direction, the strongest first."""
    rows = edge_rows(subject.result)
    n = len(rows.i)
    if not n:
        return Section("The edges", ())
    table = rows.make(rows.matching()[:MAX_EDGES])
    more = () if n <= MAX_EDGES else (Text(f"The {MAX_EDGES:,} strongest of {n:,} edges; a file of edges holds all."),)
    return Section("The edges", (*more, grid(table)))


def explanations_section(subject: Subject) -> Section:
    """Return the explanations of the chosen pairs."""
    return Section("Why these edges are present or absent", tuple(_stories(subject)))


def _stories(subject: Subject) -> Iterator[Block]:
    for x, y in subject.pairs:
        story = explanation(subject.result, (x, y), subject.dataset)
        yield Heading(story.headline)
        for sentence in story.sentences:
            yield Text(sentence)
        if story.tests:
            yield grid(evidence_table(story))


def grid(table: pd.DataFrame) -> Grid:
    """Return a data frame as a grid, without its columns of positions."""
    shown = table.drop(columns=[name for name in PLACES if name in table])
    rows = tuple(tuple(map(_cell, row)) for row in shown.itertuples(index=False, name=None))
    numbers = frozenset(k for k, name in enumerate(shown) if pd.api.types.is_numeric_dtype(shown[name]))
    return Grid(tuple(map(str, shown)), rows, numbers)


def _cell(value: object) -> str:
    if isinstance(value, Real) and not isinstance(value, (bool, int)):
        return format_number(float(value))
    return f"{value:,}" if isinstance(value, int) else str(value)
