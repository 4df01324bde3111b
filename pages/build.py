"""Build: draw a network, query d-separation, simulate rows, and see how many rows a learner needs to recover it."""

import streamlit as st

from pages.blocks.build import canvas, d_separation, learning_curve, network_menu
from pages.session import network_draft
from pages.session.words import labels_of, t, written
from viz.text import escape_markdown

VIEWS = {"Draw": canvas.draw, "d-separation": d_separation.separate, "Learning curve": learning_curve.grow}

with st.container(horizontal=True, vertical_alignment="center", gap="small", key="build_head"):
    st.title(t("Build"), anchor=False, width="content")
    view = st.segmented_control(
        t("View"), list(VIEWS), default="Draw", required=True, format_func=labels_of(), key="build_view",
        persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    network_menu.history()
    network_menu.start_from()
    network_menu.take_along()
if problem := network_draft.problem():
    st.error(escape_markdown(written(problem)), icon=":material/error:")
VIEWS[view](network_draft.sheet())
