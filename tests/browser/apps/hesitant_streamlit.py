"""``python -m tests.browser.apps.hesitant_streamlit``: Streamlit, but every run begins 0.3 s late."""

from __future__ import annotations

import time

from streamlit.runtime.state.session_state import SessionState
from streamlit.web.cli import main

SECONDS = 0.3
at_once = SessionState.on_script_will_rerun


def late(self: SessionState, *args: object, **more: object) -> None:
    """What arrives in the meantime finds the run begun, and its inputs not taken up."""
    time.sleep(SECONDS)
    at_once(self, *args, **more)


if __name__ == "__main__":
    SessionState.on_script_will_rerun = late
    main(prog_name="streamlit")
