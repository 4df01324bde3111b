"""Cache shared by the runs of a sweep: bound data, tests by pair and conditioning set, and whole steps."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from ..common.step_cache import StepCache, T
from ..data.dataset import Dataset
from ..independence.ci_cache import CIMemory
from ..independence.compiled_test import CompiledTest
from ..scores.score import FamilyScore, FitMemory
from ..settings.learner import NoCache
from ..settings.shared import EDGE_PENALTY, PENALTY

PENALTIES = (PENALTY.name, EDGE_PENALTY.name)  # parameters whose value is subtracted from a log-likelihood


class SharedCache(NoCache):
    """A cache for runs of a learner on one data set, with the same knowledge and seed.

    Each run gives the same result as an independent one, to the last digit, counts included. Threads must not share it.
    """

    def __init__(self) -> None:
        self._steps = StepCache()
        self._bound: dict[tuple, Any] = {}
        self._memories: dict[tuple, CIMemory] = {}
        self._fits: dict[tuple, FitMemory] = {}
        self.memory: CIMemory | None = None
        self.score: FamilyScore | None = None

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return a step of the learner, computed unless an earlier run did it."""
        return self._steps(key, compute)

    def bound(self, need: Callable[..., Any], dataset: Dataset, own: dict[str, Any], context: dict[str, Any]) -> Any:
        """Return a test or score that reuses results of earlier runs, with its counts at zero."""
        key = (need, id(dataset), *sorted(own.items()))
        if key not in self._bound:
            self._bound[key] = super().bound(need, dataset, own, context)
        made = self._bound[key]
        if isinstance(made, FamilyScore):
            self.score = made.emptied()
            fit = (need, id(dataset), *sorted(one for one in own.items() if one[0] not in PENALTIES))
            if fit not in self._fits:
                self._fits[fit] = FitMemory(made.p)
            self.score.remember_in(self._fits[fit])
            return self.score
        if isinstance(made, CompiledTest):
            made = super().bound(need, dataset, own, context)
            statistic = (need, id(dataset), *sorted(one for one in own.items() if one[0] not in made.deciding))
            if statistic not in self._memories:
                self._memories[statistic] = CIMemory(made.p)
            self.memory = self._memories[statistic]
            made.remember_in(self.memory)
        return made
