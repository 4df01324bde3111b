"""Titles of runs in German: learner, sample and settings; names of the user stay as they are."""

from __future__ import annotations

import pytest

from learners.common.remote_task import RemoteTask
from learners.registry import LEARNERS
from viz.language import ENGLISH, Language

GERMAN = Language("de")
TITLES = {
    "2. PC-stable on Asia (simulated) (alpha 0.01)": "2. PC-stable auf Asia (simuliert) (alpha 0.01)",
    "Hill climbing on Asia (simulated)": "Hill Climbing auf Asia (simuliert)",
    "GES on data (old)": "GES auf data (old)",
    "PC-stable on my (alpha male).csv": "PC-stable auf my (alpha male).csv",
    "PC-stable on mine.csv (alpha 0.01, largest conditioning set no limit, background knowledge: 2 tiers, 1 edge)": (
        "PC-stable auf mine.csv (alpha 0.01, Größte Bedingungsmenge keine Grenze, Vorwissen: 2 Ränge, 1 Kante)"
    ),
    "GES on mine.csv (knowing 2 tiers, 19 edges set)": "GES auf mine.csv (Vorwissen: 2 Ränge, 19 Kanten)",
    "a name of the user on Asia (simulated)": "a name of the user on Asia (simulated)",
}


@pytest.mark.parametrize("title", TITLES)
def test_titles_of_runs_are_written_in_german(title):
    assert GERMAN.run_title(title) == TITLES[title]
    assert ENGLISH.run_title(title) == title


def test_labels_of_strengths_and_settings_have_a_german_version():
    labels = {one.label for learner in LEARNERS.values() for one in learner.parameters}
    same = {"Joint CPPD", "Variable"}  # equal in both languages
    assert {one for one in labels if GERMAN.t(one) == one} <= same


def test_the_progress_before_the_first_report_is_written_in_german():
    phase, *_ = RemoteTask().said
    assert GERMAN.progress(phase) == "startet"
    assert ENGLISH.progress(phase) == phase
