"""``python -m tests.browser.apps.slow_streamlit``: Streamlit, but a run of a learner takes four seconds more."""

from __future__ import annotations

import time

from streamlit.web.cli import main

from learners.common.progress import Tick
from learners.results.result import LearnResult
from pages.session import jobs

SECONDS = 4.0
at_once = jobs.learn


def slowly(*args: object, tick: Tick, **settings: object) -> LearnResult:
    """Long enough on any machine that the page of the run is drawn and asks for news."""
    result, end = at_once(*args, tick=tick, **settings), time.monotonic() + SECONDS
    while time.monotonic() < end and tick("waiting", 0, 0):
        time.sleep(0.05)
    return result


if __name__ == "__main__":
    jobs.learn = slowly
    main(prog_name="streamlit")
