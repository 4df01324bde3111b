"""Tests of the help of settings: the default is named once, with its source."""

from __future__ import annotations

import re

import pytest

from learners.common.wording import format_setting
from learners.registry import LEARNERS
from pages.blocks.parameter_widgets import default_sentence
from viz.translation.sentences import LANGUAGES, translator


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_default_is_named_once_and_no_clause_has_two_colons(language):
    t = translator(language)
    for one in (one for learner in LEARNERS.values() for one in learner.parameters):
        has_word = one.choices or one.default is None or isinstance(one.default, bool)
        value = t(one.word(one.default)) if has_word else _number(one.default) or t("automatic")
        sentence = default_sentence(value, t(one.source), t)
        assert f"({value} in " not in sentence
        assert f"({value}:".casefold() not in sentence.casefold()
        assert "()" not in sentence
        assert not re.search(r"[.]\)|\.\.", sentence)
        assert max(clause.count(": ") for clause in re.split(r"[;(] ?|\. ", sentence)) <= 1, sentence


def _number(default: object) -> str:
    return format_setting(default) if isinstance(default, float) else str(default)


@pytest.mark.parametrize(
    ("value", "source", "sentence"),
    [
        ("12", "our choice: no family has more", "Default: 12 (our choice: no family has more)."),
        ("automatic", "automatic: our choice", "Default: automatic (our choice)."),
        ("EM or imputation", "EM or imputation: Friedman (1998)", "Default: EM or imputation (Friedman (1998))."),
        (
            "auto",
            "BIC: as printed; ranks: our choice",
            "Default: auto. Sources: BIC (as printed); ranks (our choice).",
        ),
        ("1", "1 in the paper (2013): the mean", "Default: 1 (the paper (2013): the mean)."),
        ("4", "4 in Mahdi (2013); 6 with more rows", "Default: 4 (Mahdi (2013); 6 with more rows)."),
        ("0", "0 as in PC-stable", "Default: 0 (as in PC-stable)."),
    ],
)
def test_sources_of_choices_are_sentences_of_their_own(value, source, sentence):
    assert default_sentence(value, source, translator("en")) == sentence
