"""Learning curve of a drawn network: rows are simulated, and a learner runs on growing samples of them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import streamlit as st

from learners.choosing.recommendation import expected_seconds
from learners.common.errors import LearnersError
from learners.data.dataset import Dataset
from learners.evaluation.comparison import without_directions
from learners.graphs.cpdag import cpdag
from learners.graphs.graph import PDAG
from learners.networks.draft import Draft
from learners.networks.sampling import sample
from learners.registry import LEARNERS
from learners.sweeping.tables import fewer_rows, sweep_tables
from pages.blocks.data.simulation import MAX_SEED, drawn
from pages.session import state
from pages.session.network_draft import Sheet
from pages.session.words import labels_of, t, worded, written
from viz.build.draft import size_sentence
from viz.build.learning_curve import curves_figure, learning_curve_view
from viz.graph_view import graph_view
from viz.kinds import kind_of
from viz.snippet import of_draft
from viz.text import as_sentence, escape_markdown

ROWS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
TABLES = 14  # number of sample sizes on the curve
SECONDS = 8.0  # time limit of the curve; the remaining points are omitted
QUICK_SECONDS = 0.4  # maximum estimated duration of an offered learner on all rows
FIRST = "pc"
KEPT = "build_growth"
Learned = tuple[tuple[PDAG | None, ...], tuple[str, ...], bool]


def grow(here: Sheet) -> None:
    """Let the user choose rows, seed and learner; show how the learned graph approaches the drawn one."""
    try:
        network = here.draft.network
    except LearnersError as error:
        st.info(escape_markdown(written(as_sentence(str(error)))), icon=":material/draw:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n = st.select_slider(
            t("Rows"), ROWS, 5_000, lambda value: f"{value:,}", key="build_rows", persist_state="session", width=260
        )
        seed = st.number_input(t("Seed"), 0, MAX_SEED, 1, key="build_seed", persist_state="session", width=120)
        dataset = sample(network, n, seed)
        learner = _learner(dataset)
        if st.button(
            t("Use simulated rows"), key="build_use", icon=":material/table_chart:",
            help=t("Makes the simulated rows the table in use. Your own table stays in the list of tables."),
        ):  # fmt: skip
            _use(here.draft, n, seed)
    st.markdown(f"**{t('Rows are simulated from the drawn graph with its tables. Your own data play no part.')}**")
    if learner is None:
        st.info(t("No learner accepts this network. Draw at least two nodes."), icon=":material/draw:")
        return
    try:
        with st.spinner(t("Learning from growing samples…")):
            graphs, sizes, no_directions = _learned(here, dataset, learner, (n, seed))
    except LearnersError as error:
        st.error(escape_markdown(written(as_sentence(str(error)))), icon=":material/error:")
        return
    truth, names = cpdag(here.draft.dag), here.draft.names
    if no_directions:
        truth = without_directions(truth)
    positions = np.array([here.places[name] for name in names])
    data = learning_curve_view(graphs, sizes, truth, names, positions)
    graph_view(
        data | {"run": f"{here.number} {here.position} {n} {seed} {learner}"},
        key="build_growing",
        language=state.language(),
    )
    st.plotly_chart(
        worded(curves_figure(data)),
        key="build_curves",
        alt=t("Correct, missing, extra and reversed edges by number of rows"),
    )
    st.caption(
        t("Compared with the edges of the drawn network. This learner finds no directions.")
        if no_directions
        else t(
            "These learners find only the equivalence class of the drawn network. Open directions of the "
            "class count as correct."
        )
    )


def _learner(dataset: Dataset) -> str | None:
    """Choose a quick learner that accepts these rows, or None."""
    quick = _quick(dataset) if dataset.p > 1 else []
    if not quick:
        return None
    if st.session_state.get("build_learner") not in quick:
        st.session_state["build_learner"] = FIRST if FIRST in quick else quick[0]
    return st.selectbox(
        t("Learner"), quick, format_func=labels_of({key: LEARNERS[key].label for key in quick}), key="build_learner",
        persist_state="session", width=220,
    )  # fmt: skip


def _quick(dataset: Dataset) -> list[str]:
    """Return the learners that are quick on all these rows."""
    able = [key for key, learner in LEARNERS.items() if not learner.refusal(dataset) and learner.parameters]
    known = st.session_state.get("build_quick", (None, []))
    if known[0] != dataset.fingerprint:
        quick = [key for key in able if expected_seconds(key, dataset) < QUICK_SECONDS]
        known = st.session_state["build_quick"] = (dataset.fingerprint, quick)
    return known[1]


def _learned(here: Sheet, dataset: Dataset, learner: str, asked: Any) -> Learned:
    """Return the CPDAG learned from each number of rows, and whether it has no directions; cached for these inputs."""
    key = (id(here.draft), learner, asked)
    known = st.session_state.get(KEPT)
    if known is None or known[0] != key:
        tables, until = fewer_rows(dataset, n=TABLES), time.monotonic() + SECONDS
        found = sweep_tables(learner, tables, near=0, tick=lambda *_: time.monotonic() < until)
        graphs = tuple(None if result is None else _class_of(result.graph) for result in found.results)
        no_directions = any(result and kind_of(result).leaves_open(result) for result in found.results)
        known = st.session_state[KEPT] = (key, (graphs, tables.names, no_directions), here.draft)
    return known[1]


def _class_of(graph: PDAG) -> PDAG:
    return cpdag(graph) if graph.is_dag else graph


def _use(draft: Draft, n: int, seed: int) -> None:
    title = f"drawn network, {size_sentence(draft)}, n = {n:,}, seed {seed}"
    state.set_source(drawn(draft.network, n, seed, (0.0, "mcar"), title, of_draft(draft, n, seed)))
    st.switch_page("pages/data.py")
