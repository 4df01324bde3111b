"""Comparison of learners on one table, as a table and as sentences."""

from __future__ import annotations

import numpy as np
import pytest

from learners import load_sample, trial
from viz.choosing.trial import AGREEMENT, HELD_OUT, STABILITY, trial_sentences, trial_table


@pytest.fixture(scope="module")
def found():
    return trial(load_sample("asia").dataset.take(range(400)), ["hc", "gs", "ges"], resamples=2)


def test_table_has_the_numbers_of_the_trial(found):
    table = trial_table(found)
    assert table["learner"].tolist() == ["Hill climbing", "GS (grow-shrink)", "GES"]
    np.testing.assert_allclose(table[HELD_OUT], [one.aside - found.base for one in found.tried])
    np.testing.assert_allclose(table[STABILITY], [one.stability for one in found.tried])
    np.testing.assert_allclose(table[AGREEMENT], (found.agreement.sum(axis=1) - 1) / 2)


def test_sentences_name_the_best(found):
    text = trial_sentences(found)
    table = trial_table(found)
    best = table.loc[table[HELD_OUT].idxmax()]
    assert best["learner"] in text[0]
    assert f"{best[HELD_OUT]:+.3f}" in text[0]
    assert table.loc[table[STABILITY].idxmax(), "learner"] in text[1]
    every = np.logical_and.reduce([one.result.graph.skeleton for one in found.tried])
    assert f"All learners agree on {int(np.triu(every).sum())} of" in text[2]
