"""The network on the Build page: its nodes, edges and positions, with undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from learners.common.errors import DataError, LearnersError
from learners.networks.draft import Draft
from viz.build.draft import free_position, initial_positions
from viz.text import as_sentence

KEY, PROBLEM = "build", "build_problem"
MAX_STATES = 100
MAX_NODES = 100
Place = tuple[float, float]
ROLES = ("cause", "effect", "given", "latent")  # roles of nodes on Effects
EXAMPLE = (
    Draft({"rain": ("no", "yes"), "sprinkler": ("no", "yes"), "wet": ("no", "yes")})
    .with_edge("rain", "wet", 0.7)
    .with_edge("sprinkler", "wet", 0.6)
)


@dataclass
class Sheet:
    """The drawn network with its history.

    Attributes
    ----------
    states : list of Draft
        The network after each change, oldest first.
    position : int
        Index of the state on screen.
    places : dict of name to (x, y)
        Positions in [0, 1]; those of deleted nodes stay, as Undo may bring the nodes back.
    ids : dict of name to int
        Identifier of each node in the picture, unchanged when it is renamed.
    number : int
        Counter of the changes.
    """

    states: list[Draft]
    places: dict[str, Place]
    position: int = 0
    ids: dict[str, int] = field(default_factory=dict)
    number: int = 0

    @property
    def draft(self) -> Draft:
        """Return the network on screen."""
        return self.states[self.position]

    def id_of(self, name: str) -> int:
        """Return the identifier of a node in the picture."""
        return self.ids.setdefault(name, max(self.ids.values(), default=-1) + 1)

    def called(self, id_: int) -> str | None:
        """Return the name of the node with an identifier; None if it was deleted."""
        return next((name for name in self.draft.names if self.id_of(name) == id_), None)


def sheet() -> Sheet:
    """Return the drawn network of the session, at first an example."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Sheet([EXAMPLE], initial_positions(EXAMPLE.dag, EXAMPLE.names))
    return st.session_state[KEY]


def begin(draft: Draft) -> None:
    """Replace the network by one from a file or a collection; Undo restores the previous network."""
    if len(draft.nodes) > MAX_NODES:
        refuse(
            DataError(f"a drawn network has at most {MAX_NODES} nodes, got {len(draft.nodes):,}; open a smaller one")
        )
        return
    sheet().places.update(initial_positions(draft.dag, draft.names))
    change(lambda _: draft)


def change(make: Callable[[Draft], Draft]) -> bool:
    """Apply a change to the network; if it is refused, keep the reason for `problem` and return False."""
    here = sheet()
    try:
        new = make(here.draft)
        if len(new.nodes) > MAX_NODES:
            raise DataError(f"a drawn network has at most {MAX_NODES} nodes; delete one first")
    except LearnersError as error:
        refuse(error)
        return False
    st.session_state.pop(PROBLEM, None)
    del here.states[here.position + 1 :]
    here.states.append(new)
    del here.states[:-MAX_STATES]
    here.position = len(here.states) - 1
    here.number += 1
    for name in new.names:
        here.places.setdefault(name, free_position([here.places[name] for name in new.names if name in here.places]))
    return True


def add(at: Place | None = None, parent: str | None = None) -> str | None:
    """Add a node at a position, optionally as a child of `parent`; return its name, or None if the network is full."""
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
    here.places[name] = free_position(others) if at is None else at
    return name


def rename(old: str, new: str) -> bool:
    """Rename a node; return False if the name is refused or unchanged."""
    here = sheet()
    if old == new or not change(lambda draft: draft.renamed(old, new)):
        return False
    here.places[new] = here.places[old]
    here.ids[new] = here.id_of(old)
    del here.ids[old]  # if Undo restores the old name, its node gets another identifier
    return True


def undo() -> None:
    """Revert the last change."""
    _move(-1)


def redo() -> None:
    """Apply the change that was reverted last."""
    _move(1)


def _move(by: int) -> None:
    here = sheet()
    here.position = max(0, min(len(here.states) - 1, here.position + by))
    here.number += 1
    st.session_state.pop(PROBLEM, None)


def problem() -> str:
    """Return the reason why the last change was refused, once."""
    return st.session_state.pop(PROBLEM, "")


def role_key(role: str) -> str:
    """Return the session key of the nodes with a role on Effects: cause, effect, given or latent."""
    return f"effects_{role}_drawn"


def _roles() -> dict[str, str | tuple[str, ...]]:
    """Return the nodes by role: a name, or a tuple of names for roles that several nodes can have."""
    found = {role: st.session_state.get(role_key(role)) for role in ROLES}
    return {role: tuple(held) if isinstance(held, list) else held for role, held in found.items() if held}


def stored() -> tuple[Draft, dict[str, Place], dict[str, str | tuple[str, ...]]] | None:
    """Return the state to save, with places and roles; None if nothing was drawn."""
    here: Sheet | None = st.session_state.get(KEY)
    if here is None or here.draft is EXAMPLE:
        return None
    return here.draft, {name: here.places[name] for name in here.draft.names}, _roles()


def restore(kept: Any) -> None:
    """Show a saved state, or the example if there is none."""
    st.session_state.pop(KEY, None)
    if kept is None:
        return
    draft, places, *more = kept  # versions before 1.1 stored no roles
    roles = more[0] if more else {}
    if not isinstance(draft, Draft) or not isinstance(places, Mapping) or not isinstance(roles, Mapping):
        raise TypeError("no draft")
    for role, held in roles.items():
        if role in ROLES and isinstance(held, str | tuple):  # Effects drops what is no name of a node
            st.session_state[role_key(role)] = held if isinstance(held, str) else list(held)
    whole = initial_positions(draft.dag, draft.names) | {name: (float(x), float(y)) for name, (x, y) in places.items()}
    st.session_state[KEY] = Sheet([draft], whole)


def refuse(error: LearnersError) -> None:
    """Store the reason of a refusal, to be shown below the picture."""
    st.session_state[PROBLEM] = as_sentence(str(error))
