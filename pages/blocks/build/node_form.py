"""Form of one node: name, levels, parents with their strengths, and table."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from learners.common.errors import LearnersError
from learners.common.wording import format_setting
from learners.networks.draft import YES_NO
from learners.networks.network_builder import DEFAULT_STRENGTH
from pages.session import network_draft
from pages.session.network_draft import Sheet
from pages.session.words import headings, labels_of, t, written
from viz.build.draft import editable_table
from viz.text import as_sentence, distinct_labels, escape_markdown, shorten

NODE = "build_node"  # session key of the name of the edited node
STRONGEST, STEP = 0.95, 0.05
MAX_ROWS = 500  # maximum number of rows of an editable table
LEVELS, NUMBER = "Categorical", "Numeric"


def node(here: Sheet) -> None:
    """Show the choice of a node, and the form to edit it."""
    names = here.draft.names
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if names:
            if st.session_state.get(NODE) not in names:
                st.session_state[NODE] = names[-1]
            labels = dict(zip(names, distinct_labels(names), strict=True))
            st.selectbox(t("Node"), names, format_func=labels.get, key=NODE, persist_state="session")
        st.button(t("Add node"), key="build_add", icon=":material/add:", on_click=_add)
    if not names:
        st.info(t("The canvas is empty. Double-click it, or add a node here."), icon=":material/draw:")
        return
    name = st.session_state[NODE]
    _name_and_kind(here, name)
    _parents(here, name)
    with st.expander(
        t("Probability table" if here.draft.nodes[name] else "Equation"),
        key=f"build_table_of_{name in here.draft.tables}",
    ):
        _table(here, name)


def rename(old: str, new: str) -> None:
    """Rename a node and keep it selected."""
    if network_draft.rename(old, new) and st.session_state.get(NODE) == old:
        st.session_state[NODE] = new


def _add() -> None:
    st.session_state[NODE] = network_draft.add() or st.session_state.get(NODE)


def _controlled(key: str, value: Any, follow: Callable[[Any], object]) -> dict[str, Any]:
    """Return key and callback of a widget for a part of the drawing that other widgets can change too."""
    st.session_state[key] = value
    return {"key": key, "on_change": lambda: follow(st.session_state[key])}


def _name_and_kind(here: Sheet, name: str) -> None:
    id_, levels = here.id_of(name), here.draft.nodes[name]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(t("Name"), **_controlled(f"build_name_{id_}", name, lambda new: rename(name, new)))
        st.button(
            t("Delete node"), key="build_delete", icon=":material/delete:",
            on_click=network_draft.change, args=(lambda draft: draft.without_node(name),),
        )  # fmt: skip

    def turn_into(kind: str | None) -> None:
        if kind is not None:
            network_draft.change(lambda draft: draft.with_levels(name, YES_NO if kind == LEVELS else ()))

    st.segmented_control(
        t("Type"), [LEVELS, NUMBER], required=True, format_func=labels_of(),
        **_controlled(f"build_kind_{id_}", LEVELS if levels else NUMBER, turn_into),
    )  # fmt: skip
    if levels:
        st.text_area(
            t("Levels"), height="content", help=t("One per line, in order."),
            **_controlled(f"build_levels_{id_}", "\n".join(levels), lambda text: _say_levels(name, text)),
        )  # fmt: skip


def _say_levels(name: str, text: str) -> None:
    levels = [line.strip() for line in text.splitlines() if line.strip()]
    network_draft.change(lambda draft: draft.with_levels(name, levels or [""]))


def _parents(here: Sheet, name: str) -> None:
    """Let the user edit the parents of a node: a slider for each, or a note that its table is set."""
    draft, id_ = here.draft, here.id_of(name)
    others = [one for one in draft.names if one != name]
    labels = dict(zip(draft.names, distinct_labels(draft.names), strict=True))

    st.multiselect(
        t("Parents"), others, format_func=labels.get, placeholder=t("none"),
        **_controlled(
            f"build_parents_{id_}", list(draft.parents(name)),
            lambda parents: network_draft.change(lambda now: now.with_parents(name, parents)),
        ),
    )  # fmt: skip
    if name in draft.tables:
        st.caption(t("The table below was edited or read from a file."))
        if draft.parents(name):
            st.button(
                t("Use strengths"), key="build_by_strengths",
                on_click=network_draft.change, args=(lambda now: now.by_strengths(name),),
            )  # fmt: skip
        return
    for one in draft.parents(name):
        _strength(here, one, name, labels[one])


def _strength(here: Sheet, parent: str, name: str, label: str) -> None:
    key = f"build_strength_{here.id_of(parent)}_{here.id_of(name)}"
    st.slider(
        escape_markdown(t("Strength of {edge}", edge=f"{label} → {shorten(name)}")), -STRONGEST, STRONGEST, step=STEP,
        help=t(
            "The correlation that this edge produces if it is the only one into the node; with several parents or "
            "levels it is lower. The default is {value}.",
            value=format_setting(DEFAULT_STRENGTH),
        ),
        **_controlled(
            key, here.draft.edges[parent, name],
            lambda now: network_draft.change(lambda draft: draft.with_edge(parent, name, round(now, 6))),
        ),
    )  # fmt: skip


def _table(here: Sheet, name: str) -> None:
    """Let the user edit the table of a node as a whole."""
    rows = math.prod(len(here.draft.nodes[one]) or 1 for one in here.draft.parents(name))
    if rows > MAX_ROWS:  # checked before the table is made
        st.caption(t("The table has {n} rows. Only tables of up to {most} rows can be edited.", n=rows, most=MAX_ROWS))
        return
    try:
        own = editable_table(here.draft, name)
    except LearnersError as error:  # the table of another node may be too large
        st.error(escape_markdown(written(as_sentence(str(error)))), icon=":material/error:")
        return
    if own is None:
        st.caption(t("A categorical node with a numeric parent has no table; its log odds follow from the strengths."))
        return
    edited = st.data_editor(
        own,
        key=f"build_cells_{here.number}_{here.id_of(name)}",
        disabled=["given"],
        column_config=headings(("given", "intercept", "variance"))
        if not here.draft.nodes[name]
        else headings(("given",)),
        placeholder="",
    )
    rows_sum = "One row per configuration of the parents; each row sums to 1."
    st.caption(
        t(rows_sum if here.draft.nodes[name] else "Intercept, effect of each numeric parent, and noise variance.")
    )
    st.button(
        escape_markdown(t("Apply to {name}", name=shorten(name))), key="build_use_table", disabled=edited.equals(own),
        on_click=_use, args=(name, edited),
    )  # fmt: skip


def _use(name: str, edited: pd.DataFrame) -> None:
    network_draft.change(lambda draft: draft.with_table(name, edited.to_numpy(dtype=np.float64)))
