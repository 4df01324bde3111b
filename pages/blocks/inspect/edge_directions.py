"""Directions of undirected edges: step through the DAGs of the class, direct an edge, undo; and what noise suggests."""

from __future__ import annotations

import streamlit as st

from learners.explaining.support import is_determined
from learners.verdict.noise_directions import NoiseDirections, directions_by_noise
from pages.blocks.inspect import class_modes, slider_modes
from pages.blocks.inspect.measures import assumptions_of
from pages.blocks.slider import mode_of, step_aside
from pages.session import shared_link, state
from pages.session.state import Run
from pages.session.words import t, worded, written
from viz.equivalence_class import turn_sentence
from viz.noise import residual_plots
from viz.text import as_sentence, escape_markdown, shorten
from viz.translation.sentences import catalog


def pick_class(run: Run) -> None:
    """Let the user switch between the run and the DAGs that its result represents."""
    if not class_modes.stands_for_several(run):
        return
    here = mode_of(run)
    with st.popover(
        t("Show equivalent DAGs"), icon=":material/account_tree:", help=t("The DAGs of this equivalence class")
    ):
        st.caption(
            t(
                "Where directions are open, several DAGs fit equally well. Step through them, or direct an edge "
                "and see what follows."
            )
        )
        ways = {
            "class": ("Step through DAGs", step_aside, (run, "class")),
            "hand": ("Direct edges", step_aside, (run, "hand")),
            "": ("Back to the run", step_aside, (run, "")),
        }
        for name, (label, action, args) in ways.items():
            known = here == name or (not name and here not in ways)
            st.button(t(label), key=f"class_{name or 'leave'}", on_click=action, args=args, disabled=known)
        if here == "hand":
            st.caption(t("Click a line in the graph, then choose its direction beside the graph."))


def offer_turns(run: Run, x: int, y: int) -> None:
    """Let the user direct or reverse the edge of a pair, and show the last move."""
    if not class_modes.stands_for_several(run):
        return
    here, names = mode_of(run), [escape_markdown(shorten(name)) for name in run.result.names]
    graph = slider_modes.shown_graph(run) if here in ("class", "hand") else run.result.graph
    mark = graph.mark(x, y)
    if mark != "none" and is_determined(run.result, x, y):
        return
    ends = (x, y) if mark != "backward" else (y, x)
    with st.container(horizontal=True):
        if mark == "undirected":
            for i, j in (ends, ends[::-1]):
                _turn_button(t("Set direction {edge}", edge=f"{names[i]} → {names[j]}"), run, graph, i, j)
        elif mark != "none" and here in ("class", "hand") and graph.is_dag and _is_open(run, x, y):
            _turn_button(t("Reverse to {edge}", edge=f"{names[ends[1]]} → {names[ends[0]]}"), run, graph, *ends[::-1])
    if mark in ("forward", "backward"):
        if not _is_open(run, x, y) and here in ("class", "hand"):
            edge = f"{names[ends[0]]} → {names[ends[1]]}"
            st.caption(t("Every DAG of the class has {edge}.", edge=edge))
        elif _is_open(run, x, y) and not graph.is_dag:
            st.caption(t("This direction was set by hand or follows from one that was."))
    if here == "hand":
        show_turns(run)


def show_turns(run: Run) -> None:
    """Show the last edge directed by hand, with Undo."""
    moves = class_modes.tried(run).moves
    if not moves:
        st.caption(t("Select an edge without an arrowhead to direct it."))
        return
    sentence = turn_sentence(moves[-1], run.result.names)
    st.markdown(escape_markdown(as_sentence(sentence.written(catalog(state.language())))))
    with st.container(horizontal=True):
        st.button(t("Undo"), key="class_undo", icon=":material/undo:", on_click=class_modes.undo, args=(run,))
        st.button(t("Restore CPDAG"), key="class_again", on_click=class_modes.start_again, args=(run,))


def _is_open(run: Run, x: int, y: int) -> bool:
    return run.result.graph.mark(x, y) == "undirected"


def _turn_button(label: str, run: Run, graph: object, i: int, j: int) -> None:
    st.button(label, key=f"class_turn_{i}_{j}", on_click=class_modes.turn, args=(run, graph, i, j))


def by_noise(run: Run) -> NoiseDirections:
    """Return the directions that the noise suggests, computed once for each run."""
    return state.made_once(
        run, "noise", None, lambda: directions_by_noise(run.result, run.dataset, assumptions=assumptions_of(run))
    )


def show_noise(run: Run, x: int, y: int) -> None:
    """Show the direction that the noise suggests for an undirected edge, with the residuals of both directions."""
    amat = run.result.graph.amat
    if shared_link.hides_table() or not (amat[x, y] and amat[y, x]):
        return
    found = by_noise(run)
    edge = found.of_pair(x, y)
    if edge is None:
        return
    st.markdown(escape_markdown(written(as_sentence(found.sentence(edge)))))
    figure, caption = state.made_once(run, "noise_figure", (x, y), lambda: residual_plots(run.dataset, edge))
    with st.expander(t("Noise of both directions"), key="why_noise_fold"):
        st.plotly_chart(worded(figure), key="why_noise", alt=written(caption))
        st.caption(escape_markdown(written(caption)))
