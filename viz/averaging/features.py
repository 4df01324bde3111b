"""Features that have a probability, and their values for every pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from learners.evaluation.calibrated_probabilities import calibrated_probabilities
from learners.evaluation.frequencies import Frequencies
from learners.evaluation.posterior import Posterior
from learners.results.result import LearnResult


@dataclass(frozen=True)
class Feature:
    """A kind of statement about the variable x of a row and the variable y of a column.

    Attributes
    ----------
    label : str
        Label in the list of features.
    words : str
        Template of the statement: "{x} → {y}".
    meaning : str
    symmetric : bool
    of_posterior, of_frequencies : callable or None
        Return the (p, p) probabilities; None if this kind of evidence has none.
    """

    label: str
    words: str
    meaning: str
    symmetric: bool
    of_posterior: Callable[[Posterior], np.ndarray] | None = None
    of_frequencies: Callable[[Frequencies], np.ndarray] | None = None


EDGE = Feature(
    "Edge", "{x} — {y}", "the two are adjacent", True,
    lambda posterior: posterior.adjacent, lambda frequencies: frequencies.adjacent,
)  # fmt: skip
ARROW = Feature(
    "Arrow", "{x} → {y}", "the row's variable points at the column's", False,
    lambda posterior: posterior.directed, lambda frequencies: frequencies.forward,
)  # fmt: skip
OPEN = Feature(
    "Open edge", "{x} — {y}, direction open", "the two are adjacent and the direction is open", True,
    None, lambda frequencies: frequencies.undirected,
)  # fmt: skip
BLANKET = Feature(
    "Markov blanket", "{x} in the Markov blanket of {y}",
    "the one is a parent, a child, or another parent of a child of the other", True,
    lambda posterior: posterior.blanket,
)  # fmt: skip
PATH = Feature(
    "Path", "{x} ⇝ {y}", "a path of arrows leads from the row's variable to the column's", False,
    lambda posterior: posterior.paths(),
)  # fmt: skip
FEATURES = (EDGE, ARROW, OPEN, BLANKET, PATH)


def features_of(evidence: Posterior | Frequencies) -> dict[str, Feature]:
    """Return the features with values in the evidence, by label."""
    kind = "of_posterior" if isinstance(evidence, Posterior) else "of_frequencies"
    return {feature.label: feature for feature in FEATURES if getattr(feature, kind) is not None}


def values_of(feature: Feature, evidence: Posterior | Frequencies) -> np.ndarray:
    """Return (p, p) probabilities, or shares of resamples.

    Raises
    ------
    ParameterError
        If paths must be counted and the class has too many DAGs.
    """
    of = feature.of_posterior if isinstance(evidence, Posterior) else feature.of_frequencies
    return of(evidence)


def calibrated_values(feature: Feature, evidence: Posterior | Frequencies, result: LearnResult) -> np.ndarray | None:
    """Return the calibrated (p, p) probabilities of edges or arrows of a run; None for other features and runs.

    Shares of resamples count arrows of CPDAGs, posterior probabilities those of DAGs.
    """
    found = calibrated_probabilities(result) if feature in (EDGE, ARROW) else None
    if found is None:
        return None
    if feature is EDGE:
        return found.adjacent
    return found.compelled if isinstance(evidence, Frequencies) else found.directed


def pair_shares(evidence: Posterior | Frequencies, x: int, y: int) -> dict[str, float]:
    """Return the probability of each mark between two variables; they sum to 1.

    A direction that no class has is left out, if a search may have missed classes.
    """
    if isinstance(evidence, Frequencies):
        return evidence.types(x, y)
    forward, backward = float(evidence.directed[x, y]), float(evidence.directed[y, x])
    ways = {"->": forward, "<-": backward}
    if evidence.is_of_reached:
        ways = {mark: value for mark, value in ways.items() if value > 0.0}
    return {**ways, "none": max(0.0, 1.0 - float(evidence.adjacent[x, y]))}
