"""The parameters of a run, as their labels and values on screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from learners.data.dataset import Dataset
from learners.registry import LEARNERS
from learners.results.result import LearnResult
from learners.settings.learner import Learner
from learners.settings.parameter import Parameter

from ..report.of_method import shown


def parameter_of(learner: Learner, name: str, values: Sequence[Any], dataset: Dataset | None) -> Parameter:
    """Return the declaration of a parameter; if each column type has its own, the one that allows the values."""
    asked = [one for one in learner.parameters if one.name == name]
    fits = [one for one in asked if not one.choices or {*values} <= {*one.choices, None}]
    return next((one for one in fits if dataset is None or dataset.kind in one.kinds), asked[0])


def parameter_texts(result: LearnResult, dataset: Dataset | None) -> list[tuple[str, str]]:
    """Return label and value of each parameter of a run."""
    learner = LEARNERS[result.method]
    found = ((parameter_of(learner, name, (value,), dataset), value) for name, value in result.params.items())
    return [(one.label, shown(one, value)) for one, value in found]
