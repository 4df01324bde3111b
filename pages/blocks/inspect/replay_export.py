"""Export of a run as one HTML file that replays it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from learners.recipes.replay_file import replay
from pages.blocks.inspect import report_files
from pages.blocks.inspect.report_files import File
from pages.session import shared_link, sweeps
from pages.session.state import Run
from pages.session.words import t
from viz.replay_page.page import replay_html
from viz.replay_page.views import View, sweep_view, views_of

LABEL = "Interactive replay (HTML)"
WITH_DATA = "Include data in replay"
HELP = "The replay opens in any browser, without this server. Switch on to put the rows of the run into the file."


def ask(run: Run) -> bool:
    """Return True if the file may contain the rows of the run; ask where the session may show them."""
    if shared_link.hides_table():
        return False
    return st.toggle(t(WITH_DATA), key=f"inspect_replay_data_{run.number}", help=t(HELP))


def file(run: Run, places: np.ndarray, *, rare: bool, include_data: bool) -> File:
    """Return the file to download, which is made on demand, outside the session."""
    subject, strip = report_files.subject_of(run, places, rare=rare), sweeps.current(run)
    names_values = report_files.names_values(run, rare=rare)
    replayed = replay(
        run.result,
        run.dataset,
        title=run.title,
        recipe=None if names_values else subject.recipe,
        knowledge=run.knowledge,
        truth=run.truth,
        include_data=include_data,
    )

    def make() -> str:
        views = views_of(replayed, places)
        if strip is not None:
            views.append(_view_of(strip, places))
        return replay_html(replayed, views=views, positions=places)

    return LABEL, "replay.html", "text/html", make


def _view_of(strip: sweeps.Strip, places: np.ndarray) -> View:
    """Return the values of an open sweep, as far as they are known."""
    results = {k: result for k, (result, _) in dict(strip.results).items()}
    names = strip.run.result.names
    return sweep_view(strip.axis, list(strip.graphs), strip.base, results, names, places, strip.curves())
