"""Describe confidence intervals in words."""

from __future__ import annotations

import numpy as np

from ..evaluation.frequencies import wilson
from .record import Sentence, say


def interval_clause(share: float, n: int, form: str = ".2f") -> Sentence:
    """Return the 95% interval of a share or of a mean probability over n draws; with 0 draws it is exact."""
    if n == 0:
        return say("exact")
    low, high = wilson(np.array(share), n)
    return say("95% interval: {low} to {high}", low=f"{low:{form}}", high=f"{high:{form}}")
