"""A session begins with the whole page, whatever its page asks for first.

A page that outlived its session, because the server was restarted or the line was broken for long, goes on asking for
its fragments. Streamlit passes over those that a session does not know, and a new session knows none: the click, or the
progress that is looked at every second, would stay without an answer. Asked for the whole, `lost` says what happened.

And it begins with app.py. Streamlit takes the files of a folder called pages for pages that need nothing else until a
script has called `st.navigation`: those who come to a fresh server by the address of a page would run that file alone.
"""

from __future__ import annotations

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager


class WholeFirst(AppSession):
    """A session of Streamlit whose first request is never for a fragment."""

    has_begun = False

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Run the page, or the fragment that is asked for if the page was run before."""
        if client_state is not None and not self.has_begun:
            client_state.fragment_id = ""
            client_state.is_auto_rerun = False
        self.has_begun = True
        super().request_rerun(client_state)


def begin_with_whole_pages() -> None:
    """Let all sessions that this process begins from now on be such ones, and run app.py whatever they ask for."""
    websocket_session_manager.AppSession = WholeFirst
    PagesManager.uses_pages_directory = False
