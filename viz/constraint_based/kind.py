"""What runs by tests show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ..kind import Kind
from ..replay import replay
from .callouts import collider, explained_away, first_level
from .sentences import sentence
from .why import why_by_tests

TESTS = Kind(
    timeline=partial(replay, sentence=sentence),
    why=why_by_tests,
    sentence=sentence,
    callouts=(first_level, explained_away, collider),
)
KINDS = {
    "tests": TESTS,
    "skeleton": replace(TESTS, why=partial(why_by_tests, only_skeleton=True), leaves_open=lambda _result: True),
}
