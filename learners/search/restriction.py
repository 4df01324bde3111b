"""A search for a skeleton that another learner goes on from, and its v-structures."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import copy
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from ..common.progress import Tick
from ..common.stages import Once
from ..graphs.graph import PDAG
from ..graphs.sepsets import Sepsets
from ..independence import CITest
from ..results.trace import TraceBuilder
from .orientation import ranked_v_structures
from .skeleton import PairEvidence, SkeletonSearch
from .v_structures import tested_v_structures

T = TypeVar("T", bound=SkeletonSearch)


class SkeletonFinder(Protocol):
    """A search for a skeleton, told by a trace that either draws it or draws nothing."""

    kind: str  # of a result that holds nothing but this search
    kind: str  # of a result that has nothing but its evidence
    ci_test: CITest
    trace: TraceBuilder

    @property
    def graph(self) -> PDAG:
        """The skeleton so far, as a trace that draws has drawn it."""

    @property
    def sepsets(self) -> Sepsets:
        """The separating sets found."""

    @property
    def evidence(self) -> PairEvidence:
        """The hardest test of every pair."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences for the user."""


@dataclass(frozen=True, eq=False)
class Restriction:
    """A search for a skeleton, how to run it, and how to find its v-structures.

    Attributes
    ----------
    search : SkeletonFinder
    run : callable
        ``run(tick)`` does the tests.
    v_structures : callable
        ``v_structures(tick) -> (m, 3) triples i, k, j``, once they are done. Both raise Stopped if cancelled.
    """

    search: SkeletonFinder
    run: Callable[[Tick], None]
    v_structures: Callable[[Tick], np.ndarray]


def by_middles(search: SkeletonFinder, alpha: float, limit: int | None, tick: Tick) -> np.ndarray:
    """v-structures by equation (B.2) of Huang and Zhou (2022): dependent given every set with the middle."""
    skeleton, known = search.graph.skeleton, (search.sepsets, search.evidence)
    return tested_v_structures(search.ci_test, skeleton, *known, alpha, limit, search.trace, tick)


def by_sepsets(search: SkeletonSearch, _tick: Tick) -> np.ndarray:
    """v-structures by equation (B.1): the middle is in no set that separates."""
    return ranked_v_structures(PDAG(search.adjacency), search.sepsets, search.log_phi)


def searched_once(search: T, run: Callable[[Tick], None], settings: Hashable, once: Once, tick: Tick) -> T:
    """The search once `run` has done the tests that hang on `settings`: runs that have these in common do them once.

    Raises
    ------
    Stopped
        If cancelled; `search` holds what was finished.
    """

    def searched() -> tuple[T, CITest]:
        run(tick)
        return search, copy(search.ci_test)

    found, counted = once(("tests", settings), searched)
    if found is not search:
        search.ci_test.count_as_own(counted)
    return found.resumed(search)
