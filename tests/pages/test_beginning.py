"""The first thing that a session is asked for is the whole page."""

from __future__ import annotations

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession

from pages.session import beginning


def test_only_the_first_request_is_widened(monkeypatch):
    """A fragment that an old page asks for becomes the page; from then on fragments are fragments."""
    heard = []
    monkeypatch.setattr(AppSession, "request_rerun", lambda _self, state: heard.append(state and state.fragment_id))
    monkeypatch.delattr(AppSession, "__del__")  # it would close what was never opened
    session = beginning.WholeFirst.__new__(beginning.WholeFirst)
    for fragment in ("old", "known"):
        session.request_rerun(ClientState(fragment_id=fragment, is_auto_rerun=True))
    session.request_rerun(None)
    assert heard == ["", "known", None]


def test_sessions_are_such_ones_once_the_server_asks_for_it(monkeypatch):
    """Streamlit makes its sessions in one place, by the name that is looked up there."""
    monkeypatch.setattr(websocket_session_manager, "AppSession", AppSession)
    beginning.begin_with_whole_pages()
    assert websocket_session_manager.AppSession is beginning.WholeFirst
