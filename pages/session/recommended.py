"""The recommended learner for the table in use: the Learn page names it, and *Learn with defaults* runs it."""

from __future__ import annotations

import streamlit as st

from learners.choosing.recommendation import Recommendation, recommend
from learners.data.dataset import Dataset


def recommended(dataset: Dataset, goal: str = "graph") -> Recommendation:
    """Return the recommendation for a table and a goal; LearnersError if no learner suits them."""
    return _recommended(dataset.fingerprint, goal, dataset)


@st.cache_data(show_spinner="Looking for the learner…", max_entries=16, scope="session")
def _recommended(fingerprint: str, goal: str, _dataset: Dataset) -> Recommendation:  # noqa: ARG001  (cache key)
    return recommend(_dataset, goal)
