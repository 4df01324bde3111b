"""Texts of the pages in the chosen language: English templates are the keys, as in `learners.common.sentences`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from learners.common.sentences import Value
from viz.language import Language
from viz.translation.figures import in_language
from viz.translation.sentences import catalog

LANGUAGE = "language"  # session key of the chosen language


def language() -> str:
    """Return the language of all pages, chosen in the sidebar."""
    return st.session_state.get(LANGUAGE) or "en"


def preferred() -> str:
    """Return the language of the browser: German or English."""
    return "de" if (st.context.locale or "").lower().startswith("de") else "en"


def spoken() -> Language:
    """Return the language of all pages with its catalogs, also for files that are made outside the session."""
    return Language(language())


def t(template: str, /, **values: Value | str | int) -> str:
    """Write a template with its values: ``t("{rows} are complete", rows=Count(3, "row"))``."""
    return spoken().t(template, **values)


def citation(paper: str) -> str:
    """Write the citation of a paper in the language of the pages."""
    return spoken().citation(paper)


def counted(n: int, singular: str, plural: str | None = None) -> str:
    """Write a number with its noun: 1 edge, 2 edges."""
    return spoken().counted(n, singular, plural)


def written(text: str) -> str:
    """Write a phrase or a finished message of the library, in English where the catalog lacks its template."""
    return spoken().written(text)


def progress_words(phase: str) -> str:
    """Write the phase of a run in progress."""
    return spoken().progress(str(phase))


def table_title(title: str) -> str:
    """Write the title of a bundled or drawn table; titles of the user's tables stay as they are."""
    return spoken().table_title(title)


def run_title(title: str) -> str:
    """Write the title or the label of a run: "2. PC on Asia (simulated) (alpha 0.01)"."""
    return spoken().run_title(title)


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


def worded_cells(table: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return a table with its columns of words, such as verdicts, translated into the language of the pages."""
    known = catalog(language())
    return table.assign(**{name: [known.get(one, one) for one in table[name]] for name in columns if name in table})


def worded(figure: go.Figure) -> go.Figure:
    """Return a finished figure with its texts in the language of the pages."""
    return in_language(figure, language())
