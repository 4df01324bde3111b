"""The bootstrap around any learner: how often each kind of edge comes up on resampled rows."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from ..common.parallel import in_turn
from ..common.progress import Stopped, Tick, silent
from ..common.stages import Once, alone
from ..common.validation import Seed, Threads
from ..data.bootstrap_rows import resampled
from ..data.dataset import Dataset
from ..graphs.cpdags import closure, consistent_extension, cpdag
from ..graphs.graph import PDAG
from ..graphs.sepsets import Sepsets
from ..results.events import Action
from ..results.phases import Phase, Stage
from ..results.result import LearnResult, Strengths
from ..results.rules import Rule
from ..results.trace import TraceBuilder
from ..scores import FamilyScore
from ..settings.parameter import parameters
from .posterior import Posterior, RankedClass
from .probable_graph import surest_arrows
from .settings import BOOTSTRAP
from .shares import wilson

RESAMPLES = Phase(Stage.RESAMPLES)
LearnOne = Callable[[Dataset, int, Tick], LearnResult]


@dataclass(frozen=True, eq=False)
class Frequencies:
    """What the resamples came to.

    Attributes
    ----------
    learner : str
        Key of the learner that was run on each.
    graphs : tuple of PDAG
        The different graphs found, the most frequent first.
    which : (l,) int64 array
        Of each resample: the position of its graph.
    scores : (l,) float64 array
        Score on the data themselves of a DAG of each resample's graph.
    """

    learner: str
    graphs: tuple[PDAG, ...]
    which: np.ndarray
    scores: np.ndarray

    @property
    def n(self) -> int:
        """Resamples done."""
        return len(self.which)

    n_draws = n

    @cached_property
    def forward(self) -> np.ndarray:
        """(p, p): share of the resamples with i -> j."""
        return self._share(lambda amat: amat & ~amat.T)

    @cached_property
    def undirected(self) -> np.ndarray:
        """(p, p) symmetric: share with i - j."""
        return self._share(lambda amat: amat & amat.T)

    @property
    def adjacent(self) -> np.ndarray:
        """(p, p) symmetric: share with any edge."""
        return self._share(lambda amat: amat | amat.T)

    @property
    def direction_shares(self) -> np.ndarray:
        """(p, p): of the resamples with an edge the part with i -> j; 0 where none has one."""
        adjacent = self.adjacent
        return np.divide(self.forward, adjacent, out=np.zeros_like(adjacent), where=adjacent > 0.0)

    def types(self, i: int, j: int) -> dict[str, float]:
        """Shares of i -> j, i <- j, i - j and no edge; they sum to 1."""
        shares = {"->": self.forward[i, j], "<-": self.forward[j, i], "-": self.undirected[i, j]}
        return {**{mark: float(share) for mark, share in shares.items()}, "none": float(1.0 - self.adjacent[i, j])}

    def first(self, n: int) -> Frequencies:
        """What the first n resamples came to."""
        return Frequencies(self.learner, self.graphs, self.which[:n], self.scores[:n])

    def at(self, cut: float) -> PDAG:
        """The pairs joined in at least a share `cut` of the resamples.

        One points i -> j if that came up more often than i <- j, and not less often than i - j; the surest arrows
        first, unless one closes a directed cycle.
        """
        joined = np.triu((self.adjacent >= cut) & (self.adjacent > 0.0), 1)
        amat = joined | joined.T
        wanted = amat & (self.forward > self.forward.T) & (self.forward >= self.undirected)
        return PDAG(amat & ~surest_arrows(wanted, self.forward).T)

    def best(self) -> PDAG:
        """The graph with the highest score on the data themselves; of equal ones the earliest."""
        return self.graphs[self.which[np.argmax(self.scores)]]

    def posterior(self) -> Posterior:
        """Averages over the DAGs of the classes found, each DAG weighted by its score, not by how often it came up."""
        classes: dict[PDAG, RankedClass] = {}
        for graph, score in zip(self.which.tolist(), self.scores.tolist(), strict=True):
            extension = consistent_extension(self.graphs[graph])
            one = cpdag(extension.dag)
            classes.setdefault(one, RankedClass(one, score, (), extension.valid))
        return Posterior(sorted(classes.values(), key=lambda one: -one.score))

    def averaged(self) -> Posterior:
        """Averages over the resamples; where a graph leaves a direction open, over its DAGs."""
        times = np.bincount(self.which, minlength=len(self.graphs))
        return Posterior([RankedClass(_extendable(graph), math.nan) for graph in self.graphs], times / self.n)

    def _share(self, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        times = np.bincount(self.which, minlength=len(self.graphs))
        return sum(n * of(graph.amat) for n, graph in zip(times.tolist(), self.graphs, strict=True)) / max(self.n, 1)


def _extendable(graph: PDAG) -> PDAG:
    """The graph, or where no DAG has its arrows the class of the DAG that stands in, which joins the same pairs."""
    extension = consistent_extension(graph)
    return closure(graph) if extension.valid else cpdag(extension.dag)


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
    tick: Tick = silent,
    once: Once = alone,
) -> LearnResult:
    """Run a learner on resampled rows, and count.

    Parameters
    ----------
    dataset : Dataset
    score : FamilyScore
        Bound to the same data, to tell which graph is best.
    learn_one : callable
        ``learn_one(dataset, t, tick) -> LearnResult`` for resample t. It hands `tick` on.
    n_resamples : int, default 50
    graph : "frequent" or "best"
        The graph returned: `Frequencies.at` the share, or `Frequencies.best`.
    share : float, default 0.5
    seed : int, default 0
        Of the draws.
    threads : int, optional
        Resamples side by side. Default: the cores available. The result does not depend on it.
    tick : Tick, optional
        Listener; once it returns False the run ends with the resamples done.

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
    >>> from learners.averaging.bootstrap import bootstrap
    >>> asia = load_sample("asia").dataset
    >>> result = bootstrap(asia, BDeu(asia), lambda data, t, tick: learn("rai", data, tick=tick), n_resamples=5)
    >>> sorted(result.extra.types(0, 1))
    ['-', '->', '<-', 'none']
    """
    began, scores_before = time.perf_counter(), score.n_scores
    runs = _runs(dataset, learn_one, n_resamples, seed, threads, tick, once)
    extra = _counted(runs, score)
    chosen = PDAG.empty(dataset.p)
    if runs:
        chosen = extra.best() if graph == "best" else extra.at(share)
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
        trace=_told(chosen, extra, share if graph == "frequent" else np.nan).build(),
        warnings=_warnings(chosen, len(runs), n_resamples),
        complete=complete,
        extra=extra,
        posterior=extra.averaged() if runs else None,
    )


class _Run(NamedTuple):
    """What is kept of a resample."""

    learner: str
    graph: PDAG
    n_tests: int
    n_scores: int


def _runs(
    dataset: Dataset, learn_one: LearnOne, n: int, seed: Seed, threads: int | None, tick: Tick, once: Once
) -> list[_Run]:
    """The resamples that were finished, those of all threads in their order."""

    def one(t: int, goes_on: Callable[[], bool]) -> _Run | None:
        try:
            return once(("resample", learn_one, t), partial(_run, dataset, learn_one, t, seed, goes_on))
        except Stopped:
            return None

    return in_turn(one, n, phase=str(RESAMPLES), tick=tick, threads=threads)


def _run(dataset: Dataset, learn_one: LearnOne, t: int, seed: Seed, goes_on: Callable[[], bool]) -> _Run:
    """Resample t; raises Stopped if it gave up."""
    found = learn_one(resampled(dataset, seed, (t,)), t, lambda *_: goes_on())
    if not found.complete:
        raise Stopped
    return _Run(found.method, found.graph, found.n_tests, found.n_scores)


def _counted(runs: list[_Run], score: FamilyScore) -> Frequencies:
    """Equal graphs stored once, each scored once."""
    times: dict[PDAG, int] = {}
    for one in runs:
        times[one.graph] = times.get(one.graph, 0) + 1
    graphs = tuple(sorted(times, key=lambda graph: -times[graph]))
    of = {graph: score.network(consistent_extension(graph).dag) for graph in graphs}
    place = {graph: t for t, graph in enumerate(graphs)}
    which = np.array([place[one.graph] for one in runs], dtype=np.int64)
    scores = np.array([of[one.graph] for one in runs], dtype=np.float64)
    which.flags.writeable = scores.flags.writeable = False
    return Frequencies(runs[0].learner if runs else "", graphs, which, scores)


def _told(graph: PDAG, extra: Frequencies, share: float) -> TraceBuilder:
    """The edges of the graph, the most frequent first, then its arrows."""
    trace = TraceBuilder(PDAG.empty(graph.p))
    if not extra.n:
        return trace
    adjacent = extra.adjacent
    for i, j in sorted(graph.edges(), key=lambda edge: (-adjacent[tuple(edge)], edge)):
        trace.add(RESAMPLES, Action.ADD, i, j, rule=Rule.FREQUENCY, statistic=adjacent[i, j], threshold=share)
    for i, j in np.argwhere(graph.amat & ~graph.amat.T).tolist():
        trace.add(RESAMPLES, Action.ORIENT, i, j, rule=Rule.FREQUENCY, statistic=extra.forward[i, j])
    return trace


def _warnings(graph: PDAG, done: int, wanted: int) -> tuple[str, ...]:
    sentences = []
    if done < wanted:
        sentences.append(f"the run was cancelled after {done} of {wanted} resamples; the shares are of those")
    if graph.has_directed_cycle():
        sentences.append("the orientations contradict one another and form a directed cycle; no DAG fits the graph")
    return tuple(sentences)
