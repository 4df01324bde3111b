"""Confidence intervals in words."""

from __future__ import annotations

import numpy as np

from ..evaluation.frequencies import wilson
from .record import Sentence, say


def interval_clause(share: float, n: int, form: str = ".2f") -> Sentence:
    """Give the 95 % interval of a share, or of a probability that is a mean over n draws; 0 draws: it is exact."""
    if n == 0:
        return say("exact")
    low, high = wilson(np.array(share), n)
    return say("95 %: {low} to {high}", low=f"{low:{form}}", high=f"{high:{form}}")
