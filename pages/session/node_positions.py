"""Positions of the variables in the graph: computed for an arrangement, or chosen by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from pages.session import background_knowledge, state
from pages.session.state import Run
from pages.session.words import t
from viz.kinds import layout_graph
from viz.layout.positions import MAX_LAYERED, layout, may_be_layered, usual_kind

LAYOUTS = {"layered": "Layers", "hubs": "Hubs", "force": "Force", "circle": "Circle"}
TIERS = "tiers"
MIN_HUBS = 50  # minimum number of variables for which an arrangement by hubs is offered
Position = tuple[float, float]


def arrangements(run: Run) -> Mapping[str, str]:
    """Return the labels of the available arrangements by name, the usual one first.

    Large graphs have no force layout, and layers only if these are drawn within seconds. Tiers are available only where
    some are known.
    """
    p = len(run.result.names)
    left_out = {"hubs"} if p < MIN_HUBS else set()
    if p > MAX_LAYERED:
        left_out = {"force"} if _may_be_layered(run) else {"force", "layered"}
    usual = usual_kind(p)
    available = [usual, *(name for name in LAYOUTS if name not in left_out | {usual})]
    return {name: LAYOUTS[name] for name in available} | ({TIERS: "Tiers"} if _tiers(run) else {})


def _may_be_layered(run: Run) -> bool:
    return state.made_once(run, "may_be_layered", None, lambda: may_be_layered(layout_graph(run.result)))


def choice(run: Run) -> str:
    """Return the name of the session state with the chosen arrangement: large graphs have one of their own.

    So a large graph never opens in layers because a small one has layers.
    """
    return "layout" if len(run.result.names) <= MAX_LAYERED else "large_layout"


def arrangement(run: Run) -> str:
    """Return the name of the chosen arrangement, or of the usual one if the chosen one is not available.

    The name is part of all cache keys that depend on the arrangement, so it includes the tiers.
    """
    available, chosen = arrangements(run), st.session_state[choice(run)]
    if chosen not in available:
        return next(iter(available))
    if chosen != TIERS:
        return chosen
    return f"{TIERS} {' '.join(map(str, _tiers(run)))}"


def computed(run: Run, arrangement: str | None = None) -> np.ndarray:
    """Return the (p, 2) computed positions, cached per data set and arrangement and shared by all its runs.

    Default for `arrangement`: the usual one.
    """
    arrangement = arrangement or usual_kind(len(run.result.names))
    known = st.session_state.places.setdefault(run.dataset.fingerprint, {})
    if arrangement not in known:
        tiers = _tiers(run) if arrangement.startswith(TIERS) else None
        with st.spinner(t("Arranging the variables…")):
            known[arrangement] = layout(layout_graph(run.result), TIERS if tiers else arrangement, tiers=tiers or None)
    return known[arrangement]


def _tiers(run: Run) -> list[int | None]:
    """Return the tier of each variable, from the Learn page or else from the run; empty if no variable has one."""
    names = run.result.names
    for knowledge in (background_knowledge.knowledge(names), run.knowledge):
        if knowledge and set(knowledge.tiers) & set(names):
            return [knowledge.tiers.get(name) for name in names]
    return []


def moved(run: Run, arrangement: str, names: Sequence[str] | None = None) -> dict[int, Position]:
    """Return the positions of the variables that the user moved, by index into `names`.

    A position belongs to a variable of a table by its name and to one arrangement. It applies to every view and page,
    and to every run of that table, even if the table is prepared in another way or read again. Default for `names`:
    the variables of the run.
    """
    known = _kept(run, arrangement)
    return {k: known[name] for k, name in enumerate(names or run.result.names) if name in known}


def keep_moved(
    run: Run, arrangement: str, positions: Mapping[int, Position], names: Sequence[str] | None = None
) -> None:
    """Store the positions of moved variables; all other variables of `names` return to their computed positions."""
    names = names or run.result.names
    others = {name: position for name, position in _kept(run, arrangement).items() if name not in names}
    st.session_state.by_hand[run.source.title, arrangement] = others | {names[k]: at for k, at in positions.items()}


def shown(run: Run, arrangement: str) -> np.ndarray:
    """Return the (p, 2) positions on screen: the user's, or else the computed ones."""
    xy = np.array(computed(run, arrangement))
    for k, position in moved(run, arrangement).items():
        xy[k] = position
    return xy


def _kept(run: Run, arrangement: str) -> dict[str, Position]:
    return st.session_state.by_hand.get((run.source.title, arrangement), {})
