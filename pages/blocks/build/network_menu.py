"""Menu of the drawn network: Undo and Redo, import from samples and files, export to pages and files."""

from __future__ import annotations

import streamlit as st

from learners.common.errors import LearnersError
from learners.io.dagitty import read_model, write_model
from learners.io.network_files import NETWORK_FORMATS, read_network, write_network
from learners.io.samples import NETWORKS, load_network
from learners.networks.draft import Draft
from learners.networks.network import GaussianNetwork
from learners.networks.regression_network import RegressionNetwork
from pages.blocks.effects import drawing, roles
from pages.blocks.query.network_source import DRAWN
from pages.session import network_draft
from pages.session.words import t, written
from viz.text import as_sentence, escape_markdown


def history() -> None:
    """Show Undo and Redo."""
    here = network_draft.sheet()
    st.button(
        t("Undo"), key="build_undo", icon=":material/undo:", shortcut="Ctrl+Z", on_click=network_draft.undo,
        disabled=here.position == 0,
    )  # fmt: skip
    st.button(
        t("Redo"), key="build_redo", icon=":material/redo:", shortcut="Ctrl+Shift+Z", on_click=network_draft.redo,
        disabled=here.position + 1 == len(here.states),
    )  # fmt: skip


def start_from() -> None:
    """Let the user start from an empty canvas, the example, a bundled network or a file."""
    with st.popover(t("Open network"), icon=":material/note_add:", key="build_start"):
        st.button(t("Clear canvas"), key="build_empty", on_click=network_draft.begin, args=(Draft(),))
        st.button(t("Open example"), key="build_example", on_click=network_draft.begin, args=(network_draft.EXAMPLE,))
        small = [key for key, network in NETWORKS.items() if network.p <= network_draft.MAX_NODES]
        titles = {one: t("{title} ({p} variables)", title=t(NETWORKS[one].title), p=NETWORKS[one].p) for one in small}
        key = st.selectbox(
            t("Bundled network"), small, small.index("asia"), titles.get, key="build_bundled",
        )  # fmt: skip
        st.button(t("Open this network"), key="build_take", on_click=_take, args=(key,))
        kinds = ", ".join(t(network_format.label) for network_format in NETWORK_FORMATS.values())
        st.file_uploader(t("Network file"), key="build_file", on_change=_read, help=f"{kinds}.")
        st.text_area(
            t("DAGitty model code or link"), key="build_dagitty", height=120,
            placeholder="dag { smoke -> tar -> cancer }",
            help=t("Model code of dagitty.net. Exposure, outcome, adjusted and latent keep their roles."),
        )  # fmt: skip
        st.button(t("Open this model"), key="build_dagitty_open", on_click=_read_dagitty)


def take_along() -> None:
    """Offer to open the network on the Query page, or to export it as a file."""
    here = network_draft.sheet()
    if st.button(
        t("Query network"), key="build_query", icon=":material/question_answer:", disabled=not here.draft.nodes
    ):
        st.session_state.query_way = DRAWN
        st.switch_page("pages/query.py")
    if st.button(
        t("Estimate effects"), key="build_effects", icon=":material/trending_up:", disabled=len(here.draft.names) < 2
    ):
        st.session_state[roles.SOURCE] = roles.DRAWN
        st.switch_page("pages/effects.py")
    with st.popover(t("Export network"), icon=":material/download:", key="build_export", disabled=not here.draft.nodes):
        _files(here.draft)


def _take(key: str) -> None:
    network_draft.begin(Draft.of(load_network(key)))


def _read() -> None:
    file = st.session_state.build_file
    if file is None:
        return
    try:
        network_draft.begin(Draft.of(read_network(file.getvalue(), file.name)))
    except LearnersError as error:
        network_draft.refuse(error)


def _read_dagitty() -> None:
    try:
        drawing.begin(read_model(st.session_state.build_dagitty))
    except LearnersError as error:
        network_draft.refuse(error)


def _dagitty_file() -> None:
    """Show the model code of DAGitty, or why there is none."""
    try:
        text = write_model(drawing.model_of(network_draft.sheet()))
    except LearnersError as error:
        st.caption(escape_markdown(written(as_sentence(str(error)))))
        return
    st.code(text, language=None, height=140)
    st.download_button(
        t("Download DAGitty model"), text,
        "edgewise_network.dagitty.txt", "text/plain", key="build_export_dagitty", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def _files(draft: Draft) -> None:
    """Show a button for each format that can represent the network."""
    _dagitty_file()
    try:
        network = draft.network
    except LearnersError as error:
        st.error(escape_markdown(written(as_sentence(str(error)))), icon=":material/error:")
        return
    if isinstance(network, RegressionNetwork):
        st.caption(t("No file format can store a network of both categories and numbers. Export the project instead."))
        return
    for key, one in NETWORK_FORMATS.items():
        if one.gaussian or not isinstance(network, GaussianNetwork):
            st.download_button(
                t(one.label), lambda key=key: write_network(network, key), f"edgewise_network{one.suffixes[0]}",
                "text/plain", key=f"build_export_{key}", on_click="ignore", icon=":material/download:",
            )  # fmt: skip
