"""Sweeps around the run on screen: a job whose results are shown as they arrive."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Event

import streamlit as st

from learners.common.cancellable_job import Job
from learners.common.errors import LearnersError
from learners.common.progress import Tick
from learners.common.task_pool import TaskHandle, WorkerLost
from learners.data.dataset import Dataset
from learners.data.resampling import held_out
from learners.explaining.support import directed_graph
from learners.graphs.graph import PDAG
from learners.registry import as_completed
from learners.results.result import LearnResult
from learners.sweeping.curves import Curve, Judge, held_out_curve
from learners.sweeping.runs import nearest_first
from learners.sweeping.tables import placed
from pages.session.jobs import dispatch, estimates, ownership
from pages.session.state import Run
from pages.session.sweep_axes import Swept, result_at
from viz.sweeping.strip import Axis

SOON = 0.1  # seconds of waiting before the graphs are drawn, and until they are redrawn
MAX_PAUSE = 0.7  # seconds until a long sweep is redrawn
SHARE_ASIDE, SEED = 0.2, 0
MAX_BYTES = 1 << 27  # limit of cached results; the others are recomputed on demand
BYTES_OF_PAIR = 100
COMMON = 0.25  # duration of a run in a parameter sweep relative to a separate run, because the runs share work


@dataclass(eq=False)
class Strip:
    """A sweep around a run and its results; the job writes it, the page reads it.

    Attributes
    ----------
    graphs : list of PDAG or None
        Graph learned from all rows at each value; None where it is not known yet.
    aside : list of float or None
        Mean log-likelihood in nats per row that the graph learned from four fifths of the rows gives to the remaining
        fifth; None where it is not known yet.
    refused : str
        Reason why the missing values will never be known.
    held : int or None
        Position of the reference value that the user chose.
    drawn : int or None
        Number of values known when the sweep was last drawn; None once all of them have been drawn.
    pause : float
        Seconds until it is drawn again.
    learned : Event
        Set once no more graphs of all rows will arrive.
    """

    run: Run
    swept: Swept
    graphs: list[PDAG | None]
    aside: list[float | None]
    results: dict[int, tuple[LearnResult, Dataset]] = field(default_factory=dict)
    refused: str = ""
    held: int | None = None
    drawn: int | None = None
    pause: float = SOON
    due: float = 0.0
    learned: Event = field(default_factory=Event)
    parts: tuple[Dataset, Dataset] | None = None
    pages: dict[int, dict] = field(default_factory=dict)
    judge: Judge | None = None
    job: Job | None = None

    @property
    def axis(self) -> Axis:
        """Return the values that the slider moves through."""
        return self.swept.axis

    @property
    def base(self) -> int:
        """Return the position of the run itself."""
        return self.swept.base

    @property
    def n_done(self) -> int:
        """Return the number of graphs and held-out likelihoods computed so far."""
        return sum(value is not None for value in (*self.graphs, *self.aside))

    @property
    def running(self) -> bool:
        """Return True if more results are pending."""
        return self.job is not None and self.job.running

    def note_drawn(self) -> None:
        """Record the drawn results. Call this before reading the graphs, so that later arrivals count as new."""
        self.drawn = self.n_done if self.running else None
        if self.drawn is not None:  # the first redraws come soon; in a long sweep the pauses grow
            self.pause = min(MAX_PAUSE, max(SOON, self.job.progress.seconds))
            self.due = time.monotonic() + self.pause

    def is_due(self) -> bool:
        """Return True if the sweep needs a redraw: it has ended, or has new results after the pause."""
        return not self.running or (self.n_done != self.drawn and time.monotonic() >= self.due)

    def directed_graphs(self) -> list[PDAG | None]:
        """Return the graphs with undirected edges between variables that determine one another, as they are drawn."""
        return [None if graph is None else directed_graph(self.run.result, graph) for graph in list(self.graphs)]

    def curves(self) -> tuple[Curve, ...]:
        """Return the curves along the values, as far as they are known."""
        if self.judge is None:
            self.judge = Judge(as_completed(self.run.result, self.run.dataset), self.run.truth)
        # Copied, because the job continues to write.
        graphs, aside = list(self.graphs), list(self.aside)
        curves = self.judge.curves(graphs)
        if self.axis.left_out:  # the scores of tables with different columns cannot be compared
            curves = tuple(curve for curve in curves if curve.name != "score")
        return curves if all(prediction is None for prediction in aside) else (*curves, held_out_curve(aside))

    def at(self, position: int) -> tuple[LearnResult, Dataset]:
        """Return the result at a value, cached or learned again, and its data set."""
        if position not in self.results:
            self.results[position] = result_at(self.swept, position)
        return self.results[position]


def current(run: Run) -> Strip | None:
    """Return the open sweep of this run, or None."""
    strip: Strip | None = st.session_state.get("sweep")
    return strip if strip and strip.run.number == run.number else None


def leave() -> None:
    """Close the sweep and cancel its job."""
    strip: Strip | None = st.session_state.pop("sweep", None)
    if strip and strip.job:
        strip.job.cancel()


def enter(run: Run, swept: Swept) -> Strip:
    """Begin a sweep around a run, values next to its own first, and show it."""
    leave()
    strip = st.session_state.sweep = begin(run, swept)
    return strip


def begin(run: Run, swept: Swept) -> Strip:
    """Return a new sweep around a run, which a job fills in the background, values next to its own first."""
    n = len(swept.axis.texts)
    strip = Strip(run, swept, [None] * n, [None] * n)
    strip.graphs[strip.base] = run.result.graph
    strip.results[strip.base] = run.result, run.dataset
    if swept.parameter and run.dataset.n_rows > 1:
        strip.parts = held_out(run.dataset, SHARE_ASIDE, SEED)
    running = dispatch.remote_task(n * _seconds(run) * (COMMON if swept.parameter else 1.0))
    strip.job = ownership.begin(lambda tick: _fill(strip, tick, running), running)
    strip.learned.wait(SOON)
    return strip


def _seconds(run: Run) -> float:
    """Return the expected duration of such a run: measured or estimated, the shorter, since it may have waited."""
    return min(run.result.seconds, estimates.seconds_of(run.result.method, run.dataset, run.result.params))


def _fill(strip: Strip, tick: Tick, running: TaskHandle | None) -> None:
    """Learn at all values from all rows, then at all values from the training rows."""
    try:
        _learn(strip, tick, running)
    except LearnersError as error:
        strip.refused = str(error)
        return
    finally:
        strip.learned.set()
    if strip.parts and None not in strip.graphs:
        try:
            for position, likelihood in strip.swept.aside(*strip.parts, tick, running):
                strip.aside[position] = likelihood
        except WorkerLost as error:
            strip.refused = str(error)
        except LearnersError:  # the training rows may be too few
            return


def _learn(strip: Strip, tick: Tick, running: TaskHandle | None) -> None:
    """Learn the graphs of all rows."""
    run, each = strip.run, BYTES_OF_PAIR * float(strip.run.dataset.p) ** 2
    keep, whole = int(MAX_BYTES / each), strip.swept.parameter is not None
    for position, result in strip.swept.along(run.dataset, tick, running):
        # Variants of the table and their results are not cached but recomputed on demand.
        if whole and len(strip.results) < keep:
            strip.results.setdefault(position, (result, run.dataset))
        strip.graphs[position] = placed(result, run.result.names)


def nearest_done(strip: Strip, position: int) -> int:
    """Return the position nearest to a value whose graph is known."""
    near = nearest_first(range(len(strip.graphs)), position)
    return next(k for k in near if strip.graphs[k] is not None)
