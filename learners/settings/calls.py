"""Call the function of a learner with the tests and scores that it needs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any

from ..common.step_cache import Once, uncached
from ..data.dataset import Dataset
from ..results.result import LearnResult
from .reference import defaults_of


class NoCache:
    """Default without a cache; `sweeping.shared_cache.SharedCache` reuses results of other runs.

    Attributes
    ----------
    once : Once
        ``once(key, compute)`` computes a step of the learner.
    """

    once: Once = staticmethod(uncached)

    def bound(self, need: Callable[..., Any], dataset: Dataset, own: dict[str, Any], context: dict[str, Any]) -> Any:
        """Return an input of a learner: `need` called with its own settings and its context."""
        return need(dataset, **own, **context)


def the_data(dataset: Dataset) -> Dataset:
    """Return the data set itself, for learners that need no test or score."""
    return dataset


def call(
    function: Callable[..., Any],
    needs: tuple[Callable[..., Any], ...],
    dataset: Dataset,
    settings: Mapping[str, Any],
    context: Mapping[str, Any],
    cache: NoCache | None = None,
) -> Any:
    """Return ``function(*needs, **settings)``, with the warnings of its test and the rows that its needs used.

    Parameters
    ----------
    function : callable
    needs : tuple of callable
        Each is called with the data set and the settings that its signature names.
    dataset : Dataset
    settings : mapping
        All of them; the function takes those that no need takes.
    context : mapping
        Knowledge, listener and seed, passed to the callables whose signatures name them.
    cache : NoCache, optional
        Shared with other runs on the data.
    """
    cache, left = cache or NoCache(), dict(settings)
    given, taken = [], {}
    for need in needs:
        own = {name: left.pop(name) for name in defaults_of(need) if name in left}
        given.append(cache.bound(need, dataset, own, _known(need, context)))
        taken |= own
    context = {**context, "once": partial(_once, cache, (id(dataset), *sorted(taken.items())))}
    answer = function(*given, **left, **_known(function, context))
    return _with_notes(answer, given) if isinstance(answer, LearnResult) else answer


def _once(cache: NoCache, bound: Hashable, key: Hashable, compute: Callable[[], Any]) -> Any:
    """Return a step of a function whose needs were bound with these settings."""
    return cache.once((bound, key), compute)


def _with_notes(result: LearnResult, needs: list[Any]) -> LearnResult:
    """Add the warnings of the tests and the numbers of rows that they, or the scores, used."""
    rows = next((need.rows_used for need in needs if getattr(need, "rows_used", None)), result.rows_used)
    warnings = tuple(warning for need in needs for warning in getattr(need, "warnings", ()))
    if not warnings and rows == result.rows_used:
        return result
    return dataclasses.replace(result, rows_used=rows, warnings=(*result.warnings, *warnings))


def _known(function: Callable[..., Any], context: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in context.items() if name in defaults_of(function)}
