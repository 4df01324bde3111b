"""The effect size w of CImap's power bound chosen by cross-validation.

Bacciu, Etchells, Lisboa and Whittaker (2013), section 3.2, leave the choice to cross-validation or to suggested values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...common.errors import DataError
from ...data.dataset import Dataset
from ...data.resampling import held_out
from ...evaluation.held_out_likelihood import held_out_log_likelihood
from ...graphs.graph import PDAG
from ...independence.information import InformationTest
from ...independence.selection import information_test_for
from .presets import Options

EFFECTS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
SPLITS, SHARE = 5, 0.2  # random splits, and the share of held-out rows


@dataclass(frozen=True, eq=False)
class Folds:
    """The rows from which splits for a cross-validation are drawn.

    Attributes
    ----------
    dataset : Dataset
    """

    dataset: Dataset

    def splits(self) -> list[tuple[Dataset, Dataset]]:
        """Return `SPLITS` random splits into training and held-out rows.

        Raises
        ------
        DataError
            If cells are missing, or there are fewer than two rows.
        """
        if not self.dataset.complete:
            raise DataError("a choice of w by cross-validation needs every cell, found some missing; give w itself")
        return [held_out(self.dataset, SHARE, seed) for seed in range(SPLITS)]


@dataclass(frozen=True)
class EffectScore:
    """One effect size that was tried.

    Attributes
    ----------
    effect : float
    log_likelihood : float
        Mean log-likelihood of the held-out rows, in nats per row.
    """

    effect: float
    log_likelihood: float


def scored_effects(
    ci_test: InformationTest, folds: Folds, settings: Options, learned: Callable[[InformationTest, float], PDAG]
) -> tuple[EffectScore, ...]:
    """Score effect sizes by the held-out rows under the graphs learned from the training rows.

    With an effect that no test has the power to detect, all pairs stay adjacent, and such graphs often predict best.
    Therefore only effects compete that the widest test detects, as for the automatic one.

    Parameters
    ----------
    ci_test : InformationTest
        The test of the run, whose degrees of freedom those of the training rows use as well.
    folds : Folds
    settings : Options
        Those of the run.
    learned : callable
        ``learned(test, effect)`` returns the graph of the training rows that the test is bound to.

    Returns
    -------
    tuple of EffectScore
        In ascending order of the effect; see `best_effect`. Empty if the rows are too few for every effect.
    """
    dof = getattr(ci_test, "settings", {}).get("dof", "plain")
    splits = [(information_test_for(train, dof=dof), train, aside) for train, aside in folds.splits()]
    n, widest = min(train.n for _, train, _ in splits), ci_test.widest_dof()
    least = 1.0 if math.isnan(widest) else max(widest, 1.0)
    return tuple(
        EffectScore(
            effect,
            float(np.mean([held_out_log_likelihood(learned(test, effect), *rows) for test, *rows in splits])),
        )
        for effect in EFFECTS
        if replace(settings, effect=effect).bound(n) >= least
    )


def best_effect(scores: tuple[EffectScore, ...]) -> float:
    """Return the effect size with the highest score; of equal ones the largest, with which most tests are done."""
    return max(scores, key=lambda one: (round(one.log_likelihood, 12), one.effect)).effect
