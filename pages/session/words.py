"""Texts of the pages in the chosen language: English templates are the keys, as in `learners.explaining.record`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from learners.explaining.record import Count, Sentence, Value
from viz.glossary.figure_words import in_language
from viz.glossary.messages import retold
from viz.glossary.sentences import catalog

LANGUAGE = "language"  # session key of the chosen language


def language() -> str:
    """Return the language of all pages, chosen in the sidebar."""
    return st.session_state.get(LANGUAGE) or "en"


def t(template: str, /, **values: Value | str | int) -> str:
    """Write a template with its values: ``t("{rows} are complete", rows=Count(3, "row"))``."""
    return Sentence(template, values).text((), catalog(language()))


def counted(n: int, singular: str, plural: str | None = None) -> str:
    """Write a number with its noun: 1 edge, 2 edges."""
    return Count(n, singular, plural).text((), catalog(language()))


def written(text: str) -> str:
    """Write a finished message of the library; it stays in English where the catalog lacks its template."""
    return retold(text, language())


def labels_of(labels: Mapping[Any, str] | None = None) -> Callable[[Any], str]:
    """Return a `format_func` that writes options by their labels, or options that are labels themselves.

    It keeps the language of this script run, since Streamlit may call it later.
    """
    known = catalog(language())

    def label(option: Any) -> str:
        text = option if labels is None else labels[option]
        return known.get(text, text)

    return label


def headings(columns: Iterable[str]) -> dict[str, str]:
    """Return the headings of a table's columns for its `column_config`; columns without an entry keep their name."""
    known = catalog(language())
    return {name: known[name] for name in columns if name in known}


def worded(figure: go.Figure) -> go.Figure:
    """Return a finished figure with its texts in the language of the pages."""
    return in_language(figure, language())
