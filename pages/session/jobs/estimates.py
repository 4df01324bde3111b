"""How long a run may take, as a range: the learner's own estimate, corrected by how long its runs took here."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict, deque
from collections.abc import Mapping
from functools import cache
from typing import Any

import streamlit as st

from learners.data.dataset import Dataset
from learners.registry import LEARNERS

UNTRIED = 4.0  # how many times more or less a run takes than an estimate that no run has corrected
TRIED = 2.5
REMEMBERED = 5  # runs of a learner
TOO_SHORT = 0.05  # seconds of a run that says nothing of longer ones


class Experience:
    """What runs took, compared with their estimates; of a run nothing else is kept, so all visitors share it."""

    def __init__(self) -> None:
        self._log_ratios: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def note(self, key: str, estimated: float, taken: float) -> None:
        """A run of the learner `key` took so many seconds."""
        if taken > TOO_SHORT:
            self._log_ratios[key].append(math.log(taken / estimated))

    def range_of(self, key: str, estimated: float) -> tuple[float, float]:
        """Seconds from and to which a run may take."""
        known = self._log_ratios.get(key)
        if not known:
            return estimated / UNTRIED, estimated * UNTRIED
        middle = estimated * math.exp(statistics.median(known))
        return middle / TRIED, middle * TRIED


@cache
def experience() -> Experience:
    """The one of this process."""
    return Experience()


def expected_range(key: str, dataset: Dataset, params: Mapping[str, Any]) -> tuple[float, float]:
    """Seconds from and to which a run may take."""
    return experience().range_of(key, seconds_of(key, dataset, params))


def seconds_of(key: str, dataset: Dataset, params: Mapping[str, Any]) -> float:
    """Rough seconds of a run, as its learner says."""
    complete = {one.name: one.default for one in LEARNERS[key].parameters_for(dataset.kind)} | dict(params)
    return _estimate(key, dataset.fingerprint, tuple(complete.items()), dataset)


@st.cache_data(show_spinner=False, max_entries=64, scope="session")
def _estimate(key: str, fingerprint: str, params: tuple, _dataset: Dataset) -> float:  # noqa: ARG001  (cache key)
    return LEARNERS[key].estimate(_dataset, **dict(params))
