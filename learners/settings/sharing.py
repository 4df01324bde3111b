"""What the runs of a learner on one data set may share: bound data, tests by pair and set, and whole stages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..common.stages import Once, Stages, alone
from ..data.dataset import Dataset
from ..independence.compiled import CompiledTest
from ..independence.memory import TestMemory
from ..scores import FamilyScore, FitMemory
from .shared import EDGE_PRICE, PENALTY

PRICES = (PENALTY.name, EDGE_PRICE.name)  # what is taken off a fit


class Alone:
    """A run by itself.

    Attributes
    ----------
    once : Once
        ``once(key, compute)`` does a stage of the learner.
    """

    once: Once = staticmethod(alone)

    def reordered(self, dataset: Dataset, order: Sequence[int]) -> Dataset:
        """The data with the columns in the order in which the learner takes them."""
        return dataset.reordered(order)

    def bound(self, need: Callable[..., Any], dataset: Dataset, own: dict[str, Any], context: dict[str, Any]) -> Any:
        """What a learner works on, from the settings of its own, and from the listener and the like."""
        return need(dataset, **own, **context)


class Shared(Alone):
    """Runs on one data set, with the same knowledge and seed: what they have in common is worked out once.

    Each run tells the same as by itself, to the last digit, counts included. Not to be shared by threads.
    """

    def __init__(self) -> None:
        self.once = Stages()
        self._orders: dict[tuple[int, ...], Dataset] = {}
        self._bound: dict[tuple, Any] = {}
        self._memories: dict[tuple, TestMemory] = {}
        self._fits: dict[tuple, FitMemory] = {}
        self.memory: TestMemory | None = None
        self.score: FamilyScore | None = None

    def reordered(self, dataset: Dataset, order: Sequence[int]) -> Dataset:
        """As `Alone.reordered`: one for each order, so that what is made of it stays with it."""
        order = tuple(order)
        if order not in self._orders:
            self._orders[order] = dataset.reordered(order)
        return self._orders[order]

    def bound(self, need: Callable[..., Any], dataset: Dataset, own: dict[str, Any], context: dict[str, Any]) -> Any:
        """As `Alone.bound`. Tests and scores, which count what they do, begin anew on what others have made."""
        key = (need, id(dataset), *sorted(own.items()))
        if key not in self._bound:
            self._bound[key] = super().bound(need, dataset, own, context)
        made = self._bound[key]
        if isinstance(made, FamilyScore):
            self.score = made.anew()
            fit = (need, id(dataset), *sorted(one for one in own.items() if one[0] not in PRICES))
            if fit not in self._fits:
                self._fits[fit] = FitMemory(made.p)
            self.score.remember_in(self._fits[fit])
            return self.score
        if isinstance(made, CompiledTest):
            made = super().bound(need, dataset, own, context)
            statistic = (need, id(dataset), *sorted(one for one in own.items() if one[0] not in made.deciding))
            if statistic not in self._memories:
                self._memories[statistic] = TestMemory(made.p)
            self.memory = self._memories[statistic]
            made.remember_in(self.memory)
        return made
