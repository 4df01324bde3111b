"""Estimate the duration of a run as a range, from the learner's own estimate and its recent runs on this server."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import streamlit as st

from learners.choosing.duration_corrections import Experience
from learners.data.dataset import Dataset
from learners.registry import LEARNERS


@cache
def experience() -> Experience:
    """Return the record of recent runs that corrects estimates; all sessions of this process share it."""
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
