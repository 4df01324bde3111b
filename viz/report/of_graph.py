"""The sections of a report on the graph: the picture, the edges, and chosen explanations."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from numbers import Real

import pandas as pd

from learners.common.sentences import Count
from learners.evaluation import metrics
from learners.explaining.explanation import explanation
from learners.explaining.support import edge_counts
from learners.graphs.pag import PAG
from learners.results.directions import Support
from learners.results.result import LearnResult

from ..evidence_table import evidence_table
from ..kinds import kind_of
from ..language import Language
from ..legend import caveat_of, printed_legend
from ..tables import edge_rows, sentence_list
from ..text import PROBABILITIES, decimals_apart, format_number, format_share, with_minus
from ..verdicts import beside_support
from .document import Block, Grid, Heading, Items, Picture, Section, Text
from .picture import graph_svg
from .subject import Subject

PLACES = ("i", "j")  # columns of a table that only programs need
MAX_EDGES = 2_000  # maximum number of listed edges; the picture shows all


def graph_section(subject: Subject) -> Section:
    """Return the picture with its legend, and the distance from a known truth."""
    result, t = subject.result, subject.language.t
    blocks: list[Block] = [] if subject.truth is None else [Text(_held(subject))]
    blocks.append(picture_of(subject))
    if caveat := caveat_of(result.graph):
        blocks.append(Text(subject.language.written(caveat)))
    sentences = sentence_list(
        result.graph,
        result.names,
        result.undirected_pairs,
        subject.language.catalog,
        target=getattr(result.extra, "target", None),
    )
    blocks += [Heading(t("The graph in words")), Items(tuple(sentences))]
    return Section(t("The graph"), tuple(blocks))


def picture_of(subject: Subject) -> Picture:
    """Return the picture of a graph with its legend."""
    t, label = subject.language.t, subject.result.strengths.label
    legend = [printed_legend(subject.result, subject.language)]
    if label.startswith(PROBABILITIES):
        legend.append(
            t("The number and the opacity of an edge show its {label}.", label=subject.language.written(label))
        )
    return Picture(graph_svg(subject.result, subject.positions), " ".join(legend))


def edges_in_short(result: LearnResult, language: Language) -> str:
    """Count the edges by their ends."""
    directed, bidirected, is_open = edge_counts(result)
    graph, edges = result.graph, Count(result.graph.n_edges, "edge")
    if isinstance(graph, PAG):
        return language.t(
            "{edges}: {n} directed, {k} bidirected, {m} with an open end.",
            edges=edges, n=directed, k=bidirected, m=is_open,
        )  # fmt: skip
    return language.t("{edges}: {n} directed, {m} with open direction.", edges=edges, n=directed, m=is_open)


def _held(subject: Subject) -> str:
    graph = subject.result.graph
    found = metrics.skeleton_confusion(graph, subject.truth)
    compared = kind_of(subject.result).comparable(subject.result, None, graph)
    return subject.language.t(
        "Compared with the true graph: SHD {shd}, precision {precision} and recall {recall} of the edges without "
        "directions.",
        shd=int(metrics.shd(compared, subject.truth)),
        precision=format_share(found.precision),
        recall=format_share(found.recall),
    )


def edges_section(subject: Subject) -> Section:
    """Return each edge with its strength and the support of its direction, the strongest first."""
    rows, t = edge_rows(subject.result), subject.language.t
    n = len(rows.i)
    if not n:
        return Section(t("The edges"), ())
    table = grid(rows.make(rows.matching()[:MAX_EDGES]), subject.language, "type", "direction")
    cut = t("The {n} strongest of {m} edges. The export of edges (CSV) has all.", n=MAX_EDGES, m=n)
    assumed = Text(t("The support of a direction assumes that no common cause is hidden."))
    judges = any(one.support is Support.CLEAR for one in subject.result.directions.values())
    return Section(t("The edges"), (*([Text(cut)] if n > MAX_EDGES else []), *([assumed] if judges else []), table))


def explanations_section(subject: Subject) -> Section:
    """Return the explanations of the chosen pairs."""
    title = subject.language.t("Why these edges are present or absent")
    return Section(title, tuple(_stories(subject)))


def _stories(subject: Subject) -> Iterator[Block]:
    language = subject.language
    for x, y in subject.pairs:
        story = explanation(subject.result, (x, y), subject.dataset)
        claim, *sentences = story.written(language.catalog)
        yield Heading(claim)
        for sentence in sentences:
            yield Text(sentence)
        if verdict := beside_support(subject.trust, subject.result, x, y):
            yield Text(" ".join(map(language.written, verdict)))
        if story.tests:
            yield grid(evidence_table(story, language.catalog), language)


def grid(table: pd.DataFrame, language: Language, *words: str, apart: Collection[str] = ()) -> Grid:
    """Return a data frame as a grid, without its columns of positions.

    Headings, and cells of the columns `words`, are written in the language. Numbers in the columns `apart` have as many
    digits as show their differences, see `decimals_apart`.
    """
    table = table.drop(columns=[name for name in PLACES if name in table])
    digits = [decimals_apart(table[name]) if name in apart else None for name in table]
    shown = language.cells(table, *words)
    rows = tuple(
        tuple(_cell(cell, language, n) for cell, n in zip(row, digits, strict=True))
        for row in shown.itertuples(index=False, name=None)
    )
    numbers = frozenset(k for k, kind in enumerate(shown.dtypes) if pd.api.types.is_numeric_dtype(kind))
    return Grid(tuple(map(str, shown)), rows, numbers)


def _cell(value: object, language: Language, decimals: int | None = None) -> str:
    if isinstance(value, Real) and not isinstance(value, (bool, int)):
        if decimals is not None and math.isfinite(value):
            return language.separated(with_minus(f"{value:,.{decimals}f}"))
        return language.separated(format_number(float(value)))
    return language.separated(with_minus(f"{value:,}")) if isinstance(value, int) else str(value)
