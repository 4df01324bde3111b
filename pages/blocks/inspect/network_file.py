"""Export of the fitted network in formats of other programs."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from learners.common.errors import LearnersError
from learners.data.disclosure import with_coded_levels
from learners.graphs.consistent_extension import consistent_extension
from learners.io.lavaan import to_lavaan
from learners.io.network_code import to_python, to_r
from learners.io.network_files import NETWORK_FORMATS, write_network
from learners.networks.fitting import fit
from learners.networks.network import Network
from learners.registry import as_completed
from pages.blocks import rare_values
from pages.session import state
from pages.session.state import Run
from pages.session.words import t, written
from viz.labels import units_sentence
from viz.text import as_sentence, escape_markdown

Writer = tuple[str, str, Callable[[Network], str]]  # label, suffix, writer
FITTED = {
    "categorical": "counts, and a prior worth one row",
    "continuous": "linear equations by least squares",
    "mixed": "tables, linear and logistic regressions. Mixed networks cannot be saved in the formats of other programs",
}


def network_file(run: Run, stem: str, *, rare: bool) -> None:
    """Offer a network fitted to the graph and its table as a file; without `rare`, rare levels get neutral names."""
    graph, kind = run.result.graph, run.dataset.kind
    if not state.made_once(run, "has_dag", None, lambda: consistent_extension(graph).valid):
        return
    writers = _writers(kind)
    heading = "Export with probabilities"
    with st.expander(t(heading), key="download_network_fold", icon=":material/account_tree:"):
        what = (
            "The DAG, fitted to the table: {how}."
            if graph.is_dag
            else "One DAG of the class, fitted to the table: {how}."
        )
        units = units_sentence(run.dataset.names, state.scales_of(run))
        st.caption(f"{t(what, how=t(FITTED[kind]))} {escape_markdown(written(units))}")
        coded = not rare and rare_values.hides_levels(run)
        if coded:
            st.caption(
                written(rare_values.CODED)
                + " "
                + t("Switch on *{label}* under Export to keep their names.", label=t(rare_values.LABEL))
            )
        form = st.selectbox(
            t("Format"),
            list(writers),
            index=None,
            format_func=lambda key: writers[key][0],
            key="download_network_form",
            placeholder=t("Choose a format"),
        )
        if form is None:
            return
        label, suffix, write = writers[form]
        try:
            dataset = as_completed(run.result, with_coded_levels(run.dataset) if coded else run.dataset)
            text = state.made_once(
                run, "network_file", f"{form} coded" if coded else form, lambda: write(fit(graph, dataset))
            )
        except LearnersError as error:
            st.info(escape_markdown(written(as_sentence(str(error)))), icon=":material/info:")
            return
        st.download_button(
            label, text, f"{stem}{suffix}", "text/plain", key="download_network", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip


def _writers(kind: str) -> dict[str, Writer]:
    """Return the formats that can represent a network of these column types."""
    python: Writer = ("Python", ".network.py", to_python)
    if kind == "mixed":
        return {"python": python}
    found: dict[str, Writer] = {
        key: (network_format.label, network_format.suffixes[0], lambda network, key=key: write_network(network, key))
        for key, network_format in NETWORK_FORMATS.items()
        if network_format.gaussian or kind == "categorical"
    }
    found |= {"python": python, "r": ("R (bnlearn)", ".R", to_r)}
    if kind == "continuous":
        found["lavaan"] = ("lavaan", ".lavaan.txt", lambda network: to_lavaan(network.dag, network.names))
    return found
