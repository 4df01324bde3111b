"""Parameters of learners: one declaration for the form, the checks and the documents."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..common.checks import check_choice, check_number, is_number
from ..common.errors import ParameterError
from ..common.validation import validated
from ..common.wording import shown_value
from .reference import defaults_of

if TYPE_CHECKING:
    from ..data.dataset import Kind


@dataclass(frozen=True)
class Preset:
    """A named group of settings of a learner.

    Attributes
    ----------
    label, help : str
        One or two words, and one sentence.
    fixed : mapping
        Parameters that the preset fixes, with their values.
    start : mapping
        Values that a form shows first, instead of the defaults.
    """

    label: str
    help: str
    fixed: Mapping[str, Any]
    start: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OrderConstraint:
    """A constraint on two numbers of a learner: the first is below the second, or equals it; None is not compared."""

    lower: str
    upper: str
    or_equal: bool = False

    def check(self, values: Mapping[str, Any]) -> None:
        """Raise ParameterError if the two numbers violate the constraint."""
        low, high = values.get(self.lower), values.get(self.upper)
        if low is None or high is None or low < high or (self.or_equal and low == high):
            return
        must = "be at most" if self.or_equal else "be below"
        raise ParameterError(f"{self.lower} must {must} {self.upper} = {high:g}, got {low!r}; lower it")


@dataclass(frozen=True)
class Parameter:
    """One setting of a learner; its type follows from its default, or from the suggested value.

    Attributes
    ----------
    name, label : str
        Keyword of the learner, and name on screen.
    help, up, down, source : str
        What it does, the effects of raising and of lowering it, and the source of the default.
    low, high : float
        Range of a number.
    open_ends : bool
        True if `low` and `high` themselves are refused.
    choices : tuple of str
        The words allowed.
    words : tuple of str
        Names of the choices on screen, in their order; empty if the choices are the names.
    optional : bool
        True if None ("no limit" or "automatic") is allowed.
    suggested : float or int
        If the default is None, for "automatic": the first value of a form, which also fixes the type.
    unit : str
    steps : tuple of float
        Values that a form offers if evenly spaced ones do not fit.
    switch : str
        Label of the switch for None, where None turns something off.
    kinds : tuple of Kind
        Kinds of data to which it applies.
    column : bool
        True for the name of a column; "" is the first column.
    by_columns : tuple of str
        Choices that make the result depend on the order of the columns; the help mentions this.
    only_if : (str, str or bool), optional
        Another parameter, and the value of it that this one needs to have an effect.
    former : str
        An earlier name that calls and files may still use; "" if there is none.
    amount : callable, optional
        ``amount(n, p)``: the number that None stands for, if any, with n rows and p variables.
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
    former: str = ""
    amount: Callable[[int, int], float] | None = None
    default: Any = None

    def counts(self, values: Mapping[str, Any]) -> bool:
        """Return True if the parameter has an effect with these values of other parameters."""
        return self.only_if is None or values.get(self.only_if[0], self.only_if[1]) == self.only_if[1]

    def word(self, choice: str | bool | None) -> str:
        """Return the name on screen of a choice, a switch or None."""
        if choice is None:
            if self.default is None:
                return "off" if self.switch else "automatic"
            return "no limit"
        if isinstance(choice, bool):
            return "on" if choice else "off"
        return self.words[self.choices.index(choice)] if self.words else choice

    @property
    def example(self) -> Any:
        """A value of its type: the default, or the suggested value where the default is None."""
        return self.suggested if self.default is None else self.default

    def checked(self, value: Any) -> Any:
        """Return `value` in the declared type.

        Raises
        ------
        ParameterError
            If it is of another type or out of range.
        """
        if value is None and self.optional:
            return None
        if self.choices:
            self.check(value)
            return value
        if self.column:
            return self._checked_type(value, str, "the name of a column")
        if isinstance(self.example, bool):
            return self._checked_type(value, bool, "True or False")
        if isinstance(self.example, int):
            self.check(self._checked_type(value, int, "a whole number"))
            return value
        self.check(self._checked_type(value, (int, float), "a number"))
        return float(value)

    def check(self, value: Any) -> None:
        """Raise ParameterError unless a value of the parameter's type is in its range, or one of its choices."""
        if self.choices:
            check_choice(self.name, value, self.choices)
        elif value is None or self.low == -math.inf:
            return
        elif type(value) in (int, float) and self.low < value < self.high < math.inf:
            return  # the usual case
        elif isinstance(self.low, int):
            if not is_number(value) or not self.low <= value <= self.high:
                words = f"a whole number from {self.low:,} to {self.high:,}"
                raise ParameterError(f"{self.name} must be {words}, got {shown_value(value)}")
        else:
            check_number(self.name, value, self.low, self.high, ends="()" if self.open_ends else "[]")

    def _checked_type(self, value: Any, types: type | tuple[type, ...], words: str) -> Any:
        if not isinstance(value, types) or (isinstance(value, bool) and types is not bool):
            words += " or None" if self.optional else ""
            raise ParameterError(f"{self.name} must be {words}, got {shown_value(value)}")
        return value


def parameters(settings: Sequence[Parameter], *orders: OrderConstraint) -> Callable[[Callable], Callable]:
    """Check each call of a learner against its settings, and record the values in the result.

    The signature of the decorated function gives a parameter its type and its default; the declaration gives its range
    or its choices. A call of the function is therefore checked like a call of `learn`. `learn` has already checked the
    values, so it calls the attribute `unchecked`, the undecorated function.

    Parameters
    ----------
    settings : sequence of Parameter
        Settings of the learner. The function may leave some to its test or its score.
    *orders : OrderConstraint
        Constraints between two of them.

    Raises
    ------
    ParameterError
        By the decorated function, if an argument is of another type or out of range.
    """

    def decorate(learner: Callable) -> Callable:
        signature = inspect.signature(learner)
        usual = defaults_of(learner)
        own = tuple(parameter for parameter in settings if parameter.name in usual)

        @functools.wraps(learner)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            call = signature.bind(*args, **kwargs)
            call.apply_defaults()
            values = {parameter.name: call.arguments[parameter.name] for parameter in own}
            for parameter in own:
                if values[parameter.name] is not usual[parameter.name]:  # defaults can belong to some kinds of data
                    parameter.check(values[parameter.name])
            for order in orders:
                order.check(values)
            return dataclasses.replace(learner(*args, **kwargs), params=values)

        checked = validated(recorded)
        checked.settings, checked.orders, checked.unchecked = own, orders, learner
        return checked

    return decorate
