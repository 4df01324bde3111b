"""Explanations in lessons use only words and numbers that lessons explain."""

from __future__ import annotations

import re

import numpy as np
import pytest

from learners import learn, load_sample
from learners.common.sentences import Phrase
from learners.explaining.explanation import explanation
from learners.teaching.lessons.lesson import LessonRun
from learners.teaching.lessons.lesson_runs import data_of, result_of
from pages.blocks.lessons import lesson_files
from viz.classroom.lesson_words import explained_in_lesson, step_in_lesson
from viz.classroom.lessons import run_view
from viz.translation.sentences import catalog

EXPONENT = re.compile(r"\de[−-]?\d")
UNEXPLAINED = re.compile(r"[{}∅\ue000\ue001]|\b(bits?|dof|G²|z =|z\b ?=)|\(\)")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("key", lesson_files.keys()[:5])
def test_explanations_and_steps_of_the_first_lessons_have_no_unexplained_part(key, language):
    """No pair of any run has exponents, statistics, amounts of information, or sets in braces."""
    for run in lesson_files.lesson(key, language).blocks:
        if isinstance(run, LessonRun):
            result = result_of(run)
            pairs = zip(*np.triu_indices(len(result.names), 1), strict=True)
            texts = [
                text
                for i, j in pairs
                for text in explained_in_lesson(explanation(result, (int(i), int(j))), catalog(language))
            ]
            steps = run_view("run", result, np.zeros((len(result.names), 2)), data_of(run)[1], run.shows)["steps"]
            texts += [text.written(catalog(language)) for text in steps["text"] if isinstance(text, Phrase)]
            assert len(texts) > len(result.names)
            assert [text for text in texts if EXPONENT.search(text) or UNEXPLAINED.search(text)] == []


def test_an_explanation_keeps_its_facts():
    """Sets are listed, a tiny p-value becomes a bound, and the limit stays."""
    found = explanation(learn("pc", load_sample("asia").dataset, alpha=0.01), ("lung", "either"))
    assert any("p = 2.16e-90 ≤ alpha = 0.01 (G² = 419, dof 3)" in text for text in found.written())
    texts = explained_in_lesson(found)
    assert any("the one given dysp and xray came closest" in text for text in texts)
    assert any(text.endswith("p < 0.0001 ≤ alpha = 0.01.") for text in texts)
    assert step_in_lesson("plain") == "plain"


def test_an_arrow_that_the_data_contradict_claims_nothing():
    """On asia, PC turns lung → smoke; neither text may state that smoking does not cause lung cancer."""
    found = explanation(learn("pc", load_sample("asia").dataset, alpha=0.01), ("lung", "smoke"))
    for texts in (found.written(), explained_in_lesson(found)):
        assert any("contradicts its direction" in text for text in texts)
        assert not any("does not cause" in text for text in texts)
