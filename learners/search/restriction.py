"""Skeletons from which another learner continues: the search and functions to run and orient it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import copy
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from ..common.progress import Tick
from ..common.run_warning import RunWarning
from ..common.step_cache import Once
from ..graphs.graph import PDAG
from ..graphs.sepsets import Sepsets
from ..independence.ci_test import CITest
from ..results.trace import TraceBuilder
from .skeleton_levels import PairEvidence, SkeletonSearch
from .v_structures import ranked_v_structures, tested_v_structures

T = TypeVar("T", bound=SkeletonSearch)


class SkeletonFinder(Protocol):
    """A search for a skeleton; its trace draws either the skeleton or nothing."""

    kind: str  # kind of a result whose `extra` is only the evidence of this search
    ci_test: CITest
    trace: TraceBuilder

    @property
    def apart(self) -> np.ndarray:
        """(p, p) bool: the pairs that background knowledge forbids in both directions."""

    @property
    def graph(self) -> PDAG:
        """The skeleton so far: the graph at the end of a trace that draws."""

    @property
    def sepsets(self) -> Sepsets:
        """The separating sets found."""

    @property
    def evidence(self) -> PairEvidence:
        """The hardest test of every pair."""

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """Warnings for the user."""


@dataclass(frozen=True, eq=False)
class Restriction:
    """A search for a skeleton that has not started, and the functions that run it.

    Attributes
    ----------
    search : SkeletonFinder
    run : callable
        ``run(tick)`` does the tests.
    v_structures : callable
        ``v_structures(tick)`` returns the (m, 3) triples i, k, j after `run`. Both raise Stopped if cancelled.
    """

    search: SkeletonFinder
    run: Callable[[Tick], None]
    v_structures: Callable[[Tick], np.ndarray]


def by_middles(search: SkeletonFinder, alpha: float, max_cond_size: int | None, tick: Tick) -> np.ndarray:
    """Return the v-structures of a finished search by `tested_v_structures`, equation (B.2)."""
    skeleton, separated = search.graph.skeleton, search.sepsets.present | search.apart
    return tested_v_structures(
        search.ci_test, skeleton, separated, search.evidence, alpha, max_cond_size, search.trace, tick
    )


def by_sepsets(search: SkeletonSearch, _tick: Tick) -> np.ndarray:
    """Return the v-structures of a finished search by `ranked_v_structures`, equation (B.1)."""
    return ranked_v_structures(PDAG(search.adjacency), search.sepsets, search.log_phi)


def searched_once(search: T, run: Callable[[Tick], None], settings: Hashable, once: Once, tick: Tick) -> T:
    """Return the finished search, shared by all runs whose tests depend on equal `settings`.

    Parameters
    ----------
    search : SkeletonSearch
        Not started.
    run : callable
        ``run(tick)`` does its tests.
    settings : hashable
        All that the tests depend on, besides the data.
    once : Once
        Cache of steps that several runs share.
    tick : Tick

    Raises
    ------
    Stopped
        If cancelled; `search` has the tests done so far.
    """

    def finished() -> tuple[T, CITest]:
        run(tick)
        return search, copy(search.ci_test)

    found, counted = once(("tests", settings), finished)
    if found is not search:
        search.ci_test.count_as_own(counted)
    return found.resumed(search)
