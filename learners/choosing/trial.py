"""Comparison of several learners on one table by held-out rows, resamples and agreement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..common.checks import check_count, check_open_interval
from ..common.errors import ParameterError
from ..common.parallel import ordered_map
from ..common.progress import Tick, silent
from ..common.validation import Seed, validated
from ..data.dataset import Dataset
from ..data.resampling import held_out, resampled
from ..evaluation.comparison import Consensus, consensus
from ..evaluation.held_out_likelihood import held_out_log_likelihood
from ..evaluation.metrics import jaccard
from ..graphs.graph import PDAG
from ..graphs.knowledge import Knowledge
from ..registry import learn, learner_for
from ..results.result import LearnResult

PHASE = "runs"
RESAMPLES = 20


@dataclass(frozen=True, eq=False)
class TrialRun:
    """Results of one learner on the table.

    Attributes
    ----------
    key : str
    result : LearnResult
        Result on all rows.
    aside : float
        Log-likelihood of the held-out rows under the graph learned from the other rows, in nats per row; larger is
        better.
    resamples : tuple of PDAG
        Graphs of the finished resamples.
    """

    key: str
    result: LearnResult
    aside: float
    resamples: tuple[PDAG, ...]

    @property
    def stability(self) -> float:
        """Mean Jaccard index of the graph of all rows and each resample's graph, with marks; NaN without resamples."""
        return float(np.mean([jaccard(one, self.result.graph) for one in self.resamples])) if self.resamples else np.nan


@dataclass(frozen=True, eq=False)
class Trial:
    """Result of `trial`.

    Attributes
    ----------
    tried : tuple of TrialRun
        Learners whose runs on all rows and on the training rows finished, in the order of the keys.
    base : float
        Log-likelihood of the held-out rows under the empty graph, as in `TrialRun.aside`.
    rows_aside : int
        Number of held-out rows.
    complete : bool
        False if the trial was cancelled.
    """

    tried: tuple[TrialRun, ...]
    base: float
    rows_aside: int
    complete: bool = True
    names: tuple[str, ...] = field(default=())

    @property
    def agreement(self) -> np.ndarray:
        """(k, k) float: Jaccard index of each two graphs on all rows, marks included."""
        found = np.eye(len(self.tried))
        for (s, one), (t, other) in combinations(enumerate(self.tried), 2):
            found[s, t] = found[t, s] = jaccard(one.result.graph, other.result.graph)
        return found

    @property
    def consensus(self) -> Consensus:
        """Return the consensus of the graphs on all rows."""
        return consensus([one.result.graph for one in self.tried])


class _TrialJob(NamedTuple):
    """One run: learner, data and seed."""

    key: str
    data: Callable[[], Dataset]
    seed: Seed


@validated
def trial(
    dataset: Dataset,
    keys: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    share: float = 0.2,
    knowledge: Knowledge | None = None,
    seed: Seed = 0,
    tick: Tick = silent,
) -> Trial:
    """Run learners with default settings on all rows, on the training rows, and on resamples.

    Parameters
    ----------
    dataset : Dataset
    keys : sequence of str
        Keys of at least one learner.
    resamples : int, default 20
        Number of samples of all rows, drawn with replacement; all learners get the same samples.
    share : float, default 0.2
        Share of held-out rows.
    knowledge : Knowledge, optional
    seed : int, default 0
        Seed of the held-out rows, the resamples and the learners; on resample t, learners have the seed t.
    tick : Tick, optional
        Progress listener; receives the number of finished runs. If it returns False, the trial ends with the learners
        whose runs on all rows and on the training rows finished.

    Returns
    -------
    Trial

    Raises
    ------
    ParameterError
        If a parameter is out of range, or no learner finished.
    DataError
        If a learner does not accept the data, or there are fewer than two rows.

    Examples
    --------
    >>> from learners import load_sample
    >>> found = trial(load_sample("asia").dataset, ["hc", "ges"], resamples=2)
    >>> [one.key for one in found.tried], found.agreement.shape
    (['hc', 'ges'], (2, 2))
    """
    check_count("resamples", resamples, 1)
    check_open_interval("share", share, 0.0, 1.0)
    keys = list(keys)
    if not keys or len(set(keys)) < len(keys):
        raise ParameterError(f"keys must name different learners, got {keys}; name each once")
    for key in keys:
        learner_for(key, dataset)
    train, aside = held_out(dataset, share, seed)
    jobs = [_TrialJob(key, partial(_same, rows), seed) for key in keys for rows in (dataset, train)]
    jobs += [_TrialJob(key, partial(resampled, dataset, seed, (t,)), t) for t in range(resamples) for key in keys]

    def one(t: int, goes_on: Callable[[], bool]) -> LearnResult | PDAG | None:
        job = jobs[t]
        found = learn(job.key, job.data(), knowledge=knowledge, tick=lambda *_: goes_on(), seed=job.seed)
        if not found.complete:
            return None
        return found if t < 2 * len(keys) else found.graph

    done = ordered_map(one, len(jobs), phase=PHASE, tick=tick)
    if len(done) < 2:
        raise ParameterError("the comparison was cancelled before a learner was done; let it run")
    tried = tuple(
        TrialRun(
            key,
            done[2 * k],
            held_out_log_likelihood(done[2 * k + 1].graph, train, aside),
            tuple(done[2 * len(keys) + k :: len(keys)]),
        )
        for k, key in enumerate(keys)
        if 2 * k + 1 < len(done)
    )
    base = held_out_log_likelihood(PDAG.empty(dataset.p), train, aside)
    return Trial(tried, base, aside.n_rows, len(done) == len(jobs), dataset.names)


def _same(dataset: Dataset) -> Dataset:
    return dataset
