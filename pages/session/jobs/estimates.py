"""Estimate the duration of a run as a range, from the learner's own estimate and its recent runs on this server."""

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

UNTRIED = 4.0  # factor of uncertainty of an estimate that no run has corrected
TRIED = 2.5
REMEMBERED = 5  # recent runs of a learner
TOO_SHORT = 0.05  # seconds; such runs do not predict longer ones


class Experience:
    """Ratios of measured to estimated durations. They contain no other data of a run, so all visitors share them."""

    def __init__(self) -> None:
        self._log_ratios: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def note(self, key: str, estimated: float, taken: float) -> None:
        """Record that a run of the learner `key`, estimated at `estimated` seconds, took `taken` seconds."""
        if taken > TOO_SHORT:
            self._log_ratios[key].append(math.log(taken / estimated))

    def range_of(self, key: str, estimated: float) -> tuple[float, float]:
        """Return the lowest and highest plausible duration in seconds."""
        known = self._log_ratios.get(key)
        if not known:
            return estimated / UNTRIED, estimated * UNTRIED
        middle = estimated * math.exp(statistics.median(known))
        return middle / TRIED, middle * TRIED


@cache
def experience() -> Experience:
    """Return the experience of this process."""
    return Experience()


def expected_range(key: str, dataset: Dataset, params: Mapping[str, Any]) -> tuple[float, float]:
    """Return the lowest and highest plausible duration of a run in seconds."""
    return experience().range_of(key, seconds_of(key, dataset, params))


def seconds_of(key: str, dataset: Dataset, params: Mapping[str, Any]) -> float:
    """Return the learner's rough estimate of the duration of a run in seconds."""
    complete = {parameter.name: parameter.default for parameter in LEARNERS[key].parameters_for(dataset.kind)} | dict(
        params
    )
    return _estimate(key, dataset.fingerprint, tuple(complete.items()), dataset)


@st.cache_data(show_spinner=False, max_entries=64, scope="session")
def _estimate(key: str, fingerprint: str, params: tuple, _dataset: Dataset) -> float:  # noqa: ARG001  (cache key)
    return LEARNERS[key].estimate(_dataset, **dict(params))
