"""Who may come in: everybody, unless the server's `secrets.toml` has an ``[auth]`` section."""

from __future__ import annotations

import streamlit as st


def ask_for_login() -> None:
    """End the run with a button to log in, where that is demanded and the visitor has not yet."""
    if st.user.get("is_logged_in", True):  # unknown where there is no [auth]
        return
    st.title("Edgewise")
    st.write("Log in to learn graphs from your own tables.")
    st.button("Log in", key="login", type="primary", icon=":material/login:", on_click=st.login)
    st.stop()


def offer_logout() -> None:
    """A button to log out, in the sidebar, for those who are logged in."""
    if st.user.get("is_logged_in", False):
        st.sidebar.button("Log out", key="logout", icon=":material/logout:", on_click=st.logout)
