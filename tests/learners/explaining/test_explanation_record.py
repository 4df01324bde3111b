"""Tests of the records of explanations: values, caveats and translations."""

from __future__ import annotations

import pytest

from learners.common.sentences import (
    Caveat,
    Count,
    Edge,
    Listed,
    Node,
    Nodes,
    Number,
    Unit,
    mbit,
    p_of,
    percent,
    say,
    setting,
)
from learners.common.wording import format_percent, format_signed, format_statistic
from learners.explaining.explanation import FAMILY_OF_KIND, event_sentence, explainer_of, explanation
from learners.graphs.rules import Rule
from learners.results.events import Action
from tests.viz.cases import judged, level, made

NAMES = ("smoke", "{lung}", "x" * 60)
GERMAN = {
    "There is no edge between {a} and {b}.": "Zwischen {a} und {b} gibt es keine Kante.",
    "{tests} found them dependent.": "{tests} fand sie abhängig.",
    "earlier test": "früherer Test",
}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Node(0), "smoke"),
        (Nodes((0, 1)), "{smoke, {lung}}"),
        (Nodes(()), "∅"),
        (Edge(0, "backward", 1), "{lung} → smoke"),
        (Number(1234.5), "1,230"),
        (Number(0.5, Unit.PROBABILITY), "0.5"),
        (p_of(-1000.0), "5.08e-435"),
        (percent(0.125), "12%"),
        (setting(0.05), "0.05"),
        (mbit(12.345), "12.3 mbit"),
        (Count(1, "class", "classes"), "1 class"),
        (Count(2_000, "test"), "2,000 tests"),
        (Listed([Node(0), Node(1)], ", ", " and "), "smoke and {lung}"),
        (Listed([]), ""),
    ],
)
def test_values_are_written_by_their_type(value, text):
    assert value.text(NAMES) == text


def test_names_fill_a_template_as_they_are():
    """Braces in a name are not parsed as fields, and long names are shortened."""
    assert say("{a} and {b}", a=Node(1), b="{a}").text(NAMES) == "{lung} and {a}"
    assert len(say("{a}", a=Node(2)).text(NAMES)) == 40


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (13.14, "13.1"),
        (17_512.0, "17,500"),
        (0.00123456, "0.00123"),
        (-2.0, "\u22122"),
        (3e-7, "3.00e-7"),
        (float("nan"), "–"),
    ],
)
def test_statistics_have_three_digits(value, text):
    assert format_statistic(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0%"), (1.0, "100%"), (0.996, ">\u00a099%"), (0.004, "<\u00a01%"), (0.994, "99%"), (0.006, "1%")],
)
def test_only_all_and_nothing_are_said_to_be_so(share, text):
    assert format_percent(share) == text


def test_a_change_has_a_sign():
    assert [format_signed(value) for value in (31.24, -31.24)] == ["+31.2", "\u221231.2"]


def separated():
    return made(
        [judged(Action.KEEP, 0, 1, -9.0), judged(Action.REMOVE, 0, 1, -0.5, (2,), phase=level(1))],
        names=("a", "b", "c"),
    )


def test_an_explanation_has_claim_evidence_caveats_and_numbers():
    found = explanation(separated(), (0, 1))
    assert found.headline == "There is no edge between a and b."
    assert [one.text(found.names) for one in found.caveats] == [found.sentences[-1]]
    assert not any(isinstance(one, Caveat) for one in found.evidence)
    assert found.rule is Rule.TEST
    assert found.numbers["log_p"] == -0.5
    assert found.numbers["threshold"] == 0.05
    assert "rows" not in found.numbers  # each test used all rows


def test_the_same_record_is_written_in_another_language():
    """Templates and nouns come from the catalog; entries missing there stay in English."""
    claim, first, second, *_ = explanation(separated(), (0, 1)).written(GERMAN)
    assert claim == "Zwischen a und b gibt es keine Kante."
    assert first.startswith("Removed at level 1")
    assert second == "1 früherer Test fand sie abhängig."


def test_an_event_is_explained_by_the_same_record():
    result = separated()
    sentence = event_sentence(result, result.trace[1])
    assert sentence.text(result.names) == "a — b removed: independent given {c}, p = 0.607"


@pytest.mark.parametrize("kind", FAMILY_OF_KIND)
def test_every_kind_has_an_explainer(kind):
    assert explainer_of(made([], kind=kind)).why
