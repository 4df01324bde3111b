"""The reason why a setting does not apply to a column type."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from ..common.errors import ParameterError
from ..common.wording import did_you_mean, shown_value

if TYPE_CHECKING:
    from ..data.dataset import Kind
    from .parameter import Parameter


def why_not(kinds: Collection[Kind], kind: Kind) -> str:
    """Return the reason why a setting for these kinds of data does not apply to another kind.

    Examples
    --------
    >>> why_not(["categorical"], "continuous")
    'it is for levels, which numbers do not have'
    """
    if kind == "categorical":
        return "it is for numbers, which categorical data do not have"
    if "categorical" in kinds:
        return "it is for levels, which numbers do not have"
    if kind == "mixed":
        return "it is for numbers alone, and mixed data have categories, too"
    return "it is for numbers with categories, and continuous data have no categories"


def check_name(learner: str, name: str, known: Collection[str], settings: Sequence[Parameter], kind: Kind) -> None:
    """Raise ParameterError unless a parameter is known; `settings` are those for all kinds of data."""
    if name in known:
        return
    kinds = {one for setting in settings if setting.name == name for one in setting.kinds}
    because = f", because {why_not(kinds, kind)}" if kinds else ""
    near = did_you_mean(name, [*known])
    raise ParameterError(f"{learner} has no parameter {shown_value(name)} for {kind} data{because}{near}")


def check_choice_of_kind(parameter: Parameter, value: Any, settings: Sequence[Parameter], kind: Kind) -> None:
    """Raise ParameterError if a value is a choice of a parameter for other kinds of data only."""
    if not isinstance(value, str) or value in parameter.choices:
        return
    kinds = {
        one for other in settings if other.name == parameter.name and value in other.choices for one in other.kinds
    }
    if kinds:
        near = did_you_mean(value, parameter.choices)
        raise ParameterError(
            f"{parameter.name} {value!r} does not apply to {kind} data, because {why_not(kinds, kind)}{near}"
        )
