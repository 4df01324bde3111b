"""What the graphs along a sweep are worth: numbers of edges, scores, the fit to rows kept aside, errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..common.arrays import frozen
from ..common.validation import validated
from ..data.dataset import Dataset
from ..evaluation.comparison import differences
from ..evaluation.held_out_likelihood import HeldOutRows
from ..evaluation.metrics import shd
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from ..results.result import LearnResult
from ..scores.selection import score_for

# What each count against a truth is called, what `differences` calls it, and which end of it is good.
OF_TRUTH = (
    ("right", "both", "max"), ("missing", "only_b", "min"), ("too many", "only_a", "min"),
    ("another direction", "direction_differs", "min"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Curve:
    """One number a graph.

    Attributes
    ----------
    name : str
        "edges", "score", "held_out", "shd", or one of `OF_TRUTH`.
    label : str
        What it is, with its unit.
    values : (k,) float64 array
        NaN where it is not known.
    best : "max", "min" or ""
        Which end is good, if one is.
    """

    name: str
    label: str
    values: np.ndarray
    best: str

    def best_position(self) -> int | None:
        """The first position of the best value; None if no end is good, or nothing is known."""
        if not self.best or np.isnan(self.values).all():
            return None
        return int(np.nanargmax(self.values) if self.best == "max" else np.nanargmin(self.values))


@validated
class Judge:
    """Scores graphs on one data set; what families share is counted once.

    Parameters
    ----------
    dataset : Dataset
    truth : PDAG, optional
        The true CPDAG over the same variables, where it is known.
    """

    def __init__(self, dataset: Dataset, truth: PDAG | None = None) -> None:
        self._n = dataset.n
        self._score = score_for(dataset, score="bic")  # plain, as the curve is called, however many variables
        self._truth = truth

    @validated
    def score(self, graph: PDAG) -> float:
        """BIC of a DAG that the graph stands for, in nats a row; NaN where there is none."""
        extension = consistent_extension(graph)
        return self._score.network(extension.dag) / self._n if extension.valid else math.nan

    @validated
    def curves(self, graphs: Sequence[PDAG | None]) -> tuple[Curve, ...]:
        """Edges, score and, where the truth is known, SHD along graphs; NaN where one is missing."""
        told = [
            _curve("edges", "edges", graphs, lambda graph: graph.n_edges, ""),
            _curve("score", "BIC per row, nats", graphs, self.score, "max"),
        ]
        if self._truth is not None:
            told.append(_curve("shd", "SHD to the truth", graphs, lambda graph: shd(graph, self._truth), "min"))
        return tuple(told)


def truth_curves(graphs: Sequence[PDAG | None], truth: PDAG) -> tuple[Curve, ...]:
    """Pairs that are right, missing, too many, or joined with another mark, along graphs; NaN where one is missing.

    Parameters
    ----------
    graphs : sequence of PDAG or None
        CPDAGs, like the truth.
    truth : PDAG
        The true CPDAG over the same variables.
    """

    def number_of(kind: str) -> Callable[[PDAG], float]:
        return lambda graph: list(differences(graph, truth).values()).count(kind)

    return tuple(_curve(name, name, graphs, number_of(kind), best) for name, kind, best in OF_TRUTH)


@validated
def foretold(runs: Iterable[tuple[int, LearnResult]], rows: HeldOutRows) -> Iterator[tuple[int, float]]:
    """How well the graphs of a sweep foretell rows kept aside, as its runs come.

    Parameters
    ----------
    runs : iterable of (int, LearnResult)
        Of the rows not kept aside, or what is said of the others was seen before.
    rows : HeldOutRows
        Of columns of any kinds, cells missing or not, as `evaluation.comparison.held_out` parts them.

    Yields
    ------
    (int, float)
        The run's position, and nats a row; NaN where no DAG has the graph's arrows.
    """
    for position, result in runs:
        valid = consistent_extension(result.graph).valid
        yield position, rows.log_likelihood(result.graph) if valid else math.nan


@validated
def held_out_curve(values: Sequence[float | None]) -> Curve:
    """What `foretold` yields, by position; None where it has not come yet."""
    told = np.array([math.nan if one is None else one for one in values])
    return Curve("held_out", "log-likelihood of rows kept aside, nats per row", frozen(told), "max")


def _curve(name: str, label: str, graphs: Sequence[PDAG | None], of: Callable[[PDAG], float], best: str) -> Curve:
    known: dict[PDAG, float] = {}
    for graph in graphs:
        if graph is not None and graph not in known:
            known[graph] = float(of(graph))
    values = np.array([math.nan if graph is None else known[graph] for graph in graphs])
    return Curve(name, label, frozen(values), best)
