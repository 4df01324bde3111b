"""The bootstrap of any learner: the frequency of each type of edge on resampled rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from ...common.parallel import ordered_map
from ...common.progress import Stopped, Tick, silent
from ...common.run_warning import RunWarning
from ...common.sentences import say
from ...common.step_cache import Once, uncached
from ...common.validation import Seed, Threads
from ...data.dataset import Dataset
from ...data.resampling import resampled
from ...evaluation.frequencies import Frequencies, left_out, wilson
from ...graphs.consistent_extension import consistent_extension, contradictions
from ...graphs.graph import PDAG
from ...graphs.knowledge import Knowledge, bind
from ...graphs.rules import Rule
from ...graphs.sepsets import Sepsets
from ...results.events import Action
from ...results.phases import Phase, Stage
from ...results.result import LearnResult, Strengths
from ...results.trace import TraceBuilder
from ...scores.score import FamilyScore
from ...settings.parameter import parameters
from .settings import BOOTSTRAP

RESAMPLES = Phase(Stage.RESAMPLES)
LearnOne = Callable[[Dataset, int, Tick], LearnResult]


@parameters(BOOTSTRAP)
def bootstrap(
    dataset: Dataset,
    score: FamilyScore,
    learn_one: LearnOne,
    *,
    n_resamples: int = 50,
    graph: str = "frequent",
    share: float = 0.5,
    seed: Seed = 0,
    threads: Threads | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
    once: Once = uncached,
) -> LearnResult:
    """Run a learner on resampled rows and count the edges.

    Parameters
    ----------
    dataset : Dataset
    score : FamilyScore
        Bound to the same data; it determines the best graph.
    learn_one : callable
        ``learn_one(dataset, t, tick) -> LearnResult`` for resample t; it passes `tick` on.
    n_resamples : int, default 50
    graph : "frequent" or "best"
        The graph of the result: `Frequencies.at` the share, or `Frequencies.best`.
    share : float, default 0.5
    seed : int, default 0
        Seed of the resamples.
    threads : int, optional
        Number of parallel resamples. Default: the available cores. The result does not depend on it.
    knowledge : Knowledge, optional
        Background knowledge of `learn_one`; it restricts the arrows of the frequent graph.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the resamples done so far.

    Returns
    -------
    LearnResult
        `strengths` are the shares of resamples with an edge; `extra` is a `Frequencies`, `posterior` its averages.

    Raises
    ------
    ParameterError
        If a parameter is out of range.

    References
    ----------
    Friedman, Goldszmidt and Wyner (1999), Data analysis with Bayesian networks: a bootstrap approach. UAI.

    Examples
    --------
    >>> from learners import BDeu, learn, load_sample
    >>> from learners.families.averaging.bootstrap import bootstrap
    >>> asia = load_sample("asia").dataset
    >>> result = bootstrap(asia, BDeu(asia), lambda data, t, tick: learn("rai", data, tick=tick), n_resamples=5)
    >>> sorted(result.extra.types(0, 1))
    ['-', '->', '<-', 'none']
    """
    began, scores_before = time.perf_counter(), score.n_scores
    directions = bind(knowledge, dataset.names).directions
    runs = _runs(dataset, learn_one, n_resamples, seed, threads, tick, once)
    extra = _counted(runs, score, directions)
    chosen = PDAG.empty(dataset.p)
    lost: tuple[str, ...] = ()
    if runs and graph == "best":
        chosen = extra.best()
    elif runs:
        chosen = extra.at(share)
        lost = left_out(chosen, (extra.adjacent >= share) & (extra.adjacent > 0.0))
    adjacent = extra.adjacent if runs else np.full((dataset.p, dataset.p), np.nan)
    np.fill_diagonal(adjacent, np.nan)
    limits = wilson(adjacent, len(runs)) if runs else None
    for array in (adjacent, *(limits or ())):
        array.flags.writeable = False
    complete = len(runs) == n_resamples
    return LearnResult(
        graph=chosen,
        names=dataset.names,
        method="bootstrap",
        kind="bootstrap",
        n_tests=sum(one.n_tests for one in runs),
        n_scores=sum(one.n_scores for one in runs) + score.n_scores - scores_before,
        seconds=time.perf_counter() - began,
        score=float(extra.scores.max()) if runs and graph == "best" else None,
        sepsets=Sepsets.from_entries(dataset.p, []),
        strengths=Strengths("share of resamples with the edge", adjacent, larger_is_stronger=True, limits=limits),
        trace=_recorded(chosen, extra, share if graph == "frequent" else np.nan).build(),
        warnings=(*_warnings(chosen, len(runs), n_resamples), *lost),
        complete=complete,
        extra=extra,
        posterior=extra.averaged() if runs else None,
    )


class _Run(NamedTuple):
    """The stored part of a resample's result."""

    learner: str
    graph: PDAG
    n_tests: int
    n_scores: int


