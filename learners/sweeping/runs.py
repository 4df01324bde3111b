"""Runs of one learner on one data set that differ in some parameters, in any order, with a shared cache."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..common.checks import check_sequence, is_number
from ..common.errors import ParameterError
from ..common.progress import Tick
from ..common.wording import shown_value
from ..data.dataset import Dataset
from ..graphs.knowledge import Knowledge
from ..independence.ci_cache import ALWAYS_VALID, Validity, rule_of, same_rule
from ..registry import learn_checked, learner_for
from ..results.result import LearnResult
from ..settings.column_types import check_name
from ..settings.learner import Learner
from ..settings.shared import ROWS_PER_CELL
from .shared_cache import SharedCache
from .values import MAX_VALUES, in_order, sweep_values

PHASE = "values"
RULE = ROWS_PER_CELL.name


class _Done(NamedTuple):
    """A result, with the cuts and power rules for which it holds, and the number that a limit must exceed."""

    near: Validity
    widest: int
    result: LearnResult


@dataclass(frozen=True)
class Runs:
    """The checked runs of a sweep.

    Attributes
    ----------
    learner, dataset
    values : tuple of tuples
        The values of each swept parameter.
    params : tuple of mappings
        All parameters of each run: each combination of the values; the last parameter varies fastest.
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
        params: Mapping[str, Any],
        *,
        most: int = MAX_VALUES,
    ) -> Runs:
        """Check all values with the other parameters; None is replaced by at most `most` default values."""
        learner = learner_for(key, dataset)
        swept, params = learner.with_present_names(swept), learner.with_present_names(params)
        known = {one.name: one for one in learner.parameters_for(dataset.kind)}
        for parameter in swept:
            check_name(key, parameter, known, learner.settings, dataset.kind)
            if parameter in params:
                raise ParameterError(
                    f"{parameter} is swept, so it cannot have a value of its own; leave {parameter}= out"
                )
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
        """Yield each position with its result, in this order; end early if the listener returns False."""
        shared, done = SharedCache(), {}
        for number, position in enumerate(order):
            if not tick(PHASE, number, len(order)):
                return
            params = self.params[position]
            similar = done.setdefault(self._other_values(params), [])
            result = self._known(similar, params)
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
                similar += self._range_of(shared, params, result)
            yield position, result

    def _other_values(self, params: Mapping[str, Any]) -> tuple:
        """Return the values of all parameters except cut, power rule and limit, in which runs must agree."""
        deciding = (self.learner.cut, RULE, self.learner.limit)
        return tuple(sorted((name, repr(value)) for name, value in params.items() if name not in deciding))

    def _range_of(self, shared: SharedCache, params: Mapping[str, Any], result: LearnResult) -> list[_Done]:
        """Return the range of cuts, power rules or limits with the same run, if it is known."""
        memory, score, limit = shared.memory, shared.score, self.learner.limit
        if limit in params and score is not None and score.widest is not None:
            return [_Done(ALWAYS_VALID, score.widest, result)] if _above(params[limit], score.widest) else []
        if self.learner.cut not in params or memory is None or not memory.whole:
            return []
        return [_Done(memory.near, 0, result)]

    def _known(self, done: Sequence[_Done], params: Mapping[str, Any]) -> LearnResult | None:
        """Return the result for these parameters if it follows from an earlier one; else None."""
        if not done:
            return None
        level = math.log(params[self.learner.cut]) if self.learner.cut in params else 0.0
        enough = rule_of(self.dataset.n, params.get(RULE, 0.0))
        for near, widest, result in done:
            is_same = near[0] <= level < near[1] and same_rule(near, enough)
            if is_same and _above(params.get(self.learner.limit), widest):
                return self._as_at(result, params)
        return None

    def _as_at(self, result: LearnResult, params: Mapping[str, Any]) -> LearnResult:
        """Return the result with another cut, power rule or limit that made the same decisions."""
        cut, trace, extra = self.learner.cut, result.trace, result.extra
        if cut in params:
            trace = trace.held_against(result.params[cut], params[cut])
            extra = extra.at_level(params[cut]) if hasattr(extra, "at_level") else extra
        return dataclasses.replace(result, trace=trace, extra=extra, params=self.learner.recorded(params, self.dataset))


def _above(limit: int | None, n: int) -> bool:
    """Return True if a limit on parents exceeds the number of possible parents; None means no limit."""
    return limit is None or limit > n


def _listed(name: str, values: Sequence[Any]) -> list[Any]:
    """Return the values as a list; raise ParameterError if there are none."""
    check_sequence("values", values)
    chosen = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if not chosen:
        raise ParameterError(f"a sweep of {name} needs at least one value, got none; pass some")
    return chosen


def default_values(
    learner: Learner, dataset: Dataset, parameter: str, params: Mapping[str, Any], most: int = MAX_VALUES
) -> tuple[Any, ...]:
    """Return the values of `sweep_values` that fit the other parameters, in order."""
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
    """Return positions by their distance from the value `near`, or from the first value if it is None.

    A number that is not among the values stands for the nearest of them.

    Raises
    ------
    ParameterError
        If `near` is not one of the values, and it or one of them is not a number.
    """
    try:
        middle = 0 if near is None and near not in values else list(values).index(near)
    except Exception as error:  # comparing a user's objects may raise any exception
        numbers = [k for k, value in enumerate(values) if is_number(value)]
        if not (numbers and is_number(near) and math.isfinite(near)):
            raise ParameterError(f"near must be one of the values, got {shown_value(near)}") from error
        middle = min(numbers, key=lambda k: abs(values[k] - near))
    return sorted(range(len(values)), key=lambda k: (abs(k - middle), k))
