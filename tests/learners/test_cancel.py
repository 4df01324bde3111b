"""Every learner hears a cancel soon, however many columns there are; `benchmarks.silences` has the exact seconds."""

from __future__ import annotations

import pytest

from benchmarks.silences import CASES, columns, listened_to
from learners import learn

SILENCE = 1.0  # seconds of work between two ticks; 0.1 is the aim, and ten times that no busy machine makes of it
END = 2.0  # seconds of work from the cancel to the result, of all threads


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_a_thousand_columns_are_learned_from_with_ticks_and_a_cancel_is_heard(key, kind):
    learn(key, columns(kind, 8))  # compiles
    silence, end, phase = listened_to(key, kind)
    assert silence <= SILENCE, f"before {phase}"
    assert end <= END
