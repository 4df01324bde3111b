"""Exports of a run."""

from __future__ import annotations

import re
from functools import partial

import streamlit as st

from learners.evaluation.calibrated_probabilities import edge_columns
from learners.explaining.support import directed_graph
from learners.io import interchange
from learners.io.dagitty import to_dagitty
from learners.io.edge_csv import to_adjacency_csv, to_edge_csv, to_pair_csv, to_ranking_csv
from learners.results.result import LearnResult, metadata, ranking_of, ranks_pairs
from pages.blocks import rare_values
from pages.blocks.inspect import replay_export, report_files
from pages.blocks.inspect.network_file import network_file
from pages.blocks.shared_links import NO_TABLE
from pages.session import node_positions, shared_link, state
from pages.session.state import Run
from pages.session.words import run_title, t, written
from viz.kinds import kind_of
from viz.pyvis_network import network_html
from viz.snippet import model_string, snippet
from viz.tables import separated_numbers, separated_rows
from viz.text import escape_markdown


def downloads(run: Run) -> None:
    """Show a button for each format, whose file is made on demand, and the run as Python code."""
    graph, names, strengths = run.result.graph, run.result.names, run.result.strengths
    arrows = directed_graph(run.result)
    # Computed now, because the files are made outside the session.
    places = node_positions.shown(run, node_positions.arrangement(run))
    page = partial(network_html, run.result, graph, places, title=run_title(run.title))
    edges = partial(_edges, run.result)
    stem = "edgewise_" + re.sub(r"\W+", "_", run.title)[:40].strip("_")
    fold = st.expander(t("Export"), key="download_fold", icon=":material/download:")
    with fold:
        rare = rare_values.ask("inspect", run)
        if not rare and rare_values.names_rare_texts(run) and not shared_link.hides_table():
            st.caption(written(rare_values.NO_PLAN))
        include_data = replay_export.ask(run)
    files = [
        ("Edges (CSV)", "csv", "text/csv", edges),
        ("Adjacency (CSV)", "matrix.csv", "text/csv", lambda: to_adjacency_csv(graph, names)),
        ("Graph (JSON)", "json", "application/json", partial(_described, run.result)),
        ("DAGitty", "dagitty.txt", "text/plain", lambda: to_dagitty(arrows, names)),
        ("Tetrad, causal-learn", "tetrad.txt", "text/plain", lambda: interchange.to_tetrad(arrows, names)),
        ("DOT", "dot", "text/vnd.graphviz", lambda: interchange.to_dot(arrows, names)),
        ("GraphML", "graphml", "application/xml", lambda: interchange.to_graphml(arrows, names, strengths)),
        *replay_export.files(run, places, rare=rare, include_data=include_data),
        ("Network page (HTML)", "html", "text/html", page),
        *report_files.files(run, places, rare=rare),
    ]
    if ranks_pairs(run.result):
        ranking = lambda: to_ranking_csv(ranking_of(run.result), names)  # noqa: E731
        files.insert(1, ("Ranking (CSV)", "ranking.csv", "text/csv", ranking))
    if "Separated pairs" in kind_of(run.result).tables and len(separated_rows(run.result).i):
        files.insert(1, ("Separated pairs (CSV)", "separated.csv", "text/csv", partial(_separated, run.result)))
    with fold, st.container(horizontal=True):
        for label, suffix, mime, make in files:
            st.download_button(
                t(label),
                make,
                f"{stem}.{suffix}",
                mime,
                key=f"download_{suffix.replace('.', '_')}",
                on_click="ignore",
                icon=":material/download:",
            )
        _model_string(run, stem)
    with fold:
        replay_export.prepare(run, places, rare=rare, include_data=include_data)
    if shared_link.hides_table():
        st.caption(f"{t(NO_TABLE)} {t('A fitted network would reveal them, so none is available.')}")
    else:
        network_file(run, stem, rare=rare)
    report_files.methods_fold(run, places, rare=rare)
    _as_python(run, stem, rare=rare)


def _edges(result: LearnResult) -> str:
    return to_edge_csv(
        result.graph, result.names, result.strengths, result.directions, result.information, edge_columns(result)
    )


def _described(result: LearnResult) -> str:
    return interchange.to_json(result.graph, result.names, metadata(result, edge_columns(result)))


def _separated(result: LearnResult) -> str:
    table = separated_numbers(result)
    numbers = table.select_dtypes("number").columns
    cells = table.assign(**{name: list(map(repr, table[name].tolist())) for name in numbers})
    return to_pair_csv(list(cells), cells.to_numpy().tolist())


def _model_string(run: Run, stem: str) -> None:
    """Export bnlearn's model string, or explain why this graph has none."""
    text, note = state.made_once(run, "model_string", None, lambda: model_string(run.result))
    st.download_button(
        t("bnlearn (model string)"), text or "", f"{stem}.bnlearn.txt", "text/plain", disabled=text is None,
        help=escape_markdown(written(note)), key="download_bnlearn", on_click="ignore", icon=":material/download:",
    )  # fmt: skip


def _as_python(run: Run, stem: str, *, rare: bool) -> None:
    """Show the run as Python code, with a download."""
    again = report_files.repeated(run, rare=rare)
    if again is None:
        return
    text = state.made_once(run, "python", None, lambda: snippet(again))
    with st.expander(t("Python code"), key="download_py_fold", icon=":material/code:"):
        st.code(text, language="python")
        st.download_button(
            t("Download code"), text, f"{stem}.py", "text/x-python", key="download_py", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
