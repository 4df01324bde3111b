"""What a run of CImap does: a preset of the paper's table 2, and the options that override it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from ..common.errors import ParameterError
from ..independence.power import Scale, fnr_bound, suggested_effect
from ..kernels.cimap.information import Rule
from .settings import AS_PRESET

NORMAL = frozenset({"pn", "pn-all"})  # pairs alone by the normal approximation


@dataclass(frozen=True)
class Settings:
    """Every option of a run.

    Attributes
    ----------
    test : "p", "mi", "pn" or "pn-all"
        χ² of the mutual information; information held against the cut; the normal approximation around the cut without
        a conditioning set, and χ² given others; or the normal approximation given others, too.
    twf : bool
        Whether the weakest are tested first; else in the order of the columns.
    fnr : bool
        Whether tests without the power asked for are left out.
    fdr : "none", "sfdr", "ifdr" or "pefdr"
        Where false discoveries are controlled: nowhere, at the end, after each order, or in each edge's family.
    cut : float
        μ, in mbit.
    stable : bool
        Whether sets come from the neighbours at the start of an order, as in PC-stable.
    alpha, beta, effect, scale, q, fdr_method, literal, max_cond_size
        As for `cimap`, with `effect` and `q` still None where automatic.
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
    def of_tests(self) -> Settings:
        """The same, but whatever no test looks at is as it is by default."""
        ignored = [] if self.fdr in ("ifdr", "pefdr") else ["fdr", "q", "fdr_method", "literal"]
        ignored += ["alpha"] if self.test == "mi" else []
        ignored += [] if self.fnr else ["beta", "effect", "scale"]
        usual = Settings()
        return replace(self, **{name: getattr(usual, name) for name in ignored})

    @property
    def level(self) -> float:
        """Share of false discoveries accepted: q, by default alpha."""
        return self.alpha if self.q is None else self.q

    def for_test(self, n: int, dof: float) -> Settings:
        """The same with the effect size settled, for so many rows and the degrees of freedom of a wide test."""
        if self.effect is not None:
            return self
        return replace(self, effect=suggested_effect(n, dof, self.alpha, self.beta, self.scale))

    def effect_of(self, n: int) -> float:
        """The effect size for so many rows."""
        return suggested_effect(n) if self.effect is None else self.effect

    def bound(self, n: int) -> int | None:
        """Most degrees of freedom of a test; None if power does not matter."""
        return fnr_bound(n, self.alpha, self.beta, self.effect_of(n), self.scale) if self.fnr else None

    def rule(self, n: int) -> Rule:
        """How the kernels judge an edge given others."""
        bound = self.bound(n)
        return Rule(
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
    "P-1": Settings(),
    "P-2": Settings(fdr="ifdr", fnr=True),
    "P-3": Settings(fdr="pefdr", fnr=True),
    "P-4": Settings(fdr="ifdr"),
    "MI1": Settings(test="mi", twf=False),
    "MI2": Settings(test="mi"),
    "PN1": Settings(test="pn", cut=10.0),
    "PN2": Settings(test="pn", cut=5.0),
}


def settings_of(preset: str, test: str, twf: str, fnr: str, fdr: str, cut: float | None, **others: object) -> Settings:
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
            "a cut of the mutual information has no p-values, so neither false negative reduction (fnr) nor false "
            "discovery control (fdr) can be on; "
            "switch them off or choose the test 'p' or 'pn'"
        )
    if settings.test == "pn-all" and settings.fnr:
        raise ParameterError(
            "false negative reduction (fnr) asks for the power of χ² tests, and the test 'pn-all' does none; switch it "
            "off or choose the test 'p' or 'pn'"
        )
    return settings
