"""Where the user put variables in the picture.

A place belongs to a variable of a table by its name, and to one arrangement of the nodes: it holds on every view and
page, and in every run of that table. The names stay when the table is prepared in another way, or read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from pages.session import node_positions
from pages.session.state import Run

Place = tuple[float, float]


def placed(run: Run, arrangement: str, names: Sequence[str] | None = None) -> dict[int, Place]:
    """Position among `names`, the run's own unless others are given, of each variable that was put somewhere."""
    known = _kept(run, arrangement)
    return {k: known[name] for k, name in enumerate(names or run.result.names) if name in known}


def keep(run: Run, arrangement: str, positions: Mapping[int, Place], names: Sequence[str] | None = None) -> None:
    """Variables are where `positions` say, and all others of `names` where they were drawn first."""
    names = names or run.result.names
    others = {name: place for name, place in _kept(run, arrangement).items() if name not in names}
    st.session_state.by_hand[run.source.title, arrangement] = others | {names[k]: at for k, at in positions.items()}


def places(run: Run, arrangement: str) -> np.ndarray:
    """(p, 2) where each variable is drawn."""
    xy = np.array(node_positions.places(run, arrangement))
    for k, place in placed(run, arrangement).items():
        xy[k] = place
    return xy


def _kept(run: Run, arrangement: str) -> dict[str, Place]:
    return st.session_state.by_hand.get((run.source.title, arrangement), {})
