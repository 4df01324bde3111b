"""The pages with an odd table: upload, details, fixes, a run, and a visit to every page and view."""

from __future__ import annotations

import numpy as np
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from learners.common.sentences import phrase
from learners.workers import warm_up
from pages.blocks.inspect.panels import VIEWS
from tests.pages.driving import PAGES, as_on_our_server, finish_run, go, open_app, press, sound, unfold, upload

from .tables import odd_table
from .watching import Watch

FIXES = 4  # maximum number of fixes applied one after another
RUN_SECONDS = 2.0  # seconds after which a run is cancelled; its partial result is displayed, too
END_SECONDS = 60.0  # maximum seconds between the cancellation of a run and its end

PagesManager.__init__ = as_on_our_server(PagesManager.__init__)  # no other code runs in this process


def visit(rng: np.random.Generator, watch: Watch) -> None:
    """Visit the pages; any traceback on screen raises an AssertionError."""
    warm_up.ready = lambda _piece: True
    at = sound(upload(open_app("data"), odd_table(rng)))
    _look_closer(at, rng)
    for _ in range(FIXES):
        fixes = [button.key for button in at.button if (button.key or "").startswith("data_fix_")]
        if fixes:
            at = sound(press(at, fixes[rng.integers(len(fixes))]))
            watch.pause()
    _learn(at, rng, watch)
    for page in PAGES:
        watch.say(page)
        at = sound(go(at, page))
        watch.pause()
        if page == "inspect" and _has(at.segmented_control, "inspect_view"):
            _inspect(at, rng, watch)


def _look_closer(at: AppTest, rng: np.random.Generator) -> None:
    """Open the details of some columns."""
    box = next((one for one in at.selectbox if one.label == "Column"), None)
    for _ in range(3 if box else 0):
        box = next(one for one in at.selectbox if one.label == "Column")
        sound(box.set_value(int(rng.integers(len(box.options)))).run())


def _learn(at: AppTest, rng: np.random.Generator, watch: Watch) -> None:
    """Learn with a random available learner, if the table allows a run."""
    at = sound(go(at, "learn"))
    fitting = [button.key or "" for button in at.button if not button.disabled]
    others = [key for key in fitting if key.startswith("learn_choose_")]
    if others:
        chosen = others[rng.integers(len(others))]
        watch.say(chosen)
        at = sound(press(at, chosen))
    run = [button for button in at.button if button.key == "learn_run"]
    if run and not run[0].disabled:
        press(at, "learn_run")
        job = at.session_state["job"]
        if job is not None and not job.wait(RUN_SECONDS):
            job.cancel(phrase("long enough"))
        sound(finish_run(at, END_SECONDS))
        assert at.session_state["job"] is None, "the run that has ended was not taken in"
    watch.pause()


def _inspect(at: AppTest, rng: np.random.Generator, watch: Watch) -> None:
    """Open each view of the run, and the explanations of some pairs."""
    for view in VIEWS:
        watch.say(f"inspect {view}")
        sound(at.segmented_control(key="inspect_view").set_value(view).run())
        watch.pause()
    sound(unfold(at))
    for _ in range(2):
        for end in ("why_x", "why_y"):
            box = at.selectbox(key=end)
            sound(box.set_value(int(rng.integers(len(box.options)))).run())
    watch.pause()


def _has(widgets: object, key: str) -> bool:
    return any(one.key == key for one in widgets)
