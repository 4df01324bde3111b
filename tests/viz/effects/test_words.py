"""Sentences on whether a variable is a cause at all."""

from __future__ import annotations

import numpy as np
import pytest

from learners.evaluation.relations import Violation
from learners.verdict.assumptions import Assumptions, HiddenCauses
from learners.verdict.trust import Trust
from viz.effects.words import cause_sentences

NOTHING = Assumptions(())
NAMES = ("a", "b")


def judged(forth: float, back: float, silent: str = "") -> Trust:
    cause = np.array([[0.0, forth], [back, 0.0]])
    return Trust(NAMES, cause, 1.0 - cause.T, np.ones((2, 2)), np.zeros((2, 2), dtype=bool), NOTHING, silent)


@pytest.mark.parametrize(
    ("forth", "back", "expected"),
    [
        (0.97, 0.02, "It is well supported that a causes b (P = 0.97)."),
        (0.9999, 0.0, "It is well supported that a causes b (P > 0.99)."),
        (0.66, 0.30, "Whether a causes b is uncertain (P = 0.66); the effect may be 0."),
        (0.0, 0.0, "The data do not support that a causes b (P < 0.1)."),
        (0.02, 0.95, "The data support the opposite: b causes a (P = 0.95)."),
    ],
)
def test_the_verdict_on_the_pair_comes_before_the_effect(forth, back, expected):
    assert cause_sentences(NOTHING, judged(forth, back), 0, 1, NAMES) == [expected]


def test_without_a_verdict_the_checks_of_the_table_speak():
    hidden = Assumptions((), hidden=HiddenCauses("causes", (0, 1)))
    said = ["Hidden common causes are likely in this table. They bias effects."]
    assert cause_sentences(hidden, None, 0, 1, NAMES) == said
    assert cause_sentences(hidden, judged(np.nan, np.nan, "a reason"), 0, 1, NAMES) == said
    assert cause_sentences(NOTHING, None, 0, 1, NAMES) == []


def test_violated_assumptions_say_what_an_effect_means():
    found = Assumptions((Violation("nonlinear", 1, 0, -9.0), Violation("drifting", 1, 1, -9.0)))
    assert [sentence.split(".")[0] for sentence in cause_sentences(found, None, 0, 1, NAMES)] == [
        "Relations of this table are not linear",
        "Relations change along the rows",
    ]
