"""Whether nodes show the clusters of a run."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.session.state import Run
from viz.kinds import kind_of


def pick_groups(run: Run) -> None:
    """Of a run that clustered its variables: whether the nodes show it; remembered for the session."""
    if kind_of(run.result).clusters(run.result) is not None:
        st.toggle(
            "Colour by cluster", key="by_cluster", persist_state="session",
            help="A colour and a letter for each group of variables that this run took first by itself.",
        )  # fmt: skip


def shown_labels(run: Run) -> np.ndarray | None:
    """The cluster of each variable, if the nodes are to show it."""
    found = kind_of(run.result).clusters(run.result)
    return found.labels if found is not None and st.session_state.get("by_cluster") else None
