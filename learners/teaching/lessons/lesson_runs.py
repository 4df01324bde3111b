"""Runs of a lesson: learner, data and settings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from ...data.dataset import Dataset
from ...evaluation.metrics import shd
from ...graphs.cpdag import cpdag
from ...graphs.graph import PDAG
from ...io.samples import NETWORKS, SAMPLES, load_network, load_sample
from ...networks.sampling import sample
from ...registry import LEARNERS, learn
from ...results.result import LearnResult
from .graph_syntax import split_names
from .lesson import PROMISES, SLIDERS, LessonError, LessonGraph, LessonRun

MAX_ROWS = 50_000
MAX_REPEATS = 50
MAX_SECONDS = 30.0  # maximum duration of a run
OF_DATA = ("rows", "seed", "strength")  # settings other than parameters of the learner


def read_run(lines: Sequence[str], graph: LessonGraph | None) -> LessonRun:
    """Parse a run of lines ``learner: pc``, ``data: asia`` (or ``data: graph``), ``rows: 100, 1000``, ``alpha: 0.01``.

    ``slider: solutions`` chooses what the slider moves through, and ``shows: BIC curve, star`` lists the parts of the
    picture that the text mentions.

    Raises
    ------
    LessonError
        If a line has no colon, or names no learner, no data, or no setting of that learner.
    """
    fields = {}
    for line in lines:
        word, colon, value = line.partition(":")
        if not colon or not value.strip():
            raise LessonError(f'a line of a run is a setting and its value, as in "alpha: 0.01", got "{line[:80]}"')
        fields[word.strip()] = value.strip()
    learner, data = fields.pop("learner", "pc"), fields.pop("data", "graph")
    if learner not in LEARNERS:
        raise LessonError(f'there is no learner "{learner[:80]}"')
    if data == "graph" and (graph is None or not graph.graph.is_dag):
        raise LessonError("a DAG has to be drawn above a run on the data of a graph")
    if data != "graph" and data not in SAMPLES and data not in NETWORKS:
        raise LessonError(f'data is graph, a sample ({", ".join(SAMPLES)}) or a network, got "{data[:80]}"')
    slider, shows = fields.pop("slider", SLIDERS[0]), split_names(fields.pop("shows", ""))
    _check_picture(slider, shows)
    repeats = _value(fields.pop("repeats", "1"))
    if not isinstance(repeats, int) or not 1 <= repeats <= MAX_REPEATS:
        raise LessonError(f"repeats is a whole number from 1 to {MAX_REPEATS}")
    settings = {word: tuple(_value(one) for one in value.split(",")) for word, value in fields.items()}
    _check(learner, settings)
    if "strength" in settings and (data != "graph" or graph.tables is not None):
        raise LessonError("strength needs data from a graph without tables of probabilities")
    if repeats > 1 and not any(len(values) > 1 for values in settings.values()):
        raise LessonError("repeats needs a setting with several values, which the picture compares")
    return LessonRun(learner, graph if data == "graph" else data, settings, slider, shows, repeats)


def _check_picture(slider: str, shows: tuple[str, ...]) -> None:
    if slider not in SLIDERS:
        raise LessonError(f'slider is one of {", ".join(SLIDERS)}, got "{slider[:80]}"')
    for promise in shows:
        if promise not in PROMISES:
            raise LessonError(f'shows lists parts of a picture ({", ".join(PROMISES)}), got "{promise[:80]}"')


def _check(learner: str, settings: dict[str, tuple]) -> None:
    known = [*OF_DATA, *(parameter.name for parameter in LEARNERS[learner].parameters)]
    for word in settings:
        if word not in known:
            raise LessonError(f'{learner} has no setting "{word[:80]}"; it has {", ".join(known)}')
    if any(not isinstance(n, int) or not 1 <= n <= MAX_ROWS for n in settings.get("rows", ())):
        raise LessonError(f"rows is a whole number from 1 to {MAX_ROWS:,}")
    if any(not isinstance(one, int | float) or not isfinite(one) for one in settings.get("strength", ())):
        raise LessonError("strength is a number, by which the coefficients of the graph are multiplied")
    if sum(len(values) > 1 for values in settings.values()) > 1:
        raise LessonError("only one setting of a run has several values")


def _value(text: str) -> int | float | str:
    text = text.strip()
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def data_of(run: LessonRun, k: int = 0) -> tuple[Dataset, PDAG | None]:
    """Return the data of run number k, and its true CPDAG if it is known and no variable is hidden."""
    settings = run.at(k)
    rows, seed = settings.get("rows"), settings.get("seed", 0)
    if isinstance(run.data, str) and rows is None and run.data in SAMPLES:
        loaded = load_sample(run.data)
        if loaded.dataset is None:
            raise LessonError(f"the sample {run.data} has to be prepared on the Data page first; use another sample")
        return loaded.dataset, None if loaded.truth is None else cpdag(loaded.truth)
    key = SAMPLES[run.data].network if isinstance(run.data, str) and run.data in SAMPLES else run.data
    network = run.data.network if isinstance(run.data, LessonGraph) else load_network(key)
    if "strength" in settings:
        network = replace(run.data, weights=settings["strength"] * run.data.weights).network
    data = sample(network, rows or 1000, seed)
    if isinstance(run.data, LessonGraph) and run.data.hidden:
        return data.select([j for j, name in enumerate(data.names) if name not in run.data.hidden]), None
    return data, cpdag(network.dag)


def errors_by_seed(run: LessonRun) -> tuple[tuple[int, ...], ...]:
    """Return the SHD for each value of the varied setting and each of the seeds from 1.

    Raises
    ------
    LessonError
        If the truth of the data is not known.
    """
    n_values = len(run.settings[run.varied]) if run.varied else 1
    return tuple(tuple(_errors(run, k, seed) for seed in range(1, run.repeats + 1)) for k in range(n_values))


def _errors(run: LessonRun, k: int, seed: int) -> int:
    seeded = replace(run, settings={**run.settings, "seed": (seed,)})
    truth = data_of(seeded, k)[1]
    if truth is None:
        raise LessonError("the truth of these data is not known")
    return shd(result_of(seeded, k).graph, truth)


def result_of(run: LessonRun, k: int = 0) -> LearnResult:
    """Learn run number k.

    Raises
    ------
    LessonError
        If it takes longer than 30 seconds.
    LearnersError
        If the learner refuses the data or a setting.
    """
    settings = {name: value for name, value in run.at(k).items() if name not in OF_DATA}
    data, until = data_of(run, k)[0], time.monotonic() + MAX_SECONDS
    result = learn(run.learner, data, tick=lambda *_: time.monotonic() < until, **settings)
    if not result.complete:
        raise LessonError(f"the run takes longer than {MAX_SECONDS:.0f} seconds; use fewer rows or another learner")
    return result
