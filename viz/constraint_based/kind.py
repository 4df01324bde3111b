"""Views of runs that decide by tests."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from learners.explaining.events import event_of_tests

from ..kind import Kind
from ..replay import replay
from .callouts import collider, explained_away, first_level

TESTS = Kind(
    timeline=partial(replay, sentence=event_of_tests),
    callouts=(first_level, explained_away, collider),
)
KINDS = {"tests": TESTS, "skeleton": replace(TESTS, leaves_open=lambda _result: True)}
