"""Projects: everything saved in a workspace, its links and its owner."""

import streamlit as st

from learners.store.faults import StoreFault
from pages.blocks import shared_links
from pages.blocks.projects import outage_banner, project_list, workspace_panel
from pages.session import autosave, workspace
from pages.session.words import t

st.title(t("Projects"), anchor=False)
if not workspace.is_kept():
    workspace_panel.nothing_is_kept()
    st.stop()
autosave.settle()
try:
    project_list.say_problem()
    project_list.projects_here()
    project_list.runs_here()
    shared_links.links_here()
    workspace_panel.workspace_here()
except StoreFault as error:
    outage_banner.refuse(error)
