"""The canvas on which a network is drawn, and its content as a list for phones, screen readers and keyboards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages.blocks.build import node_form
from pages.session import network_draft, state
from pages.session.network_draft import Sheet
from pages.session.words import t, written
from viz.build.draft import HELP, HINT, canvas, initial_positions, node_sentence, size_sentence
from viz.graph_view import Stroke, graph_view
from viz.text import escape_markdown

SEEN = "build_seen"
HEIGHT = 520  # pixels


def draw(here: Sheet) -> None:
    """Show canvas, list and the form of one node."""
    picture, words = st.columns([3, 2], gap="medium")
    with picture:
        _canvas(here)
        st.caption(t(HINT), help=t(HELP))
        _list(here)
    with words:
        node_form.node(here)


def _canvas(here: Sheet) -> None:
    names = here.draft.names
    ids = [here.id_of(name) for name in names]
    chosen = st.session_state.get(node_form.NODE)
    shown = graph_view(
        canvas(here.draft, ids, here.places),
        key="build_graph",
        height=HEIGHT,
        places={id_: here.places[name] for id_, name in zip(ids, names, strict=True)},
        selected=here.id_of(chosen) if chosen in here.draft.nodes else None,
        language=state.language(),
        on_moved=partial(_put, here),
    )
    if shown.selected != st.session_state.get(SEEN):
        st.session_state[SEEN] = shown.selected
        last = shown.selected[-1] if isinstance(shown.selected, tuple) else shown.selected
        if last is not None and here.called(last):
            st.session_state[node_form.NODE] = here.called(last)
    if shown.strokes:
        for stroke in shown.strokes:
            follow(here, stroke)
        st.rerun()


def _put(here: Sheet, positions: Mapping[int, network_draft.Place]) -> None:
    """Store the positions of moved nodes; without any, return all nodes to their computed positions."""
    if not positions:
        here.places.update(initial_positions(here.draft.dag, here.draft.names))
    here.places.update({here.called(id_): at for id_, at in positions.items() if here.called(id_)})


def follow(here: Sheet, stroke: Stroke) -> None:
    """Apply a stroke of the user; strokes of nodes that were deleted meanwhile are ignored."""
    nodes = [here.called(id_) for id_ in stroke["nodes"]]
    if None in nodes:
        return
    what, at = stroke["what"], stroke.get("at")
    if what == "node":
        added = network_draft.add(tuple(min(max(float(v), 0.0), 1.0) for v in at) if at else None, *nodes[:1])
        st.session_state[node_form.NODE] = added or st.session_state.get(node_form.NODE)
    elif what == "rename":
        node_form.rename(nodes[0], str(stroke.get("name", "")))
    elif what == "delete" and len(nodes) == 1:
        network_draft.change(lambda draft: draft.without_node(nodes[0]))
    elif len(nodes) == 2:
        _of_edge(here, what, nodes[0], nodes[1])


def _of_edge(here: Sheet, what: str, a: str, b: str) -> None:
    if what != "edge" and (b, a) in here.draft.edges:
        a, b = b, a
    changes = {
        "edge": lambda draft: draft.with_edge(a, b),
        "turn": lambda draft: draft.turned(a, b),
        "delete": lambda draft: draft.without_edge(a, b),
    }
    network_draft.change(changes[what])


def _list(here: Sheet) -> None:
    """List all nodes with their parents as text."""
    lines = [f"- {escape_markdown(written(node_sentence(here.draft, name)))}" for name in here.draft.names]
    with st.expander(t("Node list: {size}", size=written(size_sentence(here.draft))), key="build_list"):
        st.markdown("\n".join(lines) or t("The canvas is empty."))
