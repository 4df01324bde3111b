"""Evidence of the learners by mutual information: tests, information and confidence limits of each pair."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import ndtri

from ...common.arrays import frozen
from ...common.relabeling import ByPair
from ...independence.power import power
from ...results.ranking import Ranking
from ...results.result import Strengths
from ...search.skeleton_levels import PairEvidence
from .effect_choice import EffectScore
from .levels import Families, Level
from .presets import Options
from .twf_pc import InformationSearch

MAX_POINTS = 2_000  # maximum number of points of a power curve


@dataclass(frozen=True, eq=False)
class MarginalInformation(PairEvidence):
    """Largest p-value and mutual information of each pair; with a cut, the p-value of the least informative test.

    Attributes
    ----------
    n : int
        Number of rows.
    information, spread : (p, p) float64 arrays
        Marginal mutual information of each pair, and its asymptotic standard deviation, in mbit.
    """

    n: int
    information: ByPair
    spread: ByPair

    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, p) confidence limits of the mutual information of each pair in mbit: m ∓ z s, not below 0.

        They hold for dependent pairs and many rows (delta method). If the information is 0, so is the spread, and the
        normal approximation does not hold.

        References
        ----------
        Roulston (1999), Estimating the errors on measured entropy and mutual information. Physica D 125.
        """
        reach = float(ndtri(0.5 + level / 2)) * self.spread
        return np.maximum(self.information - reach, 0.0), self.information + reach


@dataclass(frozen=True, eq=False)
class InformationEvidence(MarginalInformation):
    """The evidence of a run of CImap.

    Attributes
    ----------
    settings : Options
        All options, with the preset resolved.
    hardest_information : (p, p) float64 array
        Information in the hardest test of each pair, in mbit; NaN if untested.
    marginal_log_p, marginal_dof : (p, p) float64 arrays
        ln p and degrees of freedom of the marginal χ² test of each pair; NaN if it was not performed.
    skipped : (p, p) int64 array
        Number of conditioning sets of each pair that were skipped because of too little power.
    bound : int or None
        Largest degrees of freedom of a test; None without a limit.
    levels : tuple of Level
        The orders of tests from 1 on.
    families : tuple of Families
        The controls of false discoveries by node.
    effects : tuple of EffectScore
        The effect sizes tried by a cross-validation; empty if none was done.
    """

    settings: Options
    hardest_information: ByPair
    marginal_log_p: ByPair
    marginal_dof: ByPair
    skipped: ByPair
    bound: int | None
    levels: tuple[Level, ...]
    families: tuple[Families, ...]
    effects: tuple[EffectScore, ...] = field(default_factory=tuple)

    def ranking(self, joined: np.ndarray) -> Ranking:
        """Return the tested pairs by Φ, or with a cut by their least information, the largest first."""
        if self.settings.test != "mi":
            return super().ranking(joined)
        return self._ranked("least information in mbit", self.hardest_information, -1.0, joined)

    def at_level(self, alpha: float) -> InformationEvidence:
        """Return the evidence of a run at another alpha with the same decisions."""
        return type(self).lazily(lambda: replace(self, settings=replace(self.settings, alpha=alpha)))

    @property
    def untested(self) -> np.ndarray:
        """(p, p) bool: True for pairs with skipped tests and no test performed."""
        return (self.skipped > 0) & np.isnan(self.hardest_information)

    def power_curve(self) -> tuple[np.ndarray, np.ndarray]:
        """Return degrees of freedom from 1 to slightly above the bound, and the power of a test with each."""
        most = max(10, 2 * (self.bound or 0))
        dof = np.unique(np.linspace(1, most, min(most, MAX_POINTS)).round())
        settings = self.settings
        return dof, power(dof, self.n, settings.alpha, settings.effect_of(self.n), settings.scale)


def information_evidence(search: InformationSearch) -> InformationEvidence:
    """Return the evidence of a search, finished or not."""
    known = search.evidence
    bound = search.rule.bound
    return InformationEvidence(
        log_phi=known.log_phi,
        hardest=known.hardest,
        n=search.ci_test.n,
        settings=search.settings,
        information=frozen(1e3 * search.bits),
        spread=frozen(1e3 * search.spread),
        hardest_information=frozen(1e3 * search.hardest_bits),
        marginal_log_p=frozen(search.marginal_log_p),
        marginal_dof=frozen(search.marginal_dof),
        skipped=frozen(search.skipped),
        bound=int(bound) if math.isfinite(bound) else None,
        levels=tuple(search.records.levels),
        families=tuple(search.records.families),
    )


def pair_information(search: InformationSearch) -> MarginalInformation:
    """Return the evidence of a search about single pairs."""
    known = search.evidence
    values = frozen(1e3 * search.bits), frozen(1e3 * search.spread)
    return MarginalInformation(known.log_phi, known.hardest, search.ci_test.n, *values)


def information_strengths(evidence: MarginalInformation) -> Strengths:
    """Return the marginal mutual information of each pair in mbit, with its confidence limits."""
    values = evidence.information.copy()
    np.fill_diagonal(values, np.nan)
    low, high = evidence.interval()
    limits = frozen(low), frozen(high)
    return Strengths("mutual information in mbit", frozen(values), larger_is_stronger=True, limits=limits)
