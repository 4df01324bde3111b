"""Parts of a partitioned run: clusters, dendrogram, and its statistical calls compared with PC's."""

from __future__ import annotations

import streamlit as st

from learners.common.cancellable_job import Progress
from learners.common.sentences import Count
from learners.families.phgs.ppc import PartitionedEvidence
from learners.graphs.knowledge import Knowledge
from learners.registry import learn
from pages.blocks.inspect import slider_modes
from pages.session import state
from pages.session.data_frame import show_table
from pages.session.jobs import estimates
from pages.session.jobs.progress_with_cancel import SideTask
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.kinds import kind_of
from viz.phgs import calls, tables
from viz.phgs.dendrogram import TOP_BRANCHES, cut_figure, dendrogram_figure, description, is_collapsed
from viz.text import format_seconds, format_span

COUNT = SideTask("pc")
MEASURES = {
    "categorical": "1 − mutual information ÷ joint entropy",
    "continuous": "1 − |correlation|",
    "mixed": "1 − |correlation|, for categories that of their indicators",
}


def _clusters(run: Run) -> None:
    found, graph = kind_of(run.result).special_part(PartitionedEvidence, run.result), slider_modes.shown_graph(run)
    table = tables.cluster_table(run.result.names, found.partition, graph)
    between = tables.edges_between(found.labels, graph)
    st.caption(
        t(
            "Tests began within {clusters} of related variables. Edges on screen between clusters: {between} of {n}.",
            clusters=Count(len(table), "cluster"),
            between=between,
            n=graph.n_edges,
        ),
        help=t("*Colour by cluster*, above the graph, shows the clusters there."),
    )
    measure = MEASURES[run.dataset.kind]
    distance = f"Mean of {measure} over its pairs; 0 is identical, 1 unrelated"
    show_table(
        table,
        key=f"inspect_clusters_{run.number}",
        hide_index=True,
        column_config={
            "cluster": st.column_config.TextColumn(width=60),
            "size": st.column_config.NumberColumn(width=50, help=t("Variables in it")),
            "distance": st.column_config.NumberColumn(width=75, format="%.3f", help=written(distance)),
            "edges within": st.column_config.NumberColumn(width=100, help=t("In the graph at the step on screen")),
            "edges out": st.column_config.NumberColumn(width=85, help=t("To other clusters, at the step on screen")),
        },
        alt=t("Clusters with their variables and edges"),
    )


def _dendrogram(run: Run) -> None:
    partition = kind_of(run.result).special_part(PartitionedEvidence, run.result).partition
    st.caption(written(description(partition, run.dataset.kind)))
    if is_collapsed(partition):
        st.caption(
            t(
                "Only the last merges of {variables} are shown. Each of the {n} branches on the "
                "left is a merged group.",
                variables=Count(len(partition.labels), "variable"),
                n=TOP_BRANCHES,
            )
        )
    if len(partition.tree) == 0:
        return
    figure, alt = state.made_once(run, "dendrogram", None, lambda: dendrogram_figure(partition, run.result.names))
    st.plotly_chart(worded(figure), key=f"inspect_dendrogram_{run.number}", alt=written(alt))
    curve, alt = state.made_once(run, "cuts", None, lambda: cut_figure(partition))
    st.plotly_chart(worded(curve), key=f"inspect_cuts_{run.number}", alt=written(alt))
    st.caption(t("The tree is cut at the first height at which most groups are large."))


def _calls(run: Run) -> None:
    pc = _known_calls(run)
    st.caption(
        t(
            "The cost of a run on any machine: tests, association measures for the clusters, and local "
            "score differences."
        )
    )
    own, method = kind_of(run.result).special_part(PartitionedEvidence, run.result).calls, run.result.method
    figure, alt = state.made_once(run, "calls", pc, lambda: calls.calls_figure(method, own, pc))
    st.plotly_chart(worded(figure), key=f"inspect_calls_{run.number}_{pc is None}", alt=written(alt))
    if pc is not None:
        st.write(written(calls.compared(method, own, pc)))
    elif COUNT.under_way(run):
        COUNT.watch(_progress_text, "inspect_cancel_pc")
    else:
        _offer(run)
    with st.expander(t("Numbers"), key="inspect_calls_fold"):
        st.text(alt.replace("; ", "\n"))


def _known_calls(run: Run) -> dict[str, int] | None:
    """Return PC's calls on the same data, counted before or taken from a run of the session; None if unknown."""
    _collect()
    if "pc_calls" in run.data:
        return run.data["pc_calls"]
    for other in st.session_state.runs:
        same_data = other.dataset.fingerprint == run.dataset.fingerprint
        same_knowledge = (other.knowledge or Knowledge()) == (run.knowledge or Knowledge())
        if same_data and same_knowledge and calls.same_question(run.result, other.result):
            return calls.calls_of_pc(other.result)
    return None


def _offer(run: Run) -> None:
    """Show a button that runs PC and keeps only the counts."""
    if not run.result.complete:
        return
    params = calls.settings_of_pc(run.result)
    low, high = estimates.expected_range("pc", run.dataset, params)
    COUNT.show_error()
    if st.button(
        t("Count PC's calls"), icon=":material/calculate:", key="inspect_count_pc",
        disabled=COUNT.busy,
        help=t("Runs PC-stable with the same significance level and largest set, {high}.", high=format_span(low, high)),
    ):  # fmt: skip
        COUNT.start(run, lambda tick: learn("pc", run.dataset, knowledge=run.knowledge, tick=tick, **params))


def _progress_text(progress: Progress) -> tuple[float, str]:
    return 0.0, f"PC-stable, {progress.phase}: {format_seconds(progress.seconds)}"


def _collect() -> None:
    """Keep the counts of a finished job."""
    if found := COUNT.collect():
        run, result = found
        if result.complete:
            run.data["pc_calls"] = calls.calls_of_pc(result)


PARTS = {"Clusters": _clusters, "Dendrogram": _dendrogram, "Statistical calls": _calls}
