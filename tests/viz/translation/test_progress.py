"""Progress reports of all learners are written in every language."""

from __future__ import annotations

import re

import pytest

from learners.registry import LEARNERS, learn
from tests.learners.test_registry import CASES, sample
from tests.viz.test_kinds import FEW
from viz.language import Language
from viz.translation.sentences import LANGUAGES, catalog

AMOUNT = re.compile(r"\d[\d,.]*")


def phases_of(key: str, kind: str) -> set[str]:
    """Return the phases that a run reports."""
    found: set[str] = set()
    learn(key, sample(kind, p=6, n=200), tick=lambda phase, *_: found.add(str(phase)) or True, **FEW.get(key, {}))
    return found


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_each_part_of_a_progress_report_has_an_entry(key, kind):
    parts = {AMOUNT.sub("{n}", part, count=1) for phase in phases_of(key, kind) for part in phase.split(", ")}
    assert {part for part in parts if part not in catalog("de")} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_parts_and_numbers_are_written_one_by_one(language):
    known = Language(language)
    level = {"en": "level 1", "de": "Stufe 1"}[language]
    tests = {"en": "tests", "de": "Tests"}[language]
    assert known.progress("level 1, 12,345 tests") == f"{level}, {known.separated('12,345')} {tests}"


def test_every_learner_reports_progress():
    assert LEARNERS.keys() == {case.values[0] for case in CASES}
