"""Export of a run as one HTML file that replays it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from learners.common.cancellable_job import Progress
from learners.common.progress import Tick, silent
from learners.common.sentences import Count
from learners.recipes.replay_file import replay
from pages.blocks.inspect import report_files
from pages.blocks.inspect.report_files import File
from pages.session import shared_link, sweeps
from pages.session.jobs.progress_with_cancel import SideTask
from pages.session.state import Run
from pages.session.words import t
from viz.replay_page.explanations import EXPLAINING, n_explained
from viz.replay_page.page import replay_html
from viz.replay_page.views import View, sweep_view, views_of

LABEL, KIND = "Interactive replay (HTML)", ("replay.html", "text/html")
WITH_DATA = "Include data in replay"
PREPARE = "Prepare interactive replay (HTML)"
MANY_PAIRS = 1_000  # a file with more explanations is made with progress and Cancel: each takes about a millisecond
WRITER = SideTask("replay")
HELP = "The replay opens in any browser, without this server. Switch on to put the rows of the run into the file."


def ask(run: Run) -> bool:
    """Return True if the file may contain the rows of the run; ask where the session may show them.

    The answer survives a visit to another page, so a file that was prepared meanwhile is offered.
    """
    if shared_link.hides_table():
        return False
    key = f"inspect_replay_data_{run.number}"
    if key not in st.session_state:  # the page was opened again
        st.session_state[key] = run.data.get("replay_with_data", False)
    run.data["replay_with_data"] = st.toggle(t(WITH_DATA), key=key, help=t(HELP))
    return run.data["replay_with_data"]


def files(run: Run, places: np.ndarray, *, rare: bool, include_data: bool) -> list[File]:
    """Return the file to download; of a run with many pairs, only once `prepare` has made it."""
    if found := WRITER.collect():
        written_run, made = found
        written_run.data["replay"] = made
    make = _maker(run, places, rare=rare, include_data=include_data)
    if n_explained(run.result) <= MANY_PAIRS:
        return [(LABEL, *KIND, make)]
    asked, text = run.data.get("replay", (None, ""))
    ready = asked == _asked(run, places, rare=rare, include_data=include_data)
    return [(LABEL, *KIND, lambda: text)] if ready else []


def prepare(run: Run, places: np.ndarray, *, rare: bool, include_data: bool) -> None:
    """Show the button that makes the file of a run with many pairs, or the progress with Cancel."""
    if n_explained(run.result) <= MANY_PAIRS:
        return
    WRITER.show_error()
    if WRITER.under_way(run):
        WRITER.watch(_how_far, "inspect_cancel_replay")
        return
    asked = _asked(run, places, rare=rare, include_data=include_data)
    if run.data.get("replay", (None, ""))[0] == asked:
        return
    if st.button(t(PREPARE), icon=":material/movie:", key="inspect_prepare_replay", disabled=WRITER.busy):
        make = _maker(run, places, rare=rare, include_data=include_data)

        def work(tick: Tick) -> tuple[object, str] | None:
            text = make(tick)
            return (asked, text) if text else None

        WRITER.start(run, work)


def _how_far(progress: Progress) -> tuple[float, str]:
    if progress.phase != EXPLAINING:
        return 0.0, t("Drawing…")
    pairs = Count(progress.total, "pair")
    return progress.done / progress.total, t("Explaining {done} of {pairs}", done=int(progress.done), pairs=pairs)


def _asked(run: Run, places: np.ndarray, *, rare: bool, include_data: bool) -> object:
    """Return the inputs of the file other than the run."""
    strip = sweeps.current(run)
    swept = None if strip is None else (id(strip), strip.n_done)
    return run.title, rare, include_data, swept, places.tobytes()


def _maker(run: Run, places: np.ndarray, *, rare: bool, include_data: bool) -> Callable[..., str]:
    """Return the function that makes the file, outside the session."""
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

    def make(tick: Tick = silent) -> str:
        views = views_of(replayed, places)
        if strip is not None:
            views.append(_view_of(strip, places))
        return replay_html(replayed, views=views, positions=places, tick=tick)

    return make


def _view_of(strip: sweeps.Strip, places: np.ndarray) -> View:
    """Return the values of an open sweep, as far as they are known."""
    results = {k: result for k, (result, _) in dict(strip.results).items()}
    result = strip.run.result
    shown = (strip.axis, strip.directed_graphs(), strip.base, results, result.names, places, strip.curves())
    return sweep_view(*shown, reference=result)
