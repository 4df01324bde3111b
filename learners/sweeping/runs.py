"""Runs of one learner on one data set that differ in some parameters, done in any order beside one another."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..common.checks import check_sequence, is_number
from ..common.errors import ParameterError
from ..common.progress import Tick
from ..common.wording import quoted, shown_value
from ..data.dataset import Dataset
from ..graphs.knowledge import Knowledge
from ..independence.memory import ALWAYS_VALID, Validity, same_rule
from ..kernels.ci.g2 import rows_suffice
from ..registry import learn_checked, learner_for
from ..results.result import LearnResult
from ..settings.learner import Learner
from ..settings.shared import ROWS_PER_CELL
from .shared_cache import SharedCache
from .values import MOST, in_order, sweep_values

PHASE = "values"
RULE = ROWS_PER_CELL.name


class _Done(NamedTuple):
    """A result, the values of the cut and the power rules that it holds for, and what limits must be above."""

    near: Validity
    widest: int
    result: LearnResult


@dataclass(frozen=True)
class Runs:
    """The runs of a sweep, checked.

    Attributes
    ----------
    learner, dataset
    values : tuple of tuples
        Of each parameter that differs.
    params : tuple of mappings
        All parameters of each run: every combination of the values, those of the last parameter next to one another.
    """

    learner: Learner
    dataset: Dataset
    values: tuple[tuple[Any, ...], ...]
    params: tuple[Mapping[str, Any], ...]

    @classmethod
    def checked(
        cls,
        key: str,
        dataset: Dataset,
        swept: Mapping[str, Sequence[Any] | None],
        seed: int,
        params: Mapping[str, Any],
        *,
        most: int = MOST,
    ) -> Runs:
        """All values, each checked beside the other parameters; at most `most` of a number whose values are None."""
        learner = learner_for(key, dataset, seed)
        known = {one.name: one for one in learner.parameters_for(dataset.kind)}
        for parameter in swept:
            if parameter not in known:
                raise ParameterError(
                    f"{key} has no parameter {shown_value(parameter)} for {dataset.kind} data to sweep; "
                    f"it has {quoted(list(known))}"
                )
            if parameter in params:
                raise ParameterError(f"{parameter} is swept, so it has no value beside; leave {parameter}= out")
        chosen = [
            default_values(learner, dataset, name, params, most) if values is None else _listed(name, values)
            for name, values in swept.items()
        ]
        points = [dict(zip(swept, each, strict=True)) for each in product(*chosen)]
        first = learner.checked(dataset.kind, {**params, **next(iter(points), {})})
        runs = tuple(learner.checked_at(dataset.kind, first, point) for point in points)
        values = tuple(
            tuple(known[name].checked(value) for value in own) for name, own in zip(swept, chosen, strict=True)
        )
        return cls(learner, dataset, values, runs)

    def run(
        self, order: Sequence[int], knowledge: Knowledge | None, tick: Tick, seed: int
    ) -> Iterator[tuple[int, LearnResult]]:
        """Each position with its result, in this order; ends early once the listener says so."""
        shared, done = SharedCache(), {}
        for number, position in enumerate(order):
            if not tick(PHASE, number, len(order)):
                return
            params = self.params[position]
            beside = done.setdefault(self._beside_cut(params), [])
            result = self._known(beside, params)
            if result is None:
                result = learn_checked(
                    self.learner,
                    self.dataset,
                    params,
                    knowledge=knowledge,
                    tick=tick,
                    seed=seed,
                    cache=shared,
                )
                if not result.complete:
                    return
                beside += self._reach(shared, params, result)
            yield position, result

    def _beside_cut(self, params: Mapping[str, Any]) -> tuple:
        """The values of the parameters that do more than decide: runs that differ in these have nothing in common."""
        deciding = (self.learner.cut, RULE, self.learner.limit)
        return tuple(sorted((name, repr(value)) for name, value in params.items() if name not in deciding))

    def _reach(self, shared: SharedCache, params: Mapping[str, Any], result: LearnResult) -> list[_Done]:
        """The values of what decides that have this run too, if that can be told."""
        memory, score, limit = shared.memory, shared.score, self.learner.limit
        if limit in params and score is not None and score.widest is not None:
            return [_Done(ALWAYS_VALID, score.widest, result)] if _above(params[limit], score.widest) else []
        if self.learner.cut not in params or memory is None or not memory.whole:
            return []
        return [_Done(memory.near, 0, result)]

    def _known(self, done: Sequence[_Done], params: Mapping[str, Any]) -> LearnResult | None:
        """The result for these parameters, if it follows from one that is there."""
        if not done:
            return None
        level = math.log(params[self.learner.cut]) if self.learner.cut in params else 0.0
        enough = partial(rows_suffice, self.dataset.n, params.get(RULE, 0.0))
        for near, widest, result in done:
            same = near[0] <= level < near[1] and same_rule(near, enough)
            if same and _above(params.get(self.learner.limit), widest):
                return self._as_at(result, params)
        return None

    def _as_at(self, result: LearnResult, params: Mapping[str, Any]) -> LearnResult:
        """The result of a run in which other values of what decides have decided the same."""
        cut, trace, extra = self.learner.cut, result.trace, result.extra
        if cut in params:
            trace = trace.held_against(result.params[cut], params[cut])
            extra = extra.at_level(params[cut]) if hasattr(extra, "at_level") else extra
        return dataclasses.replace(result, trace=trace, extra=extra, params=dict(params))


def _above(limit: int | None, n: int) -> bool:
    """Whether a limit on parents is above their number; None is no limit."""
    return limit is None or limit > n


def _listed(name: str, values: Sequence[Any]) -> list[Any]:
    """The values asked for, of which there must be some."""
    check_sequence("values", values)
    chosen = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if not chosen:
        raise ParameterError(f"a sweep of {name} needs at least one value, got none; pass some")
    return chosen


def default_values(
    learner: Learner, dataset: Dataset, parameter: str, params: Mapping[str, Any], most: int = MOST
) -> tuple[Any, ...]:
    """Those of `sweep_values` that go with the other parameters, in order."""
    (one,) = (one for one in learner.parameters_for(dataset.kind) if one.name == parameter)

    def fits(value: Any) -> bool:
        try:
            learner.checked(dataset.kind, {**params, parameter: value})
        except ParameterError:
            return False
        return True

    values = [value for value in sweep_values(one, most) if fits(value)]
    return in_order(values, one, dataset.n, dataset.p) if None in values else tuple(values)


def nearest_first(values: Sequence[Any], near: Any) -> list[int]:
    """Return positions, those next to the value `near` first and then ever farther; None is the first.

    A number that is not among the values stands for the nearest one that is.

    Raises
    ------
    ParameterError
        If `near` is neither one of the values nor a number beside numbers.
    """
    try:
        middle = 0 if near is None and near not in values else list(values).index(near)
    except Exception as error:  # whatever a foreign object says to being compared
        numbers = [k for k, value in enumerate(values) if is_number(value)]
        if not (numbers and is_number(near) and math.isfinite(near)):
            raise ParameterError(f"near must be one of the values, got {shown_value(near)}") from error
        middle = min(numbers, key=lambda k: abs(values[k] - near))
    return sorted(range(len(values)), key=lambda k: (abs(k - middle), k))
