"""Default values of a swept parameter: all choices, or numbers on a suitable scale."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from ..common.validation import Positive, validated
from ..settings.parameter import Parameter

MAX_VALUES, MAX_VALUES_OF_TWO = 60, 12
MIN_LEVEL, MAX_LEVEL = 1e-6, 0.5  # range of the values of significance levels and similar parameters
MAX_FACTOR = 100.0  # maximum ratio of a value to the default, up and down, on unbounded scales
SINGLE_STEPS = 12  # integers up to this number are not skipped


@validated
def sweep_values(parameter: Parameter, most: Positive = MAX_VALUES) -> tuple[Any, ...]:
    """Return the default values for a sweep of a parameter.

    Parameters
    ----------
    parameter : Parameter
    most : int, default 60
        Largest number of values of a number.

    Returns
    -------
    tuple
        All choices, both switch positions, or increasing numbers with the default among them. Significance levels and
        unbounded numbers have a logarithmic scale, other numbers an even one, unless the form offers certain values.
        None, for "no limit", comes last. Empty for the name of a column.
    """
    if parameter.column:
        return ()
    if parameter.choices:
        return parameter.choices
    if isinstance(parameter.example, bool):
        return (False, True)
    numbers = _whole(parameter, most) if isinstance(parameter.example, int) else _real(parameter, most)
    default = () if parameter.default is None else (parameter.default,)
    # Keep the default itself, not a rounded neighbour.
    kept = [value for value in numbers if _inside(parameter, value) and not any(map(partial(_alike, value), default))]
    return (*sorted({*kept, *default}), *((None,) if parameter.optional else ()))


def in_order(values: Iterable[Any], parameter: Parameter, n: int, p: int) -> tuple[Any, ...]:
    """Sort values in increasing order; None is placed at its number for n rows and p variables."""

    def sort_key(value: Any) -> tuple[float, bool]:
        if value is not None:
            return value, False
        return (math.inf if parameter.amount is None else parameter.amount(n, p)), True

    return tuple(sorted(values, key=sort_key))


def _inside(parameter: Parameter, value: float) -> bool:
    low, high = parameter.low, parameter.high
    return low < value < high if parameter.open_ends else low <= value <= high


def _alike(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9)


def _whole(parameter: Parameter, most: int) -> list[int]:
    low, example = int(parameter.low), int(parameter.example)
    high = int(min(parameter.high, max(MAX_FACTOR * max(example, 1), low + 1)))
    if parameter.high - low <= SINGLE_STEPS or example <= SINGLE_STEPS:
        return list(range(low, int(min(parameter.high, max(2 * example, low + SINGLE_STEPS))) + 1))
    return sorted({round(value) for value in np.geomspace(max(low, 1), high, most).tolist()})


def _real(parameter: Parameter, most: int) -> list[float]:
    if parameter.steps:
        return [float(value) for value in parameter.steps]
    low, high, example = parameter.low, parameter.high, parameter.example
    if parameter.open_ends and (low, high) == (0.0, 1.0):
        return _rounded(np.geomspace(MIN_LEVEL, MAX_LEVEL, most - 1))
    if high <= 1.0:
        inner = 1e-3 * (high - low) if parameter.open_ends else 0.0
        return _rounded(np.linspace(low + inner, high - inner, most - 1))
    middle = example if example > 0 else 1.0
    low, high = max(low, middle / MAX_FACTOR), min(high, middle * MAX_FACTOR)
    return _rounded(np.geomspace(low, high, most - 1))


def _rounded(values: np.ndarray) -> list[float]:
    """Round to four significant digits."""
    return [float(f"{value:.4g}") for value in values.tolist()]
