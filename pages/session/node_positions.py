"""How the variables are arranged in the picture: in layers, by force, on a circle, or by the tiers that are known."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from pages.session import background_knowledge
from pages.session.state import Run
from viz.layout.positions import layout
from viz.steps import layout_graph

LAYOUTS = {"layered": "Layers", "force": "Force", "circle": "Circle"}
TIERS = "tiers"


def choices(run: Run) -> Mapping[str, str]:
    """Arrangements by name, and what they are called; tiers only where some are known."""
    return LAYOUTS | ({TIERS: "Tiers"} if _tiers(run) else {})


def chosen(run: Run) -> str:
    """The name of the arrangement; layers where the tiers that were chosen are not known.

    It tells apart everything that is kept for an arrangement, so other tiers have another name.
    """
    if st.session_state.layout != TIERS:
        return st.session_state.layout
    tiers = _tiers(run)
    return f"{TIERS} {' '.join(map(str, tiers))}" if tiers else "layered"


def places(run: Run, arrangement: str = "layered") -> np.ndarray:
    """(p, 2) positions: computed once a data set and arrangement, from its first run, then shared by all."""
    known_places = st.session_state.places.setdefault(run.dataset.fingerprint, {})
    if arrangement not in known_places:
        tiers = _tiers(run) if arrangement.startswith(TIERS) else None
        with st.spinner("Placing the variables…"):
            known_places[arrangement] = layout(
                layout_graph(run.result), TIERS if tiers else arrangement, tiers=tiers or None
            )
    return known_places[arrangement]


def _tiers(run: Run) -> list[int | None]:
    """The tier of each variable, as the Learn page says it now, else as the run knew it; empty if none has one."""
    names = run.result.names
    for one in (background_knowledge.knowledge(names), run.knowledge):
        if one and set(one.tiers) & set(names):
            return [one.tiers.get(name) for name in names]
    return []
