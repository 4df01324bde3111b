"""Support of arrow directions, and the triples that they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial
from typing import Annotated

import numpy as np

from ..common.relabeling import as_nodes, relabeled

Arrow = tuple[int, int]
STRONG_EVIDENCE = 3.0  # ln of a Bayes factor of 20: strong evidence (Kass and Raftery 1995, section 3.2)
# Maximum number of steps of strong support; longer chains are correct no more often than weak premises, see the
# benchmark "directions".
MAX_SURE_STEPS = 1
# Minimum posterior probability of the edge, or share of resamples with it. Such arrows between adjacent variables
# were right in 95 % (bootstrap of GES) and 94 % (order MCMC) of the cases; bootstrap arrows from .75 to .95 in 77 %.
SURE_SHARE = 0.95


class Support(Enum):
    """Support of a direction; the value is a word for tables and files."""

    CLEAR = "clear"  # strong evidence by a short derivation
    WEAK = "weak"
    CONTESTED = "contested"  # strong evidence against the direction, or for the reverse
    KNOWN = "known"  # from background knowledge
    DETERMINED = "no direction"  # one of the two determines the other
    NOT_JUDGED = "not judged"
    UNTOLD = "not judged"  # name of this member in runs stored before 1.1

    @property
    def is_doubtful(self) -> bool:
        """True if the arrow is drawn as uncertain."""
        return self in (Support.WEAK, Support.CONTESTED)


@dataclass(frozen=True)
class Premise:
    """Reading of an unshielded triple i - k - j.

    Attributes
    ----------
    i, k, j : int
    collider : bool
        True for i -> k <- j; otherwise k is a non-collider.
    evidence : float
        ln of the Bayes factor of this reading against the other.
    """

    i: int
    k: int
    j: int
    collider: bool
    evidence: float

    def relabeled(self, new: np.ndarray) -> Premise:
        """Relabel the triple and sort its ends; see `common.relabeling`."""
        i, j = sorted((int(new[self.i]), int(new[self.j])))
        return Premise(i, int(new[self.k]), j, self.collider, self.evidence)


@dataclass(frozen=True)
class Direction:
    """Support of the direction of one arrow.

    Attributes
    ----------
    support : Support
    premise : Premise, optional
        Weakest triple that the direction rests on.
    steps : int
        Length of the derivation: 0 if the arrow is part of a v-structure.
    share : float, optional
        Share of the resamples with this edge, or of its posterior probability, that has this direction.
    is_refused_otherwise : bool
        True if a v-structure with the reversed arrow was found and rejected.
    edge : float, optional
        ln of the odds for the edge itself, against none. A direction is supported no more strongly than its edge.
    edge_share : float, optional
        Share of the resamples with this edge, or its posterior probability.
    near_differ : bool
        BOSS only: True if classes with nearly the best score give the edge different directions, so that the direction
        is at most weakly supported.
    of_probability : bool
        True if the shares are those of a posterior probability, not of resamples.
    left_out : str
        Name of a column that is no variable, and because of which a direction is weakly supported instead of strongly:
        it could replace a variable on which the direction rests. Empty if there is none.
    follows_from : tuple of int
        Tail and head of an arrow from which the direction follows, and because of which it is weakly supported instead
        of strongly. Empty if there is none.
    """

    support: Support
    premise: Premise | None = None
    steps: int = 0
    share: float | None = None
    is_refused_otherwise: bool = False
    edge: float | None = None
    edge_share: float | None = None
    near_differ: bool = False
    of_probability: bool = False
    left_out: str = ""
    follows_from: Annotated[tuple[int, ...], as_nodes] = ()

    @property
    def is_of_resamples(self) -> bool:
        """True if the support is the stability of the direction in resamples."""
        return self.share is not None and not self.of_probability

    @property
    def edge_is_weak(self) -> bool:
        """True if the evidence for the edge itself is weak or against it."""
        if self.edge_share is not None:
            return self.edge_share < SURE_SHARE
        return self.edge is not None and self.edge <= STRONG_EVIDENCE


class Directions(Mapping):
    """Read-only mapping from the arrows (i, j) of a graph to `Direction`, computed at the first access.

    Parameters
    ----------
    judge : callable, optional
        Returns the directions. Default: there are none.
    """

    def __init__(self, judge: Callable[[], Mapping[Arrow, Direction]] = dict) -> None:
        self._judge = judge

    @cached_property
    def _judged(self) -> Mapping[Arrow, Direction]:
        return self._judge()

    @property
    def known(self) -> dict[Arrow, Direction]:
        """Return the directions if they were computed, otherwise an empty mapping."""
        return dict(vars(self).get("_judged", {}))

    def relabeled(self, new: np.ndarray) -> Directions:
        """Relabel the arrows; see `common.relabeling`."""
        return Directions(
            lambda: {as_nodes(arrow, new): relabeled(direction, new) for arrow, direction in self.items()}
        )

    def __reduce__(self) -> tuple:
        """Compute the directions before pickling, so that the data need not be pickled."""
        return Directions, (partial(dict, self._judged),)

    def __getitem__(self, arrow: Arrow) -> Direction:
        return self._judged[arrow]

    def __iter__(self) -> Iterator[Arrow]:
        return iter(self._judged)

    def __len__(self) -> int:
        return len(self._judged)
