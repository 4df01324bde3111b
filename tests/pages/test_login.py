"""Tests of the login: open access, or a login where the server's secrets require it."""

from __future__ import annotations

from streamlit import user_info

from tests.pages.driving import open_app


def keys(at) -> set[str]:
    return {button.key for button in at.button}


def test_everybody_may_come_in():
    """Without an [auth] section there is no login and no logout."""
    at = open_app()
    assert not at.exception
    assert "source" in at.session_state
    assert not {"login", "logout"} & keys(at)


def test_a_stranger_sees_the_door_only(monkeypatch):
    """With an [auth] section no part of the app runs before the login."""
    monkeypatch.setattr(user_info, "get_secrets_auth_section", lambda: {"client_id": "edgewise"})
    at = open_app()
    assert not at.exception
    assert keys(at) == {"login"}
    assert "source" not in at.session_state


def test_who_has_logged_in_may_log_out(monkeypatch):
    """After a login the app opens, with a logout button in the sidebar."""
    monkeypatch.setattr(user_info, "_get_user_info", lambda: {"is_logged_in": True, "iss": "i", "sub": "ada"})
    at = open_app()
    assert not at.exception
    assert "source" in at.session_state
    assert "logout" in {button.key for button in at.sidebar.button}
