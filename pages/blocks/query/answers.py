"""Answers of a query: probability of the evidence, most probable explanation, value of information, and files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.common.sentences import Number
from learners.data.plan.scales import PLAIN, Scale
from learners.data.reading.table import read_table
from learners.networks.inference.answers import Beliefs
from learners.networks.inference.belief_ranges import Ends
from learners.networks.regression_network import RegressionNetwork
from learners.networks.sampling import sample
from pages.blocks import rare_values
from pages.blocks.query import evidence
from pages.blocks.query.network_source import Asked
from pages.session.data_frame import show_table
from pages.session.words import t, written
from viz.labels import units_sentence
from viz.query import texts
from viz.query.parameters import interval_table, node_table, with_numbers
from viz.query.picture import belief_table
from viz.text import as_sentence, escape_markdown

States = tuple[tuple[str, ...], ...]

MAX_CASES = 5_000
MAX_ROWS, MAX_CELLS = 100_000, 5_000_000  # limits of one simulated sample


def refused(error: LearnersError) -> None:
    """Show why there is no answer."""
    st.error(escape_markdown(written(as_sentence(str(error)))), icon=":material/error:")


def of_evidence(network: Any, now: Beliefs) -> None:
    """Show the probability of the evidence and the accuracy of the answer."""
    if evidence.known() or evidence.likely():
        dense = any(not network.states[network.names.index(name)] for name in (*evidence.known(), *evidence.likely()))
        if dense:
            st.markdown(
                t(
                    "ln density of the evidence: {log_probability}. Only differences between cases matter.",
                    log_probability=Number(now.log_probability),
                )
            )
        else:
            st.markdown(
                t(
                    "Probability of the evidence: **{probability_text}**",
                    probability_text=texts.probability_text(now.log_probability),
                )
            )
    if not now.exact:
        st.caption(written(texts.error_sentence(now, network.names, network.states)))


def explanation(network: Any, scales: Mapping[str, Scale]) -> None:
    """Show the most probable explanation on demand."""
    with st.expander(t("Most probable explanation"), key="query_mpe_fold"):
        if isinstance(network, RegressionNetwork):
            st.caption(
                t(
                    "Not available for mixed data: answers come from random cases, which rarely include the "
                    "most probable one."
                )
            )
            return
        if not st.toggle(t("Compute"), key="query_mpe", persist_state="session"):
            return
        try:
            best = network.most_probable(evidence.known(), virtual=evidence.likely())
        except LearnersError as error:
            refused(error)
            return
        shown = {
            name: value if isinstance(value, str) else texts.number_text(value, scales.get(name, PLAIN))
            for name, value in best.case.items()
        }
        st.caption(
            t(
                "ln of its probability or density given the evidence: {log_probability}.",
                log_probability=Number(best.log_probability),
            )
        )
        show_table(
            pd.DataFrame({"variable": list(shown), "value": list(shown.values())}), hide_index=True,
            key="query_best", alt=t("Most probable explanation"),
        )  # fmt: skip


def what_to_ask(network: Any) -> None:
    """Show the value of information of each variable for a target."""
    open_names = [name for name in network.names if name not in evidence.known() and name not in evidence.done()]
    if len(open_names) < 2:
        return
    with st.expander(t("Value of information"), key="query_target_fold"):
        target = st.selectbox(t("Target"), [None, *open_names], key="query_target", format_func=lambda n: n or "-")
        if target is None:
            return
        try:
            found = network.value_of_information(target, evidence.known(), virtual=evidence.likely())
        except LearnersError as error:
            refused(error)
            return
        st.caption(t("Expected information about the target, in bits, from observing each variable; 0 is none."))
        show_table(
            pd.DataFrame(found[:20], columns=["variable", "bits"]), hide_index=True, key="query_worth",
            alt=t("Expected information of each variable on the target"),
            column_config={"bits": st.column_config.NumberColumn(format="%.4f", help=t("Expected gain on the target"))},

        )  # fmt: skip


def aside(
    network: Any, now: Beliefs, held: Beliefs | None, asked: Asked, intervals: Ends | None, *, rare: bool
) -> None:
    """Show the pinned and the current case, also as a table with the intervals of the current one."""
    with st.container(horizontal=True, gap="small"):
        st.button(t("Pin for comparison"), key="query_hold", icon=":material/push_pin:", on_click=evidence.hold)
        if held is not None:
            st.button(t("Unpin case"), key="query_let_go", type="tertiary", on_click=evidence.let_go)
    cases = {"now": now} | ({} if held is None else {"pinned": held})
    table = belief_table(network.names, network.states, cases, asked.scales, intervals)
    named = rare_values.states(asked.run, network.states, rare=rare)
    file = table if named == network.states else belief_table(network.names, named, cases, asked.scales, intervals)
    with st.expander(t("Distributions as a table"), key="query_beliefs_fold"):
        show_table(table, hide_index=True, key="query_beliefs", alt=t("Distribution of each variable"))
        st.download_button(
            t("Download distributions"), lambda: file.to_csv(index=False), "edgewise_query.csv", "text/csv",
            key="query_download", on_click="ignore", icon=":material/download:",
        )  # fmt: skip


def tables(network: Any, scales: Mapping[str, Scale], note: str = "") -> None:
    """Show a note on the tables, and the table of a variable, editable in a copy of the network."""
    with st.expander(t("Probability tables"), key="query_table_fold"):
        if note:
            st.caption(escape_markdown(written(note)))
        name = st.selectbox(t("Variable"), network.names, key="query_table_of")
        j = network.names.index(name)
        if sentence := units_sentence([network.names[i] for i in (j, *network.dag.parents(j))], scales):
            st.caption(escape_markdown(sentence))
        own = node_table(network, j)
        edited = st.data_editor(
            own, key=f"query_table_{st.session_state.query_of}_{j}", disabled=["given"], placeholder=""
        )
        st.button(
            t("Apply changes"), key="query_edit", disabled=edited.equals(own), on_click=_edit,
            args=(network, j, edited.to_numpy(dtype=float)),
        )  # fmt: skip
        problem = st.session_state.pop("query_problem", "")
        if problem:
            st.error(escape_markdown(written(as_sentence(problem))), icon=":material/error:")
        if st.session_state.query_edited is not None:
            st.caption(t("This network is a copy with edited tables."))
            st.button(t("Restore original"), key="query_original", type="tertiary", on_click=evidence.original)
        if network.fitted is not None and network.fitted.nodes[j] is not None:
            st.caption(t("For each line: its number of rows, and a 95% interval of each probability or coefficient."))
            show_table(
                interval_table(network, network.fitted, j),
                key="query_sure",
                alt=t("Rows and intervals"),
            )


def _edit(network: Any, j: int, table: np.ndarray) -> None:
    try:
        st.session_state.query_edited = with_numbers(network, j, table)
    except LearnersError as error:
        st.session_state.query_problem = str(error)


def cases(network: Any, asked: Asked) -> None:
    """Let the user upload a file of cases, and predict a variable for each."""
    with st.expander(t("Predict a file of cases"), key="query_cases_fold"):
        file = st.file_uploader(
            t("File of cases"),
            key="query_cases",
            help=t("Column names must be those of the variables; empty cells are unknown."),
        )
        target = st.selectbox(t("Variable to predict"), network.names, key="query_predict")
        if file is None:
            return
        try:
            found, n = _predicted(network, asked, file, target)
        except LearnersError as error:
            refused(error)
            return
        if n > MAX_CASES:
            st.caption(t("Only the first {n} cases are predicted.", n=MAX_CASES))
        show_table(
            found.head(200),
            hide_index=True,
            key="query_predicted",
            alt=t("Predictions, the first 200"),
        )
        st.download_button(
            t("Download predictions"), lambda: found.to_csv(index=False), "edgewise_predictions.csv", "text/csv",
            key="query_predictions", on_click="ignore", icon=":material/download:",
        )  # fmt: skip


def _predicted(network: Any, asked: Asked, file: Any, target: str) -> tuple[pd.DataFrame, int]:
    """Return predictions with the given cells, and the number of rows of the file; cached until an input changes."""
    key, edited = (file.file_id, asked.key, dict(evidence.done()), target), st.session_state.query_edited
    known = st.session_state.get("query_predictions_of")
    if known is None or known[0] != key or known[1] is not edited:
        rows = read_table(file.getvalue(), max_rows=MAX_CASES + 1)
        with st.spinner(t("Predicting…")):
            read = asked.read_cases(rows, [name for name in network.names if name != target])
            found = network.predict(read.head(MAX_CASES), target)
        found = texts.predicted(found, asked.scales.get(target, PLAIN))
        given = rows.frame.head(MAX_CASES).add_prefix("given ")
        st.session_state.query_predictions_of = known = (key, edited, pd.concat([found, given], axis=1), rows.n)
    return known[2:]


def rows(network: Any, asked: Asked, *, rare: bool) -> None:
    """Offer rows that are simulated from the network on screen."""
    with st.expander(t("Simulate rows"), key="query_rows_fold"):
        st.caption(
            t("Simulated from the network with edited tables and interventions. Observed values have no effect.")
        )
        named = rare_values.states(asked.run, network.states, rare=rare)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            most = min(MAX_ROWS, MAX_CELLS // len(network.names))
            n = st.number_input(t("Rows"), 1, most, min(1_000, most), key=f"query_rows_{most}", width=180)
            seed = st.number_input(t("Seed"), 0, 2**31, 1, key="query_seed", width=140)
            st.download_button(
                t("Download rows"),
                lambda: drawn_rows(network, int(n), int(seed), asked.scales, named),
                "edgewise_rows.csv",
                "text/csv",
                key="query_drawn",
                on_click="ignore",
                icon=":material/download:",
            )


def drawn_rows(network: Any, n: int, seed: int, scales: Mapping[str, Scale], named: States | None = None) -> str:
    """Return a sample as CSV, in the units of the table, with levels as `named`."""
    frame = texts.in_table(sample(network, n, seed).to_frame(), scales)
    for name, old, new in zip(network.names, network.states, named or network.states, strict=True):
        if old != new:
            frame[name] = frame[name].cat.rename_categories(dict(zip(old, new, strict=True)))
    return frame.to_csv(index=False)
