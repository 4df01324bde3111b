"""LearnResult: the answer of any learner, with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, TypeVar

import numpy as np

from ..common.lazy_dataclass import LazyDataclass
from ..common.relabeling import ByPair, as_nodes, by_node, by_pair, relabeled
from ..common.validation import validated
from ..common.version import __version__
from ..data.plan.data_use import DataUse
from ..graphs.graph import PDAG
from ..graphs.sepsets import Sepsets
from .directions import Directions
from .information import Information
from .ranking import Ranking, Ranks
from .trace import Trace

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Strengths(LazyDataclass):
    """How strongly each pair is connected, with the number's meaning.

    Attributes
    ----------
    label : str
        What the number is, with its unit, e.g. "log10 of the largest p".
    values : (p, p) float64 array
        Symmetric, read-only; NaN where a pair was never judged.
    larger_is_stronger : bool
    limits : two (p, p) float64 arrays, or None
        Confidence limits of 95 %, where there are any.
    """

    label: str
    values: ByPair
    larger_is_stronger: bool
    limits: Annotated[tuple[np.ndarray, np.ndarray] | None, by_pair] = field(default_factory=lambda: None)


@dataclass(frozen=True, eq=False)
class DataSize:
    """How much data a run had.

    Attributes
    ----------
    n : int
    arity : (p,) integer array or None
        Levels of each variable; None of numbers.
    """

    n: int
    arity: Annotated[np.ndarray | None, by_node]


@validated
@dataclass(frozen=True, eq=False)
class LearnResult:
    """What `learn` returns, the same for every learner.

    Attributes
    ----------
    graph : PDAG
        The learnt graph, usually a CPDAG.
    names : tuple of str
        Variables, in the order of the graph's nodes.
    method : str
        Key of the learner in `LEARNERS`.
    kind : str
        Which kind of run this is: what `trace` and `extra` hold, and so what can be shown. A run cancelled early may be
        of a simpler kind than the learner's usual one.
    params : mapping
        Every parameter as used, defaults included; set by the decorator of the learner, and by `learn`.
    n_tests, n_scores : int
        Independence tests and local scores computed (cache hits do not count).
    seconds : float
        Wall-clock time.
    score : float or None
        Network score, where the learner has one; higher is better.
    sepsets : Sepsets
        One separating set for each pair that a test separated.
    strengths : Strengths
    trace : Trace
        Events in order; replaying all changes gives `graph`.
    warnings : tuple of str
        Sentences for the user.
    complete : bool
        False if the run was cancelled; graph and trace then hold what was finished.
    extra : object
        What only this learner has, in a type of its own.
    posterior : evaluation.posterior.Posterior or None
        Probabilities of edges, arrows, Markov blankets, v-structures and paths, of a learner that gives any.
    directions : Directions
        How sure each arrow of the graph is; judged when first asked. Empty where `learn` did not bind the data.
    rows : Rows or None
        Those that `learn` bound.
    rows_used : two int, or None
        The fewest and the most rows of a test, where cells are missing and each test uses the rows that it can.
    order : tuple of int
        The variables in the order in which the learner took them; empty where nobody says.
    use : DataUse or None
        How much of the data the run used; set by `learn`.
    information : Information
        Bits a row that two variables share; measured when asked, where `learn` bound the data.
    """

    graph: PDAG
    names: Annotated[tuple[str, ...], by_node]
    method: str
    kind: str
    params: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    n_tests: int
    n_scores: int
    seconds: float
    score: float | None
    sepsets: Sepsets
    strengths: Strengths
    trace: Trace
    warnings: tuple[str, ...] = ()
    complete: bool = True
    extra: Any = field(default=None)
    posterior: Any = None
    directions: Directions = field(default_factory=lambda: Directions(dict))
    rows: DataSize | None = None
    rows_used: tuple[int, int] | None = None
    order: Annotated[tuple[int, ...], as_nodes] = ()
    use: DataUse | None = None
    information: Information = field(default_factory=Information)


def as_learned(result: LearnResult, work: Callable[..., T], *others: Any) -> T:
    """``work(result, *others)`` with the variables in the order in which the learner took them, told in their own.

    What is worked out of a result later settles ties as the learner did.
    """
    order = np.array(result.order or range(len(result.names)))
    return relabeled(work(*relabeled((result, *others), np.argsort(order))), order)


def ranks_pairs(result: LearnResult) -> bool:
    """Whether the learner ranks pairs."""
    return isinstance(result.extra, Ranks)


def ranking_of(result: LearnResult) -> Ranking | None:
    """The pairs of a run in order; None of a learner that ranks none."""
    return result.extra.ranking(result.graph.skeleton) if ranks_pairs(result) else None


def metadata(result: LearnResult) -> dict[str, Any]:
    """What a file says beside the graph: learner, parameters, score, whether the run ended, arrows, ranked pairs."""
    ranking = ranking_of(result)
    return {
        "learner": result.method,
        "parameters": dict(result.params),
        "version": __version__,
        "score": result.score,
        "complete": result.complete,
        **({"data": {name: n for name, n in asdict(result.use).items() if n is not None}} if result.use else {}),
        **({"rows_of_a_test": list(result.rows_used)} if result.rows_used else {}),
        "warnings": list(result.warnings),
        "strengths": _told(result),
        "directions": [[i, j, told.support.value] for (i, j), told in sorted(result.directions.items())],
        **({"ranking": ranking.told()} if ranking else {}),
    }


def _told(result: LearnResult) -> dict[str, Any]:
    """The strength of each edge by position, with its limits of 95 % where it has any; None where it has none."""
    strengths, edges = result.strengths, sorted({(min(edge), max(edge)) for edge in result.graph.edges()})
    numbers = {"value": strengths.values} | dict(zip(("from", "to"), strengths.limits or (), strict=False))
    rows = [{name: _finite(values[i, j]) for name, values in numbers.items()} for i, j in edges]
    return {
        "measure": strengths.label,
        "edges": [
            {"pair": list(pair), **row, "bits_per_row": _finite(result.information(*pair))}
            for pair, row in zip(edges, rows, strict=True)
        ],
    }


def _finite(value: float) -> float | None:
    """What JSON can hold."""
    return float(value) if np.isfinite(value) else None
