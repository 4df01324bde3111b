"""Buttons that lead from a table to a graph."""

from __future__ import annotations

import streamlit as st

from pages.blocks.data import findings
from pages.session.jobs import runner
from pages.session.state import Source
from pages.session.words import t


def learn(here: Source) -> None:
    """Show the buttons to learn, unless a finding blocks learning."""
    if here.dataset is None:
        return
    curved = runner.has_curves(here.dataset)
    main = "secondary" if findings.come_first(here) else "primary"
    if st.button(
        t("Learn with BOSS and basis functions") if curved else t("Learn with defaults"),
        type=main, icon=":material/play_arrow:", key="data_learn_now", disabled=bool(st.session_state.job),
        help=t("Some relations of this table are nonlinear. Scores that assume lines miss such edges.")
        if curved
        else t("Runs the learner that the Learn page recommends for one graph, with its reason."),
    ):  # fmt: skip
        runner.start_first(here)
        st.switch_page("pages/learn.py")
    st.page_link("pages/learn.py", label=t("Choose a method"), icon=":material/tune:", width="content")
