"""Experiments: the papers' figures and tables next to ours, and a small run of each if its programs are installed."""

import streamlit as st

from pages.blocks.experiments import published
from pages.session.words import t

st.title(t("Published experiments"), anchor=False)
experiment = published.pick()
published.show(experiment)
if published.can_run():
    from pages.blocks.experiments import rerun

    rerun.live(experiment.name)
