"""The queried network: that of a run, a drawn one, a bundled one, or one from a file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.data.plan.new_rows import convert_rows, convert_rows_without_plan
from learners.data.plan.scales import Scale
from learners.data.reading.table import Table
from learners.io.network_files import NETWORK_FORMATS, read_network
from learners.io.samples import NETWORKS, load_network
from learners.networks.fitting import fit
from learners.networks.network import Network
from learners.networks.regression_network import RegressionNetwork
from pages.blocks import table_mismatch
from pages.blocks.inspect import panels
from pages.session import network_draft, node_positions, state
from pages.session.initial_value import initial
from pages.session.words import labels_of, t, table_title, written
from viz.layout.positions import layout
from viz.query.texts import member_sentence, missing_sentence
from viz.text import as_sentence, escape_markdown, shorten

OF_A_RUN, DRAWN, BUNDLED, A_FILE = "Run", "Drawn", "Bundled", "File"
INVENTED = "Invented probabilities: they come from the strengths and tables on Build."
SOURCES = {OF_A_RUN: "Learned", DRAWN: "From Build", BUNDLED: "Example", A_FILE: "From a file"}


@dataclass(frozen=True)
class Asked:
    """A network with its key, the positions of its variables, a note, and the scales of its numbers.

    `run` is the run from whose graph it was fitted, if any; `of_tables` states how its tables treat missing cells.
    """

    key: str
    network: Network | RegressionNetwork
    positions: Any
    said: str
    scales: Mapping[str, Scale] = field(default_factory=dict)
    run: state.Run | None = None
    of_tables: str = ""

    def read_cases(self, rows: Table, names: Collection[str]) -> pd.DataFrame:
        """Return levels and numbers of a table of cases, read like the table of the run, else as they are."""
        here = None if self.run is None else self.run.source
        if here is None or here.table is None or here.plan is None:
            network = self.network
            of_numbers = [name for name, levels in zip(network.names, network.states, strict=True) if not levels]
            return convert_rows_without_plan(rows, names, of_numbers)
        return convert_rows(here.table, here.plan, rows, names)


def choose() -> Asked | None:
    """Let the user choose a network; return None if there is none."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="query_head"):
        st.title(t("Query"), anchor=False, width="content")
        way = st.segmented_control(
            t("Network"),
            list(SOURCES),
            format_func=labels_of(SOURCES),
            default=initial("query_way", OF_A_RUN),
            required=True,
            key="query_way",
            persist_state="session",
            label_visibility="collapsed",
        )
        place = st.container(width="stretch")
    try:
        with place:
            return {OF_A_RUN: _of_run, DRAWN: _drawn, BUNDLED: _bundled, A_FILE: _of_file}[way]()
    except LearnersError as error:
        st.error(escape_markdown(written(as_sentence(str(error)))), icon=":material/error:")
        return None


def _of_run() -> Asked | None:
    run = state.current_run()
    if run is None:
        panels.no_run()
        return None
    table_mismatch.say(run, "query")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        panels.pick_run("query")
        with st.popover(t("Change settings"), icon=":material/tune:", key="query_settings"):
            ess = st.number_input(
                t("Equivalent sample size"), 0.0, 1e6, 1.0, 1.0, key="query_ess", persist_state="session",
                help=t("Weight of the uniform prior of each table, in rows; 0 is maximum likelihood."),
            )  # fmt: skip
    network = state.made_once(run, "network", ess, lambda: fit(run.result.graph, state.completed(run), ess))
    places = node_positions.shown(run, node_positions.arrangement(run))
    note = member_sentence(run.dataset) if network.fitted.member else ""
    of_tables = missing_sentence(run.dataset, network.fitted.tables)
    return Asked(f"run {run.number} {ess}", network, places, note, state.scales_of(run), run, of_tables)


def _drawn() -> Asked:
    here = network_draft.sheet()
    st.page_link("pages/build.py", label=t("Edit network"), icon=":material/draw:")
    network = here.draft.network
    source = state.source()
    is_invented = set(here.draft.tables) < set(here.draft.names)
    warning = t(INVENTED if is_invented else "Drawn network: these probabilities come from the tables on Build.")
    if source is not None:
        not_from = t("None is estimated from {table}.", table=shorten(table_title(source.title)))
        warning = f"{warning} {escape_markdown(not_from)}"
    st.markdown(f"**{warning}**")
    places = np.array([here.places[name] for name in network.names])
    return Asked(f"drawn {here.number} {here.position}", network, places, "")


def _bundled() -> Asked:
    keys = list(NETWORKS)
    key = st.selectbox(
        t("Bundled network"), keys, keys.index("asia"),
        lambda one: t("{network} ({p} variables)", network=t(NETWORKS[one].title), p=NETWORKS[one].p),
        key="query_bundled", persist_state="session",
    )  # fmt: skip
    network, positions = _bundled_network(key)
    return Asked(f"bundled {key}", network, positions, "")


@st.cache_resource(show_spinner="Reading the network…", max_entries=4)
def _bundled_network(key: str) -> tuple[Network, Any]:
    network = load_network(key)
    return network, layout(network.dag, "layered")


def _of_file() -> Asked | None:
    kinds = ", ".join(network_format.label for network_format in NETWORK_FORMATS.values())
    file = st.file_uploader(
        t("Network file"), key="query_file", help=t("A network with its probabilities: {kinds}.", kinds=kinds)
    )
    if file is None:
        return None
    known = st.session_state.get("query_read")
    if known is None or known[0] != file.file_id:
        with st.spinner(t("Reading the network…")):
            network = read_network(file.getvalue(), file.name)
            st.session_state.query_read = known = (file.file_id, network, layout(network.dag, "layered"))
    return Asked(f"file {file.file_id}", known[1], known[2], "")
