"""The sweep around the run on screen: a job whose results are looked at while they come."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Event

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.job import Job
from learners.common.pool import Running, WorkerLost
from learners.common.progress import Tick
from learners.data.dataset import Dataset
from learners.evaluation.comparison import held_out
from learners.graphs.graph import PDAG
from learners.results.result import LearnResult
from learners.sweeping.curves import Curve, Judge, held_out_curve
from learners.sweeping.runs import nearest_first
from learners.sweeping.tables import placed
from pages.session.jobs import dispatch, estimates, ownership
from pages.session.state import Run
from pages.session.sweep_axes import Swept, result_at
from viz.sweeping.strip import Axis

SOON = 0.1  # seconds waited for the graphs before they are drawn, and until they are looked at again
MOST_PAUSE = 0.7  # seconds until then of a sweep that takes long
SHARE_ASIDE, SEED = 0.2, 0
MOST_BYTES = 1 << 27  # of results kept whole; beyond that a value is run again when its evidence is asked for
BYTES_OF_PAIR = 100
COMMON = 0.25  # of the time of so many runs: what the values of a parameter have in common is done once


@dataclass(eq=False)
class Strip:
    """One sweep around one run, and what is known of it; written by the job, read by the page.

    `graphs` are of all rows; `aside` is how well those of the rows without a fifth foretell that fifth, in nats a row.
    None where a value is not there yet.
    `refused` says why one never will be; `held` is the value that the user holds the others against. `drawn` is how
    many graphs were there when they were last drawn while more were to come; None once the last have been drawn.
    `pause` is how long they then stay as they are. `learned` is set once no graph of all rows is to come.
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
        """What the slider walks."""
        return self.swept.axis

    @property
    def base(self) -> int:
        """Position of the run itself."""
        return self.swept.base

    @property
    def n_done(self) -> int:
        """What is there, graphs and likelihoods."""
        return sum(one is not None for one in (*self.graphs, *self.aside))

    @property
    def running(self) -> bool:
        """Whether more is to come."""
        return self.job is not None and self.job.running

    def note_drawn(self) -> None:
        """To be called before the graphs are read: those that come meanwhile are seen to be new."""
        self.drawn = self.n_done if self.running else None
        if self.drawn is not None:  # soon again at first, ever later while it takes long
            self.pause = min(MOST_PAUSE, max(SOON, self.job.progress.seconds))
            self.due = time.monotonic() + self.pause

    def is_due(self) -> bool:
        """Whether to draw them anew: there is something new and its time has come, or it is the last."""
        return not self.running or (self.n_done != self.drawn and time.monotonic() >= self.due)

    def curves(self) -> tuple[Curve, ...]:
        """Numbers along the values, as far as they are there."""
        if self.judge is None:
            self.judge = Judge(self.run.dataset, self.run.truth)
        # As they are now: the job writes on while they are read.
        graphs, aside = list(self.graphs), list(self.aside)
        told = self.judge.curves(graphs)
        return told if all(one is None for one in aside) else (*told, held_out_curve(aside))

    def at(self, position: int) -> tuple[LearnResult, Dataset]:
        """The result at a value, kept or learned again, and what it was learned from."""
        if position not in self.results:
            self.results[position] = result_at(self.swept, position)
        return self.results[position]


def current(run: Run) -> Strip | None:
    """The strip of this run, if one is open."""
    strip: Strip | None = st.session_state.get("sweep")
    return strip if strip and strip.run.number == run.number else None


def leave() -> None:
    """Put the strip away; what it still does is cancelled."""
    strip: Strip | None = st.session_state.pop("sweep", None)
    if strip and strip.job:
        strip.job.cancel()


def enter(run: Run, swept: Swept) -> Strip:
    """Begin a sweep around a run, the values next to its own first, and walk it."""
    leave()
    strip = st.session_state.sweep = begin(run, swept)
    return strip


def begin(run: Run, swept: Swept) -> Strip:
    """A sweep around a run that fills itself, the values next to its own first."""
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
    """Of one like it; a run may have waited for its kernels or for a busy machine, so the estimate counts, too."""
    return min(run.result.seconds, estimates.seconds_of(run.result.method, run.dataset, run.result.params))


def _fill(strip: Strip, tick: Tick, running: Running | None) -> None:
    """All values on all rows, then all on those without the rows kept aside."""
    try:
        _learn(strip, tick, running)
    except LearnersError as error:
        strip.refused = str(error)
        return
    finally:
        strip.learned.set()
    if strip.parts and None not in strip.graphs:
        try:
            for position, told in strip.swept.aside(*strip.parts, tick, running):
                strip.aside[position] = told
        except WorkerLost as error:
            strip.refused = str(error)
        except LearnersError:  # fewer rows may be too few
            return


def _learn(strip: Strip, tick: Tick, running: Running | None) -> None:
    """The graphs of all rows."""
    run, each = strip.run, BYTES_OF_PAIR * float(strip.run.dataset.p) ** 2
    keep, whole = int(MOST_BYTES / each), strip.swept.parameter is not None
    for position, result in strip.swept.along(run.dataset, tick, running):
        # Another table is made again when it is asked for, and its result with it.
        if whole and len(strip.results) < keep:
            strip.results.setdefault(position, (result, run.dataset))
        strip.graphs[position] = placed(result, run.result.names)


def nearest_done(strip: Strip, position: int) -> int:
    """The position nearest to this one whose graph is there."""
    near = nearest_first(range(len(strip.graphs)), position)
    return next(k for k in near if strip.graphs[k] is not None)
