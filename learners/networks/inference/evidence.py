"""Evidence: what is known of a case, checked by name, level and value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...common.arrays import as_numbers
from ...common.checks import as_text, is_number
from ...common.errors import DataError, ParameterError
from ...common.wording import did_you_mean, quoted, shown_value

States = tuple[tuple[str, ...], ...]  # by node: names of its levels, none of a number
MAX_LISTED = 20  # names that a message may spell out where none is near


class ImpossibleEvidence(DataError):
    """Evidence of probability zero."""


@dataclass(frozen=True)
class Evidence:
    """What is known of a case.

    Attributes
    ----------
    known : dict of node to level or number
    likely : dict of node to (r,) float64 array
        Virtual evidence: of each level how likely an observation is that was made of it. Of a number what was measured,
        and the variance of the measurement.
    """

    known: dict[int, int | float]
    likely: dict[int, np.ndarray]

    def alone(self, j: int) -> Evidence:
        """What is known of one node."""
        return Evidence(*({j: part[j]} if j in part else {} for part in (self.known, self.likely)))

    def also(self, j: int, value: int | float) -> Evidence:
        """The same with one node known."""
        return Evidence(self.known | {j: value}, {i: one for i, one in self.likely.items() if i != j})

    @property
    def nodes(self) -> list[int]:
        """Of which something is known, ascending."""
        return sorted({*self.known, *self.likely})


def checked_evidence(
    names: Sequence[str], states: States, evidence: Mapping | None, virtual: Mapping | None = None
) -> Evidence:
    """The evidence by node; cells that are None or NaN are not known.

    Raises
    ------
    ParameterError
        If a name or a level is unknown, a value is of the wrong kind, or a variable is named twice.
    """
    place = {name: j for j, name in enumerate(names)}
    known = {
        node_index(place, name): value for name, value in _mapping("evidence", evidence).items() if not _missing(value)
    }
    likely = {node_index(place, name): value for name, value in _mapping("virtual", virtual).items()}
    both = sorted(set(known) & set(likely))
    if both:
        raise ParameterError(f"{quoted(names[j] for j in both)} must be known or likely, not both; name it once")
    return Evidence(
        {j: checked_value(names[j], states[j], value) for j, value in known.items()},
        {j: _likelihoods(names[j], states[j], value) for j, value in likely.items()},
    )


def node_index(place: Mapping[str, int], name: object) -> int:
    """Position of a variable; ParameterError if there is none of this name."""
    if isinstance(name, str) and name in place:
        return place[name]
    words = did_you_mean(name, list(place))
    near = words if len(place) <= MAX_LISTED or words.startswith("; did") else "; look at network.names"
    raise ParameterError(f"{shown_value(name)} is no variable of the network{near}")


def impossible_evidence(
    names: Sequence[str], states: States, evidence: Evidence, never: Sequence[int]
) -> ImpossibleEvidence:
    """The error for evidence of probability zero; `never` are nodes whose evidence alone has it already."""
    if never:
        j = never[0]
        known = j in evidence.known and bool(states[j])
        state = quoted([states[j][int(evidence.known[j])]]) if known else "as it was said"
        return ImpossibleEvidence(
            f"{quoted([names[j]])} is never {state} in this network, so nothing follows from it; choose another state"
        )
    known = quoted(names[j] for j in evidence.nodes)
    return ImpossibleEvidence(f"what is said of {known} never comes together (probability 0); take one of these back")


def _mapping(what: str, given: Mapping | None) -> Mapping:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(f"{what} must map names of variables to what is known, got {shown_value(given)}")
    return given


def _missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in _MISSING_TYPES


_MISSING_TYPES = ("NAType", "NaTType")  # what pandas puts where a cell is missing


def checked_value(name: str, levels: tuple[str, ...], value: object) -> int | float:
    """Position of a level, or a finite number. A column with holes has 1.0 where the level is called 1."""
    if levels:
        text = value if isinstance(value, str) else as_text("a level", value)
        if text not in levels and isinstance(value, (float, np.floating)):
            text = text.removesuffix(".0")
        if text not in levels:
            raise ParameterError(f"{quoted([name])} has no level {shown_value(value)}{did_you_mean(text, levels)}")
        return levels.index(text)
    number = value.item() if isinstance(value, np.generic) else value
    if not is_number(number) or not math.isfinite(number):
        raise ParameterError(f"{quoted([name])} must be given a finite number, got {shown_value(value)}")
    return float(number)


def _likelihoods(name: str, levels: tuple[str, ...], value: object) -> np.ndarray:
    """(r,) at least 0 and one above; of a number the (2,) value and variance of a measurement."""
    found = as_numbers(f"virtual evidence of {quoted([name])}", value)
    if not levels:
        if found.shape != (2,) or not np.isfinite(found).all() or not found[1] > 0:
            raise ParameterError(
                f"virtual evidence of {quoted([name])} must be a value and its variance above 0, got "
                f"{shown_value(value)}"
            )
        return found
    if found.shape != (len(levels),) or not np.isfinite(found).all() or (found < 0).any() or not found.any():
        raise ParameterError(
            f"virtual evidence of {quoted([name])} must be {len(levels)} numbers of at least 0, one a level and not "
            f"all 0, got {shown_value(value)}"
        )
    return found / found.max()
