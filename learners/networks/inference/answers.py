"""Answers to queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Moments(NamedTuple):
    """Mean and variance of a numeric variable."""

    mean: float
    variance: float


class Beliefs(dict):
    """Distribution of each variable by name: (r,) probabilities in the order of its levels, or `Moments`.

    Attributes
    ----------
    log_probability : float
        Log probability of the evidence; with numeric evidence, its log density. The largest virtual likelihood counts
        as 1.
    error : dict of str to float, or None
        None if the answer is exact. Otherwise by name the standard error: the largest of the probabilities, or that of
        the mean.
    effective : float or None
        None if the answer is exact. Otherwise the effective sample size of the weighted draws.
    """

    def __init__(
        self,
        found: Mapping[str, np.ndarray | Moments],
        log_probability: float,
        error: Mapping[str, float] | None = None,
        effective: float | None = None,
    ) -> None:
        super().__init__(found)
        self.log_probability = log_probability
        self.error = None if error is None else dict(error)
        self.effective = effective

    @property
    def exact(self) -> bool:
        """True if the answer is exact."""
        return self.error is None


class MostProbableExplanation(NamedTuple):
    """The most probable case.

    Attributes
    ----------
    case : dict of str to str or float
        A level or number for every variable, the evidence among them.
    log_probability : float
        ln of its probability given the evidence; for numbers, of its density.
    """

    case: dict[str, str | float]
    log_probability: float


class ValueOfInformation(NamedTuple):
    """A variable that could be observed, and the expected information about the target in bits."""

    name: str
    bits: float
