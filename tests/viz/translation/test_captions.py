"""Captions of lessons and of the glossary exist in each language."""

from __future__ import annotations

from tests.viz.translation.test_sentences import fields
from viz.translation.captions import CAPTIONS
from viz.translation.sentences import LANGUAGES


def test_every_language_has_every_caption_with_its_fields():
    assert CAPTIONS.keys() == LANGUAGES.keys()
    for captions in CAPTIONS.values():
        assert {name: fields(text) for name, text in captions.items()} == {
            name: fields(text) for name, text in CAPTIONS["en"].items()
        }
