"""A report on a comparison: graphs, differences, numbers, and each run as in its own report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from learners.common.version import __version__

from ..compare.tables import summary
from ..legend import marks_of
from .document import Block, Document, Heading, Items, Picture, Section, Text
from .markdown import to_markdown
from .markup import to_html
from .of_data import data_section
from .of_graph import MAX_EDGES, edges_in_short, explanations_section, grid
from .of_method import method_section
from .picture import graph_svg
from .report import again_section, checks_section, note_section
from .subject import Subject


@dataclass(frozen=True, eq=False)
class Comparison:
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
    """

    labels: Mapping[str, str]
    subjects: Mapping[str, Subject]
    edges: pd.DataFrame
    numbers: pd.DataFrame
    reasons: tuple[tuple[str, str], ...] = ()
    date: str = ""


def html_comparison(compared: Comparison) -> str:
    """Return one HTML page without scripts and links, with a style for print."""
    return to_html(comparison(compared))


def markdown_comparison(compared: Comparison) -> str:
    """Return the report as Markdown."""
    return to_markdown(comparison(compared))


def comparison(compared: Comparison) -> Document:
    """Return graphs, differences and numbers, then the sections of each run."""
    made = f"Made on {compared.date} by Edgewise {__version__}. " if compared.date else ""
    lead = summary(compared.edges["verdict"])
    ways = [_apart(letter, subject) for letter, subject in compared.subjects.items()]
    return Document(
        f"{len(compared.labels)} graphs side by side",
        made + lead,
        (
            Section("Compared runs", (Items(tuple(f"{key}: {label}" for key, label in compared.labels.items())),)),
            Section(
                "The graphs", tuple(block for key, one in compared.subjects.items() for block in _picture(key, one))
            ),
            _edges(compared),
            _reasons(compared),
            Section("In numbers", (grid(compared.numbers.reset_index(names="graph")),)),
            *(section for sections in ways for section in sections),
        ),
    )


def _picture(letter: str, subject: Subject) -> tuple[Block, ...]:
    drawn = Picture(graph_svg(subject.result, subject.positions), marks_of(subject.result.graph))
    return Heading(letter), Text(edges_in_short(subject.result)), drawn


def _edges(compared: Comparison) -> Section:
    n = len(compared.edges)
    more = () if n <= MAX_EDGES else (Text(f"The first {MAX_EDGES:,} of {n:,} edges; a file of edges holds all."),)
    return Section("Edge by edge", (*more, grid(compared.edges.head(MAX_EDGES))) if n else ())


def _reasons(compared: Comparison) -> Section:
    return Section("One pair", tuple(part for head, text in compared.reasons for part in (Heading(head), Text(text))))


def _apart(letter: str, subject: Subject) -> tuple[Section, ...]:
    """Return the sections of one run with its letter in their titles."""
    writers = (note_section, explanations_section, data_section, method_section, checks_section, again_section)
    sections = (of(subject) for of in writers)
    return tuple(replace(one, title=f"{letter}: {one.title[0].lower()}{one.title[1:]}") for one in sections)
