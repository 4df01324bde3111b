"""Initial values of widgets whose value the session may set, such as a view that the address names."""

from __future__ import annotations

from typing import TypeVar

import streamlit as st

Value = TypeVar("Value")


def initial(key: str, value: Value) -> Value | None:
    """Return the default of a widget, or None if the session holds its value, since Streamlit warns of both."""
    return None if key in st.session_state else value
