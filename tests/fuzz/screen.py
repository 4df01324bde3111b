"""The pages with an odd table: upload it, learn from it, look at the result."""

from __future__ import annotations

import numpy as np
from streamlit.runtime.pages_manager import PagesManager

from pages.session import preparing
from tests.pages.driving import finish_run, go, open_app, press, sound, upload

from .tables import odd_table
from .watching import Watch

LEARNED_BY = ("pc", "hc", "gs")


def visit(rng: np.random.Generator, watch: Watch) -> None:
    """Any traceback on screen is an AssertionError."""
    PagesManager.uses_pages_directory = False
    preparing.ready = lambda _piece: True
    at = sound(upload(open_app("data"), odd_table(rng)))
    watch.pause()
    at = sound(go(at, "learn"))
    run = [button for button in at.button if button.key == "learn_run"]
    if run and not run[0].disabled:
        watch.say("run")
        finish_run(press(at, "learn_run"), seconds=60.0)
        sound(at)
        for page in ("inspect", "compare"):
            sound(go(at, page))
            watch.pause()
