"""Hybrid learners: tests draw a skeleton, and a tabu search keeps within it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..checks import check_count
from ..errors import ParameterError
from ..graph import PDAG
from ..independence import CITest
from ..knowledge import BoundKnowledge, Knowledge
from ..progress import Stopped, Tick
from ..result import LearnResult
from ..scores import FamilyScore
from ..search import Search, Ties, greedy_search
from ..sepsets import Sepsets
from ..trace import TraceBuilder
from .greedy import GreedySearch, learn_greedily
from .skeleton import PairEvidence


class Restriction(Protocol):
    """A search for a skeleton, whose trace tells of tests and draws nothing."""

    ci_test: CITest
    trace: TraceBuilder

    def run(self, tick: Tick) -> None:
        """Do the tests; Stopped once the listener said no."""

    @property
    def skeleton(self) -> np.ndarray:
        """(p, p) bool, symmetric: the pairs that may be joined."""

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
class HybridSearch(GreedySearch):
    """What a hybrid learner knows beside its result.

    Attributes
    ----------
    skeleton : PDAG
        The pairs that the search was allowed to join, undirected.
    evidence : PairEvidence
        The tests that say so.
    """

    skeleton: PDAG
    evidence: PairEvidence


def learn_within(
    restriction: Restriction,
    score: FamilyScore,
    *,
    method: str,
    tabu_length: int,
    patience: int,
    max_parents: int | None,
    knowledge: Knowledge | None,
    ties: Ties,
    tick: Tick,
) -> LearnResult:
    """Run the restriction, then a tabu search from the empty graph within its skeleton; tell both.

    Raises
    ------
    ParameterError
        If a parameter is out of range, or test and score are bound to different columns.
    """
    check_count("tabu_length", tabu_length, 1)
    check_count("patience", patience, 1)
    ci_test = restriction.ci_test
    if ci_test.names != score.names:
        raise ParameterError("test and score must be bound to the same columns, got different ones")
    tests_before = ci_test.n_tests

    def search(bound: BoundKnowledge) -> Search:
        listen = tick
        try:
            restriction.run(tick)
        except Stopped:
            listen = _refuse
        return greedy_search(
            score,
            allowed=restriction.skeleton,
            max_parents=max_parents,
            knowledge=bound,
            ties=ties,
            tabu_length=tabu_length,
            patience=patience,
            tick=listen,
        )

    params = {"tabu_length": tabu_length, "patience": patience, "max_parents": max_parents, "ties": ties}
    result = learn_greedily(
        score, search, method=method, params=params, knowledge=knowledge, start=None, trace=restriction.trace
    )
    skeleton = PDAG(restriction.skeleton)
    return dataclasses.replace(
        result,
        n_tests=ci_test.n_tests - tests_before,
        sepsets=restriction.sepsets,
        warnings=(*result.warnings, *restriction.warnings),
        extra=HybridSearch(result.extra.dag, result.extra.scores, skeleton, restriction.evidence),
    )


def _refuse(_phase: str, _done: int, _total: int) -> bool:
    """Go no further: the one who listens has already said no."""
    return False
