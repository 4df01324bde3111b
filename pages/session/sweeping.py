"""The sweep of a parameter around the run on screen: a job whose results are looked at while they come."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from learners.common.errors import LearnersError
from learners.common.job import Job
from learners.common.progress import Tick
from learners.data.dataset import Dataset
from learners.evaluation.comparison import held_out
from learners.graphs.graph import PDAG
from learners.registry import LEARNERS, learn
from learners.results.result import LearnResult
from learners.settings.parameter import Parameter
from learners.sweeping.curves import Curve, Judge, held_out_curve
from learners.sweeping.sweep import default_values, nearest_first, swept
from pages.session import ownership
from pages.session.state import Run

SOON = 0.25  # seconds waited for the first values
SHARE_ASIDE, SEED = 0.2, 0
MOST_BYTES = 1 << 27  # of results kept whole; beyond that a value is run again when its evidence is asked for
BYTES_OF_PAIR = 100


@dataclass
class Strip:
    """One parameter of one run, its values and what is known of them; written by the job, read by the page.

    `graphs` and `aside` are of all rows, and of the rows without a fifth; None where a value is not there yet.
    """

    run: Run
    parameter: Parameter
    values: tuple[Any, ...]
    graphs: list[PDAG | None]
    aside: list[PDAG | None]
    results: dict[int, LearnResult] = field(default_factory=dict)
    parts: tuple[Dataset, Dataset] | None = None
    pages: dict[int, dict] = field(default_factory=dict)
    judge: Judge | None = None
    job: Job | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def base(self) -> int:
        """Position of the run's own value."""
        return self.values.index(self.run.result.params[self.parameter.name])

    @property
    def n_done(self) -> int:
        """Graphs that are there, of either kind."""
        return sum(graph is not None for graph in (*self.graphs, *self.aside))

    @property
    def running(self) -> bool:
        """Whether more is to come."""
        return self.job is not None and self.job.running

    def curves(self) -> tuple[Curve, ...]:
        """Numbers along the values, as far as they are there."""
        if self.judge is None:
            self.judge = Judge(self.run.dataset, self.run.truth)
        told = self.judge.curves(self.graphs)
        if self.parts is None or not any(graph is not None for graph in self.aside):
            return told
        return (*told, held_out_curve(self.aside, *self.parts))

    def result_at(self, position: int) -> LearnResult:
        """The result at a value: kept, or learned again."""
        if position not in self.results:
            params = {**self.run.result.params, self.parameter.name: self.values[position]}
            run = self.run
            self.results[position] = learn(run.result.method, run.dataset, knowledge=run.knowledge, **params)
        return self.results[position]


def parameters_of(run: Run) -> list[Parameter]:
    """The parameters that can be swept beside the others of this run."""
    learner, kind, params = LEARNERS[run.result.method], run.dataset.kind, run.result.params
    counted = [one for one in learner.parameters_for(kind) if one.counts(params) and not one.column]
    return [one for one in counted if len(values_of(run, one)) > 1]


def values_of(run: Run, parameter: Parameter) -> tuple[Any, ...]:
    """Its values, that of the run among them."""
    params = dict(run.result.params)
    own = params.pop(parameter.name)
    values = default_values(LEARNERS[run.result.method], run.dataset, parameter.name, params)
    return values if own in values else _with(values, own)


def _with(values: Sequence[Any], own: Any) -> tuple[Any, ...]:
    """One more value, at its place among numbers; a switched-off limit stays last."""
    numbers = [value for value in values if value is not None]
    last = [value for value in values if value is None]
    return (*sorted([*numbers, own]), *last) if own is not None else (*numbers, None)


def current(run: Run) -> Strip | None:
    """The strip of this run, if one is open."""
    strip: Strip | None = st.session_state.get("sweep")
    return strip if strip and strip.run.number == run.number else None


def leave() -> None:
    """Put the strip away; what it still does is cancelled."""
    strip: Strip | None = st.session_state.pop("sweep", None)
    if strip and strip.job:
        strip.job.cancel()


def enter(run: Run, parameter: Parameter) -> Strip:
    """Begin to sweep a parameter around a run, the values next to its own first."""
    leave()
    values = values_of(run, parameter)
    strip = Strip(run, parameter, values, [None] * len(values), [None] * len(values))
    strip.graphs[strip.base] = run.result.graph
    strip.results[strip.base] = run.result
    if run.dataset.kind == "categorical" and run.dataset.complete and run.dataset.n_rows > 1:
        strip.parts = held_out(run.dataset, SHARE_ASIDE, SEED)
    strip.job = ownership.begin(lambda tick: _fill(strip, tick))
    st.session_state.sweep = strip
    strip.job.wait(SOON)
    return strip


def _fill(strip: Strip, tick: Tick) -> None:
    """All values on all rows, then all on those without the rows kept aside."""
    run, each = strip.run, BYTES_OF_PAIR * float(strip.run.dataset.p) ** 2
    if _along(strip, run.dataset, strip.graphs, tick, keep=int(MOST_BYTES / each)) and strip.parts:
        _along(strip, strip.parts[0], strip.aside, tick, keep=0)


def _along(strip: Strip, dataset: Dataset, graphs: list[PDAG | None], tick: Tick, *, keep: int) -> bool:
    """Fill in the graphs of one data set; False if cancelled."""
    run, params = strip.run, dict(strip.run.result.params)
    params.pop(strip.parameter.name)
    near = strip.values[strip.base]
    try:
        runs = swept(
            run.result.method, dataset, strip.parameter.name, strip.values, near=near, knowledge=run.knowledge,
            tick=tick, **params,
        )  # fmt: skip
        for position, result in runs:
            if len(strip.results) < keep:
                strip.results.setdefault(position, result)
            graphs[position] = result.graph
    except LearnersError:
        if dataset is run.dataset:
            raise
        return False
    return all(graph is not None for graph in graphs)


def nearest_done(strip: Strip, position: int) -> int:
    """The position nearest to this one whose graph is there."""
    near = nearest_first(range(len(strip.values)), position)
    return next(k for k in near if strip.graphs[k] is not None)
