"""Which values of a parameter are worth a look: all choices, or numbers on the scale that suits them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from ..common.checks import check_count
from ..common.validation import validated
from ..settings.parameter import Parameter

MOST, MOST_OF_TWO = 60, 12
LEAST_LEVEL, MOST_LEVEL = 1e-6, 0.5  # of significance, and of whatever is told like it
FAR = 100.0  # times the default, up and down, where nothing ends a scale
WHOLE_ONES = 12  # whole numbers that are taken one by one


@validated
def sweep_values(parameter: Parameter, most: int = MOST) -> tuple[Any, ...]:
    """Values to sweep a parameter over.

    Parameters
    ----------
    parameter : Parameter
    most : int, default 60
        Of a number.

    Returns
    -------
    tuple
        All choices, both answers, or rising numbers, the default among them: levels of significance and whatever has no
        upper end on a logarithmic scale, else evenly; what a form offers where it offers some. None, for "no limit",
        comes last. Empty for the name of a column.
    """
    check_count("most", most, 1)
    if parameter.column:
        return ()
    if parameter.choices:
        return parameter.choices
    if isinstance(parameter.example, bool):
        return (False, True)
    numbers = _whole(parameter, most) if isinstance(parameter.example, int) else _real(parameter, most)
    default = () if parameter.default is None else (parameter.default,)
    # The default itself, not a neighbour that rounding has made of it.
    kept = [value for value in numbers if _inside(parameter, value) and not any(map(partial(_alike, value), default))]
    return (*sorted({*kept, *default}), *((None,) if parameter.optional else ()))


def in_order(values: Iterable[Any], parameter: Parameter, n: int, p: int) -> tuple[Any, ...]:
    """Values with numbers rising, and None among them where it stands for a number, with n rows and p variables."""

    def place(value: Any) -> tuple[float, bool]:
        if value is not None:
            return value, False
        return (math.inf if parameter.amount is None else parameter.amount(n, p)), True

    return tuple(sorted(values, key=place))


def _inside(parameter: Parameter, value: float) -> bool:
    low, high = parameter.low, parameter.high
    return low < value < high if parameter.open_ends else low <= value <= high


def _alike(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9)


def _whole(parameter: Parameter, most: int) -> list[int]:
    low, example = int(parameter.low), int(parameter.example)
    high = int(min(parameter.high, max(FAR * max(example, 1), low + 1)))
    if parameter.high - low <= WHOLE_ONES or example <= WHOLE_ONES:
        return list(range(low, int(min(parameter.high, max(2 * example, low + WHOLE_ONES))) + 1))
    return sorted({round(value) for value in np.geomspace(max(low, 1), high, most).tolist()})


def _real(parameter: Parameter, most: int) -> list[float]:
    if parameter.steps:
        return [float(value) for value in parameter.steps]
    low, high, example = parameter.low, parameter.high, parameter.example
    if parameter.open_ends and (low, high) == (0.0, 1.0):
        return _rounded(np.geomspace(LEAST_LEVEL, MOST_LEVEL, most - 1))
    if high <= 1.0:
        inner = 1e-3 * (high - low) if parameter.open_ends else 0.0
        return _rounded(np.linspace(low + inner, high - inner, most - 1))
    middle = example if example > 0 else 1.0
    low, high = max(low, middle / FAR), min(high, middle * FAR)
    return _rounded(np.geomspace(low, high, most - 1))


def _rounded(values: np.ndarray) -> list[float]:
    """Numbers that a person could have typed."""
    return [float(f"{value:.4g}") for value in values.tolist()]
