"""The user's background knowledge of the variables, edited on the Learn page and extended from an edge.

There is one piece of knowledge per set of variables, stored as the tables that the Learn page shows.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from learners.common.errors import ParameterError
from learners.graphs.knowledge import Knowledge
from viz.graph_data import Rule
from viz.text import count

Said = tuple[str, str, str]  # from, to, and "required" or "forbidden"
EDGES = ["from", "to", "rule"]
SAID_HERE = "known_said_here"  # session key of the constraints that no run has used yet


def stem(what: str, names: tuple[str, ...]) -> str:
    """Return the prefix of the session keys of one of the two tables of the knowledge, "tiers" or "edges"."""
    return f"known_{what}_{hash(names)}"


def knowledge(names: tuple[str, ...]) -> Knowledge:
    """Return the knowledge of a set of variables; incomplete rows do not count."""
    own_edges, tiers = edges(names), st.session_state.get(f"{stem('tiers', names)}_now")
    known = pd.DataFrame(columns=["variable", "tier"]) if tiers is None else tiers.dropna()
    return Knowledge(
        required=tuple((a, b) for a, b, rule in own_edges if rule == "required"),
        forbidden=tuple((a, b) for a, b, rule in own_edges if rule == "forbidden"),
        tiers={name: int(tier) for name, tier in zip(known["variable"], known["tier"], strict=True)},
    )


def edges(names: tuple[str, ...]) -> list[Said]:
    """Return the required and forbidden edges as rows of from, to and rule."""
    now = st.session_state.get(f"{stem('edges', names)}_now")
    rows = [] if now is None else now.dropna()[EDGES].itertuples(index=False, name=None)
    return [row for row in rows if all(row)]


def add(names: tuple[str, ...], new: Sequence[Said]) -> None:
    """Add required and forbidden edges.

    Raises
    ------
    ParameterError
        If they contradict the knowledge or each other; then nothing is added.
    """
    own_edges, before = edges(names), knowledge(names)
    both = own_edges + [edge for edge in new if edge not in own_edges]
    pick = {rule: tuple((a, b) for a, b, other in both if other == rule) for rule in ("required", "forbidden")}
    Knowledge(**pick, tiers=before.tiers).bind(names)
    _keep(names, both)


def put(names: tuple[str, ...], knowledge: Knowledge) -> None:
    """Replace the knowledge."""
    rules = (("required", knowledge.required), ("forbidden", knowledge.forbidden))
    _keep(names, [(a, b, rule) for rule, edges in rules for a, b in edges])
    tiers = pd.array([knowledge.tiers.get(name) for name in names], "Int64")
    st.session_state[f"{stem('tiers', names)}_now"] = pd.DataFrame({"variable": names, "tier": tiers})


def say(names: tuple[str, ...], rule: Rule, i: int, j: int) -> None:
    """Add a rule on the edge between two variables, or make `i` an outcome; store a refusal until it is shown."""
    along, against = (names[i], names[j]), (names[j], names[i])
    constraints = {
        "apart": [(*along, "forbidden"), (*against, "forbidden")],
        "not_along": [(*along, "forbidden")],
        "not_against": [(*against, "forbidden")],
        "along": [(*along, "required")],
        "against": [(*against, "required")],
        "outcome": [(names[i], other, "forbidden") for other in names if other != names[i]],
    }[rule]
    try:
        add(names, constraints)
        st.session_state[SAID_HERE] = True
    except ParameterError as error:
        st.session_state.known_refused = f"Not added: {error}."


def take_back(names: tuple[str, ...], old: Sequence[Said]) -> None:
    """Remove edges from the knowledge."""
    _keep(names, [edge for edge in edges(names) if edge not in old])
    st.session_state[SAID_HERE] = True


def restore(names: tuple[str, ...], then: Knowledge) -> None:
    """Restore an earlier state of the knowledge."""
    _keep(names, [(*edge, rule) for rule in ("required", "forbidden") for edge in getattr(then, rule)])
    if then.tiers != knowledge(names).tiers:
        tiers = pd.array([then.tiers.get(name) for name in names], "Int64")
        st.session_state[f"{stem('tiers', names)}_now"] = pd.DataFrame({"variable": names, "tier": tiers})


def _keep(names: tuple[str, ...], own_edges: Sequence[Said]) -> None:
    st.session_state[f"{stem('edges', names)}_now"] = pd.DataFrame(own_edges, columns=EDGES, dtype="str")


def in_short(knowledge: Knowledge | None) -> str:
    """Return a summary such as "2 tiers, 1 edge"; empty if there is no knowledge."""
    if knowledge is None:
        return ""
    tiers, edges = len(set(knowledge.tiers.values())), len(knowledge.required) + len(knowledge.forbidden)
    parts = [count(tiers, "tier")] if tiers else []
    return ", ".join([*parts, count(edges, "edge")] if edges else parts)
