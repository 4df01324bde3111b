"""The network that is being built: what is drawn, where it lies, and what can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from learners.common.errors import DataError, LearnersError
from learners.networks.draft import Draft
from viz.build.picture import free_place, places_of
from viz.text import as_sentence

KEY, PROBLEM = "build", "build_problem"
MOST_STATES = 100
MOST_NODES = 100  # that can be drawn by hand
Place = tuple[float, float]
EXAMPLE = (
    Draft({"rain": ("no", "yes"), "sprinkler": ("no", "yes"), "wet": ("no", "yes")})
    .with_edge("rain", "wet", 0.7)
    .with_edge("sprinkler", "wet", 0.6)
)


@dataclass
class Sheet:
    """What is drawn.

    Attributes
    ----------
    states : list of Draft
        As it was after each change, up to the newest.
    position : int
        Of the one on screen.
    places : dict of name to (x, y)
        In [0, 1]; those of nodes that are gone stay, for they may come back.
    ids : dict of name to int
        What the picture calls each node, whatever its name becomes.
    number : int
        Another one after each change.
    """

    states: list[Draft]
    places: dict[str, Place]
    position: int = 0
    ids: dict[str, int] = field(default_factory=dict)
    number: int = 0

    @property
    def draft(self) -> Draft:
        """The network on screen."""
        return self.states[self.position]

    def id_of(self, name: str) -> int:
        """What the picture calls a node."""
        return self.ids.setdefault(name, max(self.ids.values(), default=-1) + 1)

    def called(self, id_: int) -> str | None:
        """Name of the node that the picture calls so; None if it is gone."""
        return next((name for name in self.draft.names if self.id_of(name) == id_), None)


def sheet() -> Sheet:
    """That of the session; at first an example."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Sheet([EXAMPLE], places_of(EXAMPLE.dag, EXAMPLE.names))
    return st.session_state[KEY]


def begin(draft: Draft) -> None:
    """Go on with another network, from a file or a collection; what was drawn can be brought back by Undo."""
    if len(draft.nodes) > MOST_NODES:
        refuse(
            DataError(f"at most {MOST_NODES} nodes are drawn by hand, found {len(draft.nodes):,}; take a smaller one")
        )
        return
    sheet().places.update(places_of(draft.dag, draft.names))
    change(lambda _: draft)


def change(make: Callable[[Draft], Draft]) -> bool:
    """Change what is drawn; whether that could be done. What stands in the way is said below the picture."""
    here = sheet()
    try:
        new = make(here.draft)
        if len(new.nodes) > MOST_NODES:
            raise DataError(f"at most {MOST_NODES} nodes are drawn by hand; delete one first")
    except LearnersError as error:
        refuse(error)
        return False
    st.session_state.pop(PROBLEM, None)
    del here.states[here.position + 1 :]
    here.states.append(new)
    del here.states[:-MOST_STATES]
    here.position = len(here.states) - 1
    here.number += 1
    for name in new.names:
        here.places.setdefault(name, free_place([here.places[one] for one in new.names if one in here.places]))
    return True


def add(at: Place | None = None, parent: str | None = None) -> str | None:
    """One node more, at a place, maybe below a parent; its name, or None if there can be no more."""
    here = sheet()
    name = here.draft.free_name()
    levels = (
        here.draft.nodes[parent] if parent is not None else next(reversed(here.draft.nodes.values()), ("no", "yes"))
    )

    def made(draft: Draft) -> Draft:
        with_it = draft.with_node(name, levels)
        return with_it if parent is None else with_it.with_edge(parent, name)

    if not change(made):
        return None
    others = [here.places[one] for one in here.draft.names if one != name]
    here.places[name] = free_place(others) if at is None else at
    return name


def rename(old: str, new: str) -> bool:
    """Another name of a node, which stays where it is."""
    here = sheet()
    if old == new or not change(lambda draft: draft.renamed(old, new)):
        return False
    here.places[new] = here.places[old]
    here.ids[new] = here.id_of(old)
    del here.ids[old]  # should Undo bring it back, the picture gives it another number
    return True


def undo() -> None:
    """What was before the last change."""
    _move(-1)


def redo() -> None:
    """What was undone."""
    _move(1)


def _move(by: int) -> None:
    here = sheet()
    here.position = max(0, min(len(here.states) - 1, here.position + by))
    here.number += 1
    st.session_state.pop(PROBLEM, None)


def problem() -> str:
    """Why the last change could not be made, once."""
    return st.session_state.pop(PROBLEM, "")


def told() -> tuple[Draft, dict[str, Place]] | None:
    """What is kept; None while nothing was drawn."""
    here: Sheet | None = st.session_state.get(KEY)
    if here is None or here.draft is EXAMPLE:
        return None
    return here.draft, {name: here.places[name] for name in here.draft.names}


def restore(kept: Any) -> None:
    """Show what `told` gave; an example if that was nothing."""
    st.session_state.pop(KEY, None)
    if kept is None:
        return
    draft, places = kept
    if not isinstance(draft, Draft) or not isinstance(places, Mapping):
        raise TypeError("no draft")
    whole = places_of(draft.dag, draft.names) | {name: (float(x), float(y)) for name, (x, y) in places.items()}
    st.session_state[KEY] = Sheet([draft], whole)


def refuse(error: LearnersError) -> None:
    """Say below the picture why something could not be done."""
    st.session_state[PROBLEM] = as_sentence(str(error))
