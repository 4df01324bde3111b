"""Projects: all that is kept in a workspace, and who has it."""

import streamlit as st

from pages.blocks import sharing
from pages.blocks.projects import listing, owning
from pages.session import saving, work

st.title("Projects", anchor=False)
if not work.is_kept():
    owning.nothing_is_kept()
    st.stop()
saving.settle()
listing.say_problem()
listing.projects_here()
listing.bring_project()
listing.runs_here()
sharing.links_here()
owning.workspace_here()
