"""What a learner by mutual information knows of every pair, and how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import log_ndtr, ndtri

from ..common.arrays import frozen
from ..common.numbering import ByPair
from ..independence.power import power
from ..results.ranking import Ranking
from ..results.result import Strengths
from ..search.skeleton import PairEvidence
from .levels import Families, Level
from .presets import Settings
from .search import InformationSearch, deviations

LONGEST_CURVE = 2_000  # points of a power curve


@dataclass(frozen=True, eq=False)
class PairInformation(PairEvidence):
    """The largest p of every pair (of a cut: the p of the least information), and how much the pair shares.

    Attributes
    ----------
    n : int
        Number of rows.
    information, spread : (p, p) float64 arrays
        Mutual information of each pair, given nothing, and its asymptotic standard deviation, in mbit.
    """

    n: int
    information: ByPair
    spread: ByPair

    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Confidence limits of the mutual information of each pair, (p, p) each, in mbit: m ∓ z s, not below 0.

        By the delta method; for dependent pairs and many rows. Where the information is 0, so is the spread, and the
        normal approximation does not hold.

        References
        ----------
        Roulston (1999), Estimating the errors on measured entropy and mutual information. Physica D 125.
        """
        reach = float(ndtri(0.5 + level / 2)) * self.spread
        return np.maximum(self.information - reach, 0.0), self.information + reach


@dataclass(frozen=True, eq=False)
class InformationEvidence(PairInformation):
    """All that a run of CImap was decided by.

    Attributes
    ----------
    settings : Settings
        Every option, the preset resolved.
    hardest_information : (p, p) float64 array
        Information in the hardest test of each pair, in mbit; NaN where no test was done.
    marginal_log_p, marginal_dof : (p, p) float64 arrays
        Of the χ² test of each pair given nothing; NaN where it was not done.
    skipped : (p, p) int64 array
        Sets of each pair that were not tested, for want of power.
    bound : int or None
        Most degrees of freedom of a test; None if power did not matter.
    levels : tuple of Level
        The orders of tests from 1 on: who came when.
    families : tuple of Families
        The controls of false discoveries by node.
    """

    settings: Settings
    hardest_information: ByPair
    marginal_log_p: ByPair
    marginal_dof: ByPair
    skipped: ByPair
    bound: int | None
    levels: tuple[Level, ...]
    families: tuple[Families, ...]

    def ranking(self, joined: np.ndarray) -> Ranking:
        """The tested pairs by Φ, or by the least information, the largest first, where a cut decides."""
        if self.settings.test != "mi":
            return super().ranking(joined)
        return self._ranked("least information in mbit", self.hardest_information, -1.0, joined)

    def at_level(self, alpha: float) -> InformationEvidence:
        """The same of a run at another alpha that has decided the same."""
        return type(self).later(lambda: replace(self, settings=replace(self.settings, alpha=alpha)))

    @property
    def untested(self) -> np.ndarray:
        """(p, p) bool: pairs of which some set was left out, and no test at all was done."""
        return (self.skipped > 0) & np.isnan(self.hardest_information)

    def normal_log_p(self, cut: float) -> np.ndarray:
        """(p, p) ln p of the normal approximation around another cut μ, in mbit."""
        return log_ndtr(-deviations(self.information, self.spread, cut))

    def power_curve(self) -> tuple[np.ndarray, np.ndarray]:
        """Degrees of freedom from 1 to somewhat beyond the bound, and the power of a test with each."""
        most = max(10, 2 * (self.bound or 0))
        dof = np.unique(np.linspace(1, most, min(most, LONGEST_CURVE)).round())
        settings = self.settings
        return dof, power(dof, self.n, settings.alpha, settings.effect_of(self.n), settings.scale)


def information_evidence(search: InformationSearch) -> InformationEvidence:
    """Everything a search knows, finished or not."""
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
        levels=tuple(search.found.levels),
        families=tuple(search.found.families),
    )


def pair_information(search: InformationSearch) -> PairInformation:
    """What a search knows of the pairs alone."""
    known = search.evidence
    values = frozen(1e3 * search.bits), frozen(1e3 * search.spread)
    return PairInformation(known.log_phi, known.hardest, search.ci_test.n, *values)


def information_strengths(evidence: PairInformation) -> Strengths:
    """Mutual information of each pair given nothing, in mbit, with its limits."""
    values = evidence.information.copy()
    np.fill_diagonal(values, np.nan)
    low, high = evidence.interval()
    limits = frozen(low), frozen(high)
    return Strengths("mutual information in mbit", frozen(values), larger_is_stronger=True, limits=limits)
