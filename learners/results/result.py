"""LearnResult: the result of every learner, with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, TypeVar

import numpy as np

from ..common.lazy_dataclass import LazyDataclass
from ..common.other_programs import GraphExports, NotebookDisplay
from ..common.relabeling import ByPair, as_nodes, by_node, by_pair, relabeled
from ..common.run_warning import warning_records
from ..common.validation import validated
from ..common.version import __version__
from ..data.determination import DeterminedGroup, undirected_pairs
from ..data.plan.data_use import DataUse
from ..graphs.graph import PDAG
from ..graphs.knowledge import BoundKnowledge
from ..graphs.sepsets import Sepsets
from .completed_cells import CompletedCells
from .directions import Directions
from .information import Information
from .ranking import Ranking, Ranks
from .trace import Trace

T = TypeVar("T")
LOSS = "score lost without the edge"  # label of the strengths of searches by score


@dataclass(frozen=True, eq=False)
class Strengths(LazyDataclass):
    """Strength of each pair, with the meaning of its number.

    Attributes
    ----------
    label : str
        Name of the number with its unit, e.g. "log10 of the largest p".
    values : (p, p) float64 array
        Symmetric, read-only; NaN where a pair was never judged.
    larger_is_stronger : bool
    limits : two (p, p) float64 arrays, or None
        95 % confidence limits, if available.
    """

    label: str
    values: ByPair
    larger_is_stronger: bool
    limits: Annotated[tuple[np.ndarray, np.ndarray] | None, by_pair] = field(default_factory=lambda: None)


@dataclass(frozen=True, eq=False)
class DataSize:
    """Amount of data of a run.

    Attributes
    ----------
    n : int
        Number of rows.
    arity : (p,) integer array or None
        Number of levels of each variable; None unless all are categorical.
    kind : str
        "categorical", "continuous" or "mixed"; empty in runs stored before it was recorded.
    ordered : (p,) bool array or None
        The variables whose levels have an order that the tests used; None if there are none.
    """

    n: int
    arity: Annotated[np.ndarray | None, by_node]
    kind: str = ""
    ordered: Annotated[np.ndarray | None, by_node] = None


@validated
@dataclass(frozen=True, eq=False)
class LearnResult(GraphExports, NotebookDisplay):
    """Result of `learn`, in the same form for every learner. A notebook displays it as its replay.

    Attributes
    ----------
    graph : PDAG
        The learned graph, usually a CPDAG.
    names : tuple of str
        Variables, in the order of the graph's nodes.
    method : str
        Key of the learner in `LEARNERS`.
    kind : str
        Kind of the run, which determines the contents of `trace` and `extra`. A run that was cancelled early may have a
        simpler kind than usual for the learner.
    params : mapping
        Every parameter as used, defaults included; set by the decorator of the learner, and by `learn`.
    n_tests, n_scores : int
        Independence tests and local scores computed (cache hits do not count).
    seconds : float
        Wall-clock time.
    score : float or None
        Network score if the learner uses one; higher is better.
    sepsets : Sepsets
        One separating set for each pair that a test separated.
    strengths : Strengths
    trace : Trace
        Events in order; replaying all changes gives `graph`.
    warnings : tuple of RunWarning
        Warnings for the user; plain texts in runs stored by earlier versions.
    complete : bool
        False if the run was cancelled; graph and trace then contain the finished part.
    extra : object
        Evidence that only this learner has, in its own type.
    posterior : evaluation.posterior.Posterior or None
        Probabilities of edges, arrows, Markov blankets, v-structures and paths, if the learner returns any.
    directions : Directions
        Support of each arrow, computed on demand. Empty if `learn` did not bind the data.
    rows : DataSize or None
        Size of the data that `learn` bound.
    rows_used : two int, or None
        Minimum and maximum number of rows of a test, if cells are missing and each test uses its complete rows.
    order : tuple of int
        Variables in the order in which the learner took them; empty if unknown.
    use : DataUse or None
        Share of the data that the run used; set by `learn`.
    information : Information
        Mutual information of pairs in bits per row, computed on demand if `learn` bound the data.
    determined : tuple of DeterminedGroup
        Columns that others (nearly) determine, such as copies and sums; set by `learn`.
    completed : CompletedCells or None
        Completion of the missing cells; None if none was missing, or no test or score needed them.
    excluded : (p, p) bool array, or None
        For a search by score: entry [i, j] is True if background knowledge excludes i -> j. None if it excludes
        nothing.
    knowledge : BoundKnowledge or None
        Background knowledge of the run, by position; set by `learn`. None without any.
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
    directions: Directions = field(default_factory=Directions)
    rows: DataSize | None = None
    rows_used: tuple[int, int] | None = None
    order: Annotated[tuple[int, ...], as_nodes] = ()
    use: DataUse | None = None
    information: Information = field(default_factory=Information)
    determined: tuple[DeterminedGroup, ...] = ()
    completed: CompletedCells | None = None
    excluded: Annotated[np.ndarray | None, by_pair] = None
    knowledge: BoundKnowledge | None = None

    @property
    def undirected_pairs(self) -> frozenset[tuple[int, int]]:
        """The pairs i < j that have no direction, because one of the two determines the other."""
        return undirected_pairs(self.determined)

    def excludes(self, i: int, j: int) -> bool:
        """Return True if background knowledge excludes i -> j."""
        known = self.knowledge
        if known is not None and (known.excluded[i, j] or known.required[j, i]):
            return True
        return self.excluded is not None and bool(self.excluded[i, j])


