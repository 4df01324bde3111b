"""Login: open to everybody, unless the server's `secrets.toml` has an ``[auth]`` section."""

from __future__ import annotations

import streamlit as st

from learners.common.errors import DataError
from learners.store.workspaces import Account
from pages.session.words import t, written
from viz.text import as_sentence, escape_markdown


def account() -> Account | None:
    """Return the account that Streamlit verified by its signed cookie; None if nobody is logged in.

    No other code makes an `Account`: issuer and subject from anywhere else would open the workspace of their owner.

    Raises
    ------
    DataError
        If the login names nobody.
    """
    if not st.user.get("is_logged_in", False):
        return None
    return Account(st.user.get("iss"), st.user.get("sub"))


def ask_for_login() -> None:
    """End the run with a login button if a login is required, and with an error if the login is invalid."""
    if st.user.get("is_logged_in", True):  # unknown where there is no [auth]
        try:
            account()
        except DataError as error:
            st.error(escape_markdown(written(as_sentence(str(error)))), icon=":material/error:")
            offer_logout()
            st.stop()
        return
    st.title("Edgewise")
    st.write(t("Log in to learn graphs from your own tables."))
    st.button(t("Log in"), key="login", type="primary", icon=":material/login:", on_click=st.login)
    st.stop()


def offer_logout() -> None:
    """Show a button to log out in the sidebar of a logged-in user."""
    if st.user.get("is_logged_in", False):
        st.sidebar.button(t("Log out"), key="logout", icon=":material/logout:", on_click=st.logout)
