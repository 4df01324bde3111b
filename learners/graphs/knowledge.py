"""Background knowledge: required and forbidden edges, and tiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..common.checks import MAX_INTEGER, as_pairs, check_type, is_number
from ..common.errors import ParameterError
from ..common.relabeling import ByPair
from ..common.validation import validated
from ..common.wording import quoted, shown_value
from .graph import PDAG


@dataclass(frozen=True)
class Knowledge:
    """Required and forbidden edges by name, and tiers.

    Attributes
    ----------
    required : tuple of (str, str)
        Edges a -> b that every result has.
    forbidden : tuple of (str, str)
        Directions a -> b that no result has; forbid both directions to forbid the edge.
    tiers : mapping of str to int
        No edge leads from a later tier to an earlier one. Variables without a tier are unrestricted.
    """

    required: tuple[tuple[str, str], ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    tiers: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("required", "forbidden"):
            edges = tuple(as_pairs(name, getattr(self, name)))
            for end in (end for edge in edges for end in edge):
                check_type(f"each end of {name} edges", end, str, "the name of a column")
            object.__setattr__(self, name, edges)
        check_type("tiers", self.tiers, Mapping, "a mapping from names of columns to whole numbers")
        for column, tier in self.tiers.items():
            check_type("each key of tiers", column, str, "the name of a column")
            if not is_number(tier) or not -MAX_INTEGER <= tier <= MAX_INTEGER:
                raise ParameterError(f"the tier of {quoted([column])} must be a number, got {shown_value(tier)}")

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.tiers)

    @validated
    def over(self, names: Sequence[str]) -> Knowledge:
        """Return the part of the knowledge that concerns only columns among `names`."""
        kept = set(names)
        required, forbidden = (
            tuple(edge for edge in edges if kept.issuperset(edge)) for edges in (self.required, self.forbidden)
        )
        return Knowledge(required, forbidden, {name: tier for name, tier in self.tiers.items() if name in kept})

    @validated
    def bind(self, names: Sequence[str]) -> BoundKnowledge:
        """Return the same knowledge by position.

        Raises
        ------
        ParameterError
            If a name is unknown, an edge is both required and ruled out, or the required edges form a cycle.
        """
        names = tuple(names)
        mentioned = [name for edge in (*self.required, *self.forbidden) for name in edge] + list(self.tiers)
        unknown = sorted({name for name in mentioned if name not in names})
        if unknown:
            raise ParameterError(f"knowledge must name columns of the data, found {quoted(unknown)}; remove them")
        required = _matrix(self.required, names, "required")
        forbidden = _matrix(self.forbidden, names, "forbidden")
        tier = np.array([self.tiers.get(name, np.nan) for name in names])
        later = tier[:, None] > tier[None, :]  # never True for NaN, the tier of unrestricted variables
        clash = np.argwhere(required & (forbidden | later))
        if len(clash):
            a, b = (names[k] for k in clash[0])
            a, b = (quoted([name]) for name in (a, b))
            raise ParameterError(f"edge {a} -> {b} is both required and forbidden; keep one of the two")
        if (required & required.T).any() or PDAG(required).has_directed_cycle():
            raise ParameterError("required edges must not form a cycle; remove one of them")
        return BoundKnowledge(required, forbidden | later)


@dataclass(frozen=True, eq=False)
class BoundKnowledge:
    """Knowledge about nodes: (p, p) bool arrays, entry [i, j] about i -> j.

    The arrays must not be changed: without knowledge they are one array, which saves memory with many variables.
    """

    required: ByPair
    excluded: ByPair

    @classmethod
    def none(cls, p: int) -> BoundKnowledge:
        """Return empty knowledge about p variables."""
        nothing = np.zeros((p, p), dtype=bool)
        return cls(nothing, nothing)

    @cached_property
    def apart(self) -> np.ndarray:
        """Pairs that must not be adjacent, because both directions are excluded. Symmetric."""
        return self.excluded & self.excluded.T if self.excluded.any() else self.excluded

    @cached_property
    def joined(self) -> np.ndarray:
        """Pairs that must be adjacent. Symmetric."""
        return self.required | self.required.T if self.required.any() else self.required

    @cached_property
    def directions(self) -> np.ndarray:
        """Directions that an edge must have if its pair is adjacent: required, or the reverse is excluded."""
        return self.required | (self.excluded.T & ~self.excluded) if self.excluded.any() else self.required


def bind(knowledge: Knowledge | None, names: Sequence[str]) -> BoundKnowledge:
    """Return the knowledge about the variables with these names, by position; no knowledge if it is None.

    Raises
    ------
    ParameterError
        See `Knowledge.bind`.
    """
    if knowledge is None:
        return BoundKnowledge.none(len(names))
    check_type("knowledge", knowledge, Knowledge, "a Knowledge or None")
    return knowledge.bind(names)


def _matrix(edges: Iterable[tuple[str, str]], names: tuple[str, ...], word: str) -> np.ndarray:
    amat = np.zeros((len(names), len(names)), dtype=bool)
    for a, b in edges:
        if a == b:
            raise ParameterError(f"a {word} edge must connect two variables, got {quoted([a])} twice; remove it")
        amat[names.index(a), names.index(b)] = True
    return amat
