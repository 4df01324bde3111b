"""The graph with its slider, and as a network whose nodes can be dragged."""

from __future__ import annotations

from functools import partial

import streamlit as st

from learners.common.sentences import Count
from learners.graphs.graph import PDAG
from pages.blocks import address, presenter
from pages.blocks.inspect import edge_constraints, what_if
from pages.blocks.inspect.cluster_labels import pick_groups, shown_labels
from pages.blocks.inspect.edge_directions import pick_class
from pages.blocks.inspect.selection import keep_open, select, select_single, selected, single
from pages.blocks.inspect.slider_modes import choose_mode, current_mode, mode_and_strip, picture, say
from pages.session import background_knowledge, node_positions, state
from pages.session.state import Run
from pages.session.words import run_title, t
from viz.cluster_marks import cluster_sizes
from viz.graph_view import GraphViewState, graph_view
from viz.pyvis_network import network_html
from viz.text import escape_markdown
from viz.weak_evidence import with_few_rows

MAX_SPRINGS = 300  # maximum number of nodes with springs; larger networks would swing for minutes
NETWORK_HEIGHT = 630  # pixels: 600 of the picture and 30 of its frame
SHOW_FEW_ROWS = "inspect_few_rows"  # key of a toggle


@st.fragment
def for_hall(run: Run) -> None:
    """Show the graph alone, in presenter view."""
    with st.container(key="presenting"):
        graph(run, "inspect")
    address.write("inspect")


@st.fragment
def graph_fragment(run: Run, page: str) -> None:
    """Show the graph alone below its title, options and a link to Inspect; a click reruns only this fragment.

    Sweeps are available on Inspect only.
    """
    what_if.leave(run)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{page}_tools"):
        st.markdown(f"**{escape_markdown(run_title(run.title))}**", width="content")
        choose_mode(run)
        pick_class(run)
        pick_groups(run)
        st.page_link("pages/inspect.py", label=t("Explain a pair"), icon=":material/help:", width="content")
    graph(run, page)
    address.write("")


def graph(run: Run, page: str) -> None:
    """Show the graph with its slider; a pair selected in it becomes the one to explain."""
    kind = node_positions.arrangement(run)
    data = picture(run, kind) | {"title": run_title(run.title), "rules": page == "inspect"}
    if st.session_state.get(SHOW_FEW_ROWS):
        data = with_few_rows(data, run.result)
    data = presenter.for_hall(data)
    offset, step = data["steps"]["offset"], st.session_state.step
    shown = graph_view(
        data,
        key=f"{page}_graph_{run.dataset.fingerprint[:12]}_{kind}{presenter.mode()}",
        selected=selected(run) or (() if single(run) is None else None),
        step=None if step is None else max(0, step - offset),
        places=node_positions.moved(run, kind),
        visit=st.session_state.get("visits", 0),
        language=state.language(),
        on_moved=partial(node_positions.keep_moved, run, kind),
        on_seen=partial(_hear, run, mode_and_strip(run), offset),
    )
    _follow(run, offset, shown)
    if shown.asked:
        rule, pair = shown.asked
        background_knowledge.say(run.result.names, rule, *pair)
        if rule == "outcome":
            edge_constraints.show_refusal()
            edge_constraints.run_again(run)
        else:
            select(run, pair)
    presenter.hear(shown.presented)
    say(run)


def _hear(run: Run, drawn: tuple, offset: int, shown: GraphViewState) -> None:
    """Apply `_follow` before the rerun, unless another run or slider mode was chosen meanwhile."""
    if state.current_run() is run and mode_and_strip(run) == drawn:
        _follow(run, offset, shown)


def _follow(run: Run, offset: int, shown: GraphViewState) -> None:
    """Copy step, reference, threshold and selection from the graph view to the session state."""
    st.session_state.step = shown.step + offset
    current_mode(run).hold(run, shown.reference)
    st.session_state.line = None if shown.threshold is None else (run.number, shown.threshold)
    if isinstance(shown.selected, int) and shown.selected != single(run):
        keep_open(run)
        select_single(run, shown.selected)
    elif isinstance(shown.selected, tuple) and set(shown.selected) != set(selected(run) or ()):
        select(run, shown.selected)


def network(run: Run, graph: PDAG) -> None:
    """Show the pyvis view, whose nodes can be dragged."""
    dark = st.context.theme.type == "dark"
    pair, labels, kind = selected(run), shown_labels(run), node_positions.arrangement(run)
    still = run.dataset.p > MAX_SPRINGS
    places = node_positions.shown(run, kind)
    fixed = frozenset(range(run.dataset.p) if still else node_positions.moved(run, kind))
    shown = {"selected": pair, "fixed": fixed, "labels": labels}
    page = state.made_once(
        run,
        "network",
        (graph, dark, pair, fixed, places.tobytes(), labels is None),
        lambda: network_html(run.result, graph, places, dark=dark, **shown),
    )
    st.iframe(
        page,
        height=NETWORK_HEIGHT,
        alt=t("Graph of {edges} in a spring layout; the Table view lists them", edges=Count(graph.n_edges, "edge")),
    )
    moves = t("Drag a node; with so many variables the others stay." if still else "Drag a node and the others follow.")
    st.caption(
        f"{moves} {t('The chosen pair is orange; ! marks conflicting evidence on a direction.')}"
        + (
            ""
            if labels is None
            else " " + t("The first letter of a name is its cluster: {clusters}.", clusters=cluster_sizes(labels))
        )
    )
