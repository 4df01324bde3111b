"""Presets of CImap: the configurations of the paper's table 2, and the options that override them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from ...common.errors import ParameterError
from ...independence.power import Scale, fnr_bound, suggested_effect
from ...kernels.cimap.sequential_tests import DecisionRule
from .settings import AS_PRESET

NORMAL = frozenset({"pn", "pn-all"})  # marginal tests by the normal approximation


@dataclass(frozen=True)
class Options:
    """The options of a run.

    Attributes
    ----------
    test : "p", "mi", "pn" or "pn-all"
        The χ² test of the mutual information; the information compared with the cut; the normal approximation around
        the cut for marginal tests, with χ² tests given others; or the normal approximation for all tests.
    twf : bool
        True to test the weakest first, False to test in the order of the columns.
    fnr : bool
        True to skip tests without sufficient power.
    fdr : "none", "sfdr", "ifdr" or "pefdr"
        Control of false discoveries: none, at the end, after each order, or in the family of each edge.
    cut : float
        The cut μ in mbit.
    stable : bool
        True to draw conditioning sets from the neighbours at the start of an order, as in PC-stable.
    alpha, beta, effect, scale, q, fdr_method, literal, max_cond_size
        As for `cimap`; `effect` and `q` are None if automatic.
    """

    test: Literal["p", "mi", "pn", "pn-all"] = "p"
    twf: bool = True
    fnr: bool = False
    fdr: Literal["none", "sfdr", "ifdr", "pefdr"] = "none"
    cut: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    effect: float | None = None
    scale: Scale = "bits"
    q: float | None = None
    fdr_method: Literal["bh", "by"] = "by"
    literal: bool = False
    max_cond_size: int | None = None
    stable: bool = False

    @property
    def of_tests(self) -> Options:
        """A copy in which options without effect on the tests have their defaults."""
        ignored = [] if self.fdr in ("ifdr", "pefdr") else ["fdr", "q", "fdr_method", "literal"]
        ignored += ["alpha"] if self.test == "mi" else []
        ignored += [] if self.fnr else ["beta", "effect", "scale"]
        usual = Options()
        return replace(self, **{name: getattr(usual, name) for name in ignored})

    @property
    def level(self) -> float:
        """Accepted share of false discoveries: q, or alpha by default."""
        return self.alpha if self.q is None else self.q

    def for_test(self, n: int, dof: float) -> Options:
        """Return a copy with the effect size for `n` rows and the degrees of freedom of the widest test."""
        if self.effect is not None:
            return self
        return replace(self, effect=suggested_effect(n, dof, self.alpha, self.beta, self.scale))

    def effect_of(self, n: int) -> float:
        """Return the effect size for `n` rows."""
        return suggested_effect(n) if self.effect is None else self.effect

    def bound(self, n: int) -> int | None:
        """Return the largest degrees of freedom of a test with sufficient power; None without a limit."""
        return fnr_bound(n, self.alpha, self.beta, self.effect_of(n), self.scale) if self.fnr else None

    def rule(self, n: int) -> DecisionRule:
        """Return the decision rule of the kernels for tests given others."""
        bound = self.bound(n)
        return DecisionRule(
            by_information=self.test == "mi",
            normal=self.test == "pn-all",
            cut=self.cut / 1e3,
            log_alpha=math.log(self.alpha),
            bound=math.inf if bound is None else float(bound),
            every=self.fdr == "pefdr",
            log_q=math.log(self.level),
            harmonic=self.fdr_method == "by",
            literal=self.literal,
            frozen=self.stable,
        )


PRESETS = {
    "P-1": Options(),
    "P-2": Options(fdr="ifdr", fnr=True),
    "P-3": Options(fdr="pefdr", fnr=True),
    "P-4": Options(fdr="ifdr"),
    "MI1": Options(test="mi", twf=False),
    "MI2": Options(test="mi"),
    "PN1": Options(test="pn", cut=10.0),
    "PN2": Options(test="pn", cut=5.0),
}


def settings_of(preset: str, test: str, twf: str, fnr: str, fdr: str, cut: float | None, **others: object) -> Options:
    """Return the preset with the options that override it.

    Raises
    ------
    ParameterError
        If false negatives or discoveries are to be controlled by a test that has no p-values or no power.
    """
    chosen = {name: word for name, word in (("test", test), ("fdr", fdr)) if word != AS_PRESET}
    chosen |= {name: word == "on" for name, word in (("twf", twf), ("fnr", fnr)) if word != AS_PRESET}
    chosen |= {} if cut is None else {"cut": cut}
    settings = replace(PRESETS[preset], **chosen, **others)
    if settings.test == "mi" and (settings.fnr or settings.fdr != "none"):
        raise ParameterError(
            "a cut of the mutual information has no p-values, which fnr and fdr need; switch them off or "
            "choose the test 'p' or 'pn'"
        )
    if settings.test == "pn-all" and settings.fnr:
        raise ParameterError(
            "fnr needs the power of χ² tests, which the test 'pn-all' does not use; switch it off or "
            "choose the test 'p' or 'pn'"
        )
    return settings
