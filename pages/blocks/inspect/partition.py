"""What only a partitioned run has: its clusters, the tree they were cut from, and its calls beside PC's."""

from __future__ import annotations

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.job import Job
from learners.graphs.knowledge import Knowledge
from learners.registry import learn
from pages.blocks.inspect import walks
from pages.session import jobs, state
from pages.session.state import Run
from viz.kinds import kind_of
from viz.phgs import calls
from viz.phgs import cluster_table as tables
from viz.phgs.dendrogram import TOP_BRANCHES, dendrogram_figure, is_collapsed, told
from viz.text import count, escape_markdown, format_seconds

AT_ONCE = 2.0  # seconds that a visitor waits without being shown progress
POLL_SECONDS = 0.5


def _clusters(run: Run) -> None:
    found, graph = kind_of(run.result).clusters(run.result), walks.shown_graph(run)
    table = tables.cluster_table(run.result.names, found.partition, graph)
    between = tables.edges_between(found.labels, graph)
    st.caption(
        f"{count(len(table), 'cluster')} of variables that tell much of one another: tests began inside them. Of the "
        f"{count(graph.n_edges, 'edge')} on screen {between:,} lead{'s' if between == 1 else ''} from one cluster to "
        "another. *Colour by cluster*, above the graph, shows them there."
    )
    measure = "1 − mutual information ÷ joint entropy" if run.dataset.kind == "categorical" else "1 − |correlation|"
    distance = f"Of two variables in it, on average: {measure}; 0 is the same, 1 is nothing shared"
    st.dataframe(
        table,
        key=f"inspect_clusters_{run.number}",
        hide_index=True,
        column_config={
            "cluster": st.column_config.TextColumn(width=60),
            "size": st.column_config.NumberColumn(width=50, help="Variables in it"),
            "distance": st.column_config.NumberColumn(width=75, format="%.3f", help=distance),
            "edges within": st.column_config.NumberColumn(width=100, help="In the graph at the step on screen"),
            "edges out": st.column_config.NumberColumn(width=85, help="To other clusters, at the step on screen"),
        },
        alt="Clusters with their variables and edges",
    )


def _dendrogram(run: Run) -> None:
    partition = kind_of(run.result).clusters(run.result).partition
    st.caption(told(partition, run.dataset.kind))
    if is_collapsed(partition):
        st.caption(
            f"{count(len(partition.labels), 'variable')} are too many to draw one by one: only the last merges are "
            f"shown, and each of the {TOP_BRANCHES} branches on the left stands for the variables already joined there."
        )
    if len(partition.tree) == 0:
        return
    figure, alt = state.made_once(run, "dendrogram", None, lambda: dendrogram_figure(partition, run.result.names))
    st.plotly_chart(figure, key=f"inspect_dendrogram_{run.number}", alt=alt)


def _calls(run: Run) -> None:
    pc = _known_calls(run)
    st.caption(
        "What a run costs, whatever the machine: its tests, for the clusters also what measures how much variables "
        "share, and for scores each local difference."
    )
    own, method = kind_of(run.result).clusters(run.result).calls, run.result.method
    figure, alt = state.made_once(run, "calls", pc, lambda: calls.calls_figure(method, own, pc))
    st.plotly_chart(figure, key=f"inspect_calls_{run.number}_{pc is None}", alt=alt)
    if pc is not None:
        st.write(calls.compared(method, own, pc))
    elif _counting(run):
        _watch()
    else:
        _offer(run)
    with st.expander("In numbers"):
        st.text(alt.replace("; ", "\n"))


def _known_calls(run: Run) -> dict[str, int] | None:
    """PC's calls on the same data: counted before, just counted, or of a run in the history."""
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
    """A button that runs PC and keeps nothing of it but the numbers."""
    if not run.result.complete:
        return
    params = calls.settings_of_pc(run.result)
    seconds = jobs.estimate("pc", run.dataset.fingerprint, tuple(params.items()), run.dataset)
    if error := st.session_state.pop("pc_error", ""):
        st.error(escape_markdown(error[0].upper() + error[1:] + "."), icon=":material/error:")
    if st.button(
        "Count PC's calls on this data", icon=":material/calculate:", key="inspect_count_pc",
        disabled=bool(st.session_state.job or st.session_state.get("pc_job")),
        help=f"Runs PC-stable with the same significance level and largest set, at best about "
        f"{format_seconds(seconds)}; this result stays.",
    ):  # fmt: skip
        job = Job(lambda tick: learn("pc", run.dataset, knowledge=run.knowledge, tick=tick, **params))
        st.session_state.pc_job = (run, job)
        with st.spinner("Counting…"):
            job.wait(AT_ONCE)
        st.rerun(scope="app")


def _counting(run: Run) -> bool:
    at_work = st.session_state.get("pc_job")
    return at_work is not None and at_work[0].number == run.number


@st.fragment(run_every=POLL_SECONDS)
def _watch() -> None:
    """Progress of the count, with Cancel."""
    at_work = st.session_state.get("pc_job")
    if at_work is None or not at_work[1].running:
        st.rerun()
    job = at_work[1]
    said = job.progress
    st.progress(0.0, text=f"PC-stable, {said.phase}: {format_seconds(said.seconds)}")
    if st.button("Cancel", icon=":material/stop:", key="inspect_cancel_pc", disabled=job.cancelled):
        job.cancel()


def _collect() -> None:
    """Keep the numbers of a count that has ended."""
    at_work = st.session_state.get("pc_job")
    if at_work is None or at_work[1].running:
        return
    run, job = st.session_state.pop("pc_job")
    try:
        result = job.result()
    except LearnersError as error:
        st.session_state.pc_error = str(error)
        return
    if result.complete:
        run.data["pc_calls"] = calls.calls_of_pc(result)


PARTS = {"Clusters": _clusters, "Dendrogram": _dendrogram, "Statistical calls": _calls}
