"""Registry of data-quality checks.

A check is a function that takes an `Inspection` and returns findings. It registers itself under a name, and
`check_health` runs all checks in the order of `ORDER`, in which their findings are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..plan.plan import ColumnPlan
    from .finding import Finding

# Checks of the texts of cells: their fixes change how cells are read, and so which other findings apply.
OF_TEXTS = (
    "possible_missing",
    "doubtful_missing",
    "nearly_numbers",
    "beside_digits",
    "missing_codes",
    "possible_codes",
    "amounts",
    "thousands",
    "dates",
    "number_pairs",
    "spellings",
    "multiple_answers",
)
OF_TABLE = (
    "orientation",
    "sum_scores",
    "unusable_columns",
    "weights",
    "suggested_weights",
    "wide_levels",
    "constant_numbers",
    "counters",
    "keys",
    "groups",
    "repeated_measures",
    "duplicate_numbers",
    "linear_dependence",
    "constant_levels",
    "identifiers",
    "many_levels",
    "small_counts",
    "duplicate_levels",
    "determined",
    "weights_of_rows",
    "skewness",
    "repeated_rows",
    "mostly_empty",
    "joint_rows",
    "absent_combinations",
    "not_asked",
    "dependent_missingness",
    "serial_dependence",
    "sample_size",
    "missing_cells",
)
AT_THE_END = ("ignored_columns", "import_notes")
ORDER = (*OF_TEXTS, *OF_TABLE, *AT_THE_END)

Inspection = Any  # `inspection.Inspection`, which imports this module


@dataclass(frozen=True)
class Check:
    """A registered check.

    Attributes
    ----------
    name : str
    find : callable
        Returns the findings of an `Inspection`.
    replaces : callable
        Returns True for a finding of another check that a finding of this check already explains.
    """

    name: str
    find: Callable[[Inspection], tuple[Finding, ...]]
    replaces: Callable[[Inspection, Finding], bool]


_CHECKS: dict[str, Check] = {}
_COLUMN_CHECKS: list[Callable[[Inspection, ColumnPlan], Finding | None]] = []


def check(
    name: str, *, needs_rows: bool = False, replaces: Callable[[Inspection, Finding], bool] = lambda *_: False
) -> Callable:
    """Register the decorated function as a check of the whole table.

    Parameters
    ----------
    name : str
        A name in `ORDER`.
    needs_rows : bool, default False
        Skip the check where the plan leaves no row or no usable column.
    replaces : callable, optional
        Returns True for findings that those of this check explain; they are dropped. See `Check`.
    """

    def register(find: Callable[[Inspection], Iterable[Finding]]) -> Callable[[Inspection], Iterable[Finding]]:
        def find_if_possible(inspection: Inspection) -> tuple[Finding, ...]:
            return () if needs_rows and inspection.dataset is None else tuple(find(inspection))

        if name not in ORDER or name in _CHECKS:
            raise ValueError(name)
        _CHECKS[name] = Check(name, find_if_possible, replaces)
        return find

    return register


def column_check(find: Callable[[Inspection, ColumnPlan], Finding | None]) -> Callable:
    """Register the decorated function as a check of single columns; it returns a blocker, or None."""
    _COLUMN_CHECKS.append(find)
    return find


@cache
def checks() -> dict[str, Check]:
    """Return all checks by name, in the order of `ORDER`."""
    package = __name__.rpartition(".")[0]
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
    return {name: _CHECKS[name] for name in ORDER}


def column_checks() -> Iterable[Callable[[Inspection, ColumnPlan], Finding | None]]:
    """Return the checks of single columns in the order of their registration."""
    checks()
    return tuple(_COLUMN_CHECKS)