def _runs(
    dataset: Dataset, learn_one: LearnOne, n: int, seed: Seed, threads: int | None, tick: Tick, once: Once
) -> list[_Run]:
    """Return the finished resamples of all threads in order."""

    def one(t: int, goes_on: Callable[[], bool]) -> _Run | None:
        try:
            return once(("resample", learn_one, t), partial(_run, dataset, learn_one, t, seed, goes_on))
        except Stopped:
            return None

    return ordered_map(one, n, phase=str(RESAMPLES), tick=tick, threads=threads)


def _run(dataset: Dataset, learn_one: LearnOne, t: int, seed: Seed, goes_on: Callable[[], bool]) -> _Run:
    """Run resample t; raise Stopped if it was cancelled."""
    found = learn_one(resampled(dataset, seed, (t,)), t, lambda *_: goes_on())
    if not found.complete:
        raise Stopped
    return _Run(found.method, found.graph, found.n_tests, found.n_scores)


def _counted(runs: list[_Run], score: FamilyScore, directions: np.ndarray) -> Frequencies:
    """Count the resamples with each distinct graph, and score each graph once."""
    times: dict[PDAG, int] = {}
    for one in runs:
        times[one.graph] = times.get(one.graph, 0) + 1
    graphs = tuple(sorted(times, key=lambda graph: -times[graph]))
    of = {graph: score.network(consistent_extension(graph).dag) for graph in graphs}
    position = {graph: t for t, graph in enumerate(graphs)}
    which = np.array([position[run.graph] for run in runs], dtype=np.int64)
    scores = np.array([of[run.graph] for run in runs], dtype=np.float64)
    which.flags.writeable = scores.flags.writeable = False
    return Frequencies(runs[0].learner if runs else "", graphs, which, scores, directions if directions.any() else None)


def _recorded(graph: PDAG, extra: Frequencies, share: float) -> TraceBuilder:
    """Record the edges of the graph, the most frequent first, then its arrows."""
    trace = TraceBuilder(PDAG.empty(graph.p))
    if not extra.n:
        return trace
    adjacent = extra.adjacent
    for i, j in sorted(graph.edges(), key=lambda edge: (-adjacent[tuple(edge)], edge)):
        trace.add(RESAMPLES, Action.ADD, i, j, rule=Rule.FREQUENCY, statistic=adjacent[i, j], threshold=share)
    for i, j in np.argwhere(graph.amat & ~graph.amat.T).tolist():
        trace.add(RESAMPLES, Action.ORIENT, i, j, rule=Rule.FREQUENCY, statistic=extra.forward[i, j])
    return trace


def _warnings(graph: PDAG, done: int, wanted: int) -> tuple[RunWarning, ...]:
    sentences = contradictions(graph)
    if done < wanted:
        cancelled = say("the run was cancelled after {n} of {m} resamples; the shares refer to these", n=done, m=wanted)
        return (RunWarning("cancelled", cancelled), *sentences)
    return sentences
