"""A learner that takes columns of one type only, for tests of refusals."""

from __future__ import annotations

import dataclasses

import pytest

from learners import LEARNERS


def limit(monkeypatch: pytest.MonkeyPatch, key: str, kind: str) -> None:
    """Let a learner accept columns of one type only."""
    monkeypatch.setitem(LEARNERS, key, dataclasses.replace(LEARNERS[key], kinds=(kind,)))
