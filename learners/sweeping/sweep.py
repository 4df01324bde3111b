"""Sweeps of one or two parameters of a learner, with common steps computed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..common.errors import ParameterError
from ..common.memory import PAIR_BYTES, check_memory
from ..common.other_programs import NotebookDisplay
from ..common.progress import Tick, silent
from ..common.validation import Seed, validated
from ..common.wording import shown_value
from ..data.dataset import Dataset
from ..graphs.knowledge import Knowledge
from ..results.result import LearnResult
from .runs import Runs, nearest_first
from .values import MAX_VALUES_OF_TWO


@dataclass(frozen=True, eq=False)
class Sweep(NotebookDisplay):
    """Results along the values of a parameter. A notebook displays them as a slider.

    Attributes
    ----------
    key, parameter : str
        The learner, and the swept parameter.
    values : tuple
    results : tuple of LearnResult or None
        One for each value, in order, equal to that of `learn` at the value; None if a cancelled sweep did not reach it.
    """

    key: str
    parameter: str
    values: tuple[Any, ...]
    results: tuple[LearnResult | None, ...]

    @property
    def complete(self) -> bool:
        """True if no result is missing."""
        return None not in self.results

    def __len__(self) -> int:
        return len(self.values)


@validated
def sweep(
    key: str,
    dataset: Dataset,
    parameter: str,
    values: Sequence[Any] | None = None,
    *,
    near: Any = None,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: Seed = 0,
    **params: Any,
) -> Sweep:
    """Run a learner at each of some values of a parameter.

    Parameters
    ----------
    key, dataset, knowledge, seed, **params
        As for `learn`; `params` are the fixed parameters.
    parameter : str
        The swept parameter: a number, a choice or a switch.
    values : sequence, optional
        In any order, possibly repeated. Default: see `sweep_values`.
    near : value, optional
        Values near this one come first. Default: the first value.
    tick : Tick, optional
        Progress listener. If it returns False, the sweep ends with the values done so far.

    Returns
    -------
    Sweep

    Raises
    ------
    ParameterError
        If the learner, a value or another parameter is wrong; raised before the first run.
    DataError
        If the learner cannot take the data, or the results would take too much memory; use `swept` then.

    Notes
    -----
    Each result equals that of an independent run to the last digit, with its own trace, evidence and counts. These
    parts are computed once: the data structures of tests and scores; G² of the same variables given the same set; fits
    of families at all penalties; the tests of PATH, pHGS, CImap, PC-MI and ARACNE if the parameter matters only after
    them; the clusters of pPC; the trees of B-RAI; the resamples of the bootstrap; the elimination of LMM; whole runs of
    PC, pPC and PC-MI between two values of alpha with no p-value in between, and between two of rows_per_cell that
    allow the same tests; and greedy searches in which no node reaches max_parents.

    Examples
    --------
    >>> from learners import load_sample, sweep
    >>> asia = load_sample("asia").dataset
    >>> [result.graph.n_edges for result in sweep("pc", asia, "alpha", [0.001, 0.01, 0.05]).results]
    [5, 5, 5]
    """
    given = Runs.checked(key, dataset, {parameter: values}, params)
    (values,) = given.values
    found = _all(given, dataset, given.run(nearest_first(values, near), knowledge, tick or silent, seed))
    return Sweep(key, parameter, values, tuple(found))


@validated
def swept(
    key: str,
    dataset: Dataset,
    parameter: str,
    values: Sequence[Any] | None = None,
    *,
    near: Any = None,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: Seed = 0,
    **params: Any,
) -> Iterator[tuple[int, LearnResult]]:
    """Yield the results of `sweep` with the positions of their values, those nearest to `near` first.

    Errors are raised before the first result is requested.
    """
    given = Runs.checked(key, dataset, {parameter: values}, params)
    return given.run(nearest_first(given.values[0], near), knowledge, tick or silent, seed)


@dataclass(frozen=True, eq=False)
class SweepOfTwo:
    """Results along the values of two parameters.

    Attributes
    ----------
    key : str
        The learner.
    parameters : two str
    values : two tuples
        The values of each parameter.
    results : tuple of tuple of LearnResult or None
        ``results[a][b]`` belongs to value a of the first and b of the second parameter; None if a cancelled sweep did
        not reach it.
    """

    key: str
    parameters: tuple[str, str]
    values: tuple[tuple[Any, ...], tuple[Any, ...]]
    results: tuple[tuple[LearnResult | None, ...], ...]

    @property
    def complete(self) -> bool:
        """True if no result is missing."""
        return all(None not in row for row in self.results)


@validated
def sweep_two(
    key: str,
    dataset: Dataset,
    first: str,
    second: str,
    first_values: Sequence[Any] | None = None,
    second_values: Sequence[Any] | None = None,
    *,
    near: tuple[Any, Any] | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: Seed = 0,
    **params: Any,
) -> SweepOfTwo:
    """Run a learner at each pair of values of two parameters.

    Parameters
    ----------
    key, dataset, knowledge, tick, seed, **params
        As for `sweep`.
    first, second : str
        Two different parameters.
    first_values, second_values : sequence, optional
        Default: about a dozen values of each, see `sweep_values`.
    near : pair of values, optional
        Pairs near this one come first.

    Returns
    -------
    SweepOfTwo

    Raises
    ------
    ParameterError
        As `sweep`, also if two values do not fit each other.
    DataError
        As `sweep`.

    Examples
    --------
    >>> from learners import load_sample, sweep_two
    >>> asia = load_sample("asia").dataset
    >>> rows = sweep_two("pc", asia, "alpha", "max_cond_size", [0.01, 0.05], [0, 1, 2]).results
    >>> [[result.graph.n_edges for result in row] for row in rows]
    [[17, 8, 5], [18, 8, 5]]
    """
    given = _of_two(key, dataset, first, second, first_values, second_values, params)
    runs = given.run(_nearest_of_two(given.values, near), knowledge, tick or silent, seed)
    found, width = _all(given, dataset, runs), len(given.values[1])
    rows = tuple(tuple(found[begin : begin + width]) for begin in range(0, len(found), width))
    return SweepOfTwo(key, (first, second), given.values, rows)


def swept_two(
    key: str,
    dataset: Dataset,
    first: str,
    second: str,
    first_values: Sequence[Any] | None = None,
    second_values: Sequence[Any] | None = None,
    *,
    near: tuple[Any, Any] | None = None,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: Seed = 0,
    **params: Any,
) -> Iterator[tuple[int, LearnResult]]:
    """Yield the results of `sweep_two` as `swept` does; positions 0, 1, … run row by row."""
    given = _of_two(key, dataset, first, second, first_values, second_values, params)
    return given.run(_nearest_of_two(given.values, near), knowledge, tick or silent, seed)


def _of_two(
    key: str,
    dataset: Dataset,
    first: str,
    second: str,
    first_values: Sequence[Any] | None,
    second_values: Sequence[Any] | None,
    params: Mapping[str, Any],
) -> Runs:
    if first == second:
        raise ParameterError(f"a sweep of two needs two parameters, got {shown_value(first)} twice; name another one")
    swept = {first: first_values, second: second_values}
    return Runs.checked(key, dataset, swept, params, most=MAX_VALUES_OF_TWO)


def _nearest_of_two(values: tuple[tuple[Any, ...], ...], near: tuple[Any, Any] | None) -> list[int]:
    """Return positions, numbered row by row, in growing squares around a pair of values."""
    near_a, near_b = (nearest_first(own, one) for own, one in zip(values, near or (None, None), strict=True))
    ranks = {(a, b): (max(m, n), m, n) for m, a in enumerate(near_a) for n, b in enumerate(near_b)}
    return [a * len(values[1]) + b for a, b in sorted(ranks, key=ranks.__getitem__)]


def _all(given: Runs, dataset: Dataset, runs: Iterator[tuple[int, LearnResult]]) -> list[LearnResult | None]:
    """Return the results in the order of the runs, None for missing ones; raise DataError if there are too many."""
    each = f"{len(given.params):,} results of {dataset.p:,} columns"
    check_memory(PAIR_BYTES * float(dataset.p) ** 2 * len(given.params), each, "sweep fewer values")
    results: list[LearnResult | None] = [None] * len(given.params)
    for position, result in runs:
        results[position] = result
    return results
