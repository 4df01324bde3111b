"""Run ``python -m tests.browser.apps.gated_streamlit``: Streamlit whose runs wait at gates that a test closes.

EDGEWISE_TEST_GATES names a folder. While it contains a file `requests` with a number, no script run processes its
inputs; the server opens that gate once that many requests have arrived. While it contains a file `runs`, no run of a
learner ends.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.session_state import SessionState
from streamlit.web.cli import main

from learners.common.progress import Tick
from learners.results.result import LearnResult
from pages.session.jobs import runner

FOLDER = "EDGEWISE_TEST_GATES"
GATES = Path(os.environ.get(FOLDER, "."))
REQUESTS, RUNS = GATES / "requests", GATES / "runs"
LOOK_SECONDS = 0.02
arrived = threading.Lock()
take_up, request, learn = SessionState.on_script_will_rerun, AppSession.request_rerun, runner.learn


def counted(self: AppSession, client_state: ClientState | None) -> None:
    """Pass a request on, and subtract it from the number in the gate's file."""
    request(self, client_state)
    with arrived:
        if REQUESTS.exists():
            left = int(REQUESTS.read_text()) - 1
            REQUESTS.write_text(str(left)) if left > 0 else REQUESTS.unlink()


def gated(self: SessionState, *args: object, **more: object) -> None:
    """Process the inputs of a script run once the gate is open."""
    while REQUESTS.exists():
        threading.Event().wait(LOOK_SECONDS)
    take_up(self, *args, **more)


def held(*args: object, tick: Tick, **settings: object) -> LearnResult:
    """Run the learner, and return once the gate is open or the run is cancelled."""
    result = learn(*args, tick=tick, **settings)
    while RUNS.exists() and tick("waiting", 0, 0):
        threading.Event().wait(LOOK_SECONDS)
    return result


if __name__ == "__main__":
    AppSession.request_rerun, SessionState.on_script_will_rerun, runner.learn = counted, gated, held
    main(prog_name="streamlit")
