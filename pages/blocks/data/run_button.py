"""Buttons that lead from a table to a graph."""

from __future__ import annotations

import streamlit as st

from pages.blocks.data import findings
from pages.session import background_knowledge
from pages.session.jobs import runner
from pages.session.state import Source
from pages.session.words import t, written
from viz.text import escape_markdown


def learn(here: Source) -> None:
    """Show the buttons to learn, unless a finding blocks learning."""
    if here.dataset is None:
        return
    main = "secondary" if findings.come_first(here) else "primary"
    if st.button(
        t("Learn with defaults"),
        type=main, icon=":material/play_arrow:", key="data_learn_now", disabled=bool(st.session_state.job),
        help=t("Runs the learner that the Learn page recommends for one graph, with its reason."),
    ):  # fmt: skip
        runner.start_first(here)
        st.switch_page("pages/learn.py")
    if runner.has_curves(here.dataset):
        st.caption(t("Runs BOSS with basis functions, because some relations may be nonlinear."))
    if known := background_knowledge.in_short(background_knowledge.knowledge(here.dataset.names)):
        st.caption(escape_markdown(t("Uses your background knowledge: {known}.", known=written(known))))
    st.page_link("pages/learn.py", label=t("Choose a method"), icon=":material/tune:", width="content")
