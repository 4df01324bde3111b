"""Streamlit that closes abandoned sessions after a short time.

Run ``python -m tests.browser.apps.forgetful_streamlit``.
"""

from __future__ import annotations

import sys

from streamlit.web.cli import main

from pages.session import abandoned_sessions
from pages.session.jobs import ownership

SECONDS = 1.0
LET_GO = "a session was let go"
silently = ownership._close


def aloud(session: str) -> None:
    """Write the closing of a session to the server's log, for the test that waits for it."""
    silently(session)
    sys.stdout.write(f"{LET_GO}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    abandoned_sessions.KEPT_SECONDS, ownership._close = SECONDS, aloud
    main(prog_name="streamlit")
