"""Experiments: the papers' figures and tables, theirs beside ours, and a small run of each on the spot."""

import streamlit as st

from pages.blocks.experiments import rerunning

st.title("The papers' experiments", anchor=False)
experiment = rerunning.pick()
rerunning.stored(experiment)
rerunning.live(experiment)
