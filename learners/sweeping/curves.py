"""Curves along a sweep: numbers of edges, scores, log-likelihood of held-out rows, errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..common.arrays import frozen
from ..common.validation import validated
from ..data.dataset import Dataset
from ..evaluation.comparison import differences
from ..evaluation.held_out_likelihood import HeldOutRows, RowwiseMean
from ..evaluation.metrics import shd
from ..graphs.consistent_extension import consistent_extension
from ..graphs.graph import PDAG
from ..results.result import LearnResult
from ..scores.selection import score_for

# Each count of a comparison with the truth: its name, its name in `differences`, and the better direction.
OF_TRUTH = (
    ("right", "both", "max"), ("missing", "only_b", "min"), ("too many", "only_a", "min"),
    ("another direction", "direction_differs", "min"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Curve:
    """One number for each graph.

    Attributes
    ----------
    name : str
        "edges", "score", "held_out", "shd", or one of `OF_TRUTH`.
    label : str
        The quantity with its unit.
    values : (k,) float64 array
        NaN if unknown.
    best : "max", "min" or ""
        The better end, if there is one.
    errors : (k,) float64 array, optional
        Standard errors of the differences from the best value; NaN if unknown.
    """

    name: str
    label: str
    values: np.ndarray
    best: str
    errors: np.ndarray | None = None

    def best_position(self) -> int | None:
        """Return the first position of the best value; None if no direction is better, or there is no value."""
        if not self.best or np.isnan(self.values).all():
            return None
        return int(np.nanargmax(self.values) if self.best == "max" else np.nanargmin(self.values))


@validated
class Judge:
    """Scores graphs on one data set and caches the scores of families.

    Parameters
    ----------
    dataset : Dataset
    truth : PDAG, optional
        The true CPDAG over the same variables, if known.
    """

    def __init__(self, dataset: Dataset, truth: PDAG | None = None) -> None:
        self._score = score_for(dataset, score="bic")  # plain BIC, as in the label, for any number of variables
        self._truth = truth

    @validated
    def score(self, graph: PDAG) -> float:
        """Return the BIC of a DAG of the graph, in nats per row, or NaN."""
        extension = consistent_extension(graph)
        return self._score.network(extension.dag) / self._score.sample.n if extension.valid else math.nan

    @validated
    def curves(self, graphs: Sequence[PDAG | None]) -> tuple[Curve, ...]:
        """Return edges, score and, if the truth is known, SHD along graphs; NaN for missing graphs."""
        curves = [
            _curve("edges", "edges", graphs, lambda graph: graph.n_edges, ""),
            _curve("score", "BIC per row, nats", graphs, self.score, "max"),
        ]
        if self._truth is not None:
            curves.append(_curve("shd", "SHD to the truth", graphs, lambda graph: shd(graph, self._truth), "min"))
        return tuple(curves)


def truth_curves(graphs: Sequence[PDAG | None], truth: PDAG) -> tuple[Curve, ...]:
    """Count correct, missing, extra and differently directed edges along graphs; NaN for missing graphs.

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
def held_out_likelihoods(runs: Iterable[tuple[int, LearnResult]], rows: HeldOutRows) -> Iterator[tuple[int, float]]:
    """Yield the log-likelihood of held-out rows under the graphs of a sweep.

    Parameters
    ----------
    runs : iterable of (int, LearnResult)
        Runs on the other rows; runs on all rows have seen the held-out rows.
    rows : HeldOutRows
        Rows of columns of any type, possibly with missing values, from `data.resampling.held_out`.

    Yields
    ------
    (int, float)
        The position of the run, and nats per row; NaN if no DAG has the arrows of the graph.
    """
    for position, result in runs:
        valid = consistent_extension(result.graph).valid
        yield position, rows.log_likelihood(result.graph) if valid else math.nan


@validated
def held_out_curve(values: Sequence[float | None]) -> Curve:
    """Return the values of `held_out_likelihoods` as a curve; None is a value that is not known yet."""
    known = np.array([math.nan if value is None else float(value) for value in values])
    label, errors = "log-likelihood of held-out rows, nats per row", None
    if any(isinstance(value, RowwiseMean) for value in values) and not np.isnan(known).all():
        best = values[int(np.nanargmax(known))]
        errors = np.array([
            value.error_of_difference(best) if isinstance(value, RowwiseMean) and value.rows.shape == best.rows.shape
            else math.nan
            for value in values
        ]) if isinstance(best, RowwiseMean) else None  # fmt: skip
    return Curve("held_out", label, frozen(known), "max", None if errors is None else frozen(errors))


def _curve(name: str, label: str, graphs: Sequence[PDAG | None], of: Callable[[PDAG], float], best: str) -> Curve:
    known: dict[PDAG, float] = {}
    for graph in graphs:
        if graph is not None and graph not in known:
            known[graph] = float(of(graph))
    values = np.array([math.nan if graph is None else known[graph] for graph in graphs])
    return Curve(name, label, frozen(values), best)


def sparsest_position(curve: Curve, n_edges: Sequence[float]) -> int | None:
    """Return the position of the graph with the fewest edges within one standard error of the best value.

    Parameters
    ----------
    curve : Curve
    n_edges : sequence of k numbers
        NaN where unknown.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), Classification and regression trees, section 3.4.3.
    """
    best = curve.best_position()
    if best is None or curve.errors is None:
        return best
    edges = np.asarray(n_edges, dtype=np.float64)
    behind = np.abs(curve.values - curve.values[best])
    near = (behind <= curve.errors) & (edges <= edges[best])
    near[best] = True
    fewest = near & (edges == np.nanmin(np.where(near, edges, np.nan))) if np.isfinite(edges[best]) else near
    return min(np.flatnonzero(fewest).tolist(), key=lambda k: (behind[k], k))
