"""d-separation in the drawn network: open paths are highlighted, and a click conditions on a node."""

from __future__ import annotations

import numpy as np
import streamlit as st

from learners.effects.paths import separation
from learners.graphs.graph import PDAG
from pages.blocks.effects.roles import Roles
from pages.blocks.effects.separation_answer import tell
from pages.session import state
from pages.session.network_draft import Sheet
from pages.session.words import t
from viz.effects.picture import graph_with_roles, roles_of, with_paths
from viz.graph_view import graph_view


def _first_apart(dag: PDAG) -> tuple[int, int]:
    """Return the first two non-adjacent nodes, since adjacent ones are never d-separated; else the first two nodes."""
    apart = np.argwhere(np.triu(~dag.skeleton, 1))
    return (int(apart[0, 0]), int(apart[0, 1])) if len(apart) else (0, 1)


def separate(here: Sheet) -> None:
    """Show a form that tests d-separation of two nodes given others."""
    dag, names = here.draft.dag, here.draft.names
    if len(names) < 2:
        st.info(t("d-separation needs two nodes. Draw them first."), icon=":material/draw:")
        return
    roles = Roles("build", "", names, names, is_symmetric=True)
    roles.begin(*(names[k] for k in _first_apart(dag)))
    picture, beside = st.columns([3, 2], gap="medium")
    with beside:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            roles.ask()
        x, y, given = roles.chosen()
        found = separation(dag, x, y, given)
        tell(found, dag, x, y, names, "build_paths")
    places = np.array([here.places[name] for name in names])
    data = graph_with_roles(dag, names, places, roles_of(x, y, given, is_symmetric=True))
    data = with_paths(data, found, x, y, names)
    with picture:
        shown = graph_view(
            data | {"run": f"{here.number} {x} {y} {given}"}, key="build_separating", language=state.language()
        )
    if roles.hear(shown.strokes):
        st.rerun()
