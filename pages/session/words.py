"""Texts of the pages in the chosen language: English templates are the keys, as in `learners.explaining.record`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from learners.explaining.record import Count, Sentence, Value
from learners.families.catalogue import LEARNERS
from learners.io.samples import SAMPLES
from viz.phrase import Phrase
from viz.translation.figures import in_language
from viz.translation.messages import translated
from viz.translation.sentences import catalog

_SAMPLE_TITLES = {sample.title for sample in SAMPLES.values()}
_LABELS = "|".join(sorted((re.escape(one.label) for one in LEARNERS.values()), key=len, reverse=True))
_TITLE = re.compile(rf"(\d+\. )?({_LABELS}) on (.*)", re.S)

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
    """Write a phrase or a finished message of the library, in English where the catalog lacks its template."""
    return text.written(catalog(language())) if isinstance(text, Phrase) else translated(text, language())


def table_title(title: str) -> str:
    """Write the title of a bundled or drawn table; titles of the user's tables stay as they are."""
    if title in _SAMPLE_TITLES:
        return t(title)
    return written(title) if title.startswith("drawn network, ") else title


def run_title(title: str) -> str:
    """Write the title or the label of a run: "2. PC on Asia (simulated) (alpha 0.01)"."""
    found = _TITLE.fullmatch(title)
    if found is None or language() == "en":
        return title
    number, learner, rest = found.groups()
    table = next((one for one in _SAMPLE_TITLES if rest == one or rest.startswith(f"{one} (")), "")
    settings = rest.removeprefix(table) if table else ""
    own = table_title(table) + settings if table else rest
    return f"{number or ''}{t('{learner} on {table}', learner=t(learner), table=own)}"


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
