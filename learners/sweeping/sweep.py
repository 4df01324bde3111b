"""A learner run at many values of one of its parameters, what the runs have in common worked out once."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..common.arrays import frozen
from ..common.checks import check_sequence, quoted, shown_value
from ..common.errors import ParameterError
from ..common.memory import PAIR, allow
from ..common.progress import Tick, silent
from ..data.dataset import Dataset
from ..graphs.knowledge import Knowledge
from ..registry import learn_checked, learner_for
from ..results.result import LearnResult
from ..settings.learner import Learner
from ..settings.sharing import Shared
from .values import sweep_values

PHASE = "values"


@dataclass(frozen=True, eq=False)
class Sweep:
    """Results along the values of a parameter.

    Attributes
    ----------
    key, parameter : str
        The learner, and the parameter that differs.
    values : tuple
    results : tuple of LearnResult or None
        One for each value, in their order, as `learn` gives it for that value alone; None where a cancelled sweep has
        not come.
    """

    key: str
    parameter: str
    values: tuple[Any, ...]
    results: tuple[LearnResult | None, ...]

    @property
    def complete(self) -> bool:
        """Whether no value is missing."""
        return None not in self.results

    def __len__(self) -> int:
        return len(self.values)


def sweep(
    key: str,
    dataset: Dataset,
    parameter: str,
    values: Sequence[Any] | None = None,
    *,
    near: Any = None,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: int = 0,
    **params: Any,
) -> Sweep:
    """Run a learner at each of some values of a parameter.

    Parameters
    ----------
    key, dataset, knowledge, seed, **params
        As for `learn`; `params` are those that stay.
    parameter : str
        The one that differs: a number, a choice or a switch.
    values : sequence, optional
        In any order, also repeated. Default: see `sweep_values`.
    near : value, optional
        Values near this one are done first. Default: the first.
    tick : Tick, optional
        Listener; once it returns False the sweep ends with the values done so far.

    Returns
    -------
    Sweep

    Raises
    ------
    ParameterError
        If the learner, a value or another parameter is wrong; before anything is run.
    DataError
        If the learner cannot take the data, or so many results would take too much memory: see `swept` then.

    Notes
    -----
    Each result is that of a run by itself, to the last digit, with its own trace, evidence and counts. Done once are:
    what tests and scores make of the data, G² of the same variables given the same set, the requests of CImap, the
    trees of B-RAI, the resamples of the bootstrap, the elimination of LMM; and PC itself between two values of alpha
    with no p in between.

    Examples
    --------
    >>> from learners import load_sample, sweep
    >>> asia = load_sample("asia").dataset
    >>> [result.graph.n_edges for result in sweep("pc", asia, "alpha", [0.001, 0.01, 0.05]).results]
    [5, 5, 5]
    """
    given = _Runs.checked(key, dataset, parameter, values, seed, params)
    each = f"{len(given.values):,} results of {dataset.p:,} columns"
    allow(PAIR * float(dataset.p) ** 2 * len(given.values), each, "sweep fewer values")
    results: list[LearnResult | None] = [None] * len(given.values)
    for position, result in given.run(knowledge, tick or silent, seed, near):
        results[position] = result
    return Sweep(key, parameter, given.values, tuple(results))


def swept(
    key: str,
    dataset: Dataset,
    parameter: str,
    values: Sequence[Any] | None = None,
    *,
    near: Any = None,
    knowledge: Knowledge | None = None,
    tick: Tick | None = None,
    seed: int = 0,
    **params: Any,
) -> Iterator[tuple[int, LearnResult]]:
    """The results of `sweep` one by one, each with the position of its value, those nearest to `near` first.

    For whoever wants them as they come, or cannot keep them all. What is wrong is raised before the first is asked for.
    """
    given = _Runs.checked(key, dataset, parameter, values, seed, params)
    return given.run(knowledge, tick or silent, seed, near)


class _Done(NamedTuple):
    """A result that holds for all values with a logarithm of at least `low` and below `high`."""

    low: float
    high: float
    result: LearnResult


@dataclass(frozen=True)
class _Runs:
    """The runs of a sweep, checked."""

    learner: Learner
    dataset: Dataset
    parameter: str
    values: tuple[Any, ...]
    checked_params: tuple[Mapping[str, Any], ...]

    @classmethod
    def checked(
        cls,
        key: str,
        dataset: Dataset,
        parameter: str,
        values: Sequence[Any] | None,
        seed: int,
        params: Mapping[str, Any],
    ) -> _Runs:
        """All values, each checked beside the other parameters."""
        learner = learner_for(key, dataset, seed)
        known = {one.name: one for one in learner.parameters_for(dataset.kind)}
        if parameter not in known:
            raise ParameterError(
                f"{key} has no parameter {shown_value(parameter)} for {dataset.kind} data to sweep; "
                f"it has {quoted(list(known))}"
            )
        if parameter in params:
            raise ParameterError(f"{parameter} is swept, so it has no value beside; leave {parameter}= out")
        if values is None:
            values = default_values(learner, dataset, parameter, params)
        check_sequence("values", values)
        chosen = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if not chosen:
            raise ParameterError(f"a sweep of {parameter} needs at least one value, got none; pass some")
        runs = tuple(learner.checked(dataset.kind, {**params, parameter: value}) for value in chosen)
        return cls(learner, dataset, parameter, tuple(run[parameter] for run in runs), runs)

    def run(self, knowledge: Knowledge | None, tick: Tick, seed: int, near: Any) -> Iterator[tuple[int, LearnResult]]:
        """Each position with its result, the nearest first; ends early once the listener says so."""
        shared, done = Shared(), []
        for number, position in enumerate(nearest_first(self.values, near)):
            if not tick(PHASE, number, len(self.values)):
                return
            params = self.checked_params[position]
            result = self._known(done, params)
            if result is None:
                result = learn_checked(
                    self.learner,
                    self.dataset,
                    params,
                    knowledge=knowledge,
                    tick=tick,
                    seed=seed,
                    sharing=shared,
                )
                if not result.complete:
                    return
                done += self._reach(shared, params, result)
            yield position, result

    def _reach(self, shared: Shared, params: Mapping[str, Any], result: LearnResult) -> list[_Done]:
        """The values that have this run too, if that can be told."""
        memory = shared.memory
        if self.learner.cut != self.parameter or memory is None or not memory.whole:
            return []
        return [_Done(*memory.gap(params[self.parameter]), result)]

    def _known(self, done: list[_Done], params: Mapping[str, Any]) -> LearnResult | None:
        """The result for these parameters, if it follows from one that is there."""
        if not done:
            return None
        value = params[self.parameter]
        same = next((one.result for one in done if one.low <= math.log(value) < one.high), None)
        return same and _at_cut(same, self.parameter, value)


def _at_cut(result: LearnResult, parameter: str, value: float) -> LearnResult:
    """The result of a run in which another value of the cut has decided the same."""
    before, threshold = result.params[parameter], result.trace.threshold
    trace = dataclasses.replace(result.trace, threshold=frozen(np.where(threshold == before, value, threshold)))
    return dataclasses.replace(result, trace=trace, params={**result.params, parameter: value})


def default_values(learner: Learner, dataset: Dataset, parameter: str, params: Mapping[str, Any]) -> tuple[Any, ...]:
    """Those of `sweep_values` that go with the other parameters."""
    (one,) = (one for one in learner.parameters_for(dataset.kind) if one.name == parameter)

    def fits(value: Any) -> bool:
        try:
            learner.checked(dataset.kind, {**params, parameter: value})
        except ParameterError:
            return False
        return True

    return tuple(value for value in sweep_values(one) if fits(value))


def nearest_first(values: Sequence[Any], near: Any) -> list[int]:
    """Positions, those next to the value `near` first and then ever farther; from the first if it is not there."""
    middle = next((k for k, value in enumerate(values) if value == near), 0)
    return sorted(range(len(values)), key=lambda k: (abs(k - middle), k))
