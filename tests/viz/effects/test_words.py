"""Sentences on causes, separation and adjustment."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from learners.data.dataset import Dataset
from learners.effects.adjustment import adjustment_sets
from learners.effects.estimates import EffectDifference, adjusted_effect
from learners.effects.paths import separation
from learners.evaluation.relations import Violation
from learners.graphs.graph import PDAG
from learners.verdict.assumptions import Assumptions, HiddenCauses
from learners.verdict.trust import Trust
from viz.effects.tables import difference_rows
from viz.effects.words import (
    NOT_JUDGED,
    adjustment_sentence,
    cause_sentences,
    difference_sentence,
    differences_sentence,
    estimator_sentence,
    separating_sentence,
    separation_sentence,
    stated_level,
)

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
        (0.0, 0.0, "The reliability check finds little support for a causing b (P < 0.1)."),
        (0.02, 0.95, "The data support the opposite: b causes a (P = 0.95)."),
    ],
)
def test_the_verdict_on_the_pair_comes_before_the_effect(forth, back, expected):
    assert cause_sentences(NOTHING, judged(forth, back), 0, 1, NAMES) == [expected]


def test_without_a_verdict_the_checks_of_the_table_speak():
    hidden = Assumptions((), hidden=HiddenCauses("causes", (0, 1)))
    said = ["This table shows signs of hidden common causes, which would bias effects."]
    assert cause_sentences(hidden, None, 0, 1, NAMES) == said
    assert cause_sentences(hidden, judged(np.nan, np.nan, "a reason"), 0, 1, NAMES) == said
    assert cause_sentences(NOTHING, None, 0, 1, NAMES) == [NOT_JUDGED]


@pytest.mark.parametrize(
    ("levels", "stated"),
    [
        (("no", "yes"), "yes"),
        (("event", "none"), "event"),
        (("positive", "Negative "), "positive"),
        (("mild", "severe", "healthy"), "severe"),
        (("a", "b", "c"), "c"),
        (("none", "no"), "no"),
    ],
)
def test_an_effect_is_on_a_level_that_names_no_absence(levels, stated):
    assert levels[stated_level(levels)] == stated


@pytest.mark.parametrize(
    ("x", "y", "given", "expected"),
    [
        (0, 1, (), "Estimated by linear regression."),
        (2, 1, (3,), "Estimated by linear regression."),
        (2, 3, (), "Estimated by the shares of the rows."),
        (2, 3, (4,), "Estimated by the shares of the rows in each stratum of the adjustment set,"),
        (2, 3, (0,), "Estimated by logistic regression,"),
        (0, 3, (), "Estimated by logistic regression,"),
    ],
)
def test_the_estimator_of_each_kind_of_effect_is_named(x, y, given, expected):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 2)), columns=["a", "b"])
    for name in ("f", "g", "h"):
        frame[name] = pd.Categorical(rng.choice(["no", "yes"], 80))
    dataset = Dataset.from_frame(frame)
    effects = (adjusted_effect(dataset, x, y, given),)
    assert estimator_sentence(effects, dataset.kinds, x).startswith(expected)


def test_violated_assumptions_say_what_an_effect_means():
    found = Assumptions((Violation("nonlinear", 1, 0, -9.0), Violation("drifting", 1, 1, -9.0)))
    assert [sentence.split(".")[0] for sentence in cause_sentences(found, None, 0, 1, NAMES)] == [
        NOT_JUDGED.split(".")[0],
        "Relations of this table may be nonlinear",
        "Relations change along the rows",
    ]


def test_verdict_and_separating_sets_name_the_set_that_they_speak_of():
    """A pair that the empty set separates is d-connected given its collider: both lines name their set."""
    collider = PDAG.from_edges(3, directed=[(0, 2), (1, 2)])
    names = ("tub", "lung", "either")
    for given in ((), (2,)):
        found = separation(collider, 0, 1, given)
        verdict = str(separation_sentence(found, 0, 1, names))
        assert ("d-separated" in verdict) == found.separated
        assert verdict.startswith("Given {either}, ") == bool(given)
        sets = str(separating_sentence(found, names))
        assert "the empty set separates them" in sets.lower()
        assert sets.startswith("Without conditioning on {either}, ") == (not found.separated)


def test_an_empty_adjustment_set_needs_no_adjustment():
    chain = PDAG.from_edges(2, directed=[(0, 1)])
    said = adjustment_sentence(adjustment_sets(chain, 0, 1), chain, 0, 1, NAMES)
    assert str(said) == "In this graph, no adjustment is needed for the effect of a on b: the empty set suffices."


@pytest.mark.parametrize("given", [(), (2,)])
def test_a_difference_is_called_adjusted_only_if_it_is(given):
    """Without an adjustment set the sentence and the table have one number."""
    plain, adjusted = EffectDifference(0.2, 0.1, 0.3, ()), EffectDifference(0.1, 0.0, 0.2, given)
    sentence = str(difference_sentence(adjusted, plain, causal=False))
    assert ("Adjusted: " in sentence) == bool(given)
    assert "Unadjusted: " in sentence
    assert difference_rows(adjusted, plain)[""].tolist() == ["with adjustment"] * bool(given) + ["without adjustment"]


def test_the_difference_of_one_set_is_not_a_range_over_sets():
    """With one possible set, the sentence has one estimate and its interval, and counts no sets."""
    plain, one = EffectDifference(0.2, 0.1, 0.3, ()), EffectDifference(0.1, 0.0, 0.2, (2,))
    assert differences_sentence([one], plain) == difference_sentence(one, plain, causal=False)
    two = str(differences_sentence([one, EffectDifference(0.4, 0.3, 0.5, (3,))], plain))
    assert two.startswith("Difference, adjusted for each of 2 sets: ")
