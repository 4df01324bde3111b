"""Evidence: known and uncertain values of a case, checked against the network."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...common.arrays import as_numbers
from ...common.checks import as_text, is_number
from ...common.errors import DataError, ParameterError
from ...common.wording import did_you_mean, quoted, shown_value

States = tuple[tuple[str, ...], ...]  # names of the levels of each node; none for a numeric node
MAX_LISTED = 20  # maximum number of names that a message lists if there is no near miss


class ImpossibleEvidence(DataError):
    """The evidence has probability 0."""


@dataclass(frozen=True)
class Evidence:
    """Evidence by node.

    Attributes
    ----------
    known : dict of node to level or number
    likely : dict of node to (r,) float64 array
        Virtual evidence: the likelihood of an observation under each level; for a numeric node, a measured value and
        its variance.
    """

    known: dict[int, int | float]
    likely: dict[int, np.ndarray]

    def alone(self, j: int) -> Evidence:
        """Return the evidence of one node only."""
        return Evidence(*({j: part[j]} if j in part else {} for part in (self.known, self.likely)))

    def also(self, j: int, value: int | float) -> Evidence:
        """Return the evidence with one more known node."""
        return Evidence(self.known | {j: value}, {i: one for i, one in self.likely.items() if i != j})

    @property
    def nodes(self) -> list[int]:
        """Nodes with evidence, in ascending order."""
        return sorted({*self.known, *self.likely})


def checked_evidence(
    names: Sequence[str], states: States, evidence: Mapping | None, virtual: Mapping | None = None
) -> Evidence:
    """Return the evidence by node; None and NaN mean unknown.

    Raises
    ------
    ParameterError
        If a name or a level is unknown, a value has the wrong type, or a variable has known and virtual evidence.
    """
    place = {name: j for j, name in enumerate(names)}
    known = {
        node_index(place, name): value for name, value in _mapping("evidence", evidence).items() if not _missing(value)
    }
    likely = {node_index(place, name): value for name, value in _mapping("virtual", virtual).items()}
    both = sorted(set(known) & set(likely))
    if both:
        raise ParameterError(
            f"{quoted(names[j] for j in both)} must have evidence or virtual evidence, not both; name it once"
        )
    return Evidence(
        {j: checked_value(names[j], states[j], value) for j, value in known.items()},
        {j: _likelihoods(names[j], states[j], value) for j, value in likely.items()},
    )


def node_index(place: Mapping[str, int], name: object) -> int:
    """Return the index of a variable; raise ParameterError if the name is unknown."""
    if isinstance(name, str) and name in place:
        return place[name]
    words = did_you_mean(name, list(place))
    near = words if len(place) <= MAX_LISTED or words.startswith("; did") else "; look at network.names"
    raise ParameterError(f"{shown_value(name)} is not a variable of the network{near}")


def impossible_evidence(
    names: Sequence[str], states: States, evidence: Evidence, never: Sequence[int]
) -> ImpossibleEvidence:
    """Return the error for impossible evidence; `never` are nodes whose evidence alone is impossible."""
    if never:
        j = never[0]
        if j not in evidence.known or not states[j]:
            return ImpossibleEvidence(
                f"the evidence on {quoted([names[j]])} has probability 0 in this network; change it"
            )
        state = quoted([states[j][int(evidence.known[j])]])
        return ImpossibleEvidence(
            f"{quoted([names[j]])} is never {state} in this network, so nothing follows from it; choose another state"
        )
    known = quoted(names[j] for j in evidence.nodes)
    return ImpossibleEvidence(f"the evidence on {known} has probability 0 in this network; remove some of it")


def _mapping(what: str, given: Mapping | None) -> Mapping:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(f"{what} must map names of variables to what is known, got {shown_value(given)}")
    return given


def _missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in _MISSING_TYPES


_MISSING_TYPES = ("NAType", "NaTType")  # types of pandas' missing values


def checked_value(name: str, levels: tuple[str, ...], value: object) -> int | float:
    """Return the index of a level, or a finite number.

    A numeric column with missing values holds 1.0 where the level is "1".
    """
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
    """Return (r,) likelihoods, at least 0 and not all 0; for a numeric variable, the (2,) value and variance."""
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
            f"virtual evidence of {quoted([name])} must be {len(levels)} numbers, one per level, none negative and not "
            f"all 0; got {shown_value(value)}"
        )
    return found / found.max()
