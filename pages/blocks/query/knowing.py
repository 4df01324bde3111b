"""What is known of the case on screen: kept by name, said by a click in the picture or by the boxes beside it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from learners.networks.answers.evidence import States
from pages.blocks.query.source import Asked
from viz.text import escape_markdown

OPEN = "not known"


def enter(asked: Asked) -> Any:
    """Begin anew with another network; the network on screen, with the tables that were edited."""
    if st.session_state.get("query_of") != asked.key:
        st.session_state.update(query_of=asked.key, query_edited=None)
        clear()
        st.session_state.query_held = None
    return st.session_state.query_edited or asked.network


def known() -> dict[str, str | float]:
    """By name what is known."""
    return st.session_state.query_known


def likely() -> dict[str, list[float]]:
    """By name the virtual evidence."""
    return st.session_state.query_likely


def clear() -> None:
    """Nothing is known."""
    st.session_state.update(query_known={}, query_likely={})


def say(name: str, value: str | float | None) -> None:
    """A level or a number of one variable; None takes it back."""
    likely().pop(name, None)
    known().pop(name, None)
    if value is not None:
        known()[name] = value


def hold() -> None:
    """Keep what is known as the case to compare with."""
    st.session_state.query_held = (dict(known()), dict(likely()))


def let_go() -> None:
    """No case to compare with."""
    st.session_state.query_held = None


def original() -> None:
    """The network without what was edited."""
    st.session_state.query_edited = None


def ask(names: tuple[str, ...], states: States) -> None:
    """Boxes to say what is known, for those who do not click in the picture."""
    name = st.selectbox("Say what is known of", names, key="query_variable")
    levels = states[names.index(name)]
    if not levels:
        st.number_input("Its value", value=None, key="query_value", placeholder=OPEN)
        st.button("Set", key="query_set", on_click=lambda: say(name, st.session_state.query_value))
        return
    options = [None, *levels]
    key = f"query_state_{names.index(name)}"
    st.session_state[key] = known().get(name)
    st.selectbox(
        "It is", options, format_func=lambda one: OPEN if one is None else one, key=key,
        on_change=lambda: say(name, st.session_state[key]),
    )  # fmt: skip
    with st.expander("Only likely (virtual evidence)"):
        st.caption("How likely what was observed is under each level; only their ratios matter.")
        given = [
            st.number_input(escape_markdown(level), 0.0, value=1.0, key=f"query_likely_{names.index(name)}_{k}")
            for k, level in enumerate(levels[:20])
        ]
        if len(levels) > 20:
            st.caption("Only the first 20 levels can be weighed here; the others count as 1.")
        whole = given + [1.0] * (len(levels) - len(given))

        def weigh() -> None:
            known().pop(name, None)
            likely()[name] = whole

        st.button("Take as evidence", key="query_weigh", on_click=weigh, disabled=not any(whole))


def list_known() -> None:
    """What is known, each to be taken back with a click."""
    if not known() and not likely():
        st.caption("Nothing is known yet: click a level in the picture, or drag a number.")
        return
    with st.container(horizontal=True, gap="small"):
        said = {name: str(value) if isinstance(value, str) else f"{value:.4g}" for name, value in known().items()}
        for k, (name, value) in enumerate([*said.items(), *((name, "likely") for name in likely())]):
            st.button(
                escape_markdown(f"{name}: {value}"), key=f"query_take_back_{k}", icon=":material/close:",
                on_click=say, args=(name, None), help="Take it back",
            )  # fmt: skip
        st.button("Clear all", key="query_clear", on_click=clear, type="tertiary")
