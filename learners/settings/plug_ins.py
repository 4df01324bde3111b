"""Learners of other installed packages, which announce them under the entry point `edgewise.learners`."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Collection, Iterator
from functools import wraps
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ..common.errors import LearnersError
from .learner import EVERY_KIND, Learner
from .reference import Reference

GROUP = "edgewise.learners"
FAMILIES = ("constraint-based", "score-based", "hybrid")


def plug_ins(taken: Collection[str]) -> dict[str, Learner]:
    """Return the learners of installed packages by key.

    A package that cannot be imported, or declares its learner wrongly, only causes a warning that names the package.
    Errors in a run of its learner are raised as `LearnersError`, which also names the package.

    Parameters
    ----------
    taken : collection of str
        Keys of the existing learners.
    """
    found: dict[str, Learner] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            for learner in _loaded(point):
                _check(learner, {*taken, *found})
                found[learner.key] = _guarded(learner, _package(point))
        except Exception as error:  # noqa: BLE001  (foreign code may raise any exception)
            warnings.warn(
                f"the learner {point.name!r} of the package {_package(point)!r} is left out: {error}. Update or "
                "uninstall the package",
                stacklevel=2,
            )
    return found


def _loaded(point: EntryPoint) -> Iterator[object]:
    loaded = point.load()
    yield from loaded if isinstance(loaded, (list, tuple)) else (loaded,)


def _check(learner: object, taken: Collection[str]) -> None:
    """Raise a TypeError or ValueError if a declaration is invalid."""
    if not isinstance(learner, Learner):
        raise TypeError(f"its entry point must give a Learner, or a list of them, got {type(learner).__name__}")
    if not learner.key.isidentifier():
        raise ValueError(f"its key must be letters, digits and underscores, got {learner.key!r}")
    if learner.key in taken:
        raise ValueError(f"there is a learner with the key {learner.key!r} already")
    if learner.family not in FAMILIES:
        raise ValueError(f"its family must be one of {', '.join(FAMILIES)}, got {learner.family!r}")
    if not learner.kinds or not set(learner.kinds) <= set(EVERY_KIND):
        raise ValueError(f"its kinds must be some of {', '.join(EVERY_KIND)}, got {learner.kinds!r}")
    learner.parameters  # noqa: B018  (raises unless each setting has one default)


def _guarded(learner: Learner, package: str) -> Learner:
    """Return the learner with its errors converted to `LearnersError`, and with estimate 0 if the estimate fails."""
    name = f"the learner {learner.key!r} of the package {package!r}"

    @wraps(learner.function)
    def function(*args: Any, **settings: Any) -> Any:
        try:
            result = learner.function(*args, **settings)
        except LearnersError:
            raise
        except Exception as error:  # foreign code may raise any exception
            raise LearnersError(
                f"{name} failed with {type(error).__name__}: {error}. Report it to its author"
            ) from error
        _check_result(result, name)
        return result

    @wraps(learner.cost)
    def cost(*args: Any, **settings: Any) -> float:
        try:
            return float(learner.cost(*args, **settings))
        except Exception as error:  # noqa: BLE001  (foreign code may raise any exception)
            warnings.warn(f"the estimate of {name} failed with {type(error).__name__}: {error}", stacklevel=2)
            return 0.0

    of_library = isinstance(learner.function, Reference)
    return dataclasses.replace(learner, function=learner.function if of_library else function, cost=cost)


def _check_result(result: object, name: str) -> None:
    from ..results.result import LearnResult  # the run has already imported this module

    if not isinstance(result, LearnResult):
        raise LearnersError(f"{name} must return a LearnResult, got {type(result).__name__}. Report it to its author")


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module
