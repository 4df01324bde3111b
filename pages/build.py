"""Build: draw a network, ask it what separates what, simulate rows, and see how many find it again."""

import streamlit as st

from pages.blocks.build import drawing, growing, separating, starting
from pages.session import building
from viz.text import escape_markdown

VIEWS = {"Draw": drawing.draw, "d-separation": separating.separate, "Learn it back": growing.grow}

with st.container(horizontal=True, vertical_alignment="center", gap="small", key="build_head"):
    view = st.segmented_control(
        "Do", list(VIEWS), default="Draw", required=True, key="build_view", persist_state="session",
        label_visibility="collapsed",
    )  # fmt: skip
    starting.history()
    starting.start_from()
    starting.take_along()
if said := building.problem():
    st.error(escape_markdown(said), icon=":material/error:")
VIEWS[view](building.sheet())
