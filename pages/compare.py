"""Compare: two to four results or pinned moments on one layout, in tables and in curves."""

import streamlit as st

from pages.blocks import belonging, sharing
from pages.blocks.compare import comparing
from pages.blocks.inspect import panels
from pages.session import jobs, state

st.title("Compare graphs", anchor=False)
comparing.run_several()
jobs.show_error()
if st.session_state.job:
    jobs.watch()
chosen = comparing.pick_moments(state.moments())
belonging.say_of_all([moment.run for moment in chosen], "compare")
if len(chosen) >= 2:
    shared = comparing.over_shared_variables(chosen)
    if shared is not None:
        comparing.comparison(shared)
        panels.caveat(chosen[0].graph)
    sharing.offer(list({moment.run.number: moment.run for moment in chosen}.values()), "compare")
