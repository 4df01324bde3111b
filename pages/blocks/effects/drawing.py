"""The drawn network as a subject of Effects: its roles, its picture, and the data that fit its names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from learners.common.errors import LearnersError
from learners.completion.completed import with_completion
from learners.data.dataset import Dataset
from learners.io.dagitty import DagittyModel
from learners.networks.draft import YES_NO, Draft
from pages.blocks.effects.question import EffectQuestion
from pages.blocks.effects.roles import Roles
from pages.session import network_draft, state
from pages.session.network_draft import Place, Sheet
from viz.graph_view import GraphViewData, graph_view

MARGIN = 0.08  # free margin around the positions of a file, relative to the picture
ROLE_OF = {"exposure": "cause", "outcome": "effect", "adjusted": "given", "latent": "latent"}


def roles_of(here: Sheet) -> Roles:
    """Return the roles of the drawn nodes."""
    return Roles("effects", "_drawn", here.draft.names, here.draft.names, has_latent=True)


def ask(here: Sheet, *, is_symmetric: bool) -> EffectQuestion:
    """Let the user choose the two variables, the conditioning set and the unmeasured nodes of the drawing."""
    names, dag = here.draft.names, here.draft.dag
    roles = replace(roles_of(here), is_symmetric=is_symmetric)
    first = next(((names[a], names[b]) for a, b in dag.directed_edges()), names[:2])
    roles.begin(*first)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        roles.ask()
    positions = np.array([here.places[name] for name in names])
    return EffectQuestion(None, dag, dag, *roles.chosen(), names, roles.latent(), positions)


def picture(here: Sheet, question: EffectQuestion, data: GraphViewData) -> None:
    """Show the drawing; a click gives a node the chosen role, and moved nodes keep their new positions."""
    name = f"{here.number} {question.key} {question.given} {question.latent}"
    shown = graph_view(
        data | {"run": name},
        key="effects_drawing",
        places={},
        language=state.language(),
        on_moved=lambda positions: _put(here, positions),
    )
    if roles_of(here).hear(shown.strokes):
        st.rerun()


def _put(here: Sheet, positions: Mapping[int, Place]) -> None:
    here.places.update({here.draft.names[k]: at for k, at in positions.items() if k < len(here.draft.names)})


def data_of(question: EffectQuestion) -> Dataset | None:
    """Return the table in use with its missing cells imputed; None if it lacks a measured node."""
    here = state.source()
    dataset = None if here is None else here.dataset
    measured = [name for k, name in enumerate(question.names) if k not in question.latent]
    if dataset is None or not set(measured) <= set(dataset.names):
        return None
    return with_completion(dataset)


def begin(model: DagittyModel) -> None:
    """Replace the drawing by a model of DAGitty, with its roles and positions."""
    try:
        draft = Draft(dict.fromkeys(model.names, YES_NO))
        for a, b in model.graph.directed_edges():
            draft = draft.with_edge(model.names[a], model.names[b])
    except LearnersError as error:
        network_draft.refuse(error)
        return
    network_draft.begin(draft)
    here = network_draft.sheet()
    if here.draft is not draft:  # the canvas refused the draft
        return
    here.places.update(_within(model.positions))
    roles = roles_of(here)
    for theirs, ours in ROLE_OF.items():
        chosen = list(model.with_role(theirs))
        if ours in ("cause", "effect"):
            if chosen:
                st.session_state[roles.key(ours)] = chosen[0]
        else:
            st.session_state[roles.key(ours)] = chosen


def _within(positions: Mapping[str, Place]) -> dict[str, Place]:
    """Scale positions into the unit square with a margin; their order on each axis is preserved."""
    if not positions:
        return {}
    at = np.array(list(positions.values()))
    low, span = at.min(axis=0), np.ptp(at, axis=0)
    shares = np.where(span > 0, (at - low) / np.where(span > 0, span, 1.0), 0.5)
    scaled = MARGIN + (1 - 2 * MARGIN) * shares
    return {name: (float(x), float(y)) for name, (x, y) in zip(positions, scaled, strict=True)}


def model_of(here: Sheet) -> DagittyModel:
    """Return the drawing with its roles and positions for DAGitty."""
    roles, names = roles_of(here), here.draft.names
    found: dict[str, str] = {}
    for theirs, ours in ROLE_OF.items():
        value = st.session_state.get(roles.key(ours)) or []
        found |= dict.fromkeys([value] if isinstance(value, str) else value, theirs)
    own = {name: role for name, role in found.items() if name in names}
    return DagittyModel(here.draft.dag, names, own, {name: here.places[name] for name in names})
