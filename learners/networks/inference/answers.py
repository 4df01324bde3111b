"""What comes back from a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Moments(NamedTuple):
    """Mean and variance of a number."""

    mean: float
    variance: float


class Beliefs(dict):
    """By name the distribution of each variable: (r,) probabilities in the order of its levels, or `Moments`.

    Attributes
    ----------
    log_probability : float
        ln of the probability of the evidence; where numbers are known, of its density. Of virtual evidence the largest
        likelihood counts as 1.
    error : dict of str to float, or None
        None where the answer is exact. Else by name its standard error: the largest of the probabilities, or that of
        the mean.
    effective : float or None
        None where the answer is exact. Else the number of independent draws that the weighted ones are worth.
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
        """Whether nothing was drawn by chance."""
        return self.error is None


class MostProbableExplanation(NamedTuple):
    """The most probable case.

    Attributes
    ----------
    case : dict of str to str or float
        A level or number for every variable, the evidence among them.
    log_probability : float
        ln of its probability, given the evidence; of numbers its density.
    """

    case: dict[str, str | float]
    log_probability: float


class ValueOfInformation(NamedTuple):
    """A variable that could be asked for, and how many bits of the target its answer is worth on average."""

    name: str
    bits: float
