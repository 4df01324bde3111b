"""Data: bring a table, see what was made of it, mend what stands in the way."""

import streamlit as st

from pages.blocks.data import changing, columns, loading, plans, recipes, variables, ways_on
from pages.session import state
from viz.text import escape_markdown

st.title("Data", anchor=False)
refused = loading.choose()

here = state.source()
if here is None:
    st.stop()

st.subheader(escape_markdown(f"{'Still in' if refused else 'In'} use: {here.title}"), anchor=False)
loading.show_guess(here)
loading.take_home(here)
ways_on.learn(here)
changing.undo(here)
columns.health(here)
variables.variables(here)
columns.one_column(here)
plans.plan_file(here)
recipes.recipe_file(here)
loading.known_truth(here)
