"""Settings by the names that stand on screen."""

from __future__ import annotations

import re

from learners.settings.learner import Learner

POLICIES = {
    "available": "use for each test the rows that have its columns",
    "drop": "leave the row out",
    "category": "make missing a level of its own",
    "mode": "fill in the most frequent level (the median of numbers)",
}


def with_labels(sentence: str, learner: Learner) -> str:
    """A sentence of the library with the labels of the form in place of names such as ``max_cond_size``."""
    labels = {one.name: one.label for one in learner.parameters if "_" in one.name}
    if not labels:
        return sentence
    return re.sub(rf"\b({'|'.join(labels)})\b", lambda match: f"“{labels[match[0]]}”", sentence)
