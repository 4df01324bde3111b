"""A report on a comparison: graphs, differences, numbers, and each run as in its own report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from ..compare.tables import score_columns, summary, verdict_phrase
from ..language import ENGLISH, Language
from ..legend import printed_legend
from .document import Block, Document, Heading, Items, Picture, Section, Text
from .markdown import to_markdown
from .markup import to_html
from .of_data import data_section
from .of_graph import MAX_EDGES, edges_in_short, explanations_section, grid
from .of_method import method_section
from .picture import graph_svg
from .report import again_section, checks_section, made_on, note_section
from .subject import Subject


@dataclass(frozen=True, eq=False)
class ComparedRuns:
    """The compared runs, by letters.

    Attributes
    ----------
    labels : dict
        Label of each run.
    subjects : dict
        Each run, whose result has the compared graph.
    edges : DataFrame
        A row for each pair that is adjacent in some graph, as returned by `viz.compare.tables.edge_by_edge`.
    numbers : DataFrame
        A row for each letter.
    reasons : tuple of (str, str)
        Explanations of one pair, each with its heading.
    date : str
        Date of the report; empty for no date.
    language : Language
    """

    labels: Mapping[str, str]
    subjects: Mapping[str, Subject]
    edges: pd.DataFrame
    numbers: pd.DataFrame
    reasons: tuple[tuple[str, str], ...] = ()
    date: str = ""
    language: Language = ENGLISH


def html_comparison(compared: ComparedRuns) -> str:
    """Return one HTML page without scripts and links, with a style for print."""
    return to_html(comparison(compared))


def markdown_comparison(compared: ComparedRuns) -> str:
    """Return the report as Markdown."""
    return to_markdown(comparison(compared))


def comparison(compared: ComparedRuns) -> Document:
    """Return graphs, differences and numbers, then the sections of each run."""
    language = compared.language
    t = language.t
    labels = tuple(f"{key}: {language.run_title(label)}" for key, label in compared.labels.items())
    pictures = tuple(block for key, one in compared.subjects.items() for block in _picture(key, one))
    numbers = grid(compared.numbers.reset_index(names="graph"), language, apart=score_columns(compared.numbers))
    ways = [_apart(letter, subject) for letter, subject in compared.subjects.items()]
    return Document(
        t("{n} graphs side by side", n=len(compared.labels)),
        made_on(compared.date, language) + language.written(summary(compared.edges["verdict"])),
        (
            Section(t("Compared runs"), (Items(labels),)),
            Section(t("The graphs"), pictures),
            _edges(compared),
            _reasons(compared),
            Section(t("In numbers"), (numbers,)),
            *(section for sections in ways for section in sections),
        ),
        language.code,
    )


def _picture(letter: str, subject: Subject) -> tuple[Block, ...]:
    drawn = Picture(graph_svg(subject.result, subject.positions), printed_legend(subject.result, subject.language))
    return Heading(letter), Text(edges_in_short(subject.result, subject.language)), drawn


def _edges(compared: ComparedRuns) -> Section:
    n, t = len(compared.edges), compared.language.t
    if not n:
        return Section(t("Edge by edge"), ())
    edges = compared.edges.head(MAX_EDGES)
    verdicts = [compared.language.written(verdict_phrase(verdict)) for verdict in edges["verdict"]]
    table = grid(edges.assign(verdict=verdicts), compared.language)
    cut = t("The first {n} of {m} edges. The export of edges (CSV) has all.", n=MAX_EDGES, m=n)
    return Section(t("Edge by edge"), (table,) if n <= MAX_EDGES else (Text(cut), table))


def _reasons(compared: ComparedRuns) -> Section:
    blocks = tuple(part for head, text in compared.reasons for part in (Heading(head), Text(text)))
    return Section(compared.language.t("One pair"), blocks)


def _apart(letter: str, subject: Subject) -> tuple[Section, ...]:
    """Return the sections of one run with its letter in their titles."""
    writers = (note_section, explanations_section, data_section, method_section, checks_section, again_section)
    sections = (of(subject) for of in writers)
    return tuple(replace(one, title=f"{letter}: {one.title}") for one in sections)
