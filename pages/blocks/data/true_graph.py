"""A known true graph: uploaded, compared with results, and exported with its table."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Count
from learners.graphs.graph import PDAG
from learners.io.dagitty import from_dagitty
from learners.io.edge_csv import read_edge_csv, to_edge_csv
from learners.io.network_files import NETWORK_FORMATS, read_network
from pages.session import state
from pages.session.state import Source
from pages.session.words import t, written
from viz.text import as_sentence, escape_markdown


def take_home(here: Source) -> None:
    """Offer table and true graph as files, where a true graph is known."""
    if here.truth is None:
        return
    stem = "edgewise_" + re.sub(r"\W+", "_", here.title).strip("_")[:60]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(t("True graph: {edges}.", edges=Count(here.truth.n_edges, "edge")), width="content")
        for label, what, make in (
            ("Table (CSV)", "table", lambda: here.table.frame.to_csv(index=False)),
            ("True graph (CSV)", "truth", lambda: to_edge_csv(here.truth, here.truth_names)),
        ):
            st.download_button(
                t(label),
                make,
                f"{stem}_{what}.csv",
                "text/csv",
                key=f"data_home_{what}",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
            )


def known_truth(here: Source) -> None:
    """Let the user upload a true graph with which results are compared."""
    with st.expander(t("True graph" if here.truth is None else "True graph (for comparison)"), key="data_truth_fold"):
        forms = ", ".join(network_format.label for network_format in NETWORK_FORMATS.values())
        st.caption(
            t(
                "A network ({forms}), a DAGitty text (.txt), or a CSV file with the columns from and to. A "
                "third column named type is optional; it marks undirected edges.",
                forms=forms,
            )
        )
        suffixes = [suffix for network_format in NETWORK_FORMATS.values() for suffix in network_format.suffixes]
        file = st.file_uploader(t("Graph file"), type=["csv", "txt", *suffixes, "gz"], key="data_truth")
        if file is not None:
            _read_truth(file, here)
    why = here.why_no_truth(here.dataset.names) if here.dataset is not None else ""
    if why:
        st.warning(escape_markdown(written(why)), icon=":material/warning:")


def _read_truth(file: Any, here: Source) -> None:
    """Read a true graph once; if it cannot be read, only show a message."""
    if st.session_state.get("data_truth_read") != (file.file_id, here.title):
        st.session_state.data_truth_read = (file.file_id, here.title)
        st.session_state.data_truth_problem = ""
        try:
            state.set_truth(*_graph_in(file, here.table.names))
            st.rerun()
        except LearnersError as error:
            st.session_state.data_truth_problem = str(error)
    problem = st.session_state.data_truth_problem
    if problem:
        st.error(escape_markdown(written(as_sentence(problem))), icon=":material/error:")


def _graph_in(file: Any, names: tuple[str, ...]) -> tuple[PDAG, tuple[str, ...]]:
    if file.name.lower().endswith(".csv"):
        return read_edge_csv(file.getvalue(), names), names
    if file.name.lower().endswith(".txt"):
        return from_dagitty(file.getvalue())
    network = read_network(file.getvalue(), file.name)
    return network.dag, network.names
