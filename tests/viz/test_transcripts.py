"""Every sentence of a run of each learner, stored in one file per learner and compared."""

from __future__ import annotations

import re

import pytest

from learners.registry import LEARNERS
from tests.viz.transcripts import FOLDER, transcript


@pytest.mark.parametrize("key", LEARNERS)
def test_a_run_says_what_its_transcript_holds(key):
    """The sentences are the stored ones, which `python -m tests.viz.transcripts` updates after an intended change."""
    assert transcript(key) == (FOLDER / f"{key}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", LEARNERS)
def test_a_run_writes_negative_numbers_with_a_minus_sign(key):
    """No number begins with a hyphen; exponents keep it, so that 3.1e-9 can be copied."""
    assert re.findall(r"(?<![\w.])-\.?\d.*", (FOLDER / f"{key}.txt").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("key", LEARNERS)
def test_small_numbers_have_three_significant_digits(key):
    """A number with an exponent has three digits and no leading zero, such as 3.10e-9, never 3e-07 or 3.1e-9."""
    text = (FOLDER / f"{key}.txt").read_text(encoding="utf-8")
    found = re.findall(r"(?<![\w.])[\d.]+e[-+]?\d+", text)
    assert [number for number in found if not re.fullmatch(r"\d\.\d\de-?[1-9]\d*", number)] == []


def test_every_transcript_belongs_to_a_learner():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(LEARNERS)


@pytest.mark.parametrize("key", LEARNERS)
def test_a_name_keeps_its_letters_where_it_begins_a_sentence(key):
    """The variables of the transcripts have names in small letters, also at the beginning of an explanation."""
    text = (FOLDER / f"{key}.txt").read_text(encoding="utf-8")
    assert re.findall(r"\b(?:Exercise|Weight|Pressure|Salt|Stroke)\b", text) == []