def as_learned(result: LearnResult, work: Callable[..., T], *others: Any) -> T:
    """Return ``work(result, *others)``, computed in the learner's order of the variables and relabeled back.

    The computation then breaks ties in the same order as the learner.
    """
    order = np.array(result.order or range(len(result.names)))
    return relabeled(work(*relabeled((result, *others), np.argsort(order))), order)


def follows_curves(result: LearnResult) -> bool:
    """Return True if all tests and scores of a run follow curved relations of numbers, by basis functions."""
    return {result.params[name] for name in ("test", "score") if name in result.params} == {"basis"}


def judging_score(result: LearnResult, kind: str | None = None) -> str:
    """Return the score that judges directions, which may differ from that of the run: "bdeu", "basis" or "bic".

    `kind` is that of the columns, by default as recorded in the result.
    """
    if (result.rows.kind if kind is None else kind) == "categorical":
        return "bdeu"
    return "basis" if follows_curves(result) else "bic"


def ranks_pairs(result: LearnResult) -> bool:
    """Return True if the learner ranks pairs."""
    return isinstance(result.extra, Ranks)


def ranking_of(result: LearnResult) -> Ranking | None:
    """Return the ranking of the pairs of a run; None if the learner ranks none."""
    return result.extra.ranking(result.graph.skeleton) if ranks_pairs(result) else None


def metadata(result: LearnResult, columns: Mapping[str, np.ndarray] | None = None) -> dict[str, Any]:
    """Return the contents of an exported file besides the graph: learner, parameters, score, completeness and others.

    `columns` are further (p, p) numbers of the edges by name; each edge has the numbers of both directions of arrays
    that are not symmetric.
    """
    ranking = ranking_of(result)
    return {
        "learner": result.method,
        "parameters": dict(result.params),
        "version": __version__,
        "score": result.score,
        "complete": result.complete,
        **({"data": {name: n for name, n in asdict(result.use).items() if n is not None}} if result.use else {}),
        **({"completed": _completed(result.completed)} if result.completed else {}),
        **({"rows_of_a_test": list(result.rows_used)} if result.rows_used else {}),
        "warnings": list(result.warnings),
        "warning_records": warning_records(result.warnings),
        "strengths": _strengths(result, columns or {}),
        "directions": [[i, j, direction.support.value] for (i, j), direction in sorted(result.directions.items())],
        **({"determined": [asdict(group) for group in result.determined]} if result.determined else {}),
        **({"ranking": ranking.to_dict()} if ranking else {}),
    }


def _completed(completed: CompletedCells) -> dict[str, Any]:
    return {"share": completed.share, "tables": completed.tables, "seed": completed.seed}


def _strengths(result: LearnResult, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Return the strength of each edge by position, with its 95 % limits if it has any; None if it has none."""
    forward = {name: values for name, values in columns.items() if np.array_equal(values, values.T, equal_nan=True)}
    forward |= {f"{name}{way}": one for name, values in columns.items() if name not in forward
                for way, one in (("_forward", values), ("_backward", values.T))}  # fmt: skip
    strengths, edges = result.strengths, sorted({(min(edge), max(edge)) for edge in result.graph.edges()})
    numbers = {"value": strengths.values} | dict(zip(("from", "to"), strengths.limits or (), strict=False))
    numbers |= forward
    rows = [{name: _finite(values[i, j]) for name, values in numbers.items()} for i, j in edges]
    return {
        "measure": strengths.label,
        "edges": [
            {"pair": list(pair), **row, "bits_per_row": _finite(result.information(*pair))}
            for pair, row in zip(edges, rows, strict=True)
        ],
    }


def _finite(value: float) -> float | None:
    """Return the value, or None if it has no JSON representation."""
    return float(value) if np.isfinite(value) else None
