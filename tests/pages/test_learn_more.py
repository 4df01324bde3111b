"""Tests of Learn more: the terms, the marks and the algorithms that the other pages use."""

from __future__ import annotations

from learners.registry import LEARNERS
from tests.pages.driving import markup, open_app, sound
from viz.glossary.definitions_en import GLOSSARY
from viz.legend import MARKS_SHOWN


def test_every_word_mark_and_algorithm_is_explained():
    """The page covers the complete lists."""
    at = sound(open_app("learn_more"))
    text = " ".join(markup(at))
    assert all(f"**{word}**: {meaning}" in text for word, meaning in GLOSSARY.items())
    assert all(one.summary in text and one.paper in text for one in LEARNERS.values())
    assert at.dataframe[0].value["mark"].tolist() == MARKS_SHOWN["mark"].tolist()


def test_causes_are_not_promised():
    """The text states the limits of an arrow as plainly as its meaning."""
    text = " ".join(markup(open_app("learn_more")))
    assert "only under assumptions that no table can confirm" in text
    assert "Every common cause of two variables is in the table" in text
