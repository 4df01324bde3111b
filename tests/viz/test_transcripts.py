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


def test_every_transcript_belongs_to_a_learner():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(LEARNERS)
