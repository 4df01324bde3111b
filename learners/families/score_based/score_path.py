"""Score path: GES at several penalties, and edges ranked by the largest penalty that they survive."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from learners.common.wording import format_number

from ...common.arrays import frozen
from ...common.progress import Tick, silent
from ...common.relabeling import ByPair, Nodes
from ...common.run_warning import RunWarning
from ...common.sentences import say
from ...graphs.graph import PDAG
from ...graphs.knowledge import Knowledge
from ...results.ranking import Ranking
from ...results.result import LearnResult, Strengths
from ...scores.selection import BICs
from ...search.ges_result import EquivalenceSearch
from ...settings.parameter import parameters
from .ges import ges
from .settings import SCORE_PATH

CANCELLED = RunWarning(
    "cancelled", say("the run was cancelled; the smaller penalties, and the edges that they would add, are missing")
)


@dataclass(frozen=True, eq=False)
class ScorePath(EquivalenceSearch):
    """The `extra` of a score path, whose result is one of its graphs.

    Attributes
    ----------
    penalties : (t,) float64 array
        Factors of the BIC penalty, ascending; of a cancelled run the largest ones.
    graphs : tuple of PDAG
        The CPDAG that GES finds at each penalty.
    choice : int
        Index of the graph that is the result.
    survives : (p, p) float64 array
        The largest penalty at which a pair is adjacent; NaN if it never is.
    pairs : (m, 2) int64 array
        The ranking, the strongest first: all pairs that are adjacent at some penalty, and those that LMM ranks.
    losses : (p, p) float64 array or None
        The score that the result would lose without each of its edges; NaN elsewhere, None in runs stored before.
    """

    penalties: np.ndarray
    graphs: tuple[PDAG, ...]
    choice: int
    survives: ByPair
    pairs: Nodes
    losses: ByPair | None = None

    def ranking(self, joined: np.ndarray) -> Ranking:
        """Return the pairs in order of penalty; pairs that only LMM ranks have no penalty."""
        pairs = np.sort(self.pairs, axis=1)
        at = tuple(pairs.T)
        return Ranking(pairs, np.arange(1, len(pairs) + 1), {"largest penalty": self.survives[at]}, {}, joined[at])


@parameters(SCORE_PATH)
def score_path(
    bics: BICs,
    beside: Callable[..., LearnResult] | None = None,
    *,
    n_penalties: int = 13,
    most: float = 18.0,
    penalty: float | None = None,
    turning: bool = True,
    max_parents: int | None = 12,
    knowledge: Knowledge | None = None,
    tick: Tick = silent,
) -> LearnResult:
    """Rank edges by the largest BIC penalty at which GES includes them.

    Parameters
    ----------
    bics : BICs
        BIC bound to the data, at any penalty.
    beside : callable, optional
        ``beside(knowledge=..., tick=...)`` runs another learner that ranks edges, such as `lmm`, on the same data; the
        ranks of both are averaged.
    n_penalties : int, default 13
        Number of penalties in a geometric sequence from 1 to `most` times BIC; at least 2.
    most : float, default 18.0
        The largest penalty, above 1.
    penalty : float, optional
        The result is the graph at the penalty nearest to this. Default: the penalty of the score of other learners.
    turning, max_parents, knowledge
        As for `ges`.
    tick : Tick, optional
        Progress listener. If it returns False, the run ends with the penalties done so far, the largest first.

    Returns
    -------
    LearnResult
        The result of `ges` at that penalty; `strengths` are the largest penalties survived; `extra` is a `ScorePath`.

    Raises
    ------
    ParameterError
        If a parameter is out of range.

    Notes
    -----
    Of pairs with the same largest penalty, those adjacent at more penalties come first, then those whose removal costs
    more score. If two rankings are averaged, a pair that one of them lacks has the mean rank of all pairs it lacks.

    Examples
    --------
    >>> from learners import load_sample, score_path
    >>> from learners.scores.selection import BICs
    >>> score_path(BICs(load_sample("gauss30").dataset)).extra.penalties[[0, -1]].tolist()
    [1.0, 18.0]
    """
    began, penalties = time.perf_counter(), np.geomspace(1.0, most, n_penalties)
    found, complete = _searches(bics, penalties, tick, turning=turning, max_parents=max_parents, knowledge=knowledge)
    penalties = penalties[n_penalties - len(found) :]
    survives, pairs = _ranked(penalties, found)
    n_tests = 0
    if beside is not None and complete:
        other = beside(knowledge=knowledge, tick=lambda phase, done, total: tick(f"LMM, {phase}", done, total))
        complete, n_tests = other.complete, other.n_tests
        pairs = _averaged(pairs, other.extra.pairs, len(survives)) if complete else pairs
    choice = int(np.abs(np.log(penalties / (bics.usual if penalty is None else penalty))).argmin())
    chosen, graphs = found[choice], tuple(result.graph for result in found)
    own = {field.name: getattr(chosen.extra, field.name) for field in dataclasses.fields(chosen.extra)}
    return dataclasses.replace(
        chosen,
        method="score_path",
        kind="score_path",
        n_tests=n_tests,
        n_scores=sum(result.n_scores for result in found),
        seconds=time.perf_counter() - began,
        strengths=Strengths("largest penalty survived, times BIC", survives, larger_is_stronger=True),
        warnings=() if complete else (CANCELLED,),
        complete=complete,
        extra=ScorePath(
            **own,
            penalties=frozen(penalties),
            graphs=graphs,
            choice=choice,
            survives=survives,
            pairs=frozen(pairs),
            losses=chosen.strengths.values,
        ),
    )


def _searches(bics: BICs, penalties: np.ndarray, tick: Tick, **settings: Any) -> tuple[list[LearnResult], bool]:
    """Run GES at each penalty, the largest and quickest first; return the results by penalty, and True if complete."""
    found: list[LearnResult] = []
    for factor in penalties[::-1].tolist():

        def report(phase: str, done: int, total: int, factor: float = factor) -> bool:
            return tick(f"penalty {format_number(factor)}, {phase}", done, total)

        result = ges(bics.at(factor), tick=report, **settings)
        if result.complete or not found:
            found.append(result)
        if not result.complete:
            return found[::-1], False
    return found[::-1], True


def _ranked(penalties: np.ndarray, found: list[LearnResult]) -> tuple[np.ndarray, np.ndarray]:
    """Return the (p, p) largest penalty of each pair, and the (m, 2) pairs ever adjacent, the strongest first."""
    adjacent = np.stack([result.graph.skeleton for result in found])
    last = len(found) - 1 - adjacent[::-1].argmax(axis=0)
    survives = np.where(adjacent.any(axis=0), penalties[last], np.nan)
    i, j = np.nonzero(np.triu(adjacent.any(axis=0)))
    loss = [found[last[pair]].strengths.values[pair] for pair in zip(i, j, strict=True)]
    order = np.lexsort((np.nan_to_num(loss), adjacent[:, i, j].sum(axis=0), last[i, j]))[::-1]
    return frozen(survives), np.column_stack([i, j])[order]


def _averaged(pairs: np.ndarray, others: np.ndarray, p: int) -> np.ndarray:
    """Return the (m, 2) pairs of both rankings in the order of their mean ranks; for missing ranks see `score_path`."""
    ranks = np.empty((2, p, p))
    for rank, own in zip(ranks, (pairs, others), strict=True):
        rank[:] = (len(own) + 1 + p * (p - 1) / 2) / 2
        rank[own.min(axis=1), own.max(axis=1)] = np.arange(1, len(own) + 1)
    every = np.unique(np.sort(np.concatenate([pairs, others]), axis=1), axis=0)
    first, second = ranks[:, every[:, 0], every[:, 1]]
    return every[np.lexsort((first, first + second))]
