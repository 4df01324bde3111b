"""The glossary on every page: terms are underlined, explained on hover, and listed below the page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.blocks.lessons import lesson_files
from pages.session.words import language
from viz import glossary
from viz.bundle import bundle
from viz.glossary.component import GlossaryViewData, glossary_view_data
from viz.report.picture import STYLE

HERE = Path(glossary.__file__).parent
_component = st.components.v2.component(
    "edgewise_glossary",
    css=STYLE + (HERE / "glossary_view.css").read_text(encoding="utf-8"),
    js=bundle(HERE / "glossary_view.js"),
    isolate_styles=False,  # ids in a shadow tree could not describe the terms marked outside it
)


def show(lesson: str = "") -> None:
    """Show the glossary below the page in the chosen language; no link leads to the open `lesson`."""
    _component(key="glossary", data=_data(language(), lesson))


@st.cache_data(show_spinner=False)
def _data(language: str, lesson: str) -> GlossaryViewData:
    return glossary_view_data(language, lesson_files.titles(language), lesson)
