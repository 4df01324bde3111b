"""Projects: all that is kept in a workspace, and who has it."""

import streamlit as st

from learners.store.faults import StoreFault
from pages.blocks import outage, sharing
from pages.blocks.projects import listing, owning
from pages.session import saving, work

st.title("Projects", anchor=False)
if not work.is_kept():
    owning.nothing_is_kept()
    st.stop()
saving.settle()
try:
    listing.say_problem()
    listing.projects_here()
    listing.bring_project()
    listing.runs_here()
    sharing.links_here()
    owning.workspace_here()
except StoreFault as error:
    outage.refuse(error)
