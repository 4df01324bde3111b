"""Report of a comparison in one file."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from pages.blocks import rare_values
from pages.blocks.compare.pair_reasons import differences, said
from pages.blocks.inspect.report_files import subject_of
from pages.session import node_positions
from pages.session.state import Moment
from pages.session.words import run_title, spoken, t
from viz.report.side_by_side import ComparedRuns, html_comparison, markdown_comparison
from viz.report.subject import Subject

FORMATS = (
    ("Report (HTML)", "html", "text/html", html_comparison),
    ("Report (Markdown)", "md", "text/markdown", markdown_comparison),
)


def offer(moments: Mapping[str, Moment], names: Sequence[str], edges: pd.DataFrame, numbers: pd.DataFrame) -> None:
    """Show download buttons for the report: graphs, tables, the chosen pair, and the data of each run."""
    rare = rare_values.ask("compare", *{moment.run.number: moment.run for moment in moments.values()}.values())
    comparison = ComparedRuns(
        labels={letter: run_title(moment.label) for letter, moment in moments.items()},
        subjects={
            letter: _subject(moment, rare=rare or moment.run.source.is_public) for letter, moment in moments.items()
        },
        edges=edges,
        numbers=numbers,
        reasons=_reasons(moments, names),
        date=datetime.date.today().isoformat(),
        language=spoken(),
    )
    with st.container(horizontal=True):
        for label, ending, mime, make in FORMATS:
            st.download_button(
                t(label), partial(make, comparison), f"edgewise_compare.{ending}", mime, key=f"compare_report_{ending}",
                on_click="ignore", icon=":material/download:",
            )  # fmt: skip


def _subject(moment: Moment, *, rare: bool) -> Subject:
    """Return the run with the graph that is compared."""
    places = node_positions.shown(moment.run, node_positions.arrangement(moment.run))
    subject = subject_of(moment.run, places, rare=rare)
    return subject if moment.is_result else replace(subject, result=replace(subject.result, graph=moment.graph))


def _reasons(moments: Mapping[str, Moment], names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the explanations of the chosen pair as on screen."""
    pair = st.session_state.pair
    if pair is None or not set(pair) <= set(names):
        return ()
    stories = {letter: said(moment, pair) for letter, moment in moments.items()}
    return (*((f"{letter}: {head}", text) for letter, (head, text) in stories.items()), *differences(moments, pair))
