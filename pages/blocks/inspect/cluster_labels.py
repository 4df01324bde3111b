"""Cluster labels of the nodes."""

from __future__ import annotations

import numpy as np
import streamlit as st

from learners.families.phgs.ppc import PartitionedEvidence
from pages.session.state import Run
from pages.session.words import t
from viz.kinds import kind_of


def pick_groups(run: Run) -> None:
    """Let the user choose whether nodes show the clusters of a run; the choice is remembered for the session."""
    if kind_of(run.result).special_part(PartitionedEvidence, run.result) is not None:
        st.toggle(
            t("Colour by cluster"), key="by_cluster", persist_state="session",
            help=t("A colour and a letter for each group of variables in which the run began."),
        )  # fmt: skip


def shown_labels(run: Run) -> np.ndarray | None:
    """Return the cluster of each variable if nodes show it, else None."""
    found = kind_of(run.result).special_part(PartitionedEvidence, run.result)
    return found.labels if found is not None and st.session_state.get("by_cluster") else None
