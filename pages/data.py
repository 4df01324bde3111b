"""Data: upload a table, check how it was read, and fix what blocks learning."""

import streamlit as st

from pages.blocks.data import (
    assumptions,
    column_editor,
    findings,
    plan_changes,
    plan_files,
    recipe_files,
    run_button,
    table_source,
    true_graph,
    variables,
)
from pages.session import state
from pages.session.words import t, table_title
from viz.text import escape_markdown

with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
    st.title(t("Data"), anchor=False, width="content")
    table_source.way()
refused = table_source.choose()

here = state.source()
if here is None:
    st.stop()

in_use = t("Still in use: {title}" if refused else "In use: {title}", title=table_title(here.title))
st.subheader(escape_markdown(in_use), anchor=False)
table_source.show_guess(here)
true_graph.take_home(here)
with st.container(horizontal=True, vertical_alignment="center"):
    run_button.learn(here)
    findings.all_at_once(here)
    plan_changes.undo(here)
findings.health(here)
assumptions.assumptions(here)
variables.variables(here)
findings.applied(here)
findings.changes(here)
table_source.import_options()
column_editor.one_column(here)
plan_files.plan_file(here)
recipe_files.recipe_file(here)
true_graph.known_truth(here)
