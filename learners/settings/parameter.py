"""Parameter: one setting of a learner, declared once for the form, the checks and the documents."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..common.checks import check_choice, check_number, shown_value
from ..common.errors import ParameterError

if TYPE_CHECKING:
    from ..data.dataset import Kind


@dataclass(frozen=True)
class Preset:
    """A way to use a learner, for those who would not set every parameter.

    Attributes
    ----------
    label, help : str
        A word or two, and one sentence.
    fixed : mapping
        Parameters that the preset settles, with their values.
    start : mapping
        Values that a form starts from instead of the defaults.
    """

    label: str
    help: str
    fixed: Mapping[str, Any]
    start: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OrderConstraint:
    """One number of a learner must be below another; None is not compared."""

    lower: str
    upper: str

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise ParameterError unless it is."""
        low, high = values.get(self.lower), values.get(self.upper)
        if low is not None and high is not None and not low < high:
            raise ParameterError(f"{self.lower} must be below {self.upper} = {high:g}, got {low!r}; lower it")


@dataclass(frozen=True)
class Parameter:
    """One setting of a learner. Its type follows from its default, or from what is suggested instead.

    Attributes
    ----------
    name, label : str
        Keyword of the learner, and name on screen.
    help, up, down, source : str
        What it does, what raising and lowering it does, and where the default comes from.
    low, high : float
        Range of a number.
    open_ends : bool
        Whether `low` and `high` themselves are refused.
    choices : tuple of str
        The words allowed, for a word.
    words : tuple of str
        What the choices are called on screen, in their order; empty if by themselves.
    optional : bool
        Whether None ("no limit") is allowed.
    suggested : float or int
        If the default is None, for "found by itself": the value a form starts from, which also fixes the type.
    unit : str
    steps : tuple of float
        Values a form offers, where even steps would not do.
    switch : str
        If None is allowed and is not the default: what is switched off by it, where that is no limit.
    kinds : tuple of Kind
        Kinds of data for which it means something.
    column : bool
        Whether it is the name of a column, "" for the first.
    by_columns : tuple of str
        Choices with which the order of the columns counts; its help says so.
    only_if : (str, str or bool), optional
        Another parameter, and its value without which this one is not looked at.
    amount : callable, optional
        ``amount(n, p)``: the number that None stands for, with n rows and p variables, where it stands for one.
    default : float, int, bool, str or None
        Never declared: `Learner.parameters` reads it from the signature of the function that takes the parameter.
    """

    name: str
    label: str
    help: str
    up: str
    down: str
    source: str
    low: float = -math.inf
    high: float = math.inf
    open_ends: bool = False
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    optional: bool = False
    suggested: float | int | None = None
    unit: str = ""
    steps: tuple[float, ...] = ()
    switch: str = ""
    kinds: tuple[Kind, ...] = ("categorical", "continuous", "mixed")
    column: bool = False
    by_columns: tuple[str, ...] = ()
    only_if: tuple[str, str | bool] | None = None
    amount: Callable[[int, int], float] | None = None
    default: Any = None

    def counts(self, values: Mapping[str, Any]) -> bool:
        """Whether it is looked at beside these values of other parameters."""
        return self.only_if is None or values.get(self.only_if[0], self.only_if[1]) == self.only_if[1]

    def word(self, choice: str | bool | None) -> str:
        """What a choice, a switch or no value is called on screen."""
        if choice is None:
            return "automatic" if self.default is None else "no limit"
        if isinstance(choice, bool):
            return "on" if choice else "off"
        return self.words[self.choices.index(choice)] if self.words else choice

    @property
    def example(self) -> Any:
        """A value of its type: the default, or what is suggested instead of none."""
        return self.suggested if self.default is None else self.default

    def checked(self, value: Any) -> Any:
        """`value` in the declared type.

        Raises
        ------
        ParameterError
            If it is not of the type or out of range.
        """
        if value is None and self.optional:
            return None
        if self.choices:
            check_choice(self.name, value, self.choices)
            return value
        if self.column:
            return self._checked_type(value, str, "the name of a column")
        if isinstance(self.example, bool):
            return self._checked_type(value, bool, "True or False")
        if isinstance(self.example, int):
            return self._checked_range(self._checked_type(value, int, "a whole number"))
        return float(self._checked_range(self._checked_type(value, (int, float), "a number")))

    def _checked_type(self, value: Any, types: type | tuple[type, ...], words: str) -> Any:
        if not isinstance(value, types) or (isinstance(value, bool) and types is not bool):
            words += " or None" if self.optional else ""
            raise ParameterError(f"{self.name} must be {words}, got {shown_value(value)}")
        return value

    def _checked_range(self, value: float) -> float:
        check_number(self.name, value, self.low, self.high, ends="()" if self.open_ends else "[]")
        return value
