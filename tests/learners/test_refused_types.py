"""Tests, scores and learners that do not take a column type say why, and what to use."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import learners
from learners import LEARNERS, DataError, Dataset

ROOT = Path(__file__).parents[2]
METHODS = ("G2", "PearsonX2", "PermutationG2", "ShrinkageMI", "OrderedG2", "MutualInformation", "FisherZ", "BasisTest",
           "DegenerateGaussian", "Regression", "GaussianInformation", "DependencePosterior", "TestedDependence",
           "ResampledGaussian", "BIC", "BDeu", "GaussianBIC", "DegenerateBIC", "BGe", "BasisBIC")  # fmt: skip
REASON = re.compile(r"which (numbers|the categories of columns? '.+') do not have\. .*[Uu]se (\w+)")
_rng = np.random.default_rng(4701)
NUMBERS = Dataset.from_values(_rng.normal(size=(60, 3)), ["x", "y", "z"])
CATEGORIES = Dataset.from_codes(_rng.integers(0, 2, (3, 60)), [2, 2, 2], ["a", "b", "c"])
MIXED = Dataset.joined(["x", "a", "y", "b"], NUMBERS.select([0, 1]), CATEGORIES.select([0, 1]))


def refusal(name: str, data: Dataset) -> str | None:
    """Return the message with which a test or score refuses the data, or None."""
    try:
        getattr(learners, name)(data)
    except DataError as error:
        return str(error)
    return None


@pytest.mark.parametrize("data", [NUMBERS, CATEGORIES, MIXED], ids=["continuous", "categorical", "mixed"])
def test_a_refused_column_type_has_a_reason_and_a_method_that_takes_it(data):
    messages = [message for name in METHODS if (message := refusal(name, data))]
    assert len(messages) >= 4
    for message in messages:
        found = REASON.search(message)
        assert found, message
        assert refusal(found[2], data) is None  # the method that the message recommends


def test_no_message_asks_for_a_column_type_without_the_reason():
    """Only a learner's refusal, which ends with its reason, names the types that it needs."""
    asks = re.compile(r"needs? (only )?(categorical|continuous|numeric|mixed)\b")
    found = [
        (str(path.relative_to(ROOT)), line.strip())
        for folder in ("learners", "viz", "pages")
        for path in (ROOT / folder).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if asks.search(line)
    ]
    assert found == []
    for learner in LEARNERS.values():
        for data in (NUMBERS, CATEGORIES, MIXED):
            words = learner.refusal(data)
            assert words is None or (learner.why_kinds and words.endswith(learner.why_kinds))
