"""Texts of runs of all learners in German: no English word, and each number with the right form of its noun."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from learners.common.sentences import Setting
from learners.data.dataset import Dataset
from learners.explaining.explanation import explanation
from learners.families.catalogue import LEARNERS
from learners.registry import learn
from tests.tiers import family
from tests.viz.transcripts import FEW, NAMES, numbers, table
from tests.viz.translation.test_counted_nouns import DATIVE, has_dative_form
from viz.kinds import kind_of
from viz.language import Language
from viz.text import in_language
from viz.translation.sentences import catalog, messages

GERMAN = Language("de")
WORD = re.compile(r"[^\W\d_]{2,}")
FIELD = re.compile(r"{\w+}")
CODE = re.compile(r"[a-z]+(?:-[a-z]+)*")  # marks and colors of the drawing, and single words in small letters
SETTING = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")  # a parameter by its name
LEVELS = ("low", "mid", "high", "no", "yes")
KINDS = ("categorical", "continuous", "mixed")
CASES = [(key, kind) for key, learner in LEARNERS.items() for kind in KINDS if kind in learner.kinds]


@cache
def mixed() -> Dataset:
    """Return the table of numbers with two of its columns cut into levels, and two cells missing."""
    values = pd.DataFrame(np.asarray(numbers().values), columns=NAMES)
    values[NAMES[2]] = np.array(["low", "mid", "high"])[np.searchsorted([-0.5, 0.5], values[NAMES[2]])]
    values[NAMES[3]] = np.array(["no", "yes"])[np.searchsorted([0.0], values[NAMES[3]])]
    values.loc[3, NAMES[2]] = values.loc[7, NAMES[0]] = None
    return Dataset.from_frame(values)


def texts_of(data: object) -> Iterator[str]:
    """Yield the texts in data for drawing, but not its keys of colors, marks and files."""
    if isinstance(data, Mapping):
        for inner in data.values():
            yield from texts_of(inner)
    elif isinstance(data, list | tuple):
        for inner in data:
            yield from texts_of(inner)
    elif isinstance(data, str) and not CODE.fullmatch(data):
        yield data


def german_texts(key: str, kind: str) -> set[str]:
    """Return all texts of a run in German: steps, captions of the slider, warnings and explanations of each pair."""
    data = {"categorical": table, "continuous": numbers, "mixed": mixed}[kind]()
    result = learn(key, data, **FEW.get(key, {}))
    drawn = in_language(kind_of(result).timeline(result, np.zeros((len(NAMES), 2))), GERMAN.catalog)
    explained = (explanation(result, pair, data) for pair in combinations(range(len(NAMES)), 2))
    return {
        *texts_of(drawn),
        *map(GERMAN.written, result.warnings),
        *(text for one in explained for text in one.written(GERMAN.catalog)),
    }


def words_of(texts: Iterable[str]) -> set[str]:
    """Return the words of templates, in small letters."""
    return {word.lower() for text in texts for word in WORD.findall(FIELD.sub("", text))}


@cache
def english_words() -> frozenset[str]:
    """Return the words that occur in English templates and in no German one."""
    known = (catalog("de"), messages("de"))
    english, german = (words_of(text for one in known for text in side(one)) for side in (dict.keys, dict.values))
    return frozenset(english - german - {*NAMES, *LEVELS})


@cache
def wrong_forms() -> re.Pattern[str]:
    """Return a pattern of the number one before a plural, and of a plural that should stand in the dative."""
    german = catalog("de")
    plurals = {(german[one], german[f"{one}s"]) for one in german if f"{one}s" in german and " " not in one}
    many = {plural for singular, plural in plurals if singular != plural}
    dative = {plural for _, plural in plurals if has_dative_form(plural)}
    ones, others = ("|".join(map(re.escape, sorted(words))) for words in (many, dative))
    return re.compile(rf"(?<![\d.,])1 (?:{ones})\b|\b(?:{DATIVE}) \d[\d.\u00a0]* (?:{others})\b|\d,\d{{3}}")


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_texts_of_a_run_are_german(key, kind, monkeypatch):
    monkeypatch.setattr(Setting, "text", lambda *_: "")  # names of parameters, such as "steps", are no words
    texts = {SETTING.sub("", text) for text in german_texts(key, kind)}
    assert {text for text in texts if words_of([text]) & english_words()} == set()
    assert {text for text in texts if wrong_forms().search(text)} == set()


def test_english_words_and_wrong_forms_are_found():
    assert words_of(["größtes p of the edge"]) & english_words() >= {"the", "edge"}
    wrong = ("1 Kanten", "von 2 Läufe", "mit 12 Bäume", "1,000 Zeilen")
    assert [text for text in wrong if wrong_forms().search(text)] == list(wrong)
    assert not any(map(wrong_forms().search, ("1 Kante", "von 2 Läufen", "11 Kanten", "über 2 Bäume", "0.1 Zeilen")))
