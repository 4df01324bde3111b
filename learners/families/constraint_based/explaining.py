"""Explanations of runs that decide by tests."""

from __future__ import annotations

from functools import partial

from ...explaining.events import event_of_tests
from ...explaining.pair import Explainer
from ...explaining.tested_pairs import why_by_tests

EXPLAINERS = {
    "tests": Explainer(why_by_tests, event_of_tests),
    "skeleton": Explainer(partial(why_by_tests, only_skeleton=True), event_of_tests),
}
