"""Compare: two to four results or pinned graphs on one layout, in tables and in curves."""

import streamlit as st

from pages.blocks import shared_links, table_mismatch
from pages.blocks.compare import comparison, graph_picker
from pages.blocks.inspect import panels
from pages.session import state
from pages.session.jobs import runner
from pages.session.words import t

with st.container(key="compare_head"):
    st.title(t("Compare graphs"), anchor=False)
graph_picker.run_several()
runner.show_error()
if st.session_state.job:
    runner.watch()
chosen = graph_picker.pick_moments(state.moments())
table_mismatch.say_of_all([moment.run for moment in chosen], "compare")
if len(chosen) >= 2:
    shared = graph_picker.over_shared_variables(chosen)
    if shared is not None:
        comparison.comparison(shared)
        panels.caveat(chosen[0].graph, several=True)
    shared_links.offer(list({moment.run.number: moment.run for moment in chosen}.values()), "compare")
