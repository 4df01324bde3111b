"""Numbers have one format per language: 1,000 in English, 1 000 with a no-break space in German, 0.5 in both."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.entered_answers import number_text, setting_text
from learners.teaching.lessons.probability_answers import percent
from viz.translation import sentences
from viz.translation.captions import CAPTIONS
from viz.translation.sentences import catalog

LESSONS = Path(__file__).parents[3] / "lessons"
SPACE = "\u00a0"  # separates thousands in German
NUMBER = re.compile(rf"\d+(?:[.,{SPACE}]\d+)+")
SPACED = re.compile(r"(?<!\d)[1-9]\d{0,2}(?: \d{3})+(?!\d)")  # thousands separated by a space at which a line may break


def pairs():
    """Yield the origin, the English and the German version of every text."""
    for name in ("sentences_de", "finished_messages_de"):
        known = json.loads((Path(sentences.__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
        yield from ((name, english, german) for english, german in known.items())
    for texts in (CAPTIONS, TEXTS):
        yield from ((key, texts["en"][key], texts["de"][key]) for key in texts["en"])
    for path in sorted(LESSONS.glob("*.md")):
        yield path.name, path.read_text(encoding="utf-8"), (LESSONS / "de" / path.name).read_text(encoding="utf-8")


def test_translated_texts_have_the_numbers_of_the_english_ones():
    """Only the separator of thousands differs: no number has a decimal comma, or a dot between thousands."""
    wrong = []
    for origin, english, german in pairs():
        found = {number.replace(SPACE, ",") for number in NUMBER.findall(german)}
        known = {f"{int(digits):,}" for digits in re.findall(r"\d{4,}", english)} | set(NUMBER.findall(english))
        unknown = found - known
        wrong += [(origin, *unknown)] if unknown else []
        wrong += [(origin, number) for text in (english, german) for number in SPACED.findall(text)]
    assert wrong == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_computed_numbers_have_the_separators_of_the_catalog(language):
    assert TEXTS[language]["thousands"] == catalog(language).get(",", ",")
    assert setting_text(10_000, TEXTS[language]) == {"en": "10,000", "de": f"10{SPACE}000"}[language]
    assert setting_text(0.05, TEXTS[language]) == "0.05"
    assert (percent(0.1538), number_text(-0.5)) == ("15.4 %", "−0.5")
